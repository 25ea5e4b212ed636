"""Whatever seats choose, the promises of a round hold: random play on the open dealer."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.engine.table import Table
from p2pjong.games.game import Action, Event, Over, Seat
from p2pjong.games.not_your_mas_jong.payments import pay
from p2pjong.games.not_your_mas_jong.sets import is_set
from p2pjong.games.not_your_mas_jong.state import State
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView, right_answers
from tests.support import mas_jong_oracle as oracle
from tests.support.driven import named
from tests.support.mas_jong_scene import GAME
from tests.support.tables import make_table, open_dealer, steps


def choose_boldly(table: Table, seat: Seat, rng: Random) -> Action:
    """Mostly what is right, so that rounds end in every way; wrong calls now and then."""
    offered = table.legal(seat)
    wins = [action for action in offered if action.verb in ("go_out", "show_win", "show_set")]
    if wins:
        return wins[0]
    view = table.view(seat)
    assert isinstance(view, NotYourMasJongView)
    right = right_answers(view)
    if right and rng.random() < 0.7:
        return next(action for action in offered if action.verb == right[0])
    return rng.choice(offered)


def check_hands(table: Table, state: State) -> None:
    """Ten cards each, three for a face-up set; eleven for who is to discard; melds are sets."""
    has_extra = {"reveil", "turn", "discard"}
    for seat in range(state.seats):
        count = len(state.hands[seat]) + 3 * len(state.melds[seat])
        if state.phase in has_extra and seat == state.turn:
            assert count == 11
        elif state.phase not in ("win", "settle", "shuffle", "deal", "toss", "over"):
            assert count == 10
        for meld in state.melds[seat]:
            assert is_set(meld.faces)
            assert meld.giver != seat
            assert [open_dealer(table).face(slot) for slot in meld.slots] == list(meld.faces)


def check_round(events: list[Event], before: State) -> None:
    """What a finished round paid, counted anew from what everyone saw."""
    went_out = named(events, "went_out")
    result = before.result
    assert result is not None
    if not went_out:
        assert result.scores == before.tokens
        return
    (won,) = went_out
    is_steal = won.target != -1
    expected = pay(before.tokens, before.present, won.seat, before.ma, is_steal)
    assert result.scores == expected
    assert sum(result.points) == 0
    assert won.number == result.points[won.seat]
    assert oracle.goes_out([*won.faces])
    assert len(won.faces) == 11 - 3 * len(before.melds[won.seat])


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.integers(3, 4), is_bold=st.booleans())
def test_the_promises_hold_at_every_step(seed: int, seats: int, is_bold: bool) -> None:
    table = make_table(GAME, seats, seed=seed, target=3)
    moves = steps(table, seed, choose_boldly) if is_bold else steps(table, seed)
    ma, skips, seen = -1, Counter[Seat](), list[Event]()
    before: State = table.state
    for events in moves:
        state: State = table.state
        seen += events
        check_hands(table, state)
        for event in events:
            skips[event.seat] += (event.verb == "wrong_call") - (event.verb == "skipped")
            if event.verb in ("wrong_call", "skipped"):
                assert event.number == skips[event.seat] >= 0
            if event.verb == "drew":
                assert not any(skips[seat] < 0 for seat in range(seats))
            if event.verb == "hand_began":
                assert ma in (-1, (event.seat - 1) % seats)  # N10
                ma = event.seat
        if before.phase == "settle":
            check_round(seen, before)
            skips.clear()
            seen = []
        elif state.phase not in ("settle", "over"):
            assert state.skips == tuple(skips[seat] for seat in range(seats))
        before = state
    over = table.pending
    assert isinstance(over, Over)
    assert sum(over.scores) == 10 * seats
    assert over.hands == 3 or min(over.scores) == 0
    assert over.winners == tuple(s for s in range(seats) if over.scores[s] == max(over.scores))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), at=st.integers(0, 400), out=st.integers(0, 3))
def test_a_seat_may_leave_at_any_moment(seed: int, at: int, out: int) -> None:
    table = make_table(GAME, 4, seed=seed, target=2)
    moves = steps(table, seed, choose_boldly)
    for _ in range(at):
        if next(moves, None) is None:
            return
    if table.is_over:
        return
    tokens, rounds = table.state.tokens, table.state.rounds_ended
    table.void((out,))
    assert (table.state.tokens, table.state.rounds_ended) == (tokens, rounds)
    assert table.state.skips == (0,) * 4
    for events in steps(table, seed, choose_boldly):
        assert all(event.seat != out for event in events)
    over = table.pending
    assert isinstance(over, Over)
    assert over.scores[out] == tokens[out]  # out of play (N11)
    assert out not in over.winners and over.winners


@pytest.mark.slow
def test_bold_play_ends_rounds_in_every_way() -> None:
    ended = Counter[str]()
    for seed in range(8):
        table = make_table(GAME, 3 + seed % 2, seed=seed, target=4)
        for events in steps(table, seed, choose_boldly):
            for event in events:
                if event.verb == "went_out":
                    ended[event.details[0][0]] += 1
                ended[event.verb] += event.verb in ("washed_out", "wrong_call", "skipped", "melded")
    ways = ("draw", "steal", "washed_out", "melded", "wrong_call", "skipped")
    assert min(ended[way] for way in ways) > 0
