"""Looking for tables: what a joiner's person sees of it, and what there is to say at its end."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from p2pjong.app.station import Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.discovery import Browser, FoundTable
from p2pjong.net.found_table import unanswered, unanswered_hint
from p2pjong.session.effects import Progress
from p2pjong.session.lobby_view import TableOffer
from p2pjong.ui.front import Front
from p2pjong.ui.lobby import found_line
from p2pjong.wire.names import clean_name

UNANSWERED_MAX = 3
SETTLE_S = 0.7  # after the first table found: others may take as long to show themselves
LIKELY_S = 2.5  # after a table of nearly that name: the one of that very name may show itself yet
TASK = "looking for tables on this network"


class Search:
    """One search: ends when a table that `is_meant` was found, or in `wait_s` seconds.

    One that `is_likely` ends it, too, if for a moment none is found that is surely meant.
    """

    def __init__(
        self,
        station: Station,
        front: Front,
        is_meant: Callable[[FoundTable], bool],
        is_likely: Callable[[FoundTable], bool] = lambda _: False,
    ) -> None:
        self._station = station
        self._front = front
        self._is_meant = is_meant
        self._is_likely = is_likely
        self._wait_s = station.settings.wait_s
        self._told: set[tuple[bytes, str]] = set()
        self.unreachable: tuple[FoundTable, ...] = ()  # announced, but they do not answer

    async def run(self) -> tuple[FoundTable, ...]:
        """The tables of this network: as soon as one is meant, and a little later."""
        self._front.say(f"{TASK} ... (at most {self._wait_s:g} s)")
        ticking = asyncio.create_task(self._tick())
        try:
            return await self._look()
        finally:
            ticking.cancel()
            self._front.show(Progress(TASK, 1, 1))

    async def _tick(self) -> None:
        seconds = max(1, round(self._wait_s))
        for second in range(seconds):
            self._front.show(Progress(TASK, second, seconds))
            await asyncio.sleep(1)

    async def _look(self) -> tuple[FoundTable, ...]:
        changed = asyncio.Event()
        bind = self._station.settings.bind or None
        async with Browser(changed.set, bind=bind) as browser:
            try:
                async with asyncio.timeout(self._wait_s):
                    # Our own table is none to join, but a reason not to look for ever.
                    while not any(map(self._is_meant, browser.tables())):
                        self._tell(self._others(browser.tables()))
                        changed.clear()
                        is_likely = any(map(self._is_likely, self._others(browser.tables())))
                        if not await _happens(changed, LIKELY_S if is_likely else None):
                            break
                    await asyncio.sleep(SETTLE_S)
            except TimeoutError:
                pass
            found, every = self._others(browser.tables()), browser.tables()
            self.unreachable = self._others(browser.unreachable())
            self._tell(found)
            is_any_meant = not self._station.settings.table
            if any(map(self._is_meant, every)) or (is_any_meant and every and not found):
                if not any(map(self._is_meant, found)):
                    raise own_table(self._station.settings.role)
            return found

    def _others(self, tables: Iterable[FoundTable]) -> tuple[FoundTable, ...]:
        own = self._station.identity.fingerprint
        return one_of_each(table for table in tables if table.fingerprint != own)

    def _tell(self, tables: tuple[FoundTable, ...]) -> None:
        """Lists what was found since."""
        for table in tables:
            named = table.table_id, "" if table.is_playing else table.fingerprint
            if named not in self._told:
                self._told.add(named)
                self._front.say(found_line(offer(table)))


async def _happens(event: asyncio.Event, within_s: float | None) -> bool:
    try:
        async with asyncio.timeout(within_s):
            return await event.wait()
    except TimeoutError:
        return False


def is_nearly(typed: str, name: str) -> bool:
    """Whether the name begins with the words that were typed: "ada" is nearly "Ada's table"."""
    short, long = typed.casefold().strip(), name.casefold()
    return long.startswith(short) and not long[len(short) : len(short) + 1].isalnum()


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


def offer(table: FoundTable) -> TableOffer:
    """A found table as people are shown it."""
    return TableOffer(
        table=table.name,
        game=table.game,
        seats_total=table.seats,
        seats_free=table.free_seats,
        # Any seat announces a table that plays: its fingerprint is not the host's.
        fingerprint="" if table.is_playing else table.fingerprint[:9],
        where=str(table.addresses[0]) if table.addresses else "",
        is_playing=table.is_playing,
        is_private=table.code_needed,
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
    meant = [one for one in unreachable if is_nearly(name, one.name)] if name else unreachable
    if meant and (name or not found):
        return no_table_answers(meant)
    others = ", ".join(clean_name(table.name) for table in found)
    if name and found:
        return P2PJongError(
            f"no table {name!r} on this network", f"there is: {others}", Exit.NOTHING_FOUND
        )
    if name:
        return P2PJongError(
            f"no table {name!r} on this network, nor another one to join",
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
