"""The two ends of a terminal that may be taken away at any moment, without a signal.

The library reads on for ever from a terminal that is gone, and raises at each write to one. Here a
failure of either end is told once, as the end that it is, and nothing more goes there.
"""

import os
import select

try:
    import termios
except ImportError:  # there are no such terminals on this system
    termios = None  # type: ignore[assignment]
from collections.abc import Callable
from typing import TextIO

from prompt_toolkit.input import Input
from prompt_toolkit.input.posix_utils import PosixStdinReader

READ_BYTES = 1024
# What a terminal that is not there any more answers with.
GONE: tuple[type[Exception], ...] = (EOFError, OSError, *((termios.error,) if termios else ()))


class Outlet:
    """Writes to a stream as long as it takes anything, then calls `unread` once, and goes on."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_open = True
        self.unread: Callable[[], None] = lambda: None
        self.encoding = out.encoding
        self.isatty = out.isatty
        self.fileno = out.fileno

    def write(self, text: str) -> int:
        """As of any stream, and no error."""
        self._try(lambda: self._out.write(text))
        return len(text)

    def flush(self) -> None:
        """As of any stream, and no error."""
        self._try(self._out.flush)

    def _try(self, act: Callable[[], object]) -> None:
        if not self._is_open:
            return
        try:
            act()
        except OSError:
            self._is_open = False
            self.unread()


class Reader(PosixStdinReader):
    """Takes an error of the terminal for the end of what is typed."""

    def read(self, count: int = READ_BYTES) -> str:
        """What was typed by now, and "" at the end, too: see `closed`."""
        try:
            if self.closed or not select.select([self.stdin_fd], [], [], 0)[0]:
                return ""
            data = os.read(self.stdin_fd, count)
        except (OSError, ValueError):
            data = b""
        self.closed = not data
        return self._stdin_decoder.decode(data)


def hear_the_end(source: Input) -> Input:
    """The input, of which an error is the end where the library would try for ever."""
    reader = getattr(source, "stdin_reader", None)
    if isinstance(reader, PosixStdinReader):
        encoding = source.stdin.encoding  # type: ignore[attr-defined]
        source.stdin_reader = Reader(reader.stdin_fd, encoding=encoding)  # type: ignore[attr-defined]
    return source
