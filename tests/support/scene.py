"""A table of War Jhong with a stacked deck, driven by faces."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games import GAMES
from p2pjong.games.game import Action, Event, Face, Options, Seat, View
from p2pjong.games.war_jhong.faces import DECK, SUITS
from p2pjong.games.war_jhong.state import DEAL_SIZE, State
from p2pjong.games.war_jhong.view import WarJhongView
from tests.support.driven import Driven

Item = TypeVar("Item")
GAME = GAMES["war-jhong"]

# No two neighbours go together: hands filled up in this order are as poor as can be.
SPREAD = (9, 7, 5, 3, 1, 8, 6, 4, 2)
POOR_ORDER = (*(f"{suit}{number}" for number in SPREAD for suit in SUITS), *"JFGT")


class Stacked(Chance):
    """No chance at all: the deck lies as told, hands keep their order, one seat is first."""

    def __init__(self, decks: Sequence[Sequence[Face]], first: Seat) -> None:
        self._decks = list(decks)
        self._first = first

    def below(self, sides: int) -> int:
        return min(self._first, sides - 1)

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        if len(items) < len(DECK):
            return list(items)
        deck = self._decks.pop(0) if len(self._decks) > 1 else self._decks[0]
        return [items[place] for place in _places(items, deck)]


def _places(items: Sequence[object], wanted: Sequence[object]) -> list[int]:
    left = list(range(len(items)))
    places = []
    for face in wanted:
        place = next(place for place in left if items[place] == face)
        left.remove(place)
        places.append(place)
    return places


def stack(hands: Mapping[Seat, str], draws: str, seats: int) -> list[Face]:
    """A deck that deals the hands, filled up with what is left, and then the draws."""
    left = Counter(DECK)
    left.subtract(face for hand in hands.values() for face in hand.split())
    left.subtract(draws.split())
    assert min(left.values()) >= 0, "more copies than the deck has"
    rest = [face for copy in range(16) for face in POOR_ORDER if left[face] > copy]
    dealt: list[Face] = []
    for seat in range(seats):
        hand = hands.get(seat, "").split()
        missing = DEAL_SIZE - len(hand)
        dealt += hand + rest[:missing]
        rest = rest[missing:]
    return [*dealt, *draws.split(), *rest]


class Scene(Driven):
    """A table from its first turn on. Seats do "discard I4", "claim_formation I4 I5", "pass" ..."""

    def __init__(
        self,
        hands: Mapping[Seat, str],
        draws: str = "",
        seats: int = 3,
        first: Seat = 0,
        target: int = 0,
    ) -> None:
        chance = Stacked([stack(hands, draws, seats)], first)
        options = Options(target=target)
        start = GAME.start(seats, options)
        super().__init__(Table(GAME, start, OpenDealer(seats, chance), is_checked=True))

    @property
    def state(self) -> State:
        state = self.table.state
        assert isinstance(state, State)
        return state

    def view(self, seat: Seat) -> WarJhongView:
        view: View = self.table.view(seat)
        assert isinstance(view, WarJhongView)
        return view

    def faces(self, seat: Seat) -> list[Face]:
        """The hand of the seat, sorted."""
        return [face for _, face in self.view(seat).hand]

    def discard(self, face: Face) -> list[Event]:
        """The turn's seat discards."""
        return self.do(self.state.turn, f"discard {face}")

    def answer(self, claims: Mapping[Seat, str] | None = None) -> list[Event]:
        """All awaited seats answer; those without a claim pass."""
        events: list[Event] = []
        for seat in self.table.awaited():
            events = self.do(seat, (claims or {}).get(seat, "pass"))
        return events

    def play(self, *faces: Face) -> None:
        """Turn after turn somebody discards, and nobody wants it."""
        for face in faces:
            self.discard(face)
            if self.table.awaited() != (self.state.turn,):
                self.answer()

    def read(self, action: Action) -> str:
        """The action in faces, as `do` takes it."""
        known = self.table.dealer.known(action.seat)
        return " ".join([action.verb, *sorted(known[slot] for slot in action.slots)])
