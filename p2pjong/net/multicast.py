"""zeroconf on all interfaces of this machine, as they come and go.

zeroconf does not watch the network. `Multicast` looks every few seconds: interfaces that appeared
are joined (also those whose address was not ready the first time), those gone are left, and the
owner is told when the addresses of this machine have changed.
"""

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable

from zeroconf import InterfaceChoice, IPVersion
from zeroconf.asyncio import AsyncZeroconf

from p2pjong.net.address import interfaces

WATCH_S = 2.0

_log = logging.getLogger(__name__)


class Multicast:
    """Owns one zeroconf. `zeroconf` is None while this machine has no network to speak on."""

    def __init__(
        self, on_change: Callable[[], Awaitable[None]], bind: str | None, watch_s: float = WATCH_S
    ) -> None:
        self.zeroconf: AsyncZeroconf | None = None
        self._on_change = on_change
        self._bind = bind
        self._watch_s = watch_s
        self._seen: object = None
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Opens zeroconf, tells the owner, and watches from then on."""
        await self._look()
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """Says goodbye for all that is announced, and ends."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait((self._watching,))
        if self.zeroconf is not None:
            zeroconf, self.zeroconf = self.zeroconf, None
            await zeroconf.async_close()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._watch_s)
            try:
                await self._look()
            except OSError as error:
                _log.warning("multicast: %s; trying again", error.strerror or error)

    async def _look(self) -> None:
        now = tuple(sorted(interfaces()))
        is_changed, self._seen = now != self._seen, now
        if self.zeroconf is None:
            self.zeroconf = _open(self._bind)
            is_changed = self.zeroconf is not None
        elif not self._bind:
            # No change of addresses may still be a change for zeroconf: an IPv6 address that was
            # tentative could not be bound. It compares, and does nothing if nothing is to be done.
            await self.zeroconf.async_update_interfaces()
        if is_changed and self.zeroconf is not None:
            await self._on_change()


def _open(bind: str | None) -> AsyncZeroconf | None:
    """None if there is nothing to open it on, which is said in the log."""
    choice = [bind.partition("%")[0]] if bind else InterfaceChoice.All
    versions = [None] if bind else [IPVersion.All, IPVersion.V4Only]
    for version in versions:
        try:
            return AsyncZeroconf(choice, ip_version=version)
        except (OSError, RuntimeError) as error:
            is_expected = getattr(error, "errno", None) in (errno.EAFNOSUPPORT, None)
            if version is versions[-1] or not is_expected:
                _log.warning("multicast does not work here: %s", error)
                return None
    return None
