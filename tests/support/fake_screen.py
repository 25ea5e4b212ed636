"""A screen in memory, with a person at it who answers prompts by rules."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext

import click

from p2pjong.ui.screen import Desk
from p2pjong.ui.text import Size


def no_ctrl_c(call: Callable[[], None]) -> AbstractContextManager[None]:
    """For a screen that hears no signals."""
    return nullcontext()


class FakeScreen:
    """Keeps what was written; `person`, if given, is asked for a line whenever a prompt shows."""

    def __init__(self, person: Callable[[str], str | None] | None = None, is_live: bool = True):
        self.is_live = is_live
        self.is_piped = False
        self.lines: list[str] = []
        self.desk: Desk | None = None
        self.person = person

    @property
    def has_keys(self) -> bool:
        return self.is_live

    @property
    def text(self) -> str:
        """All that was written, without colours."""
        return click.unstyle("\n".join(self.lines))

    def size(self) -> Size:
        return Size()

    def write(self, lines: Sequence[str]) -> None:
        self.lines += lines

    def refresh(self) -> None:
        if self.person and self.desk and (prompt := self.desk.prompt()):
            asyncio.get_running_loop().call_soon(self._answer, prompt)

    def _answer(self, prompt: str) -> None:
        assert self.person and self.desk
        line = self.person(prompt)
        if line is not None and self.desk.prompt() == prompt:
            self.desk.typed(line)

    @asynccontextmanager
    async def opened(self, desk: Desk) -> AsyncIterator[None]:
        self.desk = desk
        yield

    def type(self, line: str) -> None:
        """The person types a line."""
        assert self.desk
        self.desk.typed(line)

    def interrupt(self) -> None:
        """The person presses Ctrl-C."""
        assert self.desk
        self.desk.interrupt()

    def end(self) -> None:
        """No more input will come."""
        assert self.desk
        self.desk.ended()
