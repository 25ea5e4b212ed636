"""The log as people see it: single lines on standard error."""

import contextlib
import logging

import click

from p2pjong.errors import visible

SAY_AGAIN_S = 10.0
KINDS_MAX = 256


def set_up_log(is_debug: bool) -> None:
    """Single lines on standard error for what a person should know; all there is with --debug.

    What strangers do on the network, and connections that break, are none: screens tell of seats.
    """
    handler = LinesOnStderr(is_debug)
    for name, level in (("p2pjong", logging.WARNING), ("asyncio", logging.ERROR)):
        log = logging.getLogger(name)
        log.setLevel(logging.DEBUG if is_debug else level)
        log.handlers = [handler]  # of this run alone
        log.propagate = False


class LinesOnStderr(logging.Handler):
    """Writes to what standard error is at the moment: a live prompt takes its place.

    Without --debug it says one thing at most once in SAY_AGAIN_S, whatever makes it happen.
    """

    def __init__(self, is_debug: bool) -> None:
        super().__init__()
        self._is_debug = is_debug
        self._said_s: dict[str, float] = {}  # of each kind of line: when

    def emit(self, record: logging.LogRecord) -> None:
        if self._is_debug or self._is_due(_first_line(str(record.msg)), record.created):
            text = visible(" ".join(self._text(record).split("\n")))
            with contextlib.suppress(OSError):  # nobody reads it
                click.echo(f"p2pjong: {record.levelname.lower()}: {text}", err=True)

    def _text(self, record: logging.LogRecord) -> str:
        if self._is_debug or not record.exc_info:
            return self.format(record)
        # A traceback is nothing for a person; asyncio adds lines of its own, too.
        error, first = record.exc_info[1], _first_line(record.getMessage())
        return f"{first}: {type(error).__name__}: {error} (--debug tells more)"

    def _is_due(self, kind: str, now_s: float) -> bool:
        if now_s - self._said_s.get(kind, -SAY_AGAIN_S) < SAY_AGAIN_S:
            return False
        if len(self._said_s) >= KINDS_MAX:
            self._said_s.clear()
        self._said_s[kind] = now_s
        return True


def _first_line(text: str) -> str:
    return text.partition("\n")[0]
