"""Many games between bots on the open dealer: no network, no cryptography, only the rules."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from p2pjong.arena.match import Outcome, Pairing, play
from p2pjong.arena.report import Report, Row, summarise
from p2pjong.games.game import Options

__all__ = ["Outcome", "Pairing", "Report", "Row", "play", "run"]

CHUNKS_PER_PROCESS = 8  # so that no process is idle for long at the end


def run(
    game: str,
    strategies: Sequence[str],
    games: int,
    seed: int,
    processes: int = 1,
    options: Options | None = None,
) -> Report:
    """Plays so many games, the strategies moving on one seat each game; the same for one seed.

    Raises KeyError on an unknown game or strategy, ValueError on seats or options that the game
    refuses, or if no game is to be played.
    """
    if games < 1 or processes < 1:
        raise ValueError("an arena plays at least one game, in at least one process")
    pairings = _pairings(game, tuple(strategies), games, seed, options or Options())
    if processes == 1:
        return summarise(game, seed, strategies, map(play, pairings))
    chunk = max(1, games // (processes * CHUNKS_PER_PROCESS))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        outcomes = pool.map(play, pairings, chunksize=chunk)
        return summarise(game, seed, strategies, outcomes)


def _pairings(
    game: str, strategies: tuple[str, ...], games: int, seed: int, options: Options
) -> list[Pairing]:
    seats = len(strategies)
    return [
        Pairing(
            game=game,
            strategies=tuple(strategies[(seat + number) % seats] for seat in range(seats)),
            options=options,
            seed=f"{seed}/{number}",
        )
        for number in range(games)
    ]
