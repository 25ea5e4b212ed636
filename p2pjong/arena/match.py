"""One game between bots on the open dealer, from its seed alone."""

from dataclasses import dataclass
from random import Random

from p2pjong.bots import STRATEGIES
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games import GAMES
from p2pjong.games.game import NOBODY, Options, Over, Result, Seat, Settle

HANDS_MAX = 5_000  # bots that never go out would play for ever


@dataclass(frozen=True)
class Pairing:
    """Which strategies play which game; `seed` decides everything else."""

    game: str
    strategies: tuple[str, ...]  # one a seat
    options: Options
    seed: str


@dataclass(frozen=True)
class Outcome:
    """How a game between bots went; `winners` is empty if it was stopped early at `HANDS_MAX`."""

    strategies: tuple[str, ...]
    winners: tuple[Seat, ...]
    hands: int
    washed_out: int
    hands_won: tuple[int, ...]  # by each seat
    points: tuple[int, ...]  # gained by each seat
    digest: str  # of the last state, in hex: the same on every machine


def play(pairing: Pairing) -> Outcome:
    """Plays the game to its end."""
    seats = len(pairing.strategies)
    game = GAMES[pairing.game]
    dealer = OpenDealer(seats, Chance(pairing.seed))
    table = Table(game, game.start(seats, pairing.options), dealer)
    bots = [STRATEGIES[name]() for name in pairing.strategies]
    rngs = [Random(f"{pairing.seed}/{seat}") for seat in range(seats)]
    results: list[Result] = []
    while not table.is_over and len(results) < HANDS_MAX:
        table.advance()
        if isinstance(table.pending, Settle):
            results.append(table.pending.result)
            table.settle()
        for seat in table.awaited():
            table.choose(bots[seat](table.view(seat), table.legal(seat), rngs[seat]))
    return _outcome(pairing, table, results)


def _outcome(pairing: Pairing, table: Table, results: list[Result]) -> Outcome:
    over, seats = table.pending, range(len(pairing.strategies))
    winners = [result.winner for result in results]
    return Outcome(
        strategies=pairing.strategies,
        winners=over.winners if isinstance(over, Over) else (),
        hands=len(results),
        washed_out=winners.count(NOBODY),
        hands_won=tuple(winners.count(seat) for seat in seats),
        points=tuple(sum(result.points[seat] for result in results) for seat in seats),
        digest=table.digest().hex(),
    )
