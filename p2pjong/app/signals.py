"""The signals of the system: the one place that hears them, and calls whoever they are for.

A peer hears that it is to end, and a screen Ctrl-C: each gives a callable, and none sets a handler
of its own, so that none undoes another's.
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

# A window that is closed, a machine that shuts down.
TO_GO = ("SIGTERM", "SIGHUP")
CTRL_C = "SIGINT"


@contextlib.contextmanager
def signals_heard(call: Callable[[], None], is_ctrl_c_too: bool) -> Iterator[None]:
    """The system's signals to end call this, where there are such signals.

    `is_ctrl_c_too`: of a peer without a person in front, whose Ctrl-C it would be.
    """
    with _heard((*TO_GO, CTRL_C) if is_ctrl_c_too else TO_GO, call):
        yield


@contextlib.contextmanager
def ctrl_c_heard(call: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C calls this, for the person in front."""
    with _heard((CTRL_C,), call):
        yield


@contextlib.contextmanager
def _heard(names: tuple[str, ...], call: Callable[[], None]) -> Iterator[None]:
    """In the event loop; afterwards a signal does what it did before. Not for one within itself."""
    with contextlib.ExitStack() as undone:
        for name in names:
            # Not every system has them, and not every thread may hear them.
            with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                undone.callback(_hear(getattr(signal, name), call))
        yield


def _hear(number: signal.Signals, call: Callable[[], None]) -> Callable[[], None]:
    """What undoes it."""
    loop, before = asyncio.get_running_loop(), signal.getsignal(number)
    loop.add_signal_handler(number, call)

    def undo() -> None:
        loop.remove_signal_handler(number)
        if before is not None:  # else it is none of Python's
            signal.signal(number, before)

    return undo
