"""Looking for tables: what a joiner's person sees of it, and what there is to say at its end."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence

from p2pjong.app.choosing import Wanted, offer
from p2pjong.app.station import Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.front import Front
from p2pjong.net.discovery import Browser, FoundTable
from p2pjong.net.found_table import unanswered, unanswered_hint
from p2pjong.session.effects import Progress
from p2pjong.session.table_names import is_meant
from p2pjong.wire.names import clean_name

UNANSWERED_MAX = 3
SETTLE_S = 0.7  # after the first table found: others may take as long to show themselves
LIKELY_S = 2.5  # after a table that may be meant: a likelier one may show itself yet
TASK = "looking for tables on this network"


class Search:
    """One search, as long as it is entered: `run` ends once a table is found that may be meant.

    A moment later, that is: others that may be meant may take as long to show themselves. After
    that `found` goes on to follow the network, and `changed` is set when it looks different.
    """

    def __init__(self, station: Station, front: Front, wanted: Wanted) -> None:
        self._station = station
        self._front = front
        self._wanted = wanted
        self._wait_s = station.settings.wait_s
        self._told: set[tuple[bytes, str]] = set()
        self.changed = asyncio.Event()
        self._browser = Browser(self.changed.set, bind=station.settings.bind or None)

    async def __aenter__(self) -> "Search":
        await self._browser.__aenter__()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._browser.__aexit__(*exception)

    async def run(self) -> tuple[FoundTable, ...]:
        """The tables of this network: as soon as one may be meant, and a little later."""
        self._front.say(f"{TASK} ... (at most {self._wait_s:g} s)")
        ticking = asyncio.create_task(self._tick())
        try:
            await self._look()
        finally:
            ticking.cancel()
            self._front.show(Progress(TASK, 1, 1))
        found = self.found()
        self._tell(found)
        if not any(map(self._wanted.is_likely, found)) and self._is_own_meant(found):
            raise own_table(self._station.settings.role)
        return found

    def _is_own_meant(self, found: tuple[FoundTable, ...]) -> bool:
        own = [table for table in self._browser.tables() if self._is_own(table)]
        is_only_one = bool(own) and not found and not self._wanted.typed
        return is_only_one or any(map(self._wanted.is_likely, own))

    def _is_own(self, table: FoundTable) -> bool:
        return table.fingerprint == self._station.identity.fingerprint

    async def _tick(self) -> None:
        seconds = max(1, round(self._wait_s))
        for second in range(seconds):
            self._front.show(Progress(TASK, second, seconds))
            await asyncio.sleep(1)

    async def _look(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._wait_s):
                # Our own table is none to join, but a reason not to look for ever.
                await self._until(self._wanted.is_likely)
                async with asyncio.timeout(LIKELY_S):
                    await self._until(self._wanted.is_sure)
                    await asyncio.sleep(SETTLE_S)

    async def _until(self, holds: Callable[[FoundTable], bool]) -> None:
        while not any(map(holds, self._browser.tables())):
            self._tell(self.found())
            self.changed.clear()
            await self.changed.wait()

    def found(self) -> tuple[FoundTable, ...]:
        """The tables of others that answer now."""
        others = (table for table in self._browser.tables() if not self._is_own(table))
        return one_of_each(others)

    def unreachable(self) -> tuple[FoundTable, ...]:
        """The tables of others that are announced and do not answer."""
        return one_of_each(one for one in self._browser.unreachable() if not self._is_own(one))

    def _tell(self, tables: tuple[FoundTable, ...]) -> None:
        """Lists what was found since."""
        for table in tables:
            named = table.table_id, "" if table.is_playing else table.fingerprint
            if named not in self._told:
                self._told.add(named)
                self._front.found(offer(table))


def one_of_each(tables: Iterable[FoundTable]) -> tuple[FoundTable, ...]:
    """The tables, each running one once: all of its seats announce it.

    Of those that gather none is left out: nobody may hide one by announcing its like.
    """
    shown: dict[tuple[bytes, str], FoundTable] = {}
    for table in tables:
        who = "" if table.is_playing else table.fingerprint
        shown.setdefault((table.table_id, who), table)
    return tuple(shown.values())


def own_table(command: str) -> P2PJongError:
    """The only table that could be meant is one that this very identity has opened."""
    return P2PJongError(
        "the only table found is your own: it has your identity",
        f"a second player on this machine needs a home of its own: p2pjong {command} "
        "--home ~/.p2pjong-second",
        Exit.NOTHING_FOUND,
    )


def no_table_answers(unreachable: Sequence[FoundTable]) -> P2PJongError:
    """What to say where tables are announced, and nobody answers for any of them."""
    message = "; ".join(map(unanswered, unreachable[:UNANSWERED_MAX]))
    hint = (
        f"{unanswered_hint(unreachable[0])}; if its host names another address, "
        "p2pjong join --connect HOST:PORT goes straight there"
    )
    return P2PJongError(message, hint, Exit.NOTHING_FOUND)


def nothing_found(
    name: str, found: tuple[FoundTable, ...], unreachable: tuple[FoundTable, ...] = ()
) -> P2PJongError:
    """What to say when there is no table to join."""
    meant = [one for one in unreachable if not name or is_meant(name, one.name, one.fingerprint)]
    if meant and (name or not found):
        return no_table_answers(meant)
    others = ", ".join(clean_name(table.name) for table in found)
    if name and found:
        return P2PJongError(
            f"no table {name!r} on this network", f"there is: {others}", Exit.NOTHING_FOUND
        )
    if name:
        return P2PJongError(
            f"no table {name!r} on this network, and no other table to join",
            "is its host on the same network? p2pjong doctor finds out; "
            "--connect HOST:PORT goes straight to it",
            Exit.NOTHING_FOUND,
        )
    if found:
        shown = ", ".join(
            f"{clean_name(table.name)}: {'playing' if table.is_playing else 'full'}"
            for table in found
        )
        return P2PJongError(
            f"no table with a free seat on this network ({shown})",
            "open your own with p2pjong host, or wait for the end of a game",
            Exit.NOTHING_FOUND,
        )
    return P2PJongError(
        "no table found on this network",
        "is the host on the same network? p2pjong doctor finds out; "
        "--connect HOST:PORT goes straight to it",
        Exit.NOTHING_FOUND,
    )
