"""A table that was heard of on this network, and where it may be reached from here."""

import dataclasses
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from p2pjong.net.address import Address, Dialable, by_nearness
from p2pjong.net.announcement import Announcement
from p2pjong.net.limits import LIMITS


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

    @property
    def identity(self) -> tuple[bytes, str]:
        """Which table it is, and whose announcement of it."""
        return self.table_id, self.fingerprint

    def reached_at(self, first: Iterable[Address]) -> "FoundTable":
        """The same with these addresses before its others; there are never too many."""
        addresses = tuple(dict.fromkeys((*first, *self.addresses)))
        return dataclasses.replace(self, addresses=addresses[: LIMITS.probe_addresses])


def unanswered(table: FoundTable) -> str:
    """What to say of a table that is announced and does not answer."""
    return f"{table.name} is announced at {table.addresses[0]}, but does not answer there"


def unanswered_hint(table: FoundTable) -> str:
    """What to do then, and on which machine."""
    where = table.addresses[0]
    return (
        f"if the table is still open on {where.host}, the firewall there must let in TCP port "
        f"{where.port}: run p2pjong doctor on that machine"
    )


def found_table(announcement: Announcement, hosts: Iterable[str], may: Dialable) -> FoundTable:
    """What was announced, with the addresses that `may` be dialled."""
    named = (_named_zone(host) for host in hosts)
    addresses = (Address(host, announcement.port) for host in named if may.announced(host))
    return FoundTable(
        name=announcement.name,
        table_id=announcement.table_id,
        game=announcement.game,
        seats=announcement.seats,
        free_seats=announcement.free_seats,
        code_needed=announcement.code_needed,
        fingerprint=announcement.fingerprint,
        addresses=by_nearness(addresses)[: LIMITS.probe_addresses],
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
