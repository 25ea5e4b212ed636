"""Actions that no hand makes legal: small changes of those that some hand does."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from p2pjong.games.game import NOBODY, Action, Seat


def refused(state: Any, seat: Seat, possible: tuple[Action, ...]) -> list[Action]:
    """One of each kind of change, of those that make an action which nobody may take now."""
    found: dict[str, Action] = {}
    for action in possible:
        for kind, changed in _changes(state, seat, action):
            if changed not in possible:
                found.setdefault(kind, changed)
    return list(dict.fromkeys(found.values()))


def _changes(state: Any, seat: Seat, action: Action) -> Iterator[tuple[str, Action]]:
    slots, other = action.slots, (seat + 1) % state.seats
    foreign = [slot for slot in state.hands[other] if slot not in slots]
    yield "another verb", replace(action, verb="swap")
    yield "a slot never dealt", replace(action, slots=(*slots[:-1], state.next_slot))
    if foreign:
        yield "a slot of another hand", replace(action, slots=(*slots[:-1], foreign[0]))
    if slots:
        yield "no slots", replace(action, slots=())
        yield "a slot twice", replace(action, slots=(*slots, slots[-1]))
    if len(slots) > 1:
        yield "the slots backwards", replace(action, slots=slots[::-1])
    yield "itself as target", replace(action, target=seat)
    yield "another target", replace(action, target=other)
    if action.target != NOBODY:
        yield "no target", replace(action, target=NOBODY)
