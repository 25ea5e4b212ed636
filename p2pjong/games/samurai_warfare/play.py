"""The course of a game of Samurai Warfare: what follows from a choice, and from what a dealer did.

Theory of operation. The state's queue holds steps (`steps.py`), of which the first is under way.
`awaited.py` says what it waits for: an operation or a choice. `FOLLOWED` and `DECIDED` here say
what then becomes of the state and of the queue; `phases.py` goes on from there. A card's effects
are data (`effects.py`); when it is opened, `STEPS` turns them into steps in printed order (S6).
"""

from collections.abc import Callable, Mapping
from typing import Any

from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Event,
    Face,
    Facts,
    Foul,
    IllegalAction,
    Options,
    Seat,
    Slot,
)
from p2pjong.games.samurai_warfare.awaited import draw_moves, fresh_slots, pending
from p2pjong.games.samurai_warfare.cards import CARDS, DECK
from p2pjong.games.samurai_warfare.choices import PASS, is_allowed
from p2pjong.games.samurai_warfare.effects import (
    TYPES,
    DiscardOwn,
    DrawCards,
    Effect,
    LookAtHand,
    Lose,
    LoseAtRandom,
    Steal,
    TakeOfNext,
)
from p2pjong.games.samurai_warfare.forced import passed, picked
from p2pjong.games.samurai_warfare.moves import (
    bare,
    discarded,
    follow_with,
    receive,
    release,
    reshuffled,
    reveiled,
    see,
    tell,
)
from p2pjong.games.samurai_warfare.phases import award, finish, run_on
from p2pjong.games.samurai_warfare.state import (
    BATTLE,
    OVER,
    SEATS_MAX,
    SEATS_MIN,
    SETUP,
    TARGET,
    TARGET_MAX,
    FaceUp,
    State,
    hand_to_reveil,
    present_seats,
    put,
    replace,
    seats_from,
)
from p2pjong.games.samurai_warfare.steps import (
    NO_SLOT,
    ChooseDiscards,
    ChoosePlay,
    ChooseTaken,
    Drop,
    Fill,
    HandOver,
    Look,
    LookAhead,
    Pick,
    Prove,
    Reveal,
    SettleTurn,
    ShuffleAll,
    Step,
    TakeCard,
    TossFirst,
)
from p2pjong.games.samurai_warfare.targets import aims, effects_of, open_types


def start(seats: int, options: Options) -> State:
    """The state before anything happened; raises ValueError on options out of range."""
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"Samurai Warfare takes {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
    if not 0 <= options.target <= TARGET_MAX:
        raise ValueError(f"the target must be from 1 to {TARGET_MAX}, not {options.target}")
    if options.rounds:
        raise ValueError("Samurai Warfare is played to a target, not for a number of rounds")
    if any(not 0 <= seat < seats for seat in options.oldest):
        raise ValueError("the oldest player must have a seat")
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
    return replace(bare(state), phase=SETUP, queue=(first,))


def void(state: State, out: tuple[Seat, ...]) -> State:
    """The state after the turn was voided and the seats of `out` left the game (G4, G6)."""
    assert state.phase != OVER
    gone = tuple([seat for seat in present_seats(state) if seat in out])
    present = tuple([here and seat not in out for seat, here in enumerate(state.present)])
    after = _set_up(replace(state, present=present, news=()))
    after = tell(after, *[Event("seat_left", seat) for seat in gone])
    if sum(present) < SEATS_MIN:
        return finish(after, "abandoned")
    if state.phase == SETUP:  # no turn is void before its cards are shuffled
        return _hand_on_sword(after)
    return _hand_on_sword(tell(after, Event("hand_void", number=state.turn_number)))


def _hand_on_sword(state: State) -> State:
    """If the Shogun's seat is out, the next seat takes the sword at once (S1)."""
    if state.shogun == NOBODY or state.present[state.shogun]:
        return state
    heir = seats_from(state, state.shogun)[0]
    return tell(replace(state, shogun=heir), Event("sword_passed", heir))


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
    return run_on(DECIDED[type(step)](replace(state, news=()), step, action))


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


# --- Operations ---------------------------------------------------------------------------------


def resolve(state: State, facts: Facts) -> State:
    """The state after the pending operation; raises Foul when an opened card belies a play (G5)."""
    state = replace(state, news=())
    seat = hand_to_reveil(state)
    if seat != NOBODY:
        return run_on(reveiled(state, seat))
    step = state.queue[0]
    return run_on(FOLLOWED[type(step)](state, step, facts))


def _on_toss(state: State, step: TossFirst, facts: Facts) -> State:
    shogun = present_seats(state)[facts.tossed]
    after = replace(follow_with(state, ShuffleAll()), shogun=shogun)
    return tell(after, Event("first_seat", shogun))


def _on_shuffle(state: State, step: ShuffleAll, facts: Facts) -> State:
    slots = fresh_slots(state, len(DECK))
    after = replace(follow_with(state), deck=slots, next_slot=state.next_slot + len(slots))
    return tell(after, Event("shuffled", number=len(slots)))


def _on_fill(state: State, step: Fill, facts: Facts) -> State:
    if not state.deck:
        return reshuffled(state)
    moves = draw_moves(state, step)
    rest = []
    for seat, cards in step.wants:
        slots = tuple([slot for slot, to in moves if to == seat])
        if slots:
            state = _draw(state, seat, slots)
        if len(slots) < cards:
            rest.append((seat, cards - len(slots)))
    after = replace(state, deck=state.deck[len(moves) :])
    return follow_with(after, Fill(tuple(rest))) if rest else follow_with(after)


def _draw(state: State, seat: Seat, slots: tuple[Slot, ...]) -> State:
    after = see(receive(state, seat, slots), "drew", seat, slots)
    return tell(after, Event("drew", seat, number=len(slots)))


def _on_sight(state: State, step: LookAhead, facts: Facts) -> State:
    if not state.deck:
        return reshuffled(state)
    slots = state.deck[: step.cards]
    after = see(follow_with(state, ChooseTaken(step.seat, slots)), "peeked", step.seat, slots)
    return tell(after, Event("peeked", step.seat, number=len(slots)))


def _on_taken(state: State, step: TakeCard, facts: Facts) -> State:
    place = state.deck.index(step.slot)
    deck = (*state.deck[:place], *state.deck[place + 1 :])
    after = receive(replace(follow_with(state), deck=deck), step.seat, (step.slot,))
    after = see(after, "took", step.seat, (step.slot,))
    return tell(after, Event("took", step.seat, number=place))


def _on_drop(state: State, step: Drop, facts: Facts) -> State:
    cards = [FaceUp(slot, face) for slot, face in facts.opened]
    after = discarded(release(follow_with(state), step.seat, step.slots), *cards)
    shown = tuple([card.face for card in cards])
    why = ((step.why, 1),)
    return tell(after, Event("discarded", step.seat, shown, number=len(shown), details=why))


def _on_proof(state: State, step: Prove, facts: Facts) -> State:
    allowed = open_types(state, step.seat)
    barred = tuple([kind for kind in TYPES if kind not in allowed])
    return passed(replace(state, proven=put(state.proven, step.seat, barred)), step.seat, proofs=1)


def _on_look(state: State, step: Look, facts: Facts) -> State:
    hand = state.hands[step.target]
    after = replace(follow_with(state), has_traces=put(state.has_traces, step.target, True))
    after = see(after, "looked", step.seat, hand, step.target)
    return tell(after, Event("looked", step.seat, target=step.target, number=len(hand)))


def _on_pick(state: State, step: Pick, facts: Facts) -> State:
    return picked(state, step, facts.tossed)


def _on_handed_over(state: State, step: HandOver, facts: Facts) -> State:
    after = release(follow_with(state), step.target, (step.slot,))
    after = receive(after, step.thief, (step.slot,))
    after = see(after, "stole", step.thief, (step.slot,), step.target)
    return tell(after, Event("stole", step.thief, target=step.target))


def _on_settled(state: State, step: SettleTurn, facts: Facts) -> State:
    return award(state)


# --- A card played ------------------------------------------------------------------------------


def _on_reveal(state: State, step: Reveal, facts: Facts) -> State:
    ((slot, face),) = facts.opened
    effects = effects_of(state, face)
    _check_play(state, step, face, effects)
    steps = [made for effect in effects for made in _steps_of(effect, step)]
    after = release(follow_with(state, *steps), step.seat, (slot,))
    where = ((state.phase, 1),)
    after = tell(after, Event("played", step.seat, (face,), step.target, details=where))
    card = FaceUp(slot, face)
    if state.phase != BATTLE:
        return replace(after, playing=card)
    mine = put(state.in_play, step.seat, (*state.in_play[step.seat], card))
    after = replace(after, in_play=mine, passes=0)
    return after if step.destroyed == NO_SLOT else _destroy(after, step)


def _check_play(state: State, step: Reveal, face: Face, effects: tuple[Effect, ...]) -> None:
    if CARDS[face].type not in open_types(state, step.seat):
        raise Foul(step.seat, "card-not-playable")
    prey = () if step.destroyed == NO_SLOT else (step.destroyed,)
    if (prey, step.target) not in aims(state, step.seat, effects):
        raise Foul(step.seat, "wrong-target")


def _destroy(state: State, step: Reveal) -> State:
    """The card is discarded at once; what it did and gave is not undone (S8, S9)."""
    owner = step.target
    (card,) = [card for card in state.in_play[owner] if card.slot == step.destroyed]
    left = tuple([other for other in state.in_play[owner] if other != card])
    after = replace(
        discarded(state, card),
        in_play=put(state.in_play, owner, left),
        fallen=put(state.fallen, owner, (*state.fallen[owner], card.face)),
    )
    return tell(after, Event("destroyed", step.seat, (card.face,), owner))


def _at_target(make: Callable[[Reveal, Any], Step]) -> Callable[[Reveal, Any], tuple[Step, ...]]:
    """With no possible target the card is played without that effect (S6)."""
    return lambda step, effect: () if step.target == NOBODY else (make(step, effect),)


# The steps of an effect; Destroy, Bonus and Extra need none.
STEPS: Mapping[type[Effect], Callable[[Reveal, Any], tuple[Step, ...]]] = {
    DrawCards: lambda step, effect: (Fill(((step.seat, effect.cards),)),),
    DiscardOwn: lambda step, effect: (ChooseDiscards(step.seat, effect.cards, effect.cards),),
    TakeOfNext: lambda step, effect: (LookAhead(step.seat, effect.cards),),
    Steal: _at_target(lambda step, effect: Pick(step.target, step.seat)),
    LookAtHand: _at_target(lambda step, effect: Look(step.seat, step.target)),
    LoseAtRandom: _at_target(lambda step, effect: Pick(step.target)),
    Lose: _at_target(lambda step, effect: ChooseDiscards(step.target, effect.cards, effect.cards)),
}


def _steps_of(effect: Effect, step: Reveal) -> tuple[Step, ...]:
    make = STEPS.get(type(effect))
    return make(step, effect) if make else ()


FOLLOWED: Mapping[type[Step], Callable[[State, Any, Facts], State]] = {
    TossFirst: _on_toss,
    ShuffleAll: _on_shuffle,
    Fill: _on_fill,
    LookAhead: _on_sight,
    TakeCard: _on_taken,
    Drop: _on_drop,
    Reveal: _on_reveal,
    Prove: _on_proof,
    Look: _on_look,
    Pick: _on_pick,
    HandOver: _on_handed_over,
    SettleTurn: _on_settled,
}
