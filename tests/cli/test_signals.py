"""Signals to a peer with a person in front: it leaves in order, and gives the terminal back."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2pjong.errors import Exit
from tests.support.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

SCREENS = {"live": "", "plain": "--plain"}
ENDED = f"^SAME\n+ENDED {int(Exit.LEFT)}"  # the modes of the terminal, and the exit code
Start = Callable[[str], Tmux]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A host with two bots on a terminal, whose modes are looked at before and afterwards."""
    opened: list[Tmux] = []

    def start(screen: str) -> Tmux:
        options = f"--home {tmp_path}/home --bots 2 --target 100 --clock 0 --name Ada"
        where = f"--bind 127.0.0.1 {SCREENS[screen]}"
        host = f"{sys.executable} -m p2pjong host --game war-jhong {options} {where}"
        opened.append(
            Tmux(
                f"stty -g > {tmp_path}/before; sh -c 'echo $$ > {tmp_path}/pid; exec {host}'; "
                f"ended=$?; stty -g > {tmp_path}/after; "
                f"cmp {tmp_path}/before {tmp_path}/after && echo SAME; echo ENDED $ended; sleep 60"
            )
        )
        opened[0].until("starts the game|r or s starts")
        return opened[0]

    yield start
    for terminal in opened:
        terminal.close()


def send(home: Path, name: str) -> None:
    os.kill(int((home / "pid").read_text()), getattr(signal, name))


def begin(terminal: Tmux) -> None:
    """Until our person is asked."""
    terminal.type("s", "Enter")
    terminal.until(r"^(discard|claim) .*[>:]")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("place", ["lobby", "game", "leaving"])
def test_who_is_told_to_go_leaves_and_gives_the_terminal_back(
    start: Start, screen: str, name: str, place: str, tmp_path: Path
) -> None:
    terminal = start(screen)
    if place != "lobby":
        begin(terminal)
    if place == "leaving":
        terminal.type("C-c")
        terminal.until("^s: stay, l: leave")
    send(tmp_path, name)
    terminal.until(ENDED)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("place", ["lobby", "game"])
def test_a_ctrl_c_that_comes_as_a_signal_asks_as_the_key_does(
    start: Start, screen: str, place: str, tmp_path: Path
) -> None:
    terminal = start(screen)
    if place == "game":
        begin(terminal)
    send(tmp_path, "SIGINT")
    terminal.until("^s: stay, l: leave")
    send(tmp_path, "SIGINT")
    terminal.until("^s stays, l leaves")
    terminal.type("l", "Enter")
    terminal.until(ENDED)
