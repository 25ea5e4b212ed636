"""What each phase of War Jhong waits for: an operation of the dealer, or choices of seats."""

from collections.abc import Callable, Mapping

from p2pjong.games.game import (
    Decide,
    Draw,
    Open,
    Over,
    Pending,
    Reveil,
    Seat,
    Settle,
    Shuffle,
    Slot,
    Toss,
    Way,
)
from p2pjong.games.war_jhong.faces import DECK
from p2pjong.games.war_jhong.state import (
    ANSWER,
    CLAIM,
    DEAL,
    DEAL_SIZE,
    DISCARD,
    DRAW,
    MIX,
    OVER,
    REVEIL,
    SETTLE,
    SHUFFLE,
    TOSS,
    TURN,
    WIN,
    State,
    present_seats,
    seats_after,
    winners,
)


def deal_moves(state: State) -> tuple[tuple[Slot, Seat], ...]:
    order = [seat for seat in present_seats(state) for _ in range(DEAL_SIZE)]
    return tuple(zip(range(state.deck_top, state.deck_end), order, strict=False))


def _await_toss(state: State) -> Toss:
    return Toss(len(present_seats(state)))


def _await_shuffle(state: State) -> Shuffle:
    slots = tuple(range(state.next_slot, state.next_slot + len(DECK)))
    return Shuffle(DECK, slots, fresh_keys=True)


def reveil(state: State, seat: Seat) -> Reveil:
    hand = state.hands[seat]
    fresh = tuple(range(state.next_slot, state.next_slot + len(hand)))
    return Reveil(seat, hand, fresh)


def _await_chosen(state: State) -> Open:
    assert state.chosen is not None
    return Open(state.chosen.seat, state.chosen.slots)


def _await_winner(state: State) -> Open:
    assert state.chosen is not None
    return Open(state.chosen.seat, state.hands[state.chosen.seat])


def _await_signatures(state: State) -> Settle:
    assert state.result is not None
    return Settle(state.result)


def _await_nothing(state: State) -> Over:
    return Over(state.outcome, state.scores, winners(state), state.hands_ended)


AWAITED: Mapping[str, Callable[[State], Pending]] = {
    TOSS: _await_toss,
    SHUFFLE: _await_shuffle,
    DEAL: lambda state: Draw(deal_moves(state)),
    DRAW: lambda state: Draw(((state.deck_top, state.turn),)),
    REVEIL: lambda state: reveil(state, state.turn),
    TURN: lambda state: Decide((state.turn,), "discard"),
    DISCARD: _await_chosen,
    ANSWER: lambda state: Decide(seats_after(state, state.turn), "answer-discard", Way.ANSWER),
    MIX: lambda state: reveil(state, state.mixing[0]),
    CLAIM: _await_chosen,
    WIN: _await_winner,
    SETTLE: _await_signatures,
    OVER: _await_nothing,
}


def pending(state: State) -> Pending:
    """What the state waits for."""
    return AWAITED[state.phase](state)
