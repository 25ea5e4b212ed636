"""A peer on a terminal that can be taken away from it, as when a window goes without a word."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import click

TICKS = os.sysconf("SC_CLK_TCK")


class ClosedTerminal:
    """Runs the program on a terminal of its own; `close` takes the terminal away.

    `is_deaf`: it hears no SIGHUP, as below nohup; else it is the first to hear it.
    """

    def __init__(self, args: Sequence[str], is_deaf: bool = True) -> None:
        self._person, program = pty.openpty()
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        # Inherited; a program of its own session has the terminal it is given first.
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN if is_deaf else signal.SIG_DFL)
        command = [sys.executable, "-m", "p2pjong", *args]
        try:
            self.process = subprocess.Popen(
                command if is_deaf else ["setsid", "--ctty", *command],
                stdin=program,
                stdout=program,
                stderr=program,
                start_new_session=is_deaf,
                env=os.environ | {"TERM": "xterm"},
            )
        finally:
            signal.signal(signal.SIGHUP, before)
            os.close(program)
        self.shown = ""

    def until(self, pattern: str, within_s: float = 60.0) -> None:
        """Waits until the program has shown it, in whatever colours."""
        give_up_s = time.monotonic() + within_s
        while not re.search(pattern, click.unstyle(self.shown)):
            left_s = give_up_s - time.monotonic()
            ready, _, _ = select.select([self._person], [], [], max(left_s, 0))
            assert ready, f"no {pattern!r} in:\n{self.shown}"
            try:
                self.shown += os.read(self._person, 1 << 16).decode("utf-8", "replace")
            except OSError:
                raise AssertionError(f"it ended before {pattern!r}:\n{self.shown}") from None

    def type(self, keys: str) -> None:
        """Presses keys."""
        os.write(self._person, keys.encode())

    def close(self) -> None:
        """The window is gone."""
        if self._person >= 0:
            os.close(self._person)
            self._person = -1

    def cpu_s(self) -> float:
        """How long the program has kept a core busy so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / TICKS

    def seen_out(self, within_s: float = 30.0) -> tuple[int | None, float]:
        """Its exit code, None if it goes on, and how long it has kept a core busy from now on."""
        before_s = used_s = self.cpu_s()
        give_up_s = time.monotonic() + within_s
        while time.monotonic() < give_up_s:
            used_s = self.cpu_s()  # before it is waited for: then it is forgotten
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        return self.process.poll(), used_s - before_s

    def end(self) -> None:
        """Ends whatever still runs."""
        self.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
