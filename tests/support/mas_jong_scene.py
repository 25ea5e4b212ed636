"""A table of Not Your Ma's Jong with a stacked deck, driven by faces."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games import GAMES
from p2pjong.games.game import Action, Decide, Event, Face, Options, Result, Seat, Settle
from p2pjong.games.not_your_mas_jong.faces import DECK, FACES
from p2pjong.games.not_your_mas_jong.state import DEAL_SIZE, State
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView
from tests.support.driven import Driven

Item = TypeVar("Item")
GAME = GAMES["not-your-mas-jong"]

# Hands filled up in this order hold no set, and no pair for long.
POOR_ORDER = tuple(f"{suit}{number}" for number in (1, 4, 2, 5, 3, 6) for suit in "RBGSE")


class Stacked(Chance):
    """No chance at all: the deck lies as told, hands keep their order, callers come as told."""

    def __init__(self, deck: Sequence[Face], tossed: int) -> None:
        self._deck = deck
        self._tossed = tossed
        self.first_callers: tuple[Seat, ...] = ()

    def below(self, sides: int) -> int:
        return min(self._tossed, sides - 1)

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        if len(items) == len(DECK):
            return self._stacked(items)
        callers = list(self.first_callers)
        return sorted(items, key=lambda item: callers.index(item) if item in callers else 9)

    def _stacked(self, items: Sequence[Item]) -> list[Item]:
        left = list(items)
        mixed = []
        for face in self._deck:
            place = next(place for place, item in enumerate(left) if item == face)
            mixed.append(left.pop(place))
        return mixed


def stack(hands: Mapping[Seat, str], draws: str, last: str, seats: int, ma: Seat) -> list[Face]:
    """A deck that deals the hands, filled up with what is left, then the draws; `last` ends it."""
    left = Counter(DECK)
    for cards in (*hands.values(), draws, last):
        left.subtract(cards.split())
    assert min(left.values()) >= 0, "more copies than the deck has"
    rest = [face for copy in range(3) for face in POOR_ORDER if left[face] > copy]
    dealt: list[Face] = []
    for seat in range(seats):
        hand = hands.get(seat, "").split()
        missing = DEAL_SIZE + (seat == ma) - len(hand)
        assert missing >= 0, "a hand of too many cards"
        dealt += hand + rest[:missing]
        rest = rest[missing:]
    return [*dealt, *draws.split(), *rest, *last.split()]


class Scene(Driven):
    """A table from Ma's first turn on. Seats do "discard R4", "call_set", "show_set R5 R6" ..."""

    def __init__(
        self,
        hands: Mapping[Seat, str],
        draws: str = "",
        seats: int = 3,
        *,
        ma: Seat = 0,
        rounds: int = 0,
        last: str = "",
    ) -> None:
        self.chance = Stacked(stack(hands, draws, last, seats, ma), ma)
        start = GAME.start(seats, Options(rounds=rounds))
        super().__init__(Table(GAME, start, OpenDealer(seats, self.chance), is_checked=True))

    @property
    def state(self) -> State:
        state = self.table.state
        assert isinstance(state, State)
        return state

    @property
    def reason(self) -> str:
        """What seats must choose now."""
        assert isinstance(self.pending, Decide)
        return self.pending.reason

    @property
    def result(self) -> Result:
        """How the round just ended."""
        assert isinstance(self.pending, Settle)
        return self.pending.result

    def view(self, seat: Seat) -> NotYourMasJongView:
        view = self.table.view(seat)
        assert isinstance(view, NotYourMasJongView)
        return view

    def faces(self, seat: Seat) -> list[Face]:
        """The hand of the seat, sorted."""
        return [face for _, face in self.view(seat).hand]

    def discard(self, face: Face) -> list[Event]:
        """The turn's seat discards."""
        return self.do(self.state.turn, f"discard {face}")

    def call(self, **calls: str) -> list[Event]:
        """`call(s1="win", s2="set")`: who is named first calls first; all others pass."""
        verbs = {int(seat[1:]): f"call_{kind}" for seat, kind in calls.items()}
        self.chance.first_callers = tuple(verbs)
        events: list[Event] = []
        for seat in self.table.awaited():
            events = self.do(seat, verbs.get(seat, "pass"))
        return events

    def play(self, *faces: Face) -> None:
        """Turn after turn somebody discards, and nobody calls."""
        for face in faces:
            self.discard(face)
            self.call()

    def play_drawn(self) -> None:
        """The turn's seat discards what it drew, and nobody calls."""
        turn = self.state.turn
        self.force(self.table.default(turn))
        self.call()

    def read(self, action: Action) -> str:
        """The action in faces, as `do` takes it."""
        known = self.table.dealer.known(action.seat)
        faces = sorted((known[slot] for slot in action.slots), key=FACES.index)
        return " ".join([action.verb, *faces])


def verbs(events: Sequence[Event]) -> list[str]:
    """What happened, in order."""
    return [event.verb for event in events]
