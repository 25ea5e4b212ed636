"""Seats that moved: while one is out of reach, it is looked for where it is announced now.

Once play has begun every seat announces the table. A machine that goes from one network to another
has other addresses than those that the table began with; its key is known, and proves it.
"""

import asyncio
from collections.abc import Callable

from p2pjong.app.station import Station
from p2pjong.net.address import own_hosts
from p2pjong.net.discovery import Browser
from p2pjong.net.identity import fingerprint

LOOK_S = 1.0


class Refinding:
    """`run` it while a game is on. `missing` says which identities are out of reach now."""

    def __init__(self, station: Station, missing: Callable[[], set[bytes]]) -> None:
        self._mesh = station.mesh
        self._bind = station.settings.bind or None
        self._missing = missing

    async def run(self) -> None:
        """Until cancelled. The network is asked only while somebody is missing."""
        while True:
            await asyncio.sleep(LOOK_S)
            self._mesh.leave_all_but(own_hosts())
            if self._missing():
                await self._look()

    async def _look(self) -> None:
        changed = asyncio.Event()
        async with Browser(changed.set, bind=self._bind) as browser:
            while missing := {fingerprint(key): key for key in self._missing()}:
                self._mesh.leave_all_but(own_hosts())
                for found in browser.seats():
                    if found.fingerprint in missing and found.addresses:
                        self._mesh.move(missing[found.fingerprint], found.addresses)
                changed.clear()
                try:
                    async with asyncio.timeout(LOOK_S):
                        await changed.wait()
                except TimeoutError:
                    continue
