"""How fast a real table is: four bot peers in four processes, over real links, journals synced."""

import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PEERS = 4
COMMAND = [sys.executable, "-m", "p2pjong"]
GAME_S = 120


def play(folder: Path, game: str, *goal: str) -> list[list[dict[str, Any]]]:
    """One game of four greedy bots; the events that each of them saw."""
    folder.mkdir()
    port = 20_000 + os.getpid() % 20_000
    table = ["--game", game, "--seats", str(PEERS), *goal]
    host = ["host", *table, "--port", str(port), "--auto", "greedy"]
    bots = [["bot", "--connect", f"127.0.0.1:{port}"] for _ in range(PEERS - 1)]
    processes = []
    for seat, command in enumerate([host, *bots]):
        processes.append(_start(folder, seat, command))
        if seat == 0:
            _wait_for(folder / "0.events")
    for process in processes:
        process.wait(GAME_S)
    return [_events(folder / f"{seat}.events") for seat in range(PEERS)]


def _start(folder: Path, seat: int, command: list[str]) -> subprocess.Popen[bytes]:
    own = ["--home", str(folder / str(seat)), "--events", str(folder / f"{seat}.events")]
    with (folder / f"{seat}.log").open("wb") as log:
        return subprocess.Popen(
            [*COMMAND, *command, *own, "--json"], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )


def _wait_for(path: Path) -> None:
    until = time.monotonic() + GAME_S
    while not (path.exists() and path.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)


def _events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _times(events: list[dict[str, Any]], verb: str) -> list[int]:
    return [event["at_ms"] for event in events if event.get("verb") == verb]


def spreads_ms(games: list[list[dict[str, Any]]], verb: str) -> list[int]:
    """For each such event, how long from the first screen to the last one."""
    rows = zip(*(_times(events, verb) for events in games), strict=False)
    return [max(row) - min(row) for row in rows]


def dealing_ms(games: list[list[dict[str, Any]]]) -> int:
    """From the signed charter on the first screen until the cards are on the last one."""
    signed = [event["at_ms"] for events in games for event in events if event["kind"] == "words"]
    dealt = [_times(events, "dealt")[0] for events in games]
    return int(max(dealt) - min(signed))


def hand_ms(games: list[list[dict[str, Any]]]) -> float:
    """The mean time of a hand, round or turn, its dealing and its signing counted in."""
    began = _times(games[0], "first_seat")[0]
    ends = _times(games[0], "settled")
    return (ends[-1] - began) / len(ends)


def sync_ms(folder: Path) -> float:
    """The time of one synced SQLite transaction on this disk: median of 50."""
    database = sqlite3.connect(folder / "sync.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE lane (frame BLOB)")
    times = []
    for _ in range(50):
        began = time.perf_counter()
        database.execute("INSERT INTO lane VALUES (?)", (b"x" * 400,))
        times.append((time.perf_counter() - began) * 1000)
    database.close()
    return statistics.median(times)


def bench_rows() -> list[dict[str, Any]]:
    """Rows of name, value, unit and, where the project has set one, the limit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = play(folder / "jhong", "war-jhong", "--target", "12")
        rounds = play(folder / "ma", "not-your-mas-jong", "--rounds", "3")
        turns = play(folder / "samurai", "samurai-warfare", "--target", "2")
        sync = sync_ms(folder)
    discards = spreads_ms(games, "discarded")
    draws = spreads_ms(games, "drew")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [
        _row("signed charter to cards on all screens", dealing_ms(games) / 1000, "s", 1.5),
        _row("a hand of four bots over real links", hand_ms(games) / 1000, "s", 6),
        _row("hands of that game", len(_times(games[0], "settled")), ""),
        _row("a round of Not Your Ma's Jong, four bots", hand_ms(rounds) / 1000, "s", 3),
        _row("a turn of Samurai Warfare, four bots", hand_ms(turns) / 1000, "s", 3),
        _row("a discard, first to last screen, median", statistics.median(discards), "ms", 30),
        _row("a draw, first to last screen, median", statistics.median(draws), "ms", 30),
        _row("one sync of the journal", sync, "ms"),
        _row("the largest peer's memory", largest, "MB", 100),
        _row("p2pjong --help", _seconds([*COMMAND, "--help"]), "s", 0.3),
    ]


def _seconds(command: list[str]) -> float:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return min(times)


def _row(name: str, value: float, unit: str, limit: float | None = None) -> dict[str, Any]:
    return {"name": name, "value": round(value, 3), "unit": unit, "limit": limit}


if __name__ == "__main__":
    for row in bench_rows():
        print(f"{row['name']:<45} {row['value']:>9} {row['unit']:<3} limit {row['limit'] or '-'}")
