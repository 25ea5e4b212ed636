"""How fast bots play Samurai Warfare on the open dealer, and what a turn asks of a real one.

Turns a second and core are in processor time. The operations of a turn are what the mental dealer
will have to prove; choices are messages, too.
"""

import argparse
import json
import time
from collections import Counter
from random import Random
from typing import Any

from p2pjong.arena import run
from p2pjong.bots import STRATEGIES
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games import GAMES
from p2pjong.games.game import Decide, Options, Over, Pending, ProveAmong, Settle

GAME = "samurai-warfare"
RANDOM_TURNS_MIN = 100  # a second and core


def bench_rows() -> list[dict[str, Any]]:
    """All rows of this bench; a row without a minimum is for information."""
    run(GAME, ["random"] * 4, games=1, seed=0)  # tables that are made once a process
    return [
        speed_row("4 random bots", ["random"] * 4, games=10, least=RANDOM_TURNS_MIN),
        speed_row("6 random bots", ["random"] * 6, games=6),
        speed_row("2 random bots", ["random"] * 2, games=10),
        speed_row("4 greedy bots", ["greedy"] * 4, games=3),
        operations_row("a turn of 4 greedy bots", seats=4, games=3),
    ]


def speed_row(name: str, strategies: list[str], games: int, least: float = 0) -> dict[str, Any]:
    """Plays so many games; seconds are those of this process on its processor."""
    began = time.process_time()
    report = run(GAME, strategies, games, seed=1)
    seconds = time.process_time() - began
    found: dict[str, Any] = {
        "name": f"samurai, {name}",
        "seconds": round(seconds, 3),
        "turns": report.hands,
        "turns_per_second": round(report.hands / seconds, 1),
        "tied_share": round(report.washed_out_share, 3),
    }
    return found | ({"turns_per_second_min": least} if least else {})


def operations_row(name: str, seats: int, games: int) -> dict[str, Any]:
    """How often a turn asks for each operation, and how large the proofs of passes are."""
    asked: Counter[str] = Counter()
    turns = pairs = 0
    for number in range(games):
        for pending in play(seats, f"bench/{number}"):
            asked[type(pending).__name__.lower()] += 1
            turns += isinstance(pending, Settle)
            if isinstance(pending, ProveAmong):
                pairs += len(pending.slots) * len(pending.faces)
    found: dict[str, Any] = {"name": f"samurai, {name}"}
    found |= {kind: round(count / turns, 2) for kind, count in sorted(asked.items())}
    return found | {"slots_times_faces": round(pairs / turns, 1)}


def play(seats: int, seed: str) -> list[Pending]:
    """All that a game waits for, in order."""
    game = GAMES[GAME]
    table = Table(game, game.start(seats, Options()), OpenDealer(seats, Chance(seed)))
    bot, rng = STRATEGIES["greedy"](), Random(seed)
    asked: list[Pending] = []
    while not isinstance(pending := table.pending, Over):
        asked.append(pending)
        if isinstance(pending, Settle):
            table.settle()
        elif isinstance(pending, Decide):
            (seat,) = pending.seats
            table.choose(bot(table.view(seat), table.legal(seat), rng))
        else:
            table.step()
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    rows = bench_rows()
    if parser.parse_args().json:
        print(json.dumps(rows, indent=2))
        return
    for found in rows:
        name, *fields = found.items()
        print(f"{name[1]:32} {'  '.join(f'{key} {value}' for key, value in fields)}")


if __name__ == "__main__":
    main()
