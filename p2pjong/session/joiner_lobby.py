"""A joiner's side of the lobby: what it is shown, and what it lets its host begin. Sans-IO.

Implements "The lobby" of `protocol/lobby.md`. What a host says binds nobody: each joiner checks
that the draft is what its person was shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace as with_fields

from p2pjong.games.game import Game
from p2pjong.session.draft import BadDraft, check_keys, check_options, shown_hash, table_id
from p2pjong.session.lobby import REFUSALS, Begun, Changed, LobbyEffect
from p2pjong.wire.messages import (
    PROTOCOL_VERSION,
    Begin,
    Bye,
    LobbyMessage,
    LobbySeatState,
    LobbyState,
    Ready,
    Refused,
)


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


def _terms(state: LobbyState) -> tuple[object, ...]:
    """What a joiner agrees to, whoever sits at the table; it stays as it is up to the start."""
    return state.table, state.name, state.game, state.options, state.seats_total
