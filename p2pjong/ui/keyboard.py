"""The keys of a plain terminal: whole lines, or single keys while those answer at once.

Lines are what pipes, dumb terminals and screen readers can do. A claim has two seconds: while a
question is answered by one key, a terminal hands over keys as they are pressed.
"""

import asyncio
import contextlib
import contextvars
import os
import threading
from collections.abc import Callable
from functools import partial

try:
    import termios
except ImportError:  # there are no such terminals on this system
    termios = None  # type: ignore[assignment]

from p2pjong.ui.question import Typed, weigh
from p2pjong.ui.screen import Desk

READ_BYTES = 4096
END_KEY = "\x04"  # Ctrl-D, which a terminal that hands over keys does not take for an end
REDRAW_KEY = "\x0c"  # Ctrl-L
ESCAPE = "\x1b"  # begins what arrows and the like send: no key of ours


class Keyboard:
    """Reads a file descriptor and tells a desk what was typed. `echo` shows a key that answered."""

    def __init__(self, file: int, desk: Desk, echo: Callable[[str], None]) -> None:
        self._file = file
        self._desk = desk
        self._echo = echo
        self._pending = b""
        self._keys = ""
        self._is_by_key = False
        self._before = _terminal_modes(file)

    @property
    def has_keys(self) -> bool:
        """Whether single keys can be had at all."""
        return self._before is not None

    def listen(self) -> None:
        """Reads from here on, in a thread of its own.

        A thread, because files and some terminals cannot be polled; a daemon, because nothing can
        end a read that waits.
        """
        loop = asyncio.get_running_loop()
        # In our context: what is typed brings lines, which are made for this terminal.
        read = partial(contextvars.copy_context().run, self._read, loop)
        threading.Thread(target=read, daemon=True).start()

    def refresh(self) -> None:
        """Another question: by key or by line, and nothing that was typed before counts."""
        self._keys = ""
        if self._before is None or not _is_ours(self._file):
            return
        self._is_by_key = bool(self._desk.instant_keys())
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcflush(self._file, termios.TCIFLUSH)
        _set_modes(self._file, _by_key(self._before) if self._is_by_key else self._before)

    def close(self) -> None:
        """Leaves the terminal as it was."""
        if self._before is not None and _is_ours(self._file):
            _set_modes(self._file, self._before)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Below `sys.stdin`, whose lock would block our exit."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
            while chunk := self._next_chunk():
                loop.call_soon_threadsafe(self._take, chunk)
            loop.call_soon_threadsafe(self._end)

    def _next_chunk(self) -> bytes:
        """What was typed; b"" at the end. A terminal that is gone refuses: that is an end, too."""
        try:
            return os.read(self._file, READ_BYTES)
        except OSError:
            return b""

    def _take(self, chunk: bytes) -> None:
        if self._is_by_key:
            self._take_keys(chunk.decode("utf-8", "replace"))
            return
        *lines, self._pending = (self._pending + chunk).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace")
            if text.strip(REDRAW_KEY) != text:
                self._desk.redraw()
            self._desk.typed(text)

    def _take_keys(self, text: str) -> None:
        if text.startswith(ESCAPE):
            return
        for key in text:
            if not self._is_by_key:
                return  # the question was answered: what follows was meant for it, too
            self._press(key)

    def _press(self, key: str) -> None:
        if key == END_KEY:
            self._desk.interrupt()
            return
        if key == REDRAW_KEY:
            self._desk.redraw()
            return
        text = self._keys + key.strip().lower()
        keys = self._desk.instant_keys()
        is_enter = key in "\r\n"
        if not text or (not is_enter and weigh(text, keys) is Typed.BEGUN):
            self._keys = text
            return
        self._keys = ""
        if text in keys:
            self._echo(text)
        self._desk.typed(text)

    def _end(self) -> None:
        if self._pending:
            self._desk.typed(self._pending.decode("utf-8", "replace"))
        self._desk.ended()


Modes = list[object]


def _terminal_modes(file: int) -> Modes | None:
    """The modes of the terminal behind the file; None if there is none."""
    if termios is None or not os.isatty(file):
        return None
    return list(termios.tcgetattr(file))


def _is_ours(file: int) -> bool:
    """Whether we are in front: a terminal's modes belong to the job that it shows."""
    with contextlib.suppress(OSError):
        return os.tcgetpgrp(file) == os.getpgrp()
    return False


def _by_key(modes: Modes) -> Modes:
    """Keys come at once and unechoed; Ctrl-C stays what it is."""
    changed = list(modes)
    local = changed[3]
    assert isinstance(local, int)
    changed[3] = local & ~(termios.ICANON | termios.ECHO)
    return changed


def _set_modes(file: int, modes: Modes) -> None:
    with contextlib.suppress(termios.error):  # the terminal is gone
        termios.tcsetattr(file, termios.TCSANOW, modes)  # type: ignore[arg-type]
