"""Which front a peer gets: a person's terminal, plain lines, or a bot; with its event log."""

import contextlib
import logging
import os
import secrets
import stat
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import TextIO

import click

from p2pjong.app.new_file import check_new
from p2pjong.app.signals import ctrl_c_heard
from p2pjong.bots import STRATEGIES
from p2pjong.errors import Exit, P2PJongError, storage_hint
from p2pjong.front import Front
from p2pjong.settings import PeerSettings
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.event_log import EventLog
from p2pjong.ui.screen import PlainScreen, Screen
from p2pjong.ui.terminal import TerminalFront

log = logging.getLogger(__name__)

SEED_BITS = 128


@asynccontextmanager
async def open_front(settings: PeerSettings, has_color: bool) -> AsyncIterator[Front]:
    """The front for these settings; gives the terminal and the event file back at the end."""
    out = sys.stderr if settings.is_json else sys.stdout
    events = _open_events(settings)
    try:
        if settings.is_automatic:
            yield _logged(_bot(settings, out), events)
        else:
            async with _terminal(settings, out, has_color).opened() as front:
                yield _logged(front, events)
    finally:
        if events:
            with contextlib.suppress(OSError):  # what it did not take was told when it did not
                events.close()


def _open_events(settings: PeerSettings) -> TextIO | None:
    if settings.events is None:
        return None
    try:
        check_new(settings.events, "--events")
        return open(settings.events, "w", encoding="utf-8", opener=_open_private)
    except OSError as error:
        hint = storage_hint(error, "choose another --events FILE")
        message = f"{settings.events} cannot be written: {error.strerror}"
        raise P2PJongError(message, hint, Exit.STORAGE) from error


def _open_private(path: str, flags: int) -> int:
    """It holds our cards while we play with them: for nobody else to read."""
    number = os.open(path, flags, 0o600)
    try:
        if os.name == "posix" and stat.S_ISREG(os.fstat(number).st_mode):
            os.fchmod(number, 0o600)  # one that was there, and empty
    except OSError:
        os.close(number)
        raise
    return number


def _logged(front: Front, events: TextIO | None) -> Front:
    return EventLog(front, events, lambda: time.time_ns() // 1_000_000) if events else front


class Tale:
    """How a bot fares, told as long as somebody reads it; the bot plays on without."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._has_failed = False

    def write(self, lines: Sequence[str]) -> None:
        """Prints lines. What the output refuses is told once, unless its reader just went away."""
        try:
            for line in lines:
                click.echo(line, file=self._out)
        except OSError as error:
            if not self._has_failed and not isinstance(error, BrokenPipeError):
                log.warning("the output cannot be written, the game goes on: %s", error.strerror)
            self._has_failed = True


def _bot(settings: PeerSettings, out: TextIO) -> BotFront:
    return BotFront(
        strategy=STRATEGIES[settings.strategy](),
        rng=Random(secrets.randbits(SEED_BITS)),
        write=Tale(out).write,
        # A bot that people invited plays on with them; one that sits in for a person does not.
        wants_rematch=settings.role == "bot",
        may_err=settings.may_err,
    )


def _terminal(settings: PeerSettings, out: TextIO, has_color: bool) -> TerminalFront:
    return TerminalFront(_screen(settings, out, has_color), settings.may_err)


def _screen(settings: PeerSettings, out: TextIO, has_color: bool) -> Screen:
    is_dumb = os.environ.get("TERM", "") in ("", "dumb")
    if settings.is_plain or is_dumb or not out.isatty():
        return PlainScreen(out, has_color, ctrl_c_heard)
    from p2pjong.ui.live_screen import LiveScreen

    return LiveScreen(out, has_color, ctrl_c_heard)
