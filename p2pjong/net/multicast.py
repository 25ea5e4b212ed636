"""zeroconf on all interfaces of this machine, as they come and go.

zeroconf does not watch the network. `Multicast` looks every few seconds: interfaces that appeared
are joined (also those whose address was not ready the first time), those gone are left, and the
owner is told when the addresses of this machine have changed.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Awaitable, Callable

from zeroconf import IPVersion
from zeroconf.asyncio import AsyncZeroconf

from p2pjong.net.address import Interface, interfaces
from p2pjong.net.stumbles import pass_over_stumbles

WATCH_S = 2.0

# What it warns of (an interface that went down just now) is put right by looking again.
logging.getLogger("zeroconf").setLevel(logging.ERROR)
_log = logging.getLogger(__name__)


class Trouble:
    """Says what is wrong once, whoever of this program meets it, until it is over."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, text: str) -> None:
        """Says it in the log, if that was not said."""
        if text not in self._said:
            self._said.add(text)
            _log.warning("%s", text)

    def is_over(self) -> None:
        """Whatever is wrong from now on is news."""
        self._said.clear()


# The one that looks for tables and the one that announces ours meet the same trouble.
_trouble = Trouble()


class Multicast:
    """Owns one zeroconf. `zeroconf` is None while this machine has no network to speak on.

    `on_change` is called when the addresses have changed, before and after zeroconf follows: what
    is announced on a new interface is then already true, and what is asked is asked there too.
    """

    def __init__(
        self, on_change: Callable[[], Awaitable[None]], bind: str | None, watch_s: float = WATCH_S
    ) -> None:
        self.zeroconf: AsyncZeroconf | None = None
        self._on_change = on_change
        self._bind = bind
        self._watch_s = watch_s
        self._seen: tuple[Interface, ...] = ()
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Opens zeroconf, tells the owner, and watches from then on."""
        pass_over_stumbles()
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
            except (OSError, RuntimeError) as error:
                why = getattr(error, "strerror", None) or error
                _trouble.say(f"looking for tables fails for now ({why}); trying again")

    async def _look(self) -> None:
        now = tuple(sorted(interfaces()))
        is_changed, self._seen = now != self._seen, now
        hosts = multicast_hosts(now, self._bind)
        if not hosts:
            _trouble.say("this machine has no network to find tables on")
        elif self.zeroconf is None:
            await self._open(hosts)
        else:
            if is_changed:
                await self._on_change()
            # Also without a change of addresses: an IPv6 address that was tentative could not be
            # bound the last time. zeroconf compares, and does nothing if nothing is to be done.
            await self.zeroconf.async_update_interfaces(hosts, _versions(hosts))
            if is_changed:
                await self._on_change()

    async def _open(self, hosts: list[str]) -> None:
        try:
            self.zeroconf = AsyncZeroconf(hosts, ip_version=_versions(hosts))
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or error
            _trouble.say(
                f"multicast does not work here ({why}): tables are not found by themselves; "
                "p2pjong join --connect HOST:PORT goes straight to one"
            )
            return
        _trouble.is_over()
        await self._on_change()


def multicast_hosts(found: tuple[Interface, ...], bind: str | None) -> list[str]:
    """The addresses to speak multicast from: all of IPv4, and one of IPv6 for each interface.

    The link-local one of those: with it comes the zone that the addresses heard there need. This
    machine alone (loopback) if it has no network.
    """
    if bind:
        return [bind.partition("%")[0]]
    outward = [one for one in found if not one.is_loopback]
    ipv4 = [one.host for one in outward if not one.is_ipv6]
    ipv6: dict[str, str] = {}
    for one in sorted(outward, key=lambda one: "%" not in one.host):
        if one.is_ipv6:
            ipv6.setdefault(one.name, one.host.partition("%")[0])
    hosts = list(dict.fromkeys([*ipv4, *ipv6.values()]))
    return hosts or [one.host for one in found if not one.is_ipv6]


def is_loopback_alone(found: tuple[Interface, ...], bind: str | None) -> bool:
    """Whether what is heard comes from this machine alone."""
    return all(ipaddress.ip_address(host).is_loopback for host in multicast_hosts(found, bind))


def _versions(hosts: list[str]) -> IPVersion:
    has_ipv6 = any(":" in host for host in hosts)
    has_ipv4 = any(":" not in host for host in hosts)
    if has_ipv4 and has_ipv6:
        return IPVersion.All
    return IPVersion.V6Only if has_ipv6 else IPVersion.V4Only
