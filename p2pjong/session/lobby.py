"""The lobby of a host: from a table that gathers to the draft that all will sign. Sans-IO.

Implements "The lobby" of `protocol/lobby.md`. The host alone keeps the list; what it says binds
nobody until every seat has signed the draft, and each joiner checks that the draft is what its
person was shown.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from p2pjong.session.draft import shown_hash, table_id
from p2pjong.session.lobby_view import LobbyCommand, Remove, SetReady, Start
from p2pjong.wire.codec import encode
from p2pjong.wire.lookalikes import look_alike
from p2pjong.wire.messages import (
    PROTOCOL_VERSION,
    Begin,
    Bye,
    Draft,
    Join,
    LobbyMessage,
    LobbySeatState,
    LobbyState,
    PeerAddress,
    Ready,
    Refused,
    SeatEntry,
    TableOptions,
)
from p2pjong.wire.names import clean_name

WORDS_MAX = 100  # joins and changes of mind of one seat, each of which all others are told
HAS_CHANGED = "somebody has just come or gone: look who is here, and say it again"

REFUSALS = {
    "version": "this table speaks another version of the protocol",
    "full": "every seat is taken",
    "started": "the game has begun",
    "removed": "the host removed you from the table",
    "closed": "the host closed the table",
    "flood": "this program sent the table too much",
    "code": "this table is private: it asks for a code",
    "code-wrong": "the code is wrong, or no longer the one of this table",
    "code-none": "this table is open: it has no code",
}


@dataclass(frozen=True)
class Tell:
    """A frame for one linked peer, by its key."""

    key: bytes
    frame: bytes


@dataclass(frozen=True)
class Drop:
    """Close the link to this peer after what was sent to it; `reason` is for the log."""

    key: bytes
    reason: str


@dataclass(frozen=True)
class Changed:
    """The lobby looks different now."""


@dataclass(frozen=True)
class Hint:
    """What the person asked for cannot be done yet; the text says why."""

    text: str


@dataclass(frozen=True)
class Begun:
    """The draft stands; `addresses` say where each seat listens, in seat order."""

    draft: Draft
    addresses: tuple[tuple[PeerAddress, ...], ...]


@dataclass(frozen=True)
class Prove:
    """All are ready: find out who is there, and tell `HostLobby.proved` who does not answer."""

    keys: tuple[bytes, ...]
    shown: bytes  # names who sits at the table


LobbyEffect: TypeAlias = Tell | Drop | Changed | Hint | Prove | Begun


@dataclass(frozen=True)
class Guest:
    """Somebody who has a seat."""

    name: str
    key: bytes
    is_bot: bool
    is_oldest: bool
    is_ready: bool
    addresses: tuple[PeerAddress, ...]
    nonce: bytes = b""  # of a joiner that is ready: goes into the table's id
    words: int = 0
    joins: int = 0  # of these words

    def entry(self) -> SeatEntry:
        """As the draft names it."""
        return SeatEntry(self.name, self.key, self.is_bot, self.is_oldest)


@dataclass
class HostLobby:
    """The host's side. Seat 0 is its own; a joiner sits on the next free one.

    `companions` are bots that the host has started itself: when one comes, that is no news to it.
    `proves_links`: whether a begin waits until all have been found to answer. A machine that sleeps
    keeps its seat and its ready mark for a while, and would sign nothing.
    """

    table: bytes
    name: str
    game: str
    options: TableOptions
    seats_total: int
    seats_min: int
    host: Guest
    guests: list[Guest] = field(default_factory=list)
    has_begun: bool = False
    companions: frozenset[bytes] = frozenset()
    proves_links: bool = False
    _proved: bytes = b""  # of whom all answer, as far as is known
    _is_starting: bool = False  # the host has asked for it

    def state(self) -> LobbyState:
        """What everyone at the table is shown."""
        seats = tuple(
            LobbySeatState(guest.name, guest.key, guest.is_bot, guest.is_ready)
            for guest in self._all()
        )
        return LobbyState(self.table, self.name, self.game, self.options, self.seats_total, seats)

    def _all(self) -> list[Guest]:
        return [self.host, *self.guests]

    @property
    def seats_free(self) -> int:
        """How many seats are left."""
        return 0 if self.has_begun else self.seats_total - len(self._all())

    def moved(self, addresses: tuple[PeerAddress, ...]) -> bool:
        """The host listens at these addresses from now on; says whether that is news."""
        is_news = addresses != self.host.addresses
        self.host = replace(self.host, addresses=addresses)
        return is_news

    def has_seat(self, key: bytes) -> bool:
        """Whether a joiner with this identity has a seat."""
        return any(guest.key == key for guest in self.guests)

    def receive(
        self, key: bytes, message: LobbyMessage, seen_at: Sequence[str] = ()
    ) -> list[LobbyEffect]:
        """A frame from an authenticated peer; `seen_at`: the hosts its link came from."""
        if isinstance(message, Join):
            return self._on_join(key, message, seen_at)
        if isinstance(message, Bye):
            # Coming and going on one link would cost nothing, and everybody their readiness.
            gone = self.gone(key)
            return [*gone, Drop(key, "said goodbye")] if gone else []
        if isinstance(message, Ready) and not self.has_begun:
            return self._on_ready(key, message)
        return []

    def _on_join(self, key: bytes, join: Join, seen_at: Sequence[str]) -> list[LobbyEffect]:
        refusal = self._refusal(key, join)
        if refusal:
            return refuse(key, refusal)
        others = [guest for guest in self._all() if guest.key != key]
        known = [place for place, other in enumerate(self.guests) if other.key == key]
        words = self.guests[known[0]].words + 1 if known else 0
        joins = self.guests[known[0]].joins + 1 if known else 0
        if words > WORDS_MAX:
            return self._flooded(key)
        guest = Guest(
            name=unique_name(clean_name(join.name), [other.name for other in others]),
            key=key,
            is_bot=join.is_bot,
            is_oldest=join.is_oldest,
            is_ready=False,
            addresses=_addresses(join, seen_at),
            words=words,
            joins=joins,
        )
        before = self.shown
        if known:
            # The same identity came again: its newest link takes over the seat that it has.
            self.guests[known[0]] = guest
        else:
            self.guests.append(guest)
        if before != self.shown:
            self._take_ready_back(key)
        return self._tell_all()

    @property
    def shown(self) -> bytes:
        """Names the table with those who sit at it, as a `ready` does."""
        return shown_hash(self.state())

    def _take_ready_back(self, cause: bytes) -> None:
        """Who sits here has changed, by this key: ready is what people are for each other."""
        if cause not in self.companions or not self.has_seat(cause):
            self.host = replace(self.host, is_ready=False)
        self.guests = [
            replace(
                guest,
                is_ready=False,
                # It will have to speak again, and that is not to be held against it.
                words=guest.words if guest.key == cause else max(guest.joins, guest.words - 1),
            )
            for guest in self.guests
        ]

    def _refusal(self, key: bytes, join: Join) -> str:
        if join.version != PROTOCOL_VERSION:
            return "version"
        if self.has_begun:
            return "started"
        return "full" if self.seats_free == 0 and not self.has_seat(key) else ""

    def gone(self, key: bytes) -> list[LobbyEffect]:
        """A peer's link is down, or it said goodbye: before the start its seat is free again."""
        left = [guest for guest in self.guests if guest.key != key]
        if self.has_begun or len(left) == len(self.guests):
            return []
        self.guests = left
        self._take_ready_back(key)
        return self._tell_all()

    def command(self, command: LobbyCommand) -> list[LobbyEffect]:
        """What the host's person asks; once the game has begun there is nothing to ask here."""
        if self.has_begun:
            return []
        if isinstance(command, SetReady | Start) and command.shown not in ("", self.shown.hex()):
            return [Hint(HAS_CHANGED)]
        if isinstance(command, SetReady):
            self.host = replace(self.host, is_ready=command.is_ready)
            return self._tell_ready()
        if isinstance(command, Remove):
            return self._remove(command.seat)
        if isinstance(command, Start):
            return self._start()
        return []

    def _on_ready(self, key: bytes, ready: Ready) -> list[LobbyEffect]:
        known = [place for place, guest in enumerate(self.guests) if guest.key == key]
        if not known:
            return [Drop(key, "speaks for a seat that it does not have")]
        before = self.guests[known[0]]
        # Ready for people who have come or gone since: it has been shown who sits here now, and
        # says ready for them, or does not.
        is_ready = ready.is_ready and ready.shown == self.shown
        after = replace(before, is_ready=is_ready, nonce=ready.nonce, words=before.words + 1)
        if after.words > WORDS_MAX:
            return self._flooded(key)
        self.guests[known[0]] = after
        if (before.is_ready, before.nonce) == (after.is_ready, after.nonce):
            return []  # nothing to tell: who repeats itself makes no work for all
        return self._tell_ready()

    def _flooded(self, key: bytes) -> list[LobbyEffect]:
        """A joiner that will not come to rest loses its seat: each word costs everybody one."""
        return [*refuse(key, "flood"), *self.gone(key)]

    def _tell_ready(self) -> list[LobbyEffect]:
        return [*self._tell_all(), *self._begin_if_all_are_ready()]

    def _remove(self, seat: int) -> list[LobbyEffect]:
        if not 1 <= seat < len(self._all()):
            return [Hint("there is no joiner on that seat")]
        guest = self.guests.pop(seat - 1)
        self._take_ready_back(guest.key)
        return [*refuse(guest.key, "removed"), *self._tell_all()]

    def _start(self) -> list[LobbyEffect]:
        if len(self._all()) < self.seats_min:
            return [Hint(f"this game needs at least {self.seats_min} seats taken")]
        waiting = [guest.name for guest in self.guests if not guest.is_ready]
        if waiting:
            return [Hint(f"not ready yet: {', '.join(waiting)}")]
        self._is_starting = True
        return self._begin()

    def proved(self, shown: bytes, silent: Collection[bytes]) -> list[LobbyEffect]:
        """What came of `Prove`: who of those does not answer loses its seat, and others hear of it.

        Where somebody has come or gone meanwhile nobody is ready any more, and nothing follows.
        """
        is_starting, self._is_starting = self._is_starting, False
        if self.has_begun or shown != self.shown:
            return []
        gone = [guest for guest in self.guests if guest.key in silent]
        if gone:
            names = ", ".join(guest.name for guest in gone)
            hint = Hint(f"{names} did not answer and lost their seat: is that machine asleep?")
            drops = [Drop(guest.key, "does not answer") for guest in gone]
            return [*drops, hint, *(told for guest in gone for told in self.gone(guest.key))]
        self._proved = shown
        effects = self._start() if is_starting else self._begin_if_all_are_ready()
        self._proved = b""  # later they will be asked again
        return effects

    def _begin_if_all_are_ready(self) -> list[LobbyEffect]:
        is_full = len(self._all()) == self.seats_total
        return self._begin() if is_full and all(one.is_ready for one in self._all()) else []

    def _begin(self) -> list[LobbyEffect]:
        if self.proves_links and self._proved != self.shown:
            return [Prove(tuple(guest.key for guest in self.guests), self.shown)]
        self._proved, self._is_starting = b"", False
        self.has_begun = True
        nonces = tuple(guest.nonce for guest in self.guests)
        self.table = table_id(self.table, nonces)
        draft = Draft(
            PROTOCOL_VERSION,
            self.table,
            self.name,
            self.game,
            self.options,
            tuple(guest.entry() for guest in self._all()),
        )
        addresses = tuple(guest.addresses for guest in self._all())
        frame = encode(Begin(draft, addresses, nonces))
        return [*(Tell(guest.key, frame) for guest in self.guests), Begun(draft, addresses)]

    def _tell_all(self) -> list[LobbyEffect]:
        frame = encode(self.state())
        return [*(Tell(guest.key, frame) for guest in self.guests), Changed()]

    def close(self) -> list[LobbyEffect]:
        """The host leaves before the start: everybody is told."""
        return [effect for guest in self.guests for effect in refuse(guest.key, "closed")]

    def reopen(self, table: bytes, keys: Sequence[bytes]) -> list[LobbyEffect]:
        """A rematch: the same seats gather anew, but for those whose link is gone."""
        self.table, self.has_begun = table, False
        self.host = replace(self.host, is_ready=False)
        self.guests = [
            replace(guest, is_ready=False, nonce=b"", words=0, joins=0)
            for guest in self.guests
            if guest.key in keys
        ]
        return self._tell_all()


def refuse(key: bytes, reason: str) -> list[LobbyEffect]:
    """Tell a peer why it gets no seat, and close its link."""
    text = REFUSALS[reason]
    return [Tell(key, encode(Refused(reason, text))), Drop(key, f"refused: {text}")]


def unique_name(name: str, taken: Sequence[str]) -> str:
    """The name, or, where somebody has it, the same with a number: people speak of names."""
    candidates = (f"{name[:26]} ({number})" for number in range(2, 100))
    return next(
        other for other in (name, *candidates) if not any(look_alike(other, one) for one in taken)
    )


def _addresses(join: Join, seen_at: Sequence[str]) -> tuple[PeerAddress, ...]:
    """Where the others may reach a joiner: first where the host sees it, then what it says."""
    hosts = list(dict.fromkeys([*seen_at, *join.addresses]))[:16]
    return tuple(PeerAddress(host, join.port) for host in hosts if host)
