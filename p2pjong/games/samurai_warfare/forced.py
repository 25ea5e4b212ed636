"""Steps that are not waited for: all can see that they come to nothing, or to one thing only."""

from collections.abc import Callable, Mapping
from typing import Any

from p2pjong.games.game import NOBODY, Event, Seat
from p2pjong.games.samurai_warfare.moves import follow_with, tell
from p2pjong.games.samurai_warfare.state import BATTLE, State, hand_to_reveil
from p2pjong.games.samurai_warfare.steps import (
    ChooseDiscards,
    ChoosePlay,
    ChooseTaken,
    Drop,
    Fill,
    HandOver,
    LookAhead,
    Pick,
    Step,
    TakeCard,
)
from p2pjong.games.samurai_warfare.targets import holds_nothing_playable
from p2pjong.games.values import evolve


def skip(state: State, step: Step) -> State | None:
    """The state after a step that needs neither operation nor choice; None if it needs one."""
    found = SKIPPED.get(type(step))
    return found(state, step) if found else None


def _skip_fill(state: State, step: Fill) -> State | None:
    """With deck and discards empty, nothing is drawn (S4)."""
    is_idle = not step.wants or not (state.deck or state.discards)
    return follow_with(state) if is_idle else None


def _skip_sight(state: State, step: LookAhead) -> State | None:
    return None if state.deck or state.discards else follow_with(state)


def _skip_taken(state: State, step: ChooseTaken) -> State | None:
    return follow_with(state, TakeCard(step.seat, step.slots[0])) if len(step.slots) == 1 else None


def _skip_discards(state: State, step: ChooseDiscards) -> State | None:
    """Who has no more cards than it must discard loses what it has (S6)."""
    hand = state.hands[step.seat]
    if not hand:
        return follow_with(state)
    if step.least < len(hand) or hand_to_reveil(state) != NOBODY:
        return None
    return follow_with(state, Drop(step.seat, hand, "effect"))


def _skip_play(state: State, step: ChoosePlay) -> State | None:
    """Who has no card to play is not asked; in the Battle Phase that is a pass (S7)."""
    if state.phase != BATTLE:
        return None if state.hands[step.seat] else follow_with(state)
    if not holds_nothing_playable(state, step.seat):
        return None
    return passed(state, step.seat)


def passed(state: State, seat: Seat, proofs: int = 0) -> State:
    """The seat passes in the Battle Phase."""
    event = Event("passed", seat, number=proofs, details=((BATTLE, 1),))
    return tell(evolve(follow_with(state), passes=state.passes + 1), event)


def _skip_pick(state: State, step: Pick) -> State | None:
    hand = state.hands[step.target]
    return picked(state, step, 0) if len(hand) == 1 else None


def picked(state: State, step: Pick, place: int) -> State:
    """The card at that place of the target's hand is stolen or discarded."""
    slot = state.hands[step.target][place]
    if step.thief == NOBODY:
        return follow_with(state, Drop(step.target, (slot,), "random"))
    return follow_with(state, HandOver(step.thief, step.target, slot))


SKIPPED: Mapping[type[Step], Callable[[State, Any], State | None]] = {
    Fill: _skip_fill,
    LookAhead: _skip_sight,
    ChooseTaken: _skip_taken,
    ChooseDiscards: _skip_discards,
    ChoosePlay: _skip_play,
    Pick: _skip_pick,
}
