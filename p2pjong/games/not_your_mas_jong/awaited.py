"""What each phase waits for: an operation of the dealer, or choices of seats."""

from collections.abc import Callable, Mapping

from p2pjong.games.game import (
    Decide,
    Draw,
    Open,
    Order,
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
from p2pjong.games.not_your_mas_jong.faces import DECK
from p2pjong.games.not_your_mas_jong.state import (
    CALL,
    DEAL,
    DEAL_SIZE,
    DISCARD,
    DRAW,
    ORDER,
    OVER,
    REVEIL,
    SERVE,
    SETTLE,
    SHUFFLE,
    STEAL,
    TOSS,
    TURN,
    WIN,
    State,
    present_seats,
    seats_after,
    winners,
)


def deal_moves(state: State) -> tuple[tuple[Slot, Seat], ...]:
    """Ten cards for each seat, eleven for Ma (N3)."""
    order = [seat for seat in present_seats(state) for _ in range(DEAL_SIZE + (seat == state.ma))]
    return tuple(zip(range(state.deck_top, state.deck_end), order, strict=False))


def _await_toss(state: State) -> Toss:
    return Toss(len(present_seats(state)))


def _await_shuffle(state: State) -> Shuffle:
    slots = tuple(range(state.next_slot, state.next_slot + len(DECK)))
    return Shuffle(DECK, slots, fresh_keys=True)


def reveil(state: State) -> Reveil:
    hand = state.hands[state.turn]
    fresh = tuple(range(state.next_slot, state.next_slot + len(hand)))
    return Reveil(state.turn, hand, fresh)


def _await_calls(state: State) -> Decide:
    # In the open: who calls may be heard by those who have yet to answer, as at a table.
    return Decide(seats_after(state, state.turn), "answer-discard", Way.RACE)


def _await_order(state: State) -> Order:
    # The discarder is the one seat that cannot steal (N4).
    return Order(state.turn, tuple([call.seat for call in state.calls]))


def _await_served(state: State) -> Decide:
    return Decide((state.calls[state.served].seat,), "show-call")


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
    return Over(state.outcome, state.tokens, winners(state), state.rounds_ended)


AWAITED: Mapping[str, Callable[[State], Pending]] = {
    TOSS: _await_toss,
    SHUFFLE: _await_shuffle,
    DEAL: lambda state: Draw(deal_moves(state)),
    DRAW: lambda state: Draw(((state.deck_top, state.turn),)),
    REVEIL: reveil,
    TURN: lambda state: Decide((state.turn,), "discard"),
    DISCARD: _await_chosen,
    CALL: _await_calls,
    ORDER: _await_order,
    SERVE: _await_served,
    STEAL: _await_chosen,
    WIN: _await_winner,
    SETTLE: _await_signatures,
    OVER: _await_nothing,
}


def pending(state: State) -> Pending:
    """What the state waits for."""
    return AWAITED[state.phase](state)
