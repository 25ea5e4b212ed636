"""Plain lines through a pipe."""

import asyncio
import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import click
import pytest

from p2pjong.errors import Departure
from p2pjong.ui.screen import Desk, PlainScreen
from tests.support.fake_screen import no_ctrl_c


@dataclass
class Seen:
    """What a desk was told."""

    typed: list[str] = field(default_factory=list)
    has_ended: asyncio.Event = field(default_factory=asyncio.Event)
    is_unread: asyncio.Event = field(default_factory=asyncio.Event)

    def desk(self) -> Desk:
        return Desk(
            lambda: "",
            lambda: "",
            frozenset,
            self.typed.append,
            lambda: None,
            self.has_ended.set,
            unread=self.is_unread.set,
        )


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The writing end of a pipe that is standard input."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield writing


def typed(pipe: int, *pieces: bytes) -> list[str]:
    """The lines that arrive when the pieces come one by one and the pipe then ends."""

    async def scene() -> list[str]:
        seen = Seen()
        async with PlainScreen(io.StringIO(), has_color=True, ctrl_c=no_ctrl_c).opened(seen.desk()):
            for piece in pieces:
                os.write(pipe, piece)
                await asyncio.sleep(0.01)
            os.close(pipe)
            async with asyncio.timeout(5):
                await seen.has_ended.wait()
        return seen.typed

    return asyncio.run(scene())


def test_lines_arrive_whole_however_they_were_cut(pipe: int) -> None:
    assert typed(pipe, b"12\nx", b" 3\r\n", b"g") == ["12", "x 3\r", "g"]


def test_bytes_that_are_no_text_are_no_crash(pipe: int) -> None:
    (line,) = typed(pipe, b"\xff\xfe\n")
    assert line == "\ufffd\ufffd"


def test_an_end_without_a_word_is_told(pipe: int) -> None:
    assert typed(pipe) == []


class Gone(io.StringIO):
    """A pipe that nobody reads any more."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_that_nobody_reads_any_more_is_told_and_no_crash(pipe: int) -> None:
    async def scene() -> None:
        seen = Seen()
        screen = PlainScreen(Gone(), has_color=False, ctrl_c=no_ctrl_c)
        async with screen.opened(seen.desk()):
            screen.write(["a line"])
            assert seen.is_unread.is_set() and not seen.has_ended.is_set()
            screen.write(["and another one, which is no error either"])

    asyncio.run(scene())
    os.close(pipe)


def test_a_full_disk_is_told_as_what_it_is_once_the_game_has_been_left(pipe: int) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    async def scene() -> None:
        seen = Seen()
        screen = PlainScreen(Full(), has_color=False, ctrl_c=no_ctrl_c)
        async with screen.opened(seen.desk()):
            screen.write(["a line"])
            assert seen.is_unread.is_set()
            raise Departure("you left")

    with pytest.raises(OSError, match="No space left"):
        asyncio.run(scene())
    os.close(pipe)


def test_colours_are_left_out_where_there_is_no_terminal() -> None:
    out = io.StringIO()
    PlainScreen(out, has_color=True, ctrl_c=no_ctrl_c).write([click.style("red", fg="red")])
    assert out.getvalue() == "red\n"
