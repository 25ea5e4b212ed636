"""Which of the tables found a joiner means, and those that its person is to choose from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from p2pjong.net.discovery import FoundTable
from p2pjong.session.lobby_view import TableOffer
from p2pjong.session.table_names import is_exactly, is_meant, is_pinned


@dataclass(frozen=True)
class Wanted:
    """What was `typed`, "" for any table; the same rule for people, scripts and bots.

    Names are free: a stranger may call a table as a friend's begins. So where several tables may
    be meant, the one whose whole name was typed counts for more only if its host `is_known`.
    """

    typed: str
    is_known: Callable[[FoundTable], bool]  # whether our person has played with this host before

    def is_likely(self, table: FoundTable) -> bool:
        """Whether this table may be meant; of a name its host says if it is full."""
        if not self.typed:
            return table.free_seats > 0
        return is_meant(self.typed, table.name, _host(table))

    def is_sure(self, table: FoundTable) -> bool:
        """Whether it must be this one, whatever others may be found in a moment."""
        if not self.typed:
            return table.free_seats > 0
        return self._is_pinned(table) or self._is_friends(table)

    def candidates(self, tables: Iterable[FoundTable]) -> tuple[FoundTable, ...]:
        """The tables that may be meant, the likeliest first; if it is one, it is that."""
        likely = sorted(self._that_count(tables), key=self._rank)
        pinned = [table for table in likely if self._is_pinned(table)]
        exact = [table for table in likely if is_exactly(self.typed, table.name)]
        if pinned:
            return tuple(pinned)
        if len(exact) == 1 and self._is_friends(exact[0]):
            return (exact[0],)
        return tuple(likely)

    def _that_count(self, tables: Iterable[FoundTable]) -> list[FoundTable]:
        """A table that plays lets nobody in, and is no rival; but a friend's is worth a question
        before a stranger's is taken for it."""
        likely = [table for table in tables if self.is_likely(table)]
        gathering = [table for table in likely if not table.is_playing]
        has_friend = any(map(self.is_known, likely))
        if gathering and (any(map(self.is_known, gathering)) or not has_friend):
            return gathering
        return likely

    def _is_pinned(self, table: FoundTable) -> bool:
        return is_pinned(self.typed, table.name, _host(table))

    def _is_friends(self, table: FoundTable) -> bool:
        is_open = not table.is_playing and self.is_known(table)
        return bool(self.typed) and is_open and is_exactly(self.typed, table.name)

    def _rank(self, table: FoundTable) -> tuple[bool, bool, bool]:
        is_exact = bool(self.typed) and is_exactly(self.typed, table.name)
        return not self.is_known(table), not is_exact, table.is_playing


def _host(table: FoundTable) -> str:
    """The fingerprint of its host; a table that plays is announced by any of its seats."""
    return "" if table.is_playing else table.fingerprint


class Choice:
    """Tables to choose from, as they come and go: each keeps its number as long as we choose."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._tables: dict[tuple[bytes, str], FoundTable] = {}
        self._found: set[tuple[bytes, str]] = set()

    def update(self, found: Iterable[FoundTable]) -> None:
        """The network looks like this now."""
        found = tuple(found)
        self._found = {_which(table) for table in found}
        shown = [table for table in found if _which(table) in self._tables]
        for table in (*shown, *self._wanted.candidates(found)):
            self._tables[_which(table)] = table

    def offers(self) -> tuple[TableOffer, ...]:
        """What our person is shown."""
        return tuple(
            offer(
                table,
                number=number,
                is_known=self._wanted.is_known(table),
                is_gone=which not in self._found,
            )
            for number, (which, table) in enumerate(self._tables.items(), 1)
        )

    def chosen(self, chosen: TableOffer) -> FoundTable:
        """The table behind an offer."""
        return list(self._tables.values())[chosen.number - 1]


def _which(table: FoundTable) -> tuple[bytes, str]:
    return table.table_id, _host(table)


def offer(
    table: FoundTable, number: int = 0, is_known: bool = False, is_gone: bool = False
) -> TableOffer:
    """A found table as people are shown it."""
    return TableOffer(
        table=table.name,
        game=table.game,
        seats_total=table.seats,
        seats_free=table.free_seats,
        fingerprint=_host(table)[:9],
        where=str(table.addresses[0]) if table.addresses else "",
        is_playing=table.is_playing,
        is_private=table.code_needed,
        number=number,
        is_known=is_known,
        is_gone=is_gone,
    )
