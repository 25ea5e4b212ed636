"""The dealer of tests, arena and replays: a plain seeded shuffle in one process that hides nothing
from whoever holds it, and from each seat what the rules hide."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from p2pjong.engine.chance import Chance
from p2pjong.games.game import (
    Draw,
    Face,
    Facts,
    Give,
    Known,
    Open,
    Operation,
    Order,
    Peek,
    ProveAmong,
    Reveil,
    Seat,
    Show,
    Shuffle,
    Slot,
    Toss,
)

DECK = -1  # what holds a slot that no seat holds


class OpenDealer:
    """Carries out every operation at once. A breach of what an operation demands is our own bug."""

    def __init__(self, seats: int, chance: Chance) -> None:
        self._chance = chance
        self._faces: dict[Slot, Face] = {}
        self._holder: dict[Slot, Seat] = {}
        self._known: list[dict[Slot, Face]] = [{} for _ in range(seats)]
        self._facts: Facts | None = None

    def begin(self, operation: Operation) -> None:
        """Carries the operation out; `facts` has the answer at once."""
        self._facts = CARRY_OUT[type(operation)](self, operation)

    def facts(self) -> Facts | None:
        """The public answer to the operation begun last."""
        return self._facts

    def known(self, seat: Seat) -> Known:
        """The faces that `seat` knows."""
        return self._known[seat]

    def face(self, slot: Slot) -> Face:
        """What the card shows, whoever may see it: for tests and invariants alone."""
        return self._faces[slot]

    def _shuffle(self, operation: Shuffle) -> Facts:
        if operation.fresh_keys:
            self._faces.clear()
            self._holder.clear()
            for known in self._known:
                known.clear()
        assert not self._faces.keys() & set(operation.slots), "a slot is never used twice"
        faces = self._chance.shuffled(operation.faces)
        self._faces.update(zip(operation.slots, faces, strict=True))
        self._holder.update(dict.fromkeys(operation.slots, DECK))
        return Facts()

    def _draw(self, operation: Draw) -> Facts:
        for slot, seat in operation.moves:
            assert self._holder[slot] == DECK
            self._holder[slot] = seat
            self._tell((seat,), (slot,))
        return Facts()

    def _open(self, operation: Open) -> Facts:
        self._check_held(operation.seat, operation.slots)
        self._tell(range(len(self._known)), operation.slots)
        return Facts(opened=tuple([(slot, self._faces[slot]) for slot in operation.slots]))

    def _reveil(self, operation: Reveil) -> Facts:
        self._check_held(operation.seat, operation.slots)
        faces = self._chance.shuffled([self._faces[slot] for slot in operation.slots])
        for slot in operation.slots:
            del self._holder[slot]
        for slot, face in zip(operation.fresh, faces, strict=True):
            assert slot not in self._faces, "a slot is never used twice"
            self._faces[slot] = face
            self._holder[slot] = operation.seat
        self._tell((operation.seat,), operation.fresh)
        return Facts()

    def _toss(self, operation: Toss) -> Facts:
        return Facts(tossed=self._chance.below(operation.sides))

    def _peek(self, operation: Peek) -> Facts:
        self._check_held(DECK, operation.slots)
        self._tell((operation.seat,), operation.slots)
        return Facts()

    def _show(self, operation: Show) -> Facts:
        self._check_held(operation.seat, operation.slots)
        self._tell((operation.viewer,), operation.slots)
        return Facts()

    def _give(self, operation: Give) -> Facts:
        self._check_held(operation.giver, (operation.slot,))
        self._holder[operation.slot] = operation.taker
        self._tell((operation.taker,), (operation.slot,))
        return Facts()

    def _prove_among(self, operation: ProveAmong) -> Facts:
        self._check_held(operation.seat, operation.slots)
        assert all(self._faces[slot] in operation.faces for slot in operation.slots)
        return Facts()

    def _order(self, operation: Order) -> Facts:
        # Nobody is quicker than another here: the order is chance.
        return Facts(order=tuple(self._chance.shuffled(operation.seats)))

    def _check_held(self, seat: Seat, slots: tuple[Slot, ...]) -> None:
        assert all(self._holder[slot] == seat for slot in slots), "the slots are not all there"

    def _tell(self, seats: Iterable[Seat], slots: tuple[Slot, ...]) -> None:
        for seat in seats:
            self._known[seat].update({slot: self._faces[slot] for slot in slots})


CARRY_OUT: Mapping[type, Callable[[OpenDealer, Any], Facts]] = {
    Shuffle: OpenDealer._shuffle,
    Draw: OpenDealer._draw,
    Open: OpenDealer._open,
    Reveil: OpenDealer._reveil,
    Toss: OpenDealer._toss,
    Peek: OpenDealer._peek,
    Show: OpenDealer._show,
    Give: OpenDealer._give,
    ProveAmong: OpenDealer._prove_among,
    Order: OpenDealer._order,
}
