"""Dials one expected peer again and again while it is not linked, less and less often."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from p2pjong.net.address import Address
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import LinkError
from p2pjong.wire.handshake import CloseCode


class Redial:
    """Keeps one peer linked by calling `dial`, as long as `run` runs.

    `is_linked` is asked before each attempt. The owner reports what becomes of links by `ended`.
    """

    def __init__(
        self,
        addresses: tuple[Address, ...],
        dial: Callable[[tuple[Address, ...]], Awaitable[None]],
        is_linked: Callable[[], bool],
        limits: Limits,
    ) -> None:
        self._addresses = addresses
        self._dial = dial
        self._is_linked = is_linked
        self._limits = limits
        self._changed = asyncio.Event()
        self._failures = 0
        self._hurries_from_s = 0.0  # from when another place is tried at once
        # Another program with our identity took the link over: dialling back would be a tug of war.
        self._is_resting = False

    def move(self, addresses: tuple[Address, ...]) -> None:
        """The peer is now looked for at these addresses; if they are new, at once.

        Again at once only after a while: who says that it is elsewhere, and elsewhere again, may be
        anyone, and makes us connect.
        """
        if addresses == self._addresses:
            return
        is_waiting = bool(self._addresses) and not self._is_resting
        self._addresses, self._is_resting = addresses, False
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._hurries_from_s:
            self._hurries_from_s = now_s + self._limits.redial_max_s
            self._failures = 0
        elif is_waiting:
            return  # the next try goes there
        self._changed.set()

    def ended(self, error: LinkError, lived_s: float) -> None:
        """The link with the peer ended."""
        # A link that breaks as soon as it is made is as good as none: wait before the next.
        is_steady = lived_s >= self._limits.redial_max_s
        self._failures = 0 if is_steady else self._failures + 1
        self._is_resting = error.told is CloseCode.REPLACED
        self._changed.set()

    async def run(self) -> None:
        """Dials until cancelled."""
        while True:
            self._changed.clear()
            if not self._may_dial():
                await self._changed.wait()
                continue
            await self._pause()
            if self._may_dial():
                await self._try()

    def _may_dial(self) -> bool:
        return bool(self._addresses) and not self._is_resting and not self._is_linked()

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self._pause_s()):
                await self._changed.wait()
        except TimeoutError:
            return

    def _pause_s(self) -> float:
        if not self._failures:
            return 0.0
        longest_s = self._limits.redial_min_s * 2.0 ** min(self._failures - 1, 16)
        # Jitter, so that two peers, or many, do not keep dialling in step.
        return min(longest_s, self._limits.redial_max_s) * random.uniform(0.5, 1.0)

    async def _try(self) -> None:
        try:
            await self._dial(self._addresses)
        except LinkError as error:
            is_crossing = error.reason == CloseCode.DUPLICATE
            self._failures = max(1, self._failures) if is_crossing else self._failures + 1
