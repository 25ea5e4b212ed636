"""Rounds, ruling by ruling: seats, who is Ma, the empty deck, and the end (N1, N3, N9-N11)."""

from dataclasses import replace

import pytest

from p2pjong.games.game import NOBODY, Action, Decide, Facts, Options, Over, Settle, Shuffle, Toss
from p2pjong.games.not_your_mas_jong.state import State
from tests.support.driven import named
from tests.support.mas_jong_rulings import WINNING, be_wrong
from tests.support.mas_jong_scene import GAME, Scene, verbs


def wash_out(scene: Scene) -> None:
    while not isinstance(scene.pending, Settle):
        scene.play_drawn()


# --- N1: seats and rounds -----------------------------------------------------------------------


@pytest.mark.parametrize("seats", [0, 2, 5])
def test_n1_other_than_three_or_four_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="3 or 4 seats"):
        GAME.start(seats, Options())


@pytest.mark.parametrize(("seats", "rounds"), [(3, 9), (4, 8)])
def test_n1_rounds_are_at_most_nine_for_three_and_eight_for_four(seats: int, rounds: int) -> None:
    assert GAME.start(seats, Options()).rounds == rounds
    assert GAME.start(seats, Options(rounds=2)).rounds == 2


def test_n1_so_many_rounds_are_played_and_no_more() -> None:
    scene = Scene({}, rounds=2)
    for _ in range(2):
        wash_out(scene)
        scene.settle()
    assert scene.pending == Over("finished", (10, 10, 10), (0, 1, 2), 2)


def test_n1_the_number_stays_when_a_seat_leaves() -> None:
    scene = Scene({}, seats=4)
    scene.table.void((1,))
    assert scene.view(0).rounds == 8


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (Options(rounds=-1), "rounds"),
        (Options(rounds=1001), "rounds"),
        (Options(target=5), "not to a target"),
        (Options(oldest=(3,)), "oldest"),
        (Options(oldest=(-1,)), "oldest"),
    ],
)
def test_options_that_mean_nothing_here_are_refused(options: Options, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.start(3, options)


# --- G1 and G6: who is Ma -------------------------------------------------------------------


def test_g1_the_first_ma_is_tossed_by_all() -> None:
    state = GAME.start(4, Options())
    assert GAME.pending(state) == Toss(4)
    assert GAME.resolve(state, Facts(tossed=3)).ma == 3


def test_g1_exactly_one_oldest_seat_is_the_first_ma_without_a_toss() -> None:
    state = GAME.start(4, Options(oldest=(2,)))
    assert isinstance(GAME.pending(state), Shuffle)
    assert state.ma == 2


def test_g1_of_several_oldest_seats_none_is_preferred() -> None:
    state = GAME.start(4, Options(oldest=(1, 2)))
    assert GAME.pending(state) == Toss(4)


def test_g6_a_void_before_the_first_deal_keeps_the_oldest_or_takes_the_next() -> None:
    state = GAME.start(4, Options(oldest=(3,)))
    assert GAME.void(state, (1,)).ma == 3
    assert GAME.void(state, (3,)).ma == 0


def test_g6_seats_that_leave_before_the_toss_are_not_tossed_for() -> None:
    state = GAME.void(GAME.start(4, Options()), (0,))
    assert GAME.pending(state) == Toss(3)
    assert GAME.resolve(state, Facts(tossed=2)).ma == 3


# --- N3: Ma begins ------------------------------------------------------------------------------


def test_n3_ma_has_eleven_cards_and_does_not_draw() -> None:
    scene = Scene({}, seats=4, ma=2)
    assert scene.view(0).hand_sizes == (10, 10, 11, 10)
    assert scene.view(0).deck_size == 75 - 41
    assert scene.pending == Decide((2,), "discard")
    assert verbs(scene.seen) == ["first_seat", "hand_began", "dealt"]
    assert scene.view(2).drawn == -1


def test_n3_ma_may_go_out_at_once_which_counts_as_a_draw() -> None:
    scene = Scene({0: WINNING})
    (won,) = named(scene.do(0, "go_out"), "went_out")
    assert (won.seat, won.target, won.number, won.details) == (0, NOBODY, 8, (("draw", 1),))
    assert scene.result.scores == (18, 6, 6)


def test_n3_the_first_discard_can_be_stolen() -> None:
    scene = Scene({0: "R5", 1: "R5 R5"})
    scene.discard("R5")
    scene.call(s1="set")
    scene.do(1, "show_set R5 R5")
    assert scene.view(0).melds[1][0].faces == ("R5", "R5", "R5")


# --- N9: the empty deck -------------------------------------------------------------------------


def empty_deck(scene: Scene) -> None:
    """Plays until the last card of the deck has been drawn."""
    while scene.view(0).deck_size:
        scene.play_drawn()


def test_n9_a_round_is_washed_out_when_the_deck_is_empty() -> None:
    scene = Scene({})
    empty_deck(scene)
    scene.force(scene.table.default(scene.state.turn))
    events = scene.call()
    assert verbs(events) == ["unclaimed", "washed_out"]
    assert scene.result.kind == "washed_out"
    assert scene.result.scores == (10, 10, 10)
    events = scene.settle()
    assert verbs(events)[:2] == ["settled", "hand_began"]
    assert events[0].seat == NOBODY
    assert scene.view(0).hand_number == 2  # it counts


def test_n9_the_last_discard_may_still_be_stolen() -> None:
    scene = Scene({0: "E1", 1: "R5 R5 E2"}, last="R5")
    empty_deck(scene)
    assert scene.state.turn == 2
    scene.discard("R5")
    scene.call(s1="set")
    scene.do(1, "show_set R5 R5")
    scene.discard("E2")
    assert scene.reason == "answer-discard"
    events = scene.call()
    assert verbs(events) == ["unclaimed", "washed_out"]


def test_n9_nobody_is_skipped_in_a_round_that_is_over() -> None:
    scene = Scene({})
    empty_deck(scene)
    turn = scene.state.turn
    scene.force(scene.table.default(turn))
    be_wrong(scene, (turn + 1) % 3)
    assert verbs(scene.seen)[-3:] == ["wrong_call", "unclaimed", "washed_out"]


# --- N10 and N11: Ma, payments, the end ---------------------------------------------------------


def test_n10_ma_passes_to_the_right_whoever_won() -> None:
    scene = Scene({0: WINNING})
    scene.do(0, "go_out")
    scene.settle()
    assert (scene.view(0).ma, scene.state.turn) == (1, 1)
    assert scene.view(0).hand_sizes == (10, 11, 10)


def test_n10_ma_passes_after_a_washed_out_round_and_over_seats_that_are_out() -> None:
    scene = Scene({}, seats=4, ma=3)
    scene.table.void((0,))
    scene.table.advance()
    wash_out(scene)
    scene.settle()
    assert scene.view(0).ma == 1


def rich(scene: Scene, *tokens: int) -> State:
    """The state with other tokens."""
    return replace(scene.state, tokens=tokens)


def finished(scene: Scene, state: State, seat: int) -> State:
    """The seat goes out with what it holds, and the result is final."""
    state = GAME.decide(state, (Action(seat, "go_out"),))
    known = scene.table.dealer.known(seat)
    opened = tuple((slot, known[slot]) for slot in state.hands[seat])
    after: State = GAME.resolve(GAME.resolve(state, Facts(opened=opened)), Facts())
    return after


def test_n11_who_owes_more_than_it_has_pays_all_and_the_game_ends() -> None:
    scene = Scene({0: WINNING})
    after = finished(scene, rich(scene, 5, 3, 22), 0)
    assert GAME.pending(after) == Over("finished", (12, 0, 18), (2,), 1)


def test_n11_the_game_goes_on_while_everyone_has_a_token() -> None:
    scene = Scene({0: WINNING})
    after = finished(scene, rich(scene, 5, 5, 20), 0)
    assert (after.phase, after.tokens) == ("shuffle", (13, 1, 16))


def test_n11_most_tokens_win_and_g4_equals_share() -> None:
    scene = Scene({0: WINNING}, seats=4)
    after = finished(scene, rich(scene, 3, 1, 16, 20), 0)
    over = GAME.pending(after)
    assert over == Over("finished", (12, 0, 12, 16), (3,), 1)
    after = finished(scene, rich(scene, 3, 1, 12, 16), 0)
    assert GAME.pending(after) == Over("finished", (12, 0, 8, 12), (0, 3), 1)


def test_n11_the_tokens_of_a_seat_that_is_out_leave_play() -> None:
    scene = Scene({0: WINNING}, seats=4)
    scene.table.void((3,))
    scene.table.advance()
    after = finished(scene, rich(scene, 10, 1, 10, 25), 0)
    # It pays nothing, and though it has the most it wins nothing.
    assert GAME.pending(after) == Over("finished", (15, 0, 6, 25), (0,), 1)


def test_g4_fewer_than_three_seats_abandon_the_game() -> None:
    scene = Scene({}, seats=4)
    events = scene.table.void((1,))
    assert not scene.table.is_over
    events = scene.table.void((2,))
    assert verbs(events) == ["seat_left", "game_over"]
    assert scene.pending == Over("abandoned", (10,) * 4, (), 0)
