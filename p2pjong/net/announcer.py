"""Announces our table on this network, as it and the network change.

Implements "Discovery" of `protocol/handshake.md`, the announcing side.
"""

import asyncio
from typing import Any

from zeroconf import ServiceInfo

from p2pjong.net.address import own_addresses
from p2pjong.net.announcement import SERVICE_TYPE, Announcement, instance_label, to_txt
from p2pjong.net.multicast import WATCH_S, Multicast


class Announcer:
    """Announces one table until closed. Where multicast does not work that is said in the log."""

    def __init__(
        self, announcement: Announcement, bind: str | None = None, watch_s: float = WATCH_S
    ) -> None:
        self._announcement = announcement
        self._bind = bind
        self._multicast = Multicast(self._publish, bind, watch_s)
        self._published: ServiceInfo | None = None
        self._broadcasts: set[asyncio.Future[Any]] = set()
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Announces the table; at once, because its label is its own."""
        await self._multicast.start()

    async def update(self, announcement: Announcement) -> None:
        """Announces what has changed; costs nothing if nothing has."""
        self._announcement = announcement
        await self._publish()

    async def close(self) -> None:
        """Says goodbye: lists that show the table drop it at once."""
        for broadcast in tuple(self._broadcasts):
            broadcast.cancel()
        await self._multicast.close()

    async def _publish(self) -> None:
        async with self._lock:
            if self._multicast.zeroconf is None:
                return
            zeroconf = self._multicast.zeroconf.zeroconf
            wanted, published = self._service(), self._published
            if published is not None and _is_same(published, wanted):
                return
            if published is not None and published.key != wanted.key:
                self._follow(await zeroconf.async_unregister_service(published))
                published = None
            if published is None:
                # Nobody else has this label: no need for a second and a half of probing.
                self._follow(
                    await zeroconf.async_register_service(wanted, cooperating_responders=True)
                )
            else:
                self._follow(await zeroconf.async_update_service(wanted))
            self._published = wanted

    def _service(self) -> ServiceInfo:
        announcement = self._announcement
        label = instance_label(announcement)
        hosts = [address.host for address in own_addresses(announcement.port, self._bind)]
        return ServiceInfo(
            SERVICE_TYPE,
            f"{label}.{SERVICE_TYPE}",
            port=announcement.port,
            properties=to_txt(announcement),
            server=f"p2pjong-{label[-6:]}.local.",
            parsed_addresses=hosts,
        )

    def _follow(self, broadcast: Any) -> None:
        future = asyncio.ensure_future(broadcast)
        self._broadcasts.add(future)
        future.add_done_callback(self._broadcasts.discard)


def _is_same(first: ServiceInfo, second: ServiceInfo) -> bool:
    return (first.key, first.port, first.text) == (
        second.key,
        second.port,
        second.text,
    ) and first.parsed_addresses() == second.parsed_addresses()
