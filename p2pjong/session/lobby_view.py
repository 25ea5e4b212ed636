"""What a person sees of a table before the game, and what a person may ask of it. Pure values."""

from dataclasses import dataclass
from typing import TypeAlias

from p2pjong.games.game import Seat
from p2pjong.session.table_names import is_meant


@dataclass(frozen=True)
class LobbySeat:
    """One taken seat; `fingerprint` is the short form of its identity key, for people.

    `key` is all of that key, in hex: two keys may be made to have one short form.
    """

    name: str
    fingerprint: str
    is_bot: bool = False
    is_ready: bool = False
    is_host: bool = False
    key: str = ""

    @property
    def who(self) -> tuple[str, str]:
        """What tells this peer from any other, whatever it is called."""
        return self.fingerprint, self.key


@dataclass(frozen=True)
class Terms:
    """The options of a table; a time of 0 has no end, a length of 0 is the game's own."""

    target: int = 0
    rounds: int = 0
    clock_s: float = 0
    window_s: float = 0
    grace_s: float = 0
    is_open_books: bool = False


@dataclass(frozen=True)
class LobbyView:
    """A table that gathers; `me` is our index if we are seated.

    `warnings` are whole sentences, such as a known name that came with another key. `code` is that
    of a private table, for its host's eyes alone: no log, no event file. `where` is an address at
    which its host may be reached, for the host to tell its friends while there is room for them.
    `shown` names the table with the people at it: whoever says ready says it for them.
    """

    table: str
    game: str
    terms: Terms
    seats: tuple[LobbySeat, ...]
    seats_total: int
    me: int | None = None
    warnings: tuple[str, ...] = ()
    code: str = ""
    where: str = ""
    shown: str = ""

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seats) >= self.seats_total

    @property
    def am_host(self) -> bool:
        """Whether we opened this table, and so may start it and remove joiners."""
        return self.me is not None and self.seats[self.me].is_host


@dataclass(frozen=True)
class TableOffer:
    """One table found on the network, as `tables` lists it and as a joiner picks it."""

    table: str
    game: str
    seats_total: int
    seats_free: int
    fingerprint: str = ""  # of its host, while it gathers
    where: str = ""  # an address, for two tables of one name
    is_playing: bool = False
    is_private: bool = False
    options: tuple[tuple[str, str], ...] = ()
    number: int = 0  # by which it is chosen, as long as there is a choice
    is_known: bool = False  # our person has played with its host before
    is_gone: bool = False  # it was there, and has closed

    def is_called(self, typed: str) -> bool:
        """Whether this table may be meant by what was typed."""
        return is_meant(typed, self.table, self.fingerprint)


@dataclass(frozen=True)
class SetReady:
    """Our person is ready to play, or no longer is.

    `shown` is that of the lobby it was looking at; "" is whatever the lobby is by now.
    """

    is_ready: bool
    shown: str = ""


@dataclass(frozen=True)
class Remove:
    """The host shows a joiner the door."""

    seat: Seat


@dataclass(frozen=True)
class Start:
    """The host begins with the seats that are taken, as it was `shown` them (see `SetReady`)."""

    shown: str = ""


@dataclass(frozen=True)
class Leave:
    """Our person leaves the lobby; nothing is lost by it."""


LobbyCommand: TypeAlias = SetReady | Remove | Start | Leave
