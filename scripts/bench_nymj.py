"""How fast bots play Not Your Ma's Jong on the open dealer: rounds a second, in processor time."""

import argparse
import json
import time
from typing import Any

from p2pjong.arena import run

GAME = "not-your-mas-jong"
RANDOM_ROUNDS_MIN = 100  # a second and core


def bench_rows() -> list[dict[str, Any]]:
    """All rows of this bench; a row without a minimum is for information."""
    run(GAME, ["random"] * 4, games=1, seed=0)  # tables that are made once a process
    return [
        row("4 random bots", ["random"] * 4, games=25, least=RANDOM_ROUNDS_MIN),
        row("3 random bots", ["random"] * 3, games=25, least=RANDOM_ROUNDS_MIN),
        row("4 greedy bots", ["greedy"] * 4, games=6),
        row("3 greedy bots", ["greedy"] * 3, games=6),
    ]


def row(name: str, strategies: list[str], games: int, least: float = 0) -> dict[str, Any]:
    """Plays so many games; seconds are those of this process on its processor."""
    began = time.process_time()
    report = run(GAME, strategies, games, seed=1)
    seconds = time.process_time() - began
    found: dict[str, Any] = {
        "name": f"not-your-mas-jong, {name}",
        "seconds": round(seconds, 3),
        "rounds": report.hands,
        "rounds_per_second": round(report.hands / seconds, 1),
        "washed_out_share": round(report.washed_out_share, 3),
    }
    return found | ({"rounds_per_second_min": least} if least else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    rows = bench_rows()
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'play':34} {'rounds/s':>9} {'min':>5} {'rounds':>7} {'washed out':>11}")
    for found in rows:
        print(
            f"{found['name']:34} {found['rounds_per_second']:9.1f}"
            f" {found.get('rounds_per_second_min', ''):>5} {found['rounds']:7}"
            f" {found['washed_out_share']:11.3f}"
        )


if __name__ == "__main__":
    main()
