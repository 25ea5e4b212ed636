"""Where lines go and come from: a live prompt on a terminal, or plain lines through pipes."""

import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO, TypeAlias

import click

from p2pjong.errors import FULL
from p2pjong.ui.text import Size, fold

if TYPE_CHECKING:
    from p2pjong.ui.keyboard import Keyboard

REFRESH_S = 0.5

# As long as its context is open, Ctrl-C calls what it was given.
CtrlC: TypeAlias = Callable[[Callable[[], None]], AbstractContextManager[None]]


@dataclass(frozen=True)
class Desk:
    """What a screen asks of whoever uses it, and where it takes what was typed."""

    prompt: Callable[[], str]
    status: Callable[[], str]
    instant_keys: Callable[[], frozenset[str]]
    typed: Callable[[str], None]
    interrupt: Callable[[], None]
    ended: Callable[[], None]  # no more input will come
    suspend: Callable[[], None] = lambda: None  # Ctrl-Z, where the terminal does not heed it
    unread: Callable[[], None] = lambda: None  # nobody reads any more what is written
    redraw: Callable[[], None] = lambda: None  # Ctrl-L: show again what matters now


class Screen(Protocol):
    """Prints lines above a prompt and reads lines from it."""

    is_live: bool  # whether prompt and status stay in sight and count down by themselves
    is_piped: bool  # whether a script types, which cannot see when something is asked

    @property
    def has_keys(self) -> bool:
        """Whether a single key can answer, without Enter."""

    def size(self) -> Size:
        """How much of what is written is seen at once."""

    def write(self, lines: Sequence[str]) -> None:
        """Prints lines."""

    def refresh(self) -> None:
        """The question changed: what was half typed belongs to the old one."""

    def opened(self, desk: Desk) -> AbstractAsyncContextManager[None]:
        """Reads from here on, until the context ends."""


class PlainScreen:
    """Lines out, lines in: for pipes, dumb terminals and screen readers.

    On a terminal, questions that one key answers take it without Enter.
    """

    is_live = False

    def __init__(self, out: TextIO, has_color: bool, ctrl_c: CtrlC) -> None:
        self._out = out
        self._ctrl_c = ctrl_c
        self._is_terminal = out.isatty()
        self._has_color = has_color and self._is_terminal
        self.is_piped = not sys.stdin.isatty()
        self._keyboard: Keyboard | None = None
        self._desk: Desk | None = None
        self._refusal: OSError | None = None  # of whatever we write to

    @property
    def has_keys(self) -> bool:
        return self._keyboard is not None and self._keyboard.has_keys

    def size(self) -> Size:
        return Size(*shutil.get_terminal_size()) if self._is_terminal else Size()

    def write(self, lines: Sequence[str]) -> None:
        try:
            self._print(lines)
        except OSError as error:
            # Whoever read has gone: nobody sees what there is to choose.
            self._refusal = self._refusal or error
            if self._desk:
                desk, self._desk = self._desk, None
                desk.unread()

    def _print(self, lines: Sequence[str]) -> None:
        columns = shutil.get_terminal_size().columns if self._is_terminal else None
        for line in lines:
            for part in fold(line, columns) if columns else (line,):
                click.echo(_printable(part, self._out), file=self._out, color=self._has_color)

    def refresh(self) -> None:
        if self._keyboard:
            self._keyboard.refresh()

    @asynccontextmanager
    async def opened(self, desk: Desk) -> AsyncIterator[None]:
        from p2pjong.ui.keyboard import Keyboard

        self._desk = desk
        self._keyboard = Keyboard(sys.stdin.fileno(), desk, lambda key: self.write([key]))
        self._keyboard.listen()
        try:
            with self._ctrl_c(desk.interrupt):
                yield
        finally:
            self._keyboard.close()
            if self._refusal and self._refusal.errno in FULL:
                raise self._refusal


def _printable(line: str, out: TextIO) -> str:
    """The line with "?" for what the stream cannot write: no name may end a game."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    return line.encode(encoding, "replace").decode(encoding)
