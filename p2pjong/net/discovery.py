"""Finding the tables on this network (`announcer` is for announcing ours).

Implements "Discovery" of `protocol/handshake.md`. A table is found when its announcement parses
and its host proves, over a link handshake, to be the one announced: what only claims to be a table,
or was one before its host vanished, is not shown.
"""

import asyncio
import dataclasses
import logging
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from zeroconf import (  # type: ignore[attr-defined]  # the two DNS names are missing in __all__
    BadTypeInNameException,
    DNSOutgoing,
    DNSQuestion,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from p2pjong.net.address import Address, by_nearness, origin_of
from p2pjong.net.announcement import (
    SERVICE_TYPE,
    Announcement,
    BadAnnouncement,
    OtherVersion,
    from_txt,
)
from p2pjong.net.announcer import Announcer
from p2pjong.net.limits import LIMITS, Limits
from p2pjong.net.link_errors import LinkError
from p2pjong.net.multicast import WATCH_S, Multicast
from p2pjong.net.probe import Prober
from p2pjong.net.turns import Turns

__all__ = [
    "Announcement",
    "Announcer",
    "Browser",
    "FoundTable",
    "find_tables",
]

PROBE_EVERY_S = 4.0
ASK_EVERY_S = 5.0
RESOLVE_MS = 1500
# Whoever floods the network with announcements must not hide the tables that answer: many names
# are kept, some at a time are asked about and tried, each in its turn.
NAMES_MAX = 1024
TRIES_MAX = 64
ASKED_OF = ""  # whoever it is that answers: nobody owns a name
# So many tables are shown; of a network with more, those of the busiest address give way.
FOUND_MAX = 64
SETTLE_S = 0.2
# A probe decides what is shown: it must not take long, whatever the host does.
PROBE_LIMITS = dataclasses.replace(
    LIMITS, connect_s=1.5, handshake_s=2.0, closing_s=0.5, stagger_s=0.1
)
_TYPE_PTR, _CLASS_IN, _FLAGS_QUERY = 12, 1, 0

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FoundTable:
    """A table whose host answered just now. `addresses` are dialable from here, nearest first."""

    name: str
    table_id: bytes
    game: str
    seats: int
    free_seats: int
    code_needed: bool
    fingerprint: str
    addresses: tuple[Address, ...]
    port: int
    is_playing: bool = False


class Browser:
    """Watches for tables; an async context manager. `on_change` is called when the list changes.

    Hosts are asked again every few seconds whether they answer, and the network who is there: who
    vanished without a goodbye disappears, who became reachable appears.
    """

    def __init__(
        self,
        on_change: Callable[[], None] = lambda: None,
        *,
        bind: str | None = None,
        limits: Limits = PROBE_LIMITS,
        probe_every_s: float = PROBE_EVERY_S,
        watch_s: float = WATCH_S,
    ) -> None:
        self.other_versions: frozenset[str] = frozenset()  # labels of tables we cannot join
        self._on_change = on_change
        self._probe_every_s = probe_every_s
        self._prober = Prober(limits)
        self._multicast = Multicast(self._on_network, bind, watch_s)
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, FoundTable] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._following: dict[str, asyncio.Task[None]] = {}
        self._asking_turns = Turns(TRIES_MAX, TRIES_MAX)
        self._failed: dict[str, None] = {}  # those whose last try found no table
        self._silent: set[str] = set()  # those that were said not to answer
        self._asking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Browser":
        await self._multicast.start()
        self._asking = asyncio.create_task(self._ask_forever())
        return self

    async def __aexit__(self, *exception: object) -> None:
        tasks = [*self._following.values(), *filter(None, (self._asking,))]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._browser is not None:
            await self._browser.async_cancel()
        await self._multicast.close()

    def tables(self) -> tuple[FoundTable, ...]:
        """The tables found, one entry each, by name."""
        by_table: dict[tuple[bytes, str], FoundTable] = {}
        for found in self.seats():
            # Before play a table has one host. Whoever announces another's id stands beside it:
            # taken for the same, it could stand in its place.
            host = "" if found.is_playing else found.fingerprint
            by_table.setdefault((found.table_id, host), found)
        return tuple(by_table.values())

    def seats(self) -> tuple[FoundTable, ...]:
        """As `tables`, with an entry for each peer that announces a table."""
        return tuple(
            sorted(
                self._found.values(),
                key=lambda found: (found.name.casefold(), found.table_id, found.fingerprint),
            )
        )

    # --- what zeroconf tells ------------------------------------------------------------------

    async def _on_network(self) -> None:
        zeroconf = self._multicast.zeroconf
        if zeroconf is not None and self._browser is None:
            await zeroconf.zeroconf.async_wait_for_start()
            self._browser = AsyncServiceBrowser(
                zeroconf.zeroconf, SERVICE_TYPE, handlers=[self._on_service]
            )
        self._ask()

    async def _ask_forever(self) -> None:
        while True:
            await asyncio.sleep(ASK_EVERY_S)
            self._ask()

    def _ask(self) -> None:
        # zeroconf asks a few times and then relies on what it has heard. Its first question asks
        # for answers to its own socket, which another program on port 5353 may get instead.
        if self._multicast.zeroconf is not None:
            question = DNSOutgoing(_FLAGS_QUERY)
            question.add_question(DNSQuestion(SERVICE_TYPE, _TYPE_PTR, _CLASS_IN))
            self._multicast.zeroconf.zeroconf.async_send(question)

    def _on_service(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self._forget(name)
        elif name in self._changed:
            self._changed[name].set()
        else:
            self._make_room()
            self._changed[name] = asyncio.Event()
            self._following[name] = asyncio.create_task(self._follow(zeroconf, name))

    def _make_room(self) -> None:
        if len(self._following) < NAMES_MAX:
            return
        untried = (one for one in self._following if one not in self._found)
        name = next(iter(self._failed), None) or next(untried)
        _log.debug("more than %d names announced; %r is dropped", NAMES_MAX, name[:80])
        self._forget(name)

    def _forget(self, name: str) -> None:
        self._changed.pop(name, None)
        self._failed.pop(name, None)
        self._silent.discard(name)
        self.other_versions -= {name}
        task = self._following.pop(name, None)
        if task is not None:
            task.cancel()
        self._show(name, None)

    # --- one announced table ------------------------------------------------------------------

    async def _follow(self, zeroconf: Zeroconf, name: str) -> None:
        """Keeps what is shown of one announcement true, until cancelled."""
        changed = self._changed[name]
        while True:
            changed.clear()
            found = await self._resolve(zeroconf, name)
            self._show(name, await self._proved(name, found) if found else None)
            try:
                async with asyncio.timeout(self._rest_s(name)):
                    await changed.wait()
            except TimeoutError:
                continue

    def _rest_s(self, name: str) -> float:
        """How long until it is looked at again; longer where many lead nowhere."""
        busy = 0.0 if name in self._found else len(self._failed) / TRIES_MAX
        return self._probe_every_s * (1 + busy)

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> FoundTable | None:
        try:
            info = AsyncServiceInfo(SERVICE_TYPE, name)
            # Whoever announces a table says all of it at once: mostly there is nothing to ask.
            if not info.load_from_cache(zeroconf) and not await self._asked(info, zeroconf):
                return None
            announcement = from_txt(info.properties, info.port or 0)
        except (BadAnnouncement, BadTypeInNameException) as error:
            if isinstance(error, OtherVersion):
                self.other_versions |= {name}
            _log.debug("announcement %r ignored: %s", name[:80], error)
            return None
        return _found(announcement, info.parsed_scoped_addresses())

    async def _asked(self, info: AsyncServiceInfo, zeroconf: Zeroconf) -> bool:
        async with self._asking_turns.turn(ASKED_OF):
            return await info.async_request(zeroconf, RESOLVE_MS)

    async def _proved(self, name: str, found: FoundTable) -> FoundTable | None:
        """The table if its host answers, the address where it does first."""
        try:
            has_failed = name in self._failed
            where = await self._prober.probe(found.addresses, found.fingerprint, has_failed)
        except LinkError as error:
            level = logging.DEBUG if name in self._silent else logging.INFO
            self._silent.add(name)
            _log.log(level, "table %r is not shown: %s", found.name, error)
            return None
        self._silent.discard(name)
        return dataclasses.replace(found, addresses=tuple(dict.fromkeys((where, *found.addresses))))

    def _show(self, name: str, found: FoundTable | None) -> None:
        before = self._found.get(name)
        if found is None or not (name in self._found or self._has_place_for(found)):
            self._hide(name)
        else:
            self._failed.pop(name, None)
            self._found[name] = found
        if before != self._found.get(name):
            self._on_change()

    def _hide(self, name: str) -> None:
        self._found.pop(name, None)
        if name in self._following:
            self._failed[name] = None

    def _has_place_for(self, newcomer: FoundTable) -> bool:
        """Whether one more may be shown; where the list is full, the busiest address gives way.

        Identities are free, addresses on a network are not: who answers for many tables takes no
        place from one that answers elsewhere. Of those alike the latest goes: the list is steady.
        """
        if len(self._found) < FOUND_MAX:
            return True
        crowds = Counter(map(_origin, self._found.values()))
        most = max(crowds.values())
        if crowds[_origin(newcomer)] + 1 >= most:
            return False
        busiest = [name for name, one in self._found.items() if crowds[_origin(one)] == most]
        self._hide(busiest[-1])
        return True


def _origin(found: FoundTable) -> str:
    """From where a table answered."""
    return origin_of(found.addresses[0].host) if found.addresses else ""


def _found(announcement: Announcement, hosts: list[str]) -> FoundTable:
    addresses = (Address(_named_zone(host), announcement.port) for host in hosts)
    return FoundTable(
        name=announcement.name,
        table_id=announcement.table_id,
        game=announcement.game,
        seats=announcement.seats,
        free_seats=announcement.free_seats,
        code_needed=announcement.code_needed,
        fingerprint=announcement.fingerprint,
        addresses=by_nearness(addresses)[: PROBE_LIMITS.probe_addresses],
        port=announcement.port,
        is_playing=announcement.is_playing,
    )


def _named_zone(host: str) -> str:
    plain, _, zone = host.partition("%")
    if not zone.isdigit() or zone == "0":
        return plain
    try:
        return f"{plain}%{socket.if_indextoname(int(zone))}"
    except OSError:
        return plain


async def find_tables(
    wait_s: float, *, wanted: str | None = None, bind: str | None = None
) -> tuple[FoundTable, ...]:
    """The tables found within `wait_s`; sooner, once one whose name is `wanted` is among them."""
    changed = asyncio.Event()
    async with Browser(changed.set, bind=bind) as browser:
        try:
            async with asyncio.timeout(wait_s):
                while wanted is None or not _has_name(browser.tables(), wanted):
                    changed.clear()
                    await changed.wait()
                await asyncio.sleep(SETTLE_S)  # there may be another of that name
        except TimeoutError:
            pass
        return browser.tables()


def _has_name(tables: tuple[FoundTable, ...], wanted: str) -> bool:
    return any(found.name.casefold() == wanted.casefold() for found in tables)
