"""Finding the tables on this network (`announcer` is for announcing ours, `hearing` listens).

Implements "Discovery" of `protocol/handshake.md`. A table is found when its announcement parses
and its host proves, over a link handshake, to be the one announced: what only claims to be a table,
or was one before its host vanished, is not shown. What has proved itself is believed over whatever
is said of it: it is asked there again before it is forgotten.
"""

import asyncio
import dataclasses
import logging
from collections import Counter
from collections.abc import Callable

from p2pjong.net.address import origin_of
from p2pjong.net.announcement import Announcement, BadAnnouncement, OtherVersion
from p2pjong.net.announcer import Announcer
from p2pjong.net.found_table import FoundTable
from p2pjong.net.hearing import Hearing
from p2pjong.net.limits import LIMITS, Limits
from p2pjong.net.link_errors import LOST, LinkError
from p2pjong.net.multicast import WATCH_S
from p2pjong.net.probe import Prober

__all__ = [
    "Announcement",
    "Announcer",
    "Browser",
    "FoundTable",
]

PROBE_EVERY_S = 4.0
# Before a table that answers is asked again because of what was said of it; longer each time.
PROBE_AGAIN_S, LONGER = 0.2, 1.5
# So often a table that is said to be gone must not answer before it is forgotten.
GOODBYE_TRIES = 3
# Whoever floods the network with announcements must not hide the tables that answer: many names
# are kept, some at a time are asked about and tried, each in its turn.
NAMES_MAX = 1024
BUSY = 64
# So many tables are shown; of a network with more, those of the busiest address give way.
FOUND_MAX = 64
UNREACHABLE_MAX = 16
UNANSWERED_S = 1.2  # an answer comes sooner, or most likely never
# A probe decides what is shown: it must not take long, whatever the host does.
PROBE_LIMITS = dataclasses.replace(
    LIMITS, connect_s=1.5, handshake_s=2.0, closing_s=0.5, stagger_s=0.1
)

_log = logging.getLogger(__name__)


class Browser:
    """Watches for tables; an async context manager. `on_change` is called when the list changes.

    Hosts are asked again every few seconds whether they answer, and the network who is there: who
    vanished without a goodbye disappears, who became reachable appears. A goodbye is a reason to
    ask at once, and no more than that: anyone can say it.
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
        self._hearing = Hearing(self._on_heard, bind, watch_s)
        self._heard: dict[str, FoundTable] = {}  # as last announced
        self._heard_at_s: dict[str, float] = {}  # first
        self._found: dict[str, FoundTable] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._following: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = (
            set()
        )  # of these, and of those forgotten a moment ago
        self._is_closing = False
        self._failed: dict[str, None] = {}  # those whose last try found no table
        self._silent: dict[str, str] = {}  # the reason why, where that was a failure to answer
        self._goodbyes: dict[str, int] = {}  # said to be gone: how often it failed to answer since

    async def __aenter__(self) -> "Browser":
        await self._hearing.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._is_closing = True  # what is heard from now on is followed no more
        for task in self._following.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._hearing.close()

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

    def unreachable(self) -> tuple[FoundTable, ...]:
        """Tables that are announced and do not answer: at most so many, by name.

        Their host is gone without a goodbye, or a firewall keeps us from it.
        """
        answering = {found.identity for found in self._found.values()}
        silent = {one.identity: one for name, one in self._heard.items() if self._is_mute(name)}
        mute = [one for one in silent.values() if one.identity not in answering and one.addresses]
        mute.sort(key=lambda one: (one.name.casefold(), one.identity))
        return tuple(mute[:UNREACHABLE_MAX])

    def _is_mute(self, name: str) -> bool:
        if name in self._found or name in self._goodbyes:
            return False
        if name in self._failed:
            return self._silent.get(name) == LOST
        return asyncio.get_running_loop().time() - self._heard_at_s[name] > UNANSWERED_S

    # --- what is announced --------------------------------------------------------------------

    def _on_heard(self, name: str, is_gone: bool) -> None:
        if name in self._following:
            if is_gone:
                self._goodbyes.setdefault(name, 0)
                self._changed[name].set()
            else:
                self._goodbyes.pop(name, None)
                self._note(name)
        elif not is_gone and not self._is_closing:
            self._make_room()
            self._changed[name] = asyncio.Event()
            self._heard_at_s[name] = asyncio.get_running_loop().time()
            self._note(name)
            self._following[name] = task = asyncio.create_task(self._follow(name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _note(self, name: str) -> None:
        """Keeps what is announced now: a moment later it may be contradicted."""
        try:
            heard = self._hearing.known(name)
        except BadAnnouncement as error:
            self._pass_over(name, error)
        else:
            if heard is not None:
                self._keep(name, heard)

    def _keep(self, name: str, heard: FoundTable) -> None:
        before, shown = self._heard.get(name), self._found.get(name)
        if before is not None and before.identity == heard.identity:
            # Anyone may announce addresses for it: those heard before may be the right ones.
            every = dict.fromkeys((*heard.addresses, *before.addresses))
            is_news = len(every) > len(before.addresses)
            likeliest = self._prober.likeliest(*every) if is_news else before.addresses
            heard = heard.reached_at(likeliest)
        if heard == before:
            return
        self._heard[name] = heard
        if shown is not None and shown.identity == heard.identity:
            self._show(name, heard.reached_at(shown.addresses[:1]))
        self._changed[name].set()

    def _pass_over(self, name: str, error: BadAnnouncement) -> None:
        if isinstance(error, OtherVersion):
            self.other_versions |= {name}
        _log.debug("announcement %r ignored: %s", name[:80], error)

    def _make_room(self) -> None:
        if len(self._following) < NAMES_MAX:
            return
        untried = (one for one in self._following if one not in self._found)
        name = next(iter(self._failed), None) or next(untried)
        _log.debug("more than %d names announced; %r is dropped", NAMES_MAX, name[:80])
        self._forget(name)

    def _forget(self, name: str) -> None:
        for kept in (self._changed, self._heard, self._heard_at_s, self._silent, self._goodbyes):
            kept.pop(name, None)
        self._failed.pop(name, None)
        self.other_versions -= {name}
        task = self._following.pop(name, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        self._show(name, None)

    # --- one announced table ------------------------------------------------------------------

    async def _follow(self, name: str) -> None:
        """Keeps what is shown of one announcement true, until cancelled."""
        changed, pause_s = self._changed[name], PROBE_AGAIN_S
        while True:
            changed.clear()
            found = await self._answering(name)
            self._show(name, found)
            if found is None and self._is_gone(name):
                return self._forget(name)
            pause_s = await self._rest(name, changed, pause_s)

    def _is_gone(self, name: str) -> bool:
        if name in self._goodbyes:
            self._goodbyes[name] += 1
        return self._goodbyes.get(name, 0) >= GOODBYE_TRIES or (
            name in self._goodbyes and name not in self._heard
        )

    async def _rest(self, name: str, changed: asyncio.Event, pause_s: float) -> float:
        """Until it is looked at again; returns for how long nothing may cut the next rest short.

        Whoever says things of a table without end makes us ask it a little more often, no more.
        """
        await asyncio.sleep(pause_s)
        if not (name in self._found and name in self._goodbyes):
            try:
                async with asyncio.timeout(self._rest_s(name) - pause_s):
                    await changed.wait()
            except TimeoutError:
                return PROBE_AGAIN_S
        return min(LONGER * pause_s, self._rest_s(name))

    def _rest_s(self, name: str) -> float:
        """How long until it is looked at again; longer where many lead nowhere."""
        busy = 0.0 if name in self._found else len(self._failed) / BUSY
        return self._probe_every_s * (1 + busy)

    async def _answering(self, name: str) -> FoundTable | None:
        """The table of this name whose host answers; first the one that did before."""
        if name not in self._heard:
            await self._ask(name)
        shown, heard = self._found.get(name), self._heard.get(name)
        tables = [one for one in (shown, heard) if one is not None]
        if shown is not None and heard is not None and shown.identity == heard.identity:
            tables = [heard.reached_at(shown.addresses[:1])]
        for table in tables:
            if (where := await self._proved(name, table)) is not None:
                return where
        return None

    async def _ask(self, name: str) -> None:
        try:
            heard = await self._hearing.ask(name)
        except BadAnnouncement as error:
            self._pass_over(name, error)
        else:
            if heard is not None:
                self._heard.setdefault(name, heard)

    async def _proved(self, name: str, found: FoundTable) -> FoundTable | None:
        """The table if its host answers, the address where it does first."""
        try:
            has_failed = name in self._failed
            where = await self._prober.probe(found.addresses, found.fingerprint, has_failed)
        except LinkError as error:
            level = logging.DEBUG if name in self._silent else logging.INFO
            self._silent[name] = error.reason
            _log.log(level, "table %r is not shown: %s", found.name, error)
            return None
        self._silent.pop(name, None)
        # What was heard of it in the meantime is newer.
        heard = self._heard.get(name, found)
        newest = heard if heard.identity == found.identity else found
        return dataclasses.replace(newest.reached_at([where]), port=where.port)

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
