"""What a seat may do: one list, for offering, accepting and choosing alike.

A choice is a verb, the slots it names and a target seat. Where a seat's hand is known the list is
exact, else it is what nobody can rule out without seeing the hand.
"""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, TypeAlias

from p2pjong.games.game import NOBODY, Action, Known, Seat, Slot
from p2pjong.games.samurai_warfare.cards import CARDS, RANK
from p2pjong.games.samurai_warfare.state import BATTLE, State, hand_to_reveil, seats_from
from p2pjong.games.samurai_warfare.steps import (
    ChooseDiscards,
    ChoosePlay,
    ChooseTaken,
    Step,
)
from p2pjong.games.samurai_warfare.targets import (
    NO_AIM,
    aims,
    aims_of_any,
    barred_faces,
    effects_of,
    open_types,
)

DISCARD = "discard"
PASS = "pass"
PLAY = "play"
TAKE = "take"

Choice: TypeAlias = tuple[str, tuple[Slot, ...], Seat]
KEEP: Choice = (PASS, (), NOBODY)


def asked(state: State, seat: Seat) -> Step | None:
    """The step in which `seat` must choose now, if there is one."""
    step = state.queue[0] if state.queue else None
    if isinstance(step, ChooseDiscards | ChoosePlay | ChooseTaken) and step.seat == seat:
        return step if hand_to_reveil(state) == NOBODY else None
    return None


def legal(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    """The sorted legal actions of `seat`, exact where its hand is known, else as wide as may be."""
    step = asked(state, seat)
    if step is None:
        return ()
    choices = sorted(CHOICES[type(step)](state, step, known))
    return tuple([Action(seat, *choice) for choice in choices])


def is_allowed(state: State, action: Action) -> bool:
    """Whether nobody can rule the action out without the hand: it is in `legal(.., {})`.

    Kept apart from `legal` for speed alone.
    """
    step = asked(state, action.seat)
    return step is not None and ALLOWED[type(step)](state, step, action)


def default(state: State, seat: Seat, known: Known) -> Action:
    """What the client plays when time is up: none where it may, else the first choice (G8)."""
    step = asked(state, seat)
    if isinstance(step, ChooseDiscards):
        return Action(seat, *_first_discards(state, step, known))
    offered = legal(state, seat, known)
    kept = Action(seat, *KEEP)
    return kept if kept in offered else min(offered, key=_order_of_codes(state, seat, known))


def _first_discards(state: State, step: ChooseDiscards, known: Known) -> Choice:
    if not step.least:
        return KEEP
    ranked = sorted([(_rank(slot, known), slot) for slot in state.hands[step.seat]])
    return DISCARD, tuple(sorted(slot for _, slot in ranked[: step.least])), NOBODY


def _order_of_codes(
    state: State, seat: Seat, known: Known
) -> Callable[[Action], tuple[list[int], int, tuple[Slot, ...]]]:
    """By the codes of the cards named, then the next seat as target (G8)."""
    around = seats_from(state, seat)
    seen = {**known, **{card.slot: card.face for cards in state.in_play for card in cards}}

    def order(action: Action) -> tuple[list[int], int, tuple[Slot, ...]]:
        distance = around.index(action.target) if action.target != NOBODY else 0
        return [_rank(slot, seen) for slot in action.slots], distance, action.slots

    return order


def _rank(slot: Slot, known: Known) -> int:
    return RANK.get(known.get(slot, ""), len(RANK))


# --- Discards -----------------------------------------------------------------------------------


def _discards(state: State, step: ChooseDiscards, known: Known) -> list[Choice]:
    hand = state.hands[step.seat]
    counts = range(max(step.least, 1), step.most + 1)
    found = [(DISCARD, slots, NOBODY) for count in counts for slots in combinations(hand, count)]
    return found if step.least else [*found, KEEP]


def _may_discard(state: State, step: ChooseDiscards, action: Action) -> bool:
    verb, slots = action.verb, action.slots
    if action.target != NOBODY:
        return False
    if verb == PASS:
        return not slots and not step.least
    if verb != DISCARD or not max(step.least, 1) <= len(slots) <= step.most:
        return False
    hand = state.hands[step.seat]
    return slots == tuple(sorted(set(slots))) and all(slot in hand for slot in slots)


# --- The card taken of those looked at ----------------------------------------------------------


def _takes(state: State, step: ChooseTaken, known: Known) -> list[Choice]:
    return [(TAKE, (slot,), NOBODY) for slot in step.slots]


def _may_take(state: State, step: ChooseTaken, action: Action) -> bool:
    return (action.verb, action.slots, action.target) in _takes(state, step, {})


# --- Cards played -------------------------------------------------------------------------------


def _plays(state: State, step: ChoosePlay, known: Known) -> list[Choice]:
    """Every card that may be played with all that it may aim at, and the pass where it may be."""
    seat = step.seat
    types = open_types(state, seat)
    is_hidden = any(slot not in known for slot in state.hands[seat])
    any_card = tuple(aims_of_any(state, seat)) if is_hidden else ()
    found: list[Choice] = []
    must_play = False
    for slot in state.hands[seat]:
        face = known.get(slot)
        if face is None:
            each = any_card
        elif CARDS[face].type in types:
            each = aims(state, seat, effects_of(state, face))
            must_play = state.phase == BATTLE
        else:
            continue
        found += [(PLAY, (slot, *prey), target) for prey, target in each]
    may_pass = not must_play and _is_pass_plausible(state, seat)
    return [*found, KEEP] if may_pass else found


def _is_pass_plausible(state: State, seat: Seat) -> bool:
    """Whether some hand may pass: in the Battle Phase only one of cards not playable (S7)."""
    return state.phase != BATTLE or bool(barred_faces(state, seat))


def _may_play(state: State, step: ChoosePlay, action: Action) -> bool:
    slots, seat = action.slots, step.seat
    if action.verb == PASS:
        return (slots, action.target) == KEEP[1:] and _is_pass_plausible(state, seat)
    if action.verb != PLAY or not slots or slots[0] not in state.hands[seat]:
        return False
    aim = (slots[1:], action.target)
    # Of every type, and so in either phase, some cards aim at nothing.
    return aim == NO_AIM or aim in aims_of_any(state, seat)


CHOICES: Mapping[type[Step], Callable[[State, Any, Known], list[Choice]]] = {
    ChooseDiscards: _discards,
    ChooseTaken: _takes,
    ChoosePlay: _plays,
}
ALLOWED: Mapping[type[Step], Callable[[State, Any, Action], bool]] = {
    ChooseDiscards: _may_discard,
    ChooseTaken: _may_take,
    ChoosePlay: _may_play,
}
