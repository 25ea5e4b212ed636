"""Errors of zeroconf over what strangers send: they end one packet, and concern nobody.

zeroconf is called by the event loop, not by us: what it raises over a packet ends up at the loop's
handler of exceptions, which would print a traceback.
"""

import asyncio
import logging
from typing import Any, TypeAlias

Handler: TypeAlias = Any  # asyncio has no public name for it

_log = logging.getLogger(__name__)


def pass_over_stumbles() -> None:
    """From now on the running loop tells of zeroconf's own errors in the debugging log alone."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    if not isinstance(before, _PassingOver):
        loop.set_exception_handler(_PassingOver(before))


class _PassingOver:
    def __init__(self, before: Handler) -> None:
        self._before = before

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and _raised_by(error) == "zeroconf":
            _log.debug("zeroconf stumbled: %s", type(error).__name__, exc_info=error)
        elif self._before is not None:
            self._before(loop, context)
        else:
            loop.default_exception_handler(context)


def _raised_by(error: BaseException) -> str:
    """Which of the two raised it, or called what did: the package of the innermost frame."""
    package, trace = "", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
        package = name if name in ("p2pjong", "zeroconf") else package
        trace = trace.tb_next
    return package
