"""A real terminal, for what only one can show: a server of tmux of its own."""

import re
import subprocess
import time
import uuid


class Tmux:
    """A terminal of 80 columns and 24 lines in which a command runs."""

    def __init__(self, command: str) -> None:
        self._server = f"p2pjong-{uuid.uuid4().hex[:8]}"
        self._call("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", command)

    def _call(self, *args: str) -> str:
        command = ["tmux", "-L", self._server, *args]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def screen(self) -> str:
        """What is to be seen."""
        return self._call("capture-pane", "-p")

    def type(self, *keys: str) -> None:
        """Presses keys, by tmux's names for them."""
        self._call("send-keys", *keys)

    def until(self, pattern: str, within_s: float = 90.0) -> str:
        """Waits until the screen shows it."""
        give_up_s = time.monotonic() + within_s
        while not re.search(pattern, shown := self.screen(), re.MULTILINE):
            assert time.monotonic() < give_up_s, f"no {pattern!r} in:\n{shown}"
            time.sleep(0.05)
        return shown

    def until_not(self, shown: str, within_s: float = 90.0) -> None:
        """Waits until the screen shows something else."""
        give_up_s = time.monotonic() + within_s
        while self.screen() == shown:
            assert time.monotonic() < give_up_s, f"nothing came of a key:\n{shown}"
            time.sleep(0.02)

    def close(self) -> None:
        """Ends the terminal and what runs in it."""
        subprocess.run(["tmux", "-L", self._server, "kill-server"], capture_output=True)
