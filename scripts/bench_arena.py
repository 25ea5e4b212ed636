"""How fast bots play on the open dealer: hands a second and core, in processor time."""

import argparse
import json
import time
from typing import Any

from p2pjong.arena import Report, run

GAME = "war-jhong"
RANDOM_HANDS_MIN = 60  # a second and core


def bench_rows() -> list[dict[str, Any]]:
    """All rows of this bench; a row without a minimum is for information."""
    run(GAME, ["random"] * 4, games=1, seed=0)  # tables that are made once a process
    return [
        row("4 random bots", ["random"] * 4, games=12, least=RANDOM_HANDS_MIN),
        row("8 random bots", ["random"] * 8, games=6),
        row("2 random bots", ["random"] * 2, games=6),
        row("4 greedy bots", ["greedy"] * 4, games=1),
    ]


def row(name: str, strategies: list[str], games: int, least: float = 0) -> dict[str, Any]:
    """Plays so many games; seconds are those of this process on its processor."""
    began = time.process_time()
    report = run(GAME, strategies, games, seed=1)
    seconds = time.process_time() - began
    found: dict[str, Any] = {"name": f"arena, {name}", "seconds": round(seconds, 3)}
    found |= _figures(report, seconds)
    return found | ({"hands_per_second_min": least} if least else {})


def _figures(report: Report, seconds: float) -> dict[str, Any]:
    return {
        "hands": report.hands,
        "hands_per_second": round(report.hands / seconds, 1),
        "washed_out_share": round(report.washed_out_share, 3),
        "points_per_win": round(report.rows[0].mean_win, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    rows = bench_rows()
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'play':24} {'hands/s':>9} {'min':>5} {'hands':>6} {'washed out':>11} {'points':>7}")
    for found in rows:
        least = found.get("hands_per_second_min", "")
        print(
            f"{found['name']:24} {found['hands_per_second']:9.1f} {least:>5} {found['hands']:6}"
            f" {found['washed_out_share']:11.3f} {found['points_per_win']:7.2f}"
        )


if __name__ == "__main__":
    main()
