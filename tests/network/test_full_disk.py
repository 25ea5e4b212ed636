"""A disk that fills up in the midst of a game: whose it is leaves by its word, and friends see it.

On a small disk of its own, which takes root to make.
"""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pjong.cli import run
from p2pjong.errors import Exit
from tests.support.lan import call, missing_for_lan
from tests.support.peers import BIND, free_port

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(120),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]

PLAYS = ["--auto", "greedy", "--delay", "100", "--bind", BIND]
# Nobody is voted absent within so long: who is seen to be gone has said it.
TABLE = ["--game", "war-jhong", "--target", "1000", "--grace", "3600"]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    call("mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place))
    yield place
    call("umount", "--lazy", str(place))


def fill(disk: Path) -> None:
    """To the last byte."""
    with (disk / "filling").open("ab", buffering=0) as filling:
        for piece_bytes in (1 << 16, 1):
            with contextlib.suppress(OSError):
                while True:
                    filling.write(bytes(piece_bytes))


@contextlib.contextmanager
def peer(command: str, *args: object) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "p2pjong", command, *PLAYS, *map(str, args)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until_told(events: Path, kind: str) -> None:
    """Waits until the seat of that event file was told so."""
    for _ in range(1500):
        if events.exists() and kind in kinds(events):
            return
        time.sleep(0.04)
    raise AssertionError(f"no {kind!r} in {events}")


def kinds(events: Path) -> set[str]:
    lines = events.read_text().split("\n")[:-1]
    return {json.loads(line)["kind"] for line in lines}


@pytest.mark.parametrize("whose", ["host", "joiner"])
def test_who_cannot_keep_the_game_any_more_leaves_it_and_friends_are_told_at_once(
    whose: str, disk: Path, tmp_path: Path
) -> None:
    homes = {name: (disk if name == whose else tmp_path) / name for name in ("host", "joiner")}
    events = {name: tmp_path / f"{name}.events" for name in homes}
    port = free_port()
    table = [*TABLE, "--seats", 3, "--bots", 1, "--port", port]
    with peer("host", *table, "--home", homes["host"], "--events", events["host"]) as host:
        until_told(events["host"], "lobby")
        where = ["--connect", f"{BIND}:{port}", "--home", homes["joiner"]]
        with peer("join", *where, "--events", events["joiner"]) as joiner:
            peers = {"host": host, "joiner": joiner}
            until_told(events[whose], "chose")
            fill(disk)
            _, errors = peers[whose].communicate(timeout=60)
            assert peers[whose].returncode == Exit.STORAGE
            first, second = errors.splitlines()[-2:]
            assert first.startswith("p2pjong: error: the disk is full") and "left" in first
            assert second.startswith("p2pjong: hint: free some space")
            friend = next(name for name in peers if name != whose)
            until_told(events[friend], "left")
            assert not {"votedout", "stuck"} & kinds(events[friend])


def test_a_record_that_found_no_room_is_written_later_from_the_journal(
    disk: Path, tmp_path: Path
) -> None:
    fill(disk)
    home, record = tmp_path / "home", disk / "game.p2pjong"
    table = ["--game", "war-jhong", "--target", 1, "--bots", 1, "--window", 0, "--home", home]
    with peer("host", *table, "--delay", 0, "--record", record) as host:
        _, errors = host.communicate(timeout=100)
        assert host.returncode == Exit.STORAGE
    first, second = errors.splitlines()[-2:]
    assert first.startswith(f"p2pjong: error: the record could not be written to {record}")
    assert "free some space" in second and not record.exists()
    table_id = second.split("p2pjong record ")[1].split()[0]
    later = tmp_path / "later.p2pjong"
    assert run(["record", table_id, str(later), "--home", str(home)]) == Exit.OK
    assert run(["verify", str(later)]) == Exit.OK


def test_without_room_for_a_game_nobody_sits_down(disk: Path, tmp_path: Path) -> None:
    fill(disk)
    with peer("host", *TABLE, "--bots", 1, "--home", disk / "home") as host:
        _, errors = host.communicate(timeout=60)
        assert host.returncode == Exit.STORAGE
        assert "no room for a game" in errors
