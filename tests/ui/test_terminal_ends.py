"""A terminal that refuses is at its end: it is read no more, and nothing more is written to it."""

import asyncio
import errno
import io
import os
import pty
from collections.abc import Iterator
from typing import TextIO

import pytest
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import DummyOutput

from p2pjong.ui.live_screen import LiveScreen
from p2pjong.ui.screen import Desk
from p2pjong.ui.terminal_ends import Outlet
from tests.support.fake_screen import no_ctrl_c


class Refusing(io.StringIO):
    """A stream that takes nothing, and counts what it was given."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.tries = 0

    def write(self, text: str) -> int:
        self.tries += 1
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize("number", [errno.EIO, errno.EBADF, errno.EPIPE])
def test_a_stream_that_refuses_is_told_once_and_left_alone(number: int) -> None:
    out, told = Refusing(number), []
    outlet = Outlet(out)
    outlet.unread = lambda: told.append(True)
    for _ in range(3):
        outlet.write("a line")
        outlet.flush()
    assert (told, out.tries) == ([True], 1)


def test_a_stream_that_takes_what_it_is_given_is_as_without() -> None:
    out = io.StringIO()
    outlet = Outlet(out)
    assert outlet.write("one\n") == 4
    outlet.flush()
    assert out.getvalue() == "one\n"


@pytest.fixture
def terminal() -> Iterator[int]:
    """The program's end of a terminal on which something was typed."""
    person, program = pty.openpty()
    os.write(person, b"x")
    yield program
    os.close(person)
    os.close(program)


@pytest.mark.parametrize("number", [errno.EIO, errno.EBADF, 0])
def test_a_terminal_that_refuses_to_be_read_is_at_its_end_and_not_tried_again(
    number: int, terminal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library takes an error for a moment without keys, and kept a core busy for ever."""
    really, tries = os.read, 0

    def read(file: int, count: int) -> bytes:
        nonlocal tries
        if file != terminal:
            return really(file, count)
        tries += 1
        if number:
            raise OSError(number, os.strerror(number))
        return b""

    async def scene(stdin: TextIO) -> None:
        ended = asyncio.Event()
        screen = LiveScreen(io.StringIO(), False, no_ctrl_c, Vt100Input(stdin), DummyOutput())
        desk = Desk(lambda: "", lambda: "", frozenset, lambda text: None, lambda: None, ended.set)
        async with asyncio.timeout(10), screen.opened(desk):
            await ended.wait()
            screen.write(["it is left in order"])
            await asyncio.sleep(0.05)

    monkeypatch.setattr(os, "read", read)
    with open(terminal, closefd=False) as stdin:
        asyncio.run(scene(stdin))
    assert tries <= 2
