"""Where lines go and come from: a live prompt on a terminal, or plain lines through pipes."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TextIO

import click

REFRESH_S = 0.5
READ_BYTES = 4096


@dataclass(frozen=True)
class Desk:
    """What a screen asks of whoever uses it, and where it takes what was typed."""

    prompt: Callable[[], str]
    status: Callable[[], str]
    instant_keys: Callable[[], frozenset[str]]
    typed: Callable[[str], None]
    interrupt: Callable[[], None]
    ended: Callable[[], None]  # no more input will come


class Screen(Protocol):
    """Prints lines above a prompt and reads lines from it."""

    is_live: bool  # whether prompt and status stay in sight and count down by themselves

    def write(self, lines: Sequence[str]) -> None:
        """Prints lines."""

    def refresh(self) -> None:
        """The question changed: what was half typed belongs to the old one."""

    def opened(self, desk: Desk) -> AbstractAsyncContextManager[None]:
        """Reads from here on, until the context ends."""


class PlainScreen:
    """Lines out, lines in: for pipes, dumb terminals and screen readers."""

    is_live = False

    def __init__(self, out: TextIO, has_color: bool) -> None:
        self._out = out
        self._has_color = has_color and out.isatty()

    def write(self, lines: Sequence[str]) -> None:
        for line in lines:
            click.echo(line, file=self._out, color=self._has_color)

    def refresh(self) -> None:
        pass

    @asynccontextmanager
    async def opened(self, desk: Desk) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        # A thread, because files and some terminals cannot be polled; a daemon, because nothing
        # can end a read that waits.
        reader = threading.Thread(target=_read_lines, args=(loop, desk), daemon=True)
        with contextlib.suppress(NotImplementedError, RuntimeError):
            import signal

            loop.add_signal_handler(signal.SIGINT, desk.interrupt)
        reader.start()
        yield


def _read_lines(loop: asyncio.AbstractEventLoop, desk: Desk) -> None:
    """Hands over lines from standard input; below `sys.stdin`, whose lock would block our exit."""
    pending = b""
    with contextlib.suppress(RuntimeError, OSError):  # the loop is closed: nobody listens
        while chunk := os.read(sys.stdin.fileno(), READ_BYTES):
            *lines, pending = (pending + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(desk.typed, line.decode("utf-8", "replace"))
        if pending:
            loop.call_soon_threadsafe(desk.typed, pending.decode("utf-8", "replace"))
        loop.call_soon_threadsafe(desk.ended)
