"""The lobby: from a table that gathers to the draft that all will sign. Sans-IO, like the session.

Implements "The lobby" of `protocol/lobby.md`. The host alone keeps the list; what it says binds
nobody until every seat has signed the draft, and each joiner checks that the draft is what its
person was shown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from msgspec.structs import replace as with_fields

from p2pjong.games.game import Game
from p2pjong.session.draft import BadDraft, check_keys, check_options, shown_hash, table_id
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
    "flood": "the table heard too much from this program",
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


LobbyEffect: TypeAlias = Tell | Drop | Changed | Hint | Begun


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
        effects = self._tell_all()
        is_full = len(self._all()) == self.seats_total
        if is_full and all(guest.is_ready for guest in self._all()):
            effects += self._begin()
        return effects

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
        return self._begin()

    def _begin(self) -> list[LobbyEffect]:
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


@dataclass
class JoinerLobby:
    """A joiner's side of one lobby. `receive` raises LobbyClosed when the host turns it away, or
    wants it to sign what its person did not agree to.

    `nonce`: 32 random bytes for this lobby alone, which make the table's id a new one.
    """

    key: bytes
    host: bytes
    games: Mapping[str, Game]
    nonce: bytes
    is_bot: bool = False
    is_oldest: bool = False
    state: LobbyState | None = None
    ready_for: bytes | None = None  # what our person was shown as it got ready; None: it is not
    has_changed: bool = False  # who sits here, since our person got ready

    @property
    def shown(self) -> bytes:
        """Names the table with those who sit at it, as a `ready` does."""
        return shown_hash(self.state) if self.state is not None else bytes(32)

    def ready(self, is_ready: bool) -> Ready:
        """Our person is ready for what it was shown, or no longer."""
        assert self.state is not None or not is_ready, "ready for nothing"
        self.ready_for = self.shown if is_ready else None
        self.has_changed = False
        return Ready(is_ready, self.nonce, self.shown)

    def receive(self, message: LobbyMessage) -> list[LobbyEffect]:
        """A frame from the host."""
        if isinstance(message, LobbyState):
            return self._on_state(message)
        if isinstance(message, Refused):
            # In our own words: the host's text is not ours to show.
            text = REFUSALS.get(
                message.reason, "the host refused, and this program knows no reason"
            )
            raise LobbyClosed(message.reason, text)
        if isinstance(message, Bye):
            raise LobbyClosed("closed", REFUSALS["closed"])
        if isinstance(message, Begin):
            return self._on_begin(message)
        return []

    def _on_state(self, state: LobbyState) -> list[LobbyEffect]:
        keys = [seat.key for seat in state.seats]
        if keys[0] != self.host or len(keys) > state.seats_total:
            raise LobbyClosed("broken", "the host shows a table that cannot be")
        if any(seat.key == self.key and seat.is_bot != self.is_bot for seat in state.seats):
            raise LobbyClosed("broken", "the host shows our seat as what it is not")
        game = self._game(state.game)
        _checked(lambda: check_keys(keys), "broken")
        _checked(lambda: check_options(game, state.options, state.seats_total), "options")
        if self.state is not None and _terms(self.state) != _terms(state):
            # Who is ready is so for what it was shown, and must not begin something else.
            raise LobbyClosed("broken", "the host changed the table after it had shown it")
        self.state = state
        if self.ready_for is not None and self.ready_for != self.shown:
            # A word given for others: nothing begins on it, whatever the host makes of it.
            self.ready_for, self.has_changed = None, True
        self.state = with_fields(state, seats=tuple(map(self._as_said, state.seats)))
        return [Changed()]

    def _as_said(self, seat: LobbySeatState) -> LobbySeatState:
        """Whether we are ready is not for the host to say."""
        if seat.key != self.key or self.ready_for is not None:
            return seat
        return with_fields(seat, is_ready=False)

    def _game(self, name: str) -> Game:
        if name not in self.games:
            raise LobbyClosed("game", f"this program does not know the game {name!r}")
        return self.games[name]

    def _on_begin(self, begin: Begin) -> list[LobbyEffect]:
        """The draft must be what was shown: options and seats that this person agreed to."""
        shown = self.state
        draft = begin.draft
        if shown is None or len(begin.addresses) != len(draft.seats):
            raise LobbyClosed("broken", "the host began a table that it had not shown")
        shown_seats = [(seat.name, seat.key, seat.is_bot) for seat in shown.seats]
        begun_seats = [(seat.name, seat.key, seat.is_bot) for seat in draft.seats]
        agreed = (shown.name, shown.game, shown.options, shown_seats)
        if agreed != (draft.name, draft.game, draft.options, begun_seats):
            raise LobbyClosed("broken", "the host began another table than it had shown")
        if self.has_changed:
            raise LobbyClosed(
                "switched",
                "the host changed who sits at the table, and began before you had said ready again",
            )
        if self.ready_for is None:
            raise LobbyClosed("unready", "the host began before we were ready")
        own = [place for place, entry in enumerate(draft.seats) if entry.key == self.key]
        if draft.version != PROTOCOL_VERSION or not own:
            raise LobbyClosed("broken", "the host began a table without this seat")
        if draft.seats[own[0]].is_oldest != self.is_oldest:
            raise LobbyClosed("broken", "the host began with our seat as what it is not")
        self._check_new(shown, begin, own[0])
        seats = len(draft.seats)  # maybe fewer than there is room for
        _checked(lambda: check_options(self._game(draft.game), draft.options, seats), "options")
        return [Begun(draft, begin.addresses)]

    def _check_new(self, shown: LobbyState, begin: Begin, own: int) -> None:
        """The table's id must be made with our nonce: nothing was ever signed under it before."""
        nonces = begin.nonces
        is_ours = len(nonces) == len(begin.draft.seats) - 1 and nonces[own - 1] == self.nonce
        if not is_ours or begin.draft.table != table_id(shown.table, nonces):
            raise LobbyClosed("broken", "the host began a table that may be an old one")


class LobbyClosed(Exception):
    """There is no seat for us: `reason` is a code, the text is for people."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text


def _checked(check: Callable[[], None], reason: str) -> None:
    try:
        check()
    except BadDraft as error:
        raise LobbyClosed(reason, str(error)) from error


def refuse(key: bytes, reason: str) -> list[LobbyEffect]:
    """Tell a peer why it gets no seat, and close its link."""
    text = REFUSALS[reason]
    return [Tell(key, encode(Refused(reason, text))), Drop(key, f"refused: {text}")]


def _terms(state: LobbyState) -> tuple[object, ...]:
    """What a joiner agrees to, whoever sits at the table; it stays as it is up to the start."""
    return state.table, state.name, state.game, state.options, state.seats_total


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
