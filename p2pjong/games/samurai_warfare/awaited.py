"""What each step of Samurai Warfare waits for: an operation of the dealer, or choices of seats."""

from collections.abc import Callable, Mapping
from typing import Any

from p2pjong.games.game import (
    NOBODY,
    Decide,
    Draw,
    Give,
    Open,
    Operation,
    Over,
    Peek,
    Pending,
    ProveAmong,
    Reveil,
    Seat,
    Settle,
    Show,
    Shuffle,
    Slot,
    Toss,
)
from p2pjong.games.samurai_warfare.cards import DECK, RANK
from p2pjong.games.samurai_warfare.state import (
    BATTLE,
    OVER,
    State,
    faces,
    hand_to_reveil,
    present_seats,
    winners,
)
from p2pjong.games.samurai_warfare.steps import (
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
from p2pjong.games.samurai_warfare.targets import barred_faces


def pending(state: State) -> Pending:
    """What the state waits for."""
    if state.phase == OVER:
        return Over(state.outcome, state.scores, winners(state), state.turns_settled)
    seat = hand_to_reveil(state)
    if seat != NOBODY:
        return reveil(state, seat)
    step = state.queue[0]
    return AWAITED[type(step)](state, step)


def fresh_slots(state: State, count: int) -> tuple[Slot, ...]:
    """The lowest slot numbers that were never used."""
    return tuple(range(state.next_slot, state.next_slot + count))


def reveil(state: State, seat: Seat) -> Reveil:
    """The seat's hand gets new places."""
    hand = state.hands[seat]
    return Reveil(seat, hand, fresh_slots(state, len(hand)))


def draw_moves(state: State, step: Fill) -> tuple[tuple[Slot, Seat], ...]:
    """Who draws which slots, as far as the deck goes."""
    order = [seat for seat, cards in step.wants for _ in range(cards)]
    return tuple(zip(state.deck, order, strict=False))


def _await_all(state: State, step: ShuffleAll) -> Shuffle:
    return Shuffle(DECK, fresh_slots(state, len(DECK)), fresh_keys=True)


def _await_discards(state: State) -> Shuffle:
    """The discard pile becomes the deck, under the same keys (S4)."""
    pile = sorted(faces(state.discards), key=RANK.__getitem__)
    return Shuffle(tuple(pile), fresh_slots(state, len(pile)), fresh_keys=False)


def _await_cards(state: State, step: Fill) -> Operation:
    return Draw(draw_moves(state, step)) if state.deck else _await_discards(state)


def _await_sight(state: State, step: LookAhead) -> Operation:
    if not state.deck:
        return _await_discards(state)
    return Peek(step.seat, state.deck[: step.cards])


def _await_play(state: State, step: ChoosePlay) -> Decide:
    reason = "play-in-battle" if state.phase == BATTLE else "play-in-tactics"
    return Decide((step.seat,), reason)


def _await_discarded(state: State, step: ChooseDiscards) -> Decide:
    return Decide((step.seat,), _discard_reason(step))


def _discard_reason(step: ChooseDiscards) -> str:
    if step.least:
        return f"discard-{step.least}"
    return f"discard-up-to-{step.most}"


def _await_signatures(state: State, step: SettleTurn) -> Settle:
    assert state.result is not None
    return Settle(state.result)


AWAITED: Mapping[type[Step], Callable[[State, Any], Pending]] = {
    TossFirst: lambda state, step: Toss(len(present_seats(state))),
    ShuffleAll: _await_all,
    Fill: _await_cards,
    LookAhead: _await_sight,
    ChooseTaken: lambda state, step: Decide((step.seat,), "take-seen"),
    TakeCard: lambda state, step: Draw(((step.slot, step.seat),)),
    ChooseDiscards: _await_discarded,
    Drop: lambda state, step: Open(step.seat, step.slots),
    ChoosePlay: _await_play,
    Reveal: lambda state, step: Open(step.seat, (step.slot,)),
    Prove: lambda state, step: ProveAmong(
        step.seat, state.hands[step.seat], barred_faces(state, step.seat)
    ),
    Look: lambda state, step: Show(step.target, step.seat, state.hands[step.target]),
    Pick: lambda state, step: Toss(len(state.hands[step.target])),
    HandOver: lambda state, step: Give(step.target, step.thief, step.slot),
    SettleTurn: _await_signatures,
}
