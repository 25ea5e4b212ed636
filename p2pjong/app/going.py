"""Being told to go: by the system, or by the host that started this bot. Nobody need be asked."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

# A window that is closed, a machine that shuts down. Ctrl-C is for the person in front, if any.
SIGNALS = ("SIGTERM", "SIGHUP")
CTRL_C = "SIGINT"


class Going:
    """Whether this peer is to leave wherever it is."""

    def __init__(self) -> None:
        self.is_told = asyncio.Event()
        self._heeding = 0

    @property
    def is_heeded(self) -> bool:
        """Whether somebody waits to be told, and will then leave in order."""
        return self._heeding > 0

    async def told(self) -> None:
        """Returns when we are to go. Whoever waits here then leaves in order."""
        self._heeding += 1
        try:
            await self.is_told.wait()
        finally:
            self._heeding -= 1


@contextlib.contextmanager
def signals_heard(call: Callable[[], None], is_ctrl_c_too: bool) -> Iterator[None]:
    """The system's signals to end call this, where there are such signals."""
    loop = asyncio.get_running_loop()
    names = (*SIGNALS, CTRL_C) if is_ctrl_c_too else SIGNALS
    heard = [number for name in names if (number := getattr(signal, name, None)) is not None]
    # Not every system has them, and not every thread may hear them.
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
        for number in heard:
            loop.add_signal_handler(number, call)
    try:
        yield
    finally:
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            for number in heard:
                loop.remove_signal_handler(number)
