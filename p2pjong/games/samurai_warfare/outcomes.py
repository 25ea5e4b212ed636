"""What follows from the operations of a dealer, step by step: cards move, effects begin.

A card's effects are data (`effects.py`); when it is opened, `STEPS` turns them into steps in
printed order (S6).
"""

from collections.abc import Callable, Mapping
from typing import Any

from p2pjong.games.game import (
    NOBODY,
    Event,
    Face,
    Facts,
    Foul,
    Seat,
    Slot,
)
from p2pjong.games.samurai_warfare.awaited import draw_moves, fresh_slots
from p2pjong.games.samurai_warfare.cards import CARDS, DECK
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
    discarded,
    follow_with,
    receive,
    release,
    reshuffled,
    see,
    tell,
)
from p2pjong.games.samurai_warfare.phases import award
from p2pjong.games.samurai_warfare.state import (
    BATTLE,
    FaceUp,
    State,
    present_seats,
)
from p2pjong.games.samurai_warfare.steps import (
    NO_SLOT,
    ChooseDiscards,
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
from p2pjong.games.seating import put
from p2pjong.games.values import evolve


def _on_toss(state: State, step: TossFirst, facts: Facts) -> State:
    shogun = present_seats(state)[facts.tossed]
    after = evolve(follow_with(state, ShuffleAll()), shogun=shogun)
    return tell(after, Event("first_seat", shogun))


def _on_shuffle(state: State, step: ShuffleAll, facts: Facts) -> State:
    slots = fresh_slots(state, len(DECK))
    after = evolve(follow_with(state), deck=slots, next_slot=state.next_slot + len(slots))
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
    after = evolve(state, deck=state.deck[len(moves) :])
    return follow_with(after, Fill(tuple(rest))) if rest else follow_with(after)


def _draw(state: State, seat: Seat, slots: tuple[Slot, ...]) -> State:
    after = see(receive(state, seat, slots), "drew", seat, slots)
    return tell(after, Event("drew", seat, number=len(slots)))


def _on_sight(state: State, step: LookAhead, facts: Facts) -> State:
    if not state.deck:
        return reshuffled(state)
    slots = state.deck[: step.cards]
    after = follow_with(state, ChooseTaken(step.seat, slots))
    after = evolve(after, peeked=tuple(sorted({*state.peeked, *slots})))
    after = see(after, "peeked", step.seat, slots)
    return tell(after, Event("peeked", step.seat, number=len(slots)))


def _on_taken(state: State, step: TakeCard, facts: Facts) -> State:
    place = state.deck.index(step.slot)
    deck = (*state.deck[:place], *state.deck[place + 1 :])
    after = receive(evolve(follow_with(state), deck=deck), step.seat, (step.slot,))
    after = see(after, "took", step.seat, (step.slot,))
    return tell(after, Event("took", step.seat, number=place))


def _on_drop(state: State, step: Drop, facts: Facts) -> State:
    cards = [FaceUp(slot, face) for slot, face in facts.opened]
    after = discarded(release(follow_with(state), step.seat, *cards), *cards)
    shown = tuple([card.face for card in cards])
    why = ((step.why, 1),)
    return tell(after, Event("discarded", step.seat, shown, number=len(shown), details=why))


def _on_proof(state: State, step: Prove, facts: Facts) -> State:
    allowed = open_types(state, step.seat)
    barred = tuple([kind for kind in TYPES if kind not in allowed])
    return passed(evolve(state, proven=put(state.proven, step.seat, barred)), step.seat, proofs=1)


def _on_look(state: State, step: Look, facts: Facts) -> State:
    hand = state.hands[step.target]
    after = evolve(follow_with(state), has_traces=put(state.has_traces, step.target, True))
    after = see(after, "looked", step.seat, hand, step.target)
    return tell(after, Event("looked", step.seat, target=step.target, number=len(hand)))


def _on_pick(state: State, step: Pick, facts: Facts) -> State:
    return picked(state, step, facts.tossed)


def _on_handed_over(state: State, step: HandOver, facts: Facts) -> State:
    after = release(follow_with(state), step.target, FaceUp(step.slot, ""))
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
    card = FaceUp(slot, face)
    after = release(follow_with(state, *steps), step.seat, card)
    where = ((state.phase, 1),)
    after = tell(after, Event("played", step.seat, (face,), step.target, details=where))
    if state.phase != BATTLE:
        return evolve(after, playing=card)
    mine = put(state.in_play, step.seat, (*state.in_play[step.seat], card))
    after = evolve(after, in_play=mine, passes=0)
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
    after = evolve(
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
