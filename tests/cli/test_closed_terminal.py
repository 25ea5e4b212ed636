"""A terminal that goes away without a signal: its peer leaves in order, and keeps no core busy."""

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2pjong.errors import Exit
from tests.support.closed_terminal import ClosedTerminal
from tests.support.peers import BIND, free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc"),
]

SCREENS = {"live": [], "plain": ["--plain"]}
BUSY_S = 1.5  # what leaving may cost; who goes round and round has used it up in as long
HOST = ["host", "--game", "war-jhong", "--bind", BIND, "--clock", "0", "--target", "100"]
PROMPT = r"your hand[\s\S]*(discard|claim) [^\n]*[>:]"
ENTER = {"live": "\r", "plain": "\n"}
Open = Callable[..., ClosedTerminal]


@pytest.fixture
def on_terminal(tmp_path: Path) -> Iterator[Open]:
    opened: list[ClosedTerminal] = []

    def on_terminal(*args: str, home: str = "home", **how: bool) -> ClosedTerminal:
        opened.append(ClosedTerminal([*args, "--home", str(tmp_path / home)], **how))
        return opened[-1]

    yield on_terminal
    for terminal in opened:
        terminal.end()


def assert_it_leaves(terminal: ClosedTerminal) -> None:
    terminal.close()
    code, busy_s = terminal.seen_out()
    assert code == Exit.LEFT
    assert busy_s < BUSY_S


def until_written(path: Path, text: str) -> None:
    """Waits until the file holds it."""
    for _ in range(3000):
        if path.exists() and text in path.read_text():
            return
        time.sleep(0.02)
    raise AssertionError(f"no {text} in {path}")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("place", ["lobby", "shuffle", "prompt", "leaving"])
def test_a_host_without_a_terminal_leaves_wherever_it_is(
    on_terminal: Open, screen: str, place: str
) -> None:
    host = on_terminal(*HOST, "--bots", "2", *SCREENS[screen])
    host.until("starts the game|r or s starts")
    if place != "lobby":
        host.type(f"s{ENTER[screen]}")
        host.until("Table words" if place == "shuffle" else PROMPT)
    if place == "leaving":
        host.type("q" + ENTER[screen])
        host.until("s: stay, l: leave")
    assert_it_leaves(host)


@pytest.mark.parametrize("is_deaf", [True, False])
def test_a_window_that_is_closed_sends_sighup_too_and_that_is_the_same_word(
    on_terminal: Open, is_deaf: bool
) -> None:
    host = on_terminal(*HOST, "--bots", "2", is_deaf=is_deaf)
    host.until("starts the game|r or s starts")
    host.type("s\r")
    host.until(PROMPT)
    assert_it_leaves(host)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("place", ["lobby", "table"])
def test_friends_are_told_at_once_that_a_joiner_without_a_terminal_has_left(
    on_terminal: Open, screen: str, place: str, tmp_path: Path
) -> None:
    events, port = tmp_path / "events", free_port()
    command = [*HOST, "--auto", "greedy", "--seats", "2", "--port", str(port), "--grace", "600"]
    command += ["--home", str(tmp_path / "host"), "--events", str(events)]
    with subprocess.Popen(
        [sys.executable, "-m", "p2pjong", *command], stdout=subprocess.DEVNULL
    ) as host:
        try:
            until_written(events, '"lobby"')
            joiner = on_terminal(
                *["join", "--connect", f"{BIND}:{port}", "--bind", BIND, *SCREENS[screen]]
            )
            joiner.until("r: ready")
            if place == "table":
                joiner.type("r" + ENTER[screen])
                joiner.until(PROMPT)
            assert_it_leaves(joiner)
            if place == "table":
                assert host.wait(30) == Exit.LEFT, "abandoned, and nobody had to be voted absent"
        finally:
            host.terminate()
    told = [json.loads(line) for line in events.read_text().splitlines()]
    if place == "table":
        assert "left" in {line["kind"] for line in told}
    else:
        seats = [len(line["seats"]) for line in told if line["kind"] == "lobby"]
        assert (max(seats), seats[-1]) == (2, 1), "its seat is free again"


@pytest.mark.parametrize("screen", SCREENS)
def test_who_looks_for_a_table_and_is_gone_does_not_look_on(on_terminal: Open, screen: str) -> None:
    nowhere = uuid.uuid4().hex  # other tests have tables on this machine
    joiner = on_terminal("join", nowhere, "--bind", BIND, "--wait", "600", *SCREENS[screen])
    joiner.until("ook")
    assert_it_leaves(joiner)
