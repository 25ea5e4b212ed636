"""Who answers at an address and port, asked seldom, however many announcements name it.

Announcements come from anyone, and make whoever looks for tables connect. All that name one target
share what is found out there: a stranger cannot turn those who look against it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from p2pjong.net.address import Address
from p2pjong.net.link_errors import LinkError, unreachable

# Shorter than the time after which what is shown is looked at again: that look is a real one.
ANSWER_HOLDS_S = 0.5
FAILURE_HOLDS_S = 3.0
TARGETS_MAX = 4096


@dataclass
class _Target:
    fingerprint: str = ""  # who answered, the last time that anyone did
    error: LinkError | None = None
    known_until_s: float = 0.0  # both
    hasty_until_s: float = 0.0  # a short try was too short
    dial: asyncio.Task[str] | None = None
    waiting: int = 0


class Targets:
    """Remembers for a moment what was found at each target; `dial` finds it out."""

    def __init__(self, dial: Callable[[Address], Awaitable[str]]) -> None:
        self._dial = dial
        self._targets: dict[Address, _Target] = {}

    async def who_answers(self, address: Address, is_hasty: bool) -> str:
        """The fingerprint that was proved there just now. Raises LinkError.

        A hasty caller waits for less than others would: where one did so in vain, the next does
        not even try (TimeoutError).
        """
        target, now_s = self._target(address), asyncio.get_running_loop().time()
        if now_s < target.known_until_s:
            if target.error is not None:
                raise target.error.with_traceback(None)
            return target.fingerprint
        if is_hasty and now_s < target.hasty_until_s and target.dial is None:
            raise TimeoutError
        return await self._shared(address, target)

    def gave_up(self, address: Address, is_hasty: bool) -> None:
        """Nobody answered there in the time that there was."""
        target, now_s = self._target(address), asyncio.get_running_loop().time()
        if is_hasty:
            target.hasty_until_s = now_s + FAILURE_HOLDS_S
        elif now_s >= target.known_until_s:
            self._found(target, unreachable("no answer"))

    def has_failed(self, address: Address) -> bool:
        """Whether nothing answered there a moment ago."""
        target = self._targets.get(address)
        now_s = asyncio.get_running_loop().time()
        return target is not None and target.error is not None and now_s < target.known_until_s

    async def _shared(self, address: Address, target: _Target) -> str:
        """The one try that is going on there; it ends when nobody waits for it any more."""
        if target.dial is None:
            target.dial = asyncio.ensure_future(self._try(address, target))
            target.dial.add_done_callback(_retrieve)
        dial = target.dial
        target.waiting += 1
        try:
            return await asyncio.shield(dial)
        finally:
            target.waiting -= 1
            if not target.waiting and not dial.done():
                target.dial = None
                dial.cancel()
                await asyncio.wait((dial,))

    async def _try(self, address: Address, target: _Target) -> str:
        try:
            answered = await self._dial(address)
        except LinkError as error:
            self._found(target, error)
            raise
        else:
            self._found(target, answered)
            return answered
        finally:
            if target.dial is asyncio.current_task():
                target.dial = None

    def _found(self, target: _Target, found: str | LinkError) -> None:
        has_failed = isinstance(found, LinkError)
        target.error = found if isinstance(found, LinkError) else None
        target.fingerprint = found if isinstance(found, str) else ""
        holds_s = FAILURE_HOLDS_S if has_failed else ANSWER_HOLDS_S
        target.known_until_s = asyncio.get_running_loop().time() + holds_s

    def _target(self, address: Address) -> _Target:
        target = self._targets.pop(address, None) or _Target()
        if len(self._targets) >= TARGETS_MAX:
            idle = (one for one, it in self._targets.items() if it.dial is None)
            self._targets.pop(next(idle), None)
        self._targets[address] = target  # the one longest not asked about is the first to go
        return target


def _retrieve(dial: asyncio.Task[str]) -> None:
    if not dial.cancelled():
        dial.exception()  # told to whoever waited
