"""The course of a game of Samurai Warfare: its start, its choices, what is voided.

Theory of operation. The state's queue holds steps (`steps.py`), of which the first is under way.
`awaited.py` says what it waits for: an operation or a choice. `DECIDED` here and `FOLLOWED` in
`outcomes.py` say what then becomes of the state and of the queue; `phases.py` goes on from there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Event,
    Facts,
    IllegalAction,
    Options,
    Seat,
)
from p2pjong.games.samurai_warfare.awaited import pending
from p2pjong.games.samurai_warfare.choices import PASS, is_allowed
from p2pjong.games.samurai_warfare.moves import (
    bare,
    follow_with,
    reveiled,
    tell,
)
from p2pjong.games.samurai_warfare.outcomes import FOLLOWED
from p2pjong.games.samurai_warfare.phases import finish, run_on
from p2pjong.games.samurai_warfare.state import (
    BATTLE,
    END,
    OVER,
    SEATS_MAX,
    SEATS_MIN,
    SETUP,
    SHOGUN,
    TARGET,
    TARGET_MAX,
    State,
    hand_to_reveil,
    present_seats,
    seats_from,
)
from p2pjong.games.samurai_warfare.steps import (
    NO_SLOT,
    ChooseDiscards,
    ChoosePlay,
    ChooseTaken,
    Drop,
    Fill,
    Prove,
    Reveal,
    ShuffleAll,
    Step,
    TakeCard,
    TossFirst,
)
from p2pjong.games.values import evolve


def start(seats: int, options: Options) -> State:
    """The state before anything happened; raises ValueError on options out of range."""
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"Samurai Warfare takes {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
    if not 0 <= options.target <= TARGET_MAX:
        raise ValueError(f"the target must be from 1 to {TARGET_MAX}, not {options.target}")
    if options.rounds:
        raise ValueError("Samurai Warfare is played to a target, not for a number of rounds")
    if any(not 0 <= seat < seats for seat in options.oldest):
        raise ValueError("the oldest must have a seat")
    state = State(
        seats=seats,
        target=options.target or TARGET,
        present=(True,) * seats,
        scores=(0,) * seats,
        turns_settled=0,
        turn_number=1,
        shogun=options.oldest[0] if len(options.oldest) == 1 else NOBODY,
        next_slot=0,
        phase=SETUP,
        turn=NOBODY,
        passes=0,
        queue=(),
        deck=(),
        peeked=(),
        hands=(),
        has_traces=(),
        proven=(),
        in_play=(),
        fallen=(),
        playing=None,
        discards=(),
        result=None,
        outcome="",
    )
    return _set_up(state)


def _set_up(state: State) -> State:
    """Before a turn with no card dealt: who is Shogun, then the shuffle."""
    first = TossFirst() if state.shogun == NOBODY else ShuffleAll()
    return evolve(bare(state), phase=SETUP, queue=(first,))


def void(state: State, out: tuple[Seat, ...]) -> State:
    """The state after the turn was voided and the seats of `out` left the game (G4, G6).

    A turn whose token was given is not called void: the next one begins.
    """
    assert state.phase != OVER
    is_counted = state.phase in (SHOGUN, END)
    gone = tuple([seat for seat in present_seats(state) if seat in out])
    present = tuple([here and seat not in out for seat, here in enumerate(state.present)])
    number = state.turn_number + is_counted
    after = _set_up(evolve(state, present=present, turn_number=number, news=()))
    after = tell(after, *[Event("seat_left", seat) for seat in gone])
    if sum(present) < SEATS_MIN:
        return finish(after, "abandoned")
    if state.phase == SETUP or is_counted:  # no turn is void before its cards are shuffled
        return _hand_on_sword(after)
    return _hand_on_sword(tell(after, Event("hand_void", number=state.turn_number)))


def _hand_on_sword(state: State) -> State:
    """If the Shogun's seat is out, the next seat takes the sword at once (S1)."""
    if state.shogun == NOBODY or state.present[state.shogun]:
        return state
    heir = seats_from(state, state.shogun)[0]
    return tell(evolve(state, shogun=heir), Event("sword_passed", heir))


# --- Choices ------------------------------------------------------------------------------------


def decide(state: State, actions: tuple[Action, ...]) -> State:
    """The state after the awaited seat chose; IllegalAction if it may not do that."""
    awaited = pending(state)
    if not isinstance(awaited, Decide) or tuple([a.seat for a in actions]) != awaited.seats:
        raise IllegalAction("these are not the seats that must choose now")
    (action,) = actions
    if not is_allowed(state, action):
        raise IllegalAction(f"seat {action.seat} may not {action.verb} so now")
    step = state.queue[0]
    return run_on(DECIDED[type(step)](evolve(state, news=()), step, action))


def _decide_discards(state: State, step: ChooseDiscards, action: Action) -> State:
    if action.verb == PASS:
        return _tell_pass(follow_with(state), step.seat)
    why = state.phase if not step.least else "effect"
    drop = Drop(step.seat, action.slots, why)
    if step.is_refilled:  # S3: as many as were discarded, which are in the pile by then (S4)
        return follow_with(state, drop, Fill(((step.seat, len(action.slots)),)))
    return follow_with(state, drop)


def _decide_play(state: State, step: ChoosePlay, action: Action) -> State:
    if action.verb == PASS:
        if state.phase == BATTLE:
            return follow_with(state, Prove(step.seat))
        return _tell_pass(follow_with(state), step.seat)
    slot, *destroyed = action.slots
    prey = destroyed[0] if destroyed else NO_SLOT
    return follow_with(state, Reveal(step.seat, slot, prey, action.target))


def _decide_taken(state: State, step: ChooseTaken, action: Action) -> State:
    return follow_with(state, TakeCard(step.seat, action.slots[0]))


def _tell_pass(state: State, seat: Seat) -> State:
    return tell(state, Event("passed", seat, details=((state.phase, 1),)))


DECIDED: Mapping[type[Step], Callable[[State, Any, Action], State]] = {
    ChooseDiscards: _decide_discards,
    ChoosePlay: _decide_play,
    ChooseTaken: _decide_taken,
}


# --- Operations ----------------------------------------------------------------------------------


def resolve(state: State, facts: Facts) -> State:
    """The state after the pending operation; raises Foul when an opened card belies a play (G5)."""
    state = evolve(state, news=())
    seat = hand_to_reveil(state)
    if seat != NOBODY:
        return run_on(reveiled(state, seat))
    step = state.queue[0]
    return run_on(FOLLOWED[type(step)](state, step, facts))
