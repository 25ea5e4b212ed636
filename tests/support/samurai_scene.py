"""A table of Samurai Warfare laid out card by card, driven by faces."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Draw,
    Face,
    Open,
    Operation,
    Options,
    Seat,
    Shuffle,
    Slot,
    View,
)
from p2pjong.games.samurai_warfare import SamuraiWarfare
from p2pjong.games.samurai_warfare.cards import DECK
from p2pjong.games.samurai_warfare.phases import run_on
from p2pjong.games.samurai_warfare.state import BATTLE, FaceUp, State
from p2pjong.games.samurai_warfare.view import SamuraiWarfareView
from p2pjong.games.values import evolve
from tests.support.driven import Driven

Item = TypeVar("Item")
GAME = SamuraiWarfare()
Cards = Mapping[Seat, str]


class Told(Chance):
    """No chance at all: shuffles keep the order, tosses come as told and then are 0."""

    def __init__(self, tosses: Iterable[int] = ()) -> None:
        self.tosses = list(tosses)

    def below(self, sides: int) -> int:
        tossed = self.tosses.pop(0) if self.tosses else 0
        assert tossed < sides
        return tossed

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        return list(items)


class Watched(OpenDealer):
    """Remembers what it was asked for."""

    def __init__(self, seats: int, chance: Chance) -> None:
        super().__init__(seats, chance)
        self.asked: list[Operation] = []

    def begin(self, operation: Operation) -> None:
        self.asked.append(operation)
        super().begin(operation)


class Scene(Driven):
    """A table in the midst of a turn; `seen` is everything that happened since.

    Seats do "play river", "play river @1", "play siege x castle @2", "discard ...": "@" stands
    before a target, "x" before the card to be destroyed.

    Cards not named lie in `rest`: the deck, below what is named of it; the discards; or a
    hand ("hand:2"). `turn` is whose go it is, by default seat 0's, who is Shogun, too. A hand has
    traces where `traces` says so.
    """

    def __init__(
        self,
        hands: Cards,
        *,
        phase: str = BATTLE,
        turn: Seat = 0,
        seats: int = 3,
        in_play: Cards | None = None,
        fallen: Cards | None = None,
        deck: str = "",
        discards: str = "",
        rest: str = "deck",
        tosses: Iterable[int] = (),
        scores: tuple[int, ...] = (),
        shogun: Seat = 0,
        target: int = 0,
        traces: Iterable[Seat] = (),
        out: Iterable[Seat] = (),
    ) -> None:
        self.chance = Told(tosses)
        self.dealer = Watched(seats, self.chance)
        gone = frozenset(out)
        layout = _Layout(hands, in_play or {}, deck, discards, fallen or {}, rest)
        layout.deal(self.dealer)
        before = GAME.start(seats, Options(target=target))
        state = evolve(
            before,
            present=tuple(seat not in gone for seat in range(seats)),
            scores=scores or before.scores,
            shogun=shogun,
            next_slot=len(DECK),
            phase=phase,
            turn=_previous(turn, seats, gone) if turn != shogun or phase == BATTLE else NOBODY,
            queue=(),
            deck=layout.slots("deck"),
            hands=tuple(layout.slots(f"hand:{seat}") for seat in range(seats)),
            has_traces=tuple(seat in tuple(traces) for seat in range(seats)),
            in_play=tuple(layout.cards(f"in_play:{seat}") for seat in range(seats)),
            fallen=tuple(tuple((fallen or {}).get(seat, "").split()) for seat in range(seats)),
            discards=layout.cards("discards"),
        )
        self.dealer.asked.clear()
        super().__init__(Table(GAME, run_on(state), self.dealer, is_checked=True))

    @property
    def state(self) -> State:
        state = self.table.state
        assert isinstance(state, State)
        return state

    @property
    def asked(self) -> Sequence[Operation]:
        """What the dealer was asked for, in order."""
        return self.dealer.asked

    @property
    def awaited(self) -> tuple[Seat, str]:
        """Who chooses now, and what."""
        assert isinstance(self.pending, Decide)
        return self.pending.seats[0], self.view(NOBODY).choice

    def asked_of(self, kind: type[Operation]) -> list[Operation]:
        """The operations of one kind that the dealer was asked for."""
        return [operation for operation in self.asked if isinstance(operation, kind)]

    def view(self, seat: Seat) -> SamuraiWarfareView:
        view: View = self.table.view(seat)
        assert isinstance(view, SamuraiWarfareView)
        return view

    def hand(self, seat: Seat) -> list[Face]:
        """The hand of the seat, in the order of codes."""
        return [face for _, face in self.view(seat).hand]

    def discards(self) -> list[Face]:
        """The discard pile, oldest first."""
        return [card.face for card in self.state.discards]

    def in_play(self, seat: Seat) -> list[Face]:
        """What lies before the seat, in the order played."""
        return [card.face for card in self.state.in_play[seat]]

    def deck(self) -> list[Face]:
        """The deck, top first."""
        return [self.dealer.face(slot) for slot in self.state.deck]

    def is_meant(self, choice: str, action: Action) -> bool:
        """Where their order says nothing, cards may be named in any."""
        return _sorted_choice(self.read(action)) == _sorted_choice(choice)

    def pass_all(self) -> None:
        """Whoever is asked in this phase passes, until it ends."""
        phase = self.state.phase
        while self.state.phase == phase and isinstance(self.pending, Decide):
            self.do(self.pending.seats[0], "pass")

    def slot(self, seat: Seat, face: Face) -> Slot:
        """A slot of the seat's hand that bears the face."""
        return next(slot for slot, held in self.view(seat).hand if held == face)

    def slot_in_play(self, seat: Seat, face: Face) -> Slot:
        """The slot of a card that lies before the seat."""
        return next(card.slot for card in self.state.in_play[seat] if card.face == face)

    def read(self, action: Action) -> str:
        """The action as in `do`."""
        known = self.table.dealer.known(action.seat)
        faces = [known[slot] for slot in action.slots]
        if action.verb == "play" and len(faces) == 2:
            faces.insert(1, "x")
        aim = [f"@{action.target}"] if action.target != NOBODY else []
        return " ".join([action.verb, *faces, *aim])


def _sorted_choice(choice: str) -> list[str]:
    verb, *words = choice.split()
    return [verb, *(words if verb == "play" else sorted(words))]


def _previous(turn: Seat, seats: int, gone: frozenset[Seat]) -> Seat:
    around = [(turn - step) % seats for step in range(1, seats + 1)]
    return next(seat for seat in around if seat not in gone)


class _Layout:
    """Which slot lies where: the slots of each zone, and the faces in their order."""

    def __init__(
        self,
        hands: Cards,
        in_play: Cards,
        deck: str,
        discards: str,
        fallen: Cards,
        rest: str,
    ) -> None:
        zones = {
            **{f"hand:{seat}": cards for seat, cards in hands.items()},
            **{f"in_play:{seat}": cards for seat, cards in in_play.items()},
            "deck": deck,
            "discards": " ".join([discards, *fallen.values()]),
        }
        left = Counter(DECK)
        for cards in zones.values():
            left.subtract(cards.split())
        assert min(left.values()) >= 0, "more copies than the deck has"
        zones[rest] = " ".join([zones.get(rest, ""), *left.elements()])
        self._zones: dict[str, tuple[FaceUp, ...]] = {}
        first = 0
        for zone, cards in zones.items():
            faces = cards.split()
            numbered = enumerate(faces, start=first)
            self._zones[zone] = tuple(FaceUp(slot, face) for slot, face in numbered)
            first += len(faces)

    def cards(self, zone: str) -> tuple[FaceUp, ...]:
        return self._zones.get(zone, ())

    def slots(self, zone: str) -> tuple[Slot, ...]:
        return tuple(card.slot for card in self.cards(zone))

    def deal(self, dealer: OpenDealer) -> None:
        """Brings every card to where it lies; what lies open was opened by seat 0."""
        every = [card for cards in self._zones.values() for card in cards]
        slots = tuple(card.slot for card in every)
        dealer.begin(Shuffle(tuple(card.face for card in every), slots, fresh_keys=True))
        for zone in self._zones:
            place, _, number = zone.partition(":")
            if place != "deck":
                holder = int(number) if place == "hand" else 0
                dealer.begin(Draw(tuple((slot, holder) for slot in self.slots(zone))))
            if place in ("in_play", "discards"):
                dealer.begin(Open(0, self.slots(zone)))
