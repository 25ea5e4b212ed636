"""Not Your Ma's Jong ruling by ruling: each test names the one it holds the game to."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    Foul,
    IllegalAction,
    Open,
    Options,
    Order,
    Over,
    Settle,
    Shuffle,
    Toss,
)
from p2pjong.games.not_your_mas_jong.choices import is_allowed, legal
from p2pjong.games.not_your_mas_jong.events import events as seen_between
from p2pjong.games.not_your_mas_jong.sets import SETS
from p2pjong.games.not_your_mas_jong.state import Call, State
from tests.support.driven import named
from tests.support.mas_jong_scene import GAME, Scene, verbs

# Three sets and one of a pair: an R1 wins. Its own cards fit nothing else that is discarded below.
READY = "B1 B1 B1 B3 B4 B5 G2 G2 G2 R1"
WINNING = f"{READY} R1"


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


# --- N2: sets -----------------------------------------------------------------------------------


def test_n2_the_sets_are_all_triplets_and_the_sequences_of_colours_and_seasons() -> None:
    colours = [(f"{c}{n}", f"{c}{n + 1}", f"{c}{n + 2}") for c in "RBG" for n in range(1, 5)]
    seasons = [("S1", "S2", "S3"), ("S2", "S3", "S4")]
    triplets = {(face,) * 3 for face in GAME.deck}
    assert triplets | {*colours, *seasons} == SETS


# --- N3: Ma begins ------------------------------------------------------------------------------


def test_n3_ma_has_eleven_cards_and_does_not_draw() -> None:
    scene = Scene({}, seats=4, ma=2)
    assert scene.view(0).hand_sizes == (10, 10, 11, 10)
    assert scene.view(0).deck_size == 75 - 41
    assert scene.pending == Decide((2,), "to discard or go out")
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


# --- N4: who is served --------------------------------------------------------------------------


def test_n4_all_others_answer_in_the_open_in_turn_order() -> None:
    scene = Scene({1: "R4"}, seats=4, ma=1)
    scene.discard("R4")
    assert scene.pending == Decide((2, 3, 0), "to answer the discard", secret=False)


@pytest.mark.parametrize("first", [1, 2])
def test_n4_among_equals_the_first_call_gets_the_card_in_each_order(first: int) -> None:
    scene = Scene({0: "R5", 1: "R5 R4 R6", 2: "R3 R4"})
    scene.discard("R5")
    second = 3 - first
    events = scene.call(**{f"s{first}": "set", f"s{second}": "set"})
    assert [event.seat for event in named(events, "called")] == [1, 2]  # as they sit
    assert [(e.seat, e.number) for e in named(events, "served")] == [(first, 1)]
    assert scene.view(0).calls == (Call(first, "call_set"), Call(second, "call_set"))
    assert scene.pending == Decide((first,), "to show what it called for")
    scene.do(first, {1: "show_set R4 R6", 2: "show_set R3 R4"}[first])
    assert (scene.state.turn, scene.state.discards[-1].taker) == (first, first)


@pytest.mark.parametrize("first", [1, 2])
def test_n4_to_win_goes_before_for_a_set_in_each_order(first: int) -> None:
    scene = Scene({0: "R1", 1: "R1 R2 R3", 2: READY})
    scene.discard("R1")
    kinds = {1: "set", 2: "win"}
    events = scene.call(**{f"s{seat}": kinds[seat] for seat in (first, 3 - first)})
    assert [event.seat for event in named(events, "served")] == [2]
    events = scene.do(2, "show_win")
    assert [(e.seat, e.target) for e in named(events, "went_out")] == [(2, 0)]


@pytest.mark.parametrize("first", [1, 2])
def test_n4_of_two_who_could_win_the_first_call_does(first: int) -> None:
    scene = Scene({0: "R1", 1: READY, 2: "S1 S1 S1 S2 S3 S4 E1 E1 E1 R1"})
    scene.discard("R1")
    scene.call(**{f"s{first}": "win", f"s{3 - first}": "win"})
    scene.do(first, "show_win")
    assert scene.result.winner == first


def test_n4_the_discarder_orders_all_callers_once_after_they_have_called() -> None:
    scene = Scene({0: "R5"}, seats=4)
    scene.discard("R5")
    scene.table.choose(Action(1, "call_set"))
    scene.table.choose(Action(2, "pass"))
    scene.table.choose(Action(3, "call_win"))
    assert scene.pending == Order(0, (1, 3))
    state = scene.state
    with pytest.raises(AssertionError):
        GAME.resolve(state, Facts(order=(1,)))
    ordered = GAME.resolve(state, Facts(order=(1, 3)))
    assert ordered.calls == (Call(3, "call_win"), Call(1, "call_set"))


def test_n4_a_single_caller_needs_no_order() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    scene.table.choose(Action(1, "pass"))
    events = scene.table.choose(Action(2, "call_win"))
    assert scene.pending == Decide((2,), "to show what it called for")
    assert verbs(events) == ["called", "served"]


def test_n4_the_discarder_cannot_call() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    with pytest.raises(IllegalAction):
        scene.table.choose(Action(0, "call_win"))


# --- N5: showing, and being wrong ---------------------------------------------------------------


def test_n5_anybody_may_call_whatever_it_holds() -> None:
    scene = Scene({0: "E1", 1: "R1 R4 B1 B4 G1 G4 S1 S4 E2 E3"})
    scene.discard("E1")
    assert scene.choices(1) == ["call_set", "call_win", "pass"]


@pytest.mark.parametrize("kind", ["win", "set"])
def test_n5_the_false_steal_gets_nothing_and_skips_a_turn(kind: str) -> None:
    scene = Scene({0: "E1", 1: "R1 R4 B1 B4 G1 G4 S1 S4 E2 E3"})
    scene.discard("E1")
    scene.call(s1=kind)
    assert scene.choices(1) == ["wrong"]
    events = scene.do(1, "wrong")
    assert verbs(events) == ["wrong_call", "unclaimed", "skipped", "drew"]
    wrong, unclaimed, skipped, drew = events
    assert (wrong.seat, wrong.target, wrong.faces, wrong.number) == (1, 0, ("E1",), 1)
    assert (unclaimed.seat, unclaimed.faces) == (0, ("E1",))
    assert (skipped.seat, skipped.number, drew.seat) == (1, 0, 2)
    assert scene.view(1).skips == (0, 0, 0)
    assert scene.view(1).hand_sizes == (10, 10, 11)  # nothing was shown
    assert scene.view(1).discards[-1].taker == NOBODY


def test_n5_a_wrong_caller_makes_room_for_the_next_one() -> None:
    scene = Scene({0: "R5", 1: "E1 E2", 2: "R5 R5"})
    scene.discard("R5")
    scene.call(s1="win", s2="set")
    events = scene.do(1, "wrong")
    assert verbs(events) == ["wrong_call", "served"]
    assert (events[1].seat, events[1].number, events[1].details) == (2, 2, (("set", 1),))
    assert scene.view(0).serving == 2
    scene.do(2, "show_set R5 R5")
    assert scene.state.turn == 2
    assert scene.view(0).skips == (0, 1, 0)


def test_n5_with_nobody_right_play_goes_on_as_if_nobody_had_called() -> None:
    scene = Scene({0: "R5", 1: "E1", 2: "E2"}, seats=4)
    scene.discard("R5")
    scene.call(s2="win", s1="set", s3="set")
    for seat in (2, 1, 3):
        events = scene.do(seat, "wrong")
    assert verbs(events) == ["wrong_call", "unclaimed", "skipped", "skipped", "skipped", "drew"]


def test_n5_a_wrong_call_to_win_is_not_turned_into_one_for_a_set() -> None:
    scene = Scene({0: "R5", 1: "R5 R5 E1 E2 E3 S1 S4 B1 B4 G6"})
    scene.discard("R5")
    scene.call(s1="win")
    assert scene.choices(1) == ["wrong"]
    hand = scene.state.hands[1]
    assert not is_allowed(scene.state, Action(1, "show_set", hand[:2]))


def test_n5_a_call_for_a_set_is_not_turned_into_one_to_win() -> None:
    scene = Scene({0: "R1", 1: READY})
    scene.discard("R1")
    scene.call(s1="set")
    assert scene.choices(1) == ["wrong"]
    assert not is_allowed(scene.state, Action(1, "show_win"))


def test_n5_who_was_right_may_say_that_it_was_wrong() -> None:
    scene = Scene({0: "R1", 1: READY})
    scene.discard("R1")
    scene.call(s1="win")
    assert scene.choices(1) == ["show_win", "wrong"]
    scene.do(1, "wrong")
    assert scene.state.turn == 2


def test_n5_cards_that_do_not_fit_are_a_foul() -> None:
    scene = Scene({0: "R5", 1: "E1 E2 E3"})
    scene.discard("R5")
    scene.call(s1="set")
    hand = scene.state.hands[1]
    state = GAME.decide(scene.state, (Action(1, "show_set", hand[:2]),))
    assert GAME.pending(state) == Open(1, hand[:2])
    with pytest.raises(Foul, match="steal-without-set") as foul:
        GAME.resolve(state, Facts(opened=((hand[0], "E1"), (hand[1], "E2"))))
    assert foul.value.seat == 1


@pytest.mark.parametrize("is_stolen", [False, True])
def test_n5_a_hand_that_does_not_go_out_is_a_foul(is_stolen: bool) -> None:
    scene = Scene({0: "R5", 1: READY})
    state, seat, verb = scene.state, 0, "go_out"
    if is_stolen:
        scene.discard("R5")
        scene.call(s1="win")
        state, seat, verb = scene.state, 1, "show_win"
    opening = GAME.decide(state, (Action(seat, verb),))
    known = scene.table.dealer.known(seat)
    opened = tuple((slot, known[slot]) for slot in state.hands[seat])
    with pytest.raises(Foul, match="hand-does-not-go-out") as foul:
        GAME.resolve(opening, Facts(opened=opened))
    assert foul.value.seat == seat


# --- N6: a set that wins ------------------------------------------------------------------------

NEARLY = "B1 B1 B1 B3 B4 B5 R5 R5 G2 G2"  # an R5 makes three sets, with G2 G2 left for the pair


def test_n6_a_steal_for_a_set_that_leaves_a_pair_wins_at_once_by_steal() -> None:
    scene = Scene({0: "R5", 1: NEARLY})
    scene.discard("R5")
    scene.call(s1="set")
    scene.do(1, "show_set R5 R5")
    assert scene.choices(1) == ["go_out"]
    assert scene.table.default(1) == Action(1, "go_out")
    with pytest.raises(IllegalAction):
        scene.force(Action(1, "discard", scene.state.hands[1][:1]))
    (won,) = named(scene.do(1, "go_out"), "went_out")
    assert (won.seat, won.target, won.number, won.details) == (1, 0, 3, (("steal", 1),))
    assert won.faces == tuple("B1 B1 B1 B3 B4 B5 G2 G2".split())
    assert scene.result.scores == (8, 13, 9)


def test_n6_others_cannot_tell_whether_a_thief_must_go_out() -> None:
    scene = Scene({0: "R5", 1: NEARLY})
    scene.discard("R5")
    scene.call(s1="set")
    scene.do(1, "show_set R5 R5")
    offered = {action.verb for action in legal(scene.state, 1, {})}
    assert offered == {"discard", "go_out"}


def test_n6_for_priority_it_keeps_the_rank_that_it_was_called_with() -> None:
    scene = Scene({0: "R5", 1: NEARLY, 2: "E1 E1 E1 S1 S2 S3 G4 G4 R4 R6"})
    scene.discard("R5")
    events = scene.call(s1="set", s2="win")
    assert [event.seat for event in named(events, "served")] == [2]


def test_n6_among_calls_for_a_set_it_has_no_advantage() -> None:
    scene = Scene({0: "R5", 1: NEARLY, 2: "R4 R6"})
    scene.discard("R5")
    scene.call(s2="set", s1="set")
    scene.do(2, "show_set R4 R6")
    assert scene.state.turn == 2


# --- N7: what a steal is for, and what follows --------------------------------------------------


def test_n7_a_pair_is_completed_by_a_steal_only_to_win() -> None:
    scene = Scene({0: "R1", 1: READY, 2: "R1 E1"})
    scene.discard("R1")
    scene.call(s1="win", s2="set")
    scene.do(1, "wrong")
    assert scene.choices(2) == ["wrong"]


def test_n7_the_thief_discards_without_drawing_and_play_goes_on_to_its_right() -> None:
    scene = Scene({0: "R5", 2: "R5 R5 E1"}, draws="G6", seats=4)
    scene.discard("R5")
    scene.call(s2="set")
    events = scene.do(2, "show_set R5 R5")
    assert verbs(events) == ["melded"]
    assert (events[0].seat, events[0].target, events[0].faces) == (2, 0, ("R5",) * 3)
    assert scene.view(2).hand_sizes == (10, 10, 8, 10)
    assert scene.view(2).is_stolen and scene.view(2).drawn == -1
    assert scene.pending == Decide((2,), "to discard or go out")
    scene.discard("E1")
    assert scene.view(2).hand_sizes[2] == 7
    scene.call()
    assert (scene.state.turn, scene.state.is_stolen) == (3, False)  # 1 lost its turn


def test_n7_face_up_sets_are_locked() -> None:
    # With the face-up R4 R5 R6 taken apart the hand would go out on the second R4.
    scene = Scene({0: "R5", 1: "R4 R6 R4 B1 B1 B1 B3 B3 B3 E1"}, draws="R4", seats=3, last="E2 E2")
    scene.discard("R5")
    scene.call(s1="set")
    scene.do(1, "show_set R4 R6")
    scene.discard("E1")
    scene.call()
    scene.discard("R4")  # seat 2 drew it
    scene.call(s1="win")
    assert scene.choices(1) == ["show_win", "wrong"]
    scene.do(1, "show_win")
    shown = named(scene.seen, "went_out")[0].faces
    assert shown == tuple("R4 R4 B1 B1 B1 B3 B3 B3".split())  # the set stays as it is
    assert all(slot not in scene.state.hands[1] for slot in scene.state.melds[1][0].slots)


def test_n7_a_thief_whose_cards_do_not_win_cannot_go_out() -> None:
    scene = Scene({0: "R5", 1: "R5 R5 E1 E2"})
    scene.discard("R5")
    scene.call(s1="set")
    scene.do(1, "show_set R5 R5")
    assert "go_out" not in scene.choices(1)


# --- N8: skipped turns --------------------------------------------------------------------------


def be_wrong(scene: Scene, *seats: int) -> None:
    scene.call(**{f"s{seat}": "win" for seat in seats})
    for seat in seats:
        scene.do(seat, "wrong")


def test_n8_the_skipped_turn_is_the_very_next() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    be_wrong(scene, 1)
    assert scene.state.turn == 2


def test_n8_a_later_seat_skips_when_its_turn_comes() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    be_wrong(scene, 2)
    assert (scene.state.turn, scene.view(0).skips) == (1, (0, 0, 1))
    scene.play_drawn()
    assert (scene.state.turn, scene.view(0).skips) == (0, (0, 0, 0))


def test_n8_a_skipped_seat_may_steal_which_does_not_use_the_skip_up() -> None:
    scene = Scene({0: "R5", 2: "R4 R4 E1"}, draws="R4")
    scene.discard("R5")
    be_wrong(scene, 2)
    scene.discard("R4")
    scene.call(s2="set")
    scene.do(2, "show_set R4 R4")
    assert scene.view(0).skips == (0, 0, 1)
    scene.play("E1")
    scene.play_drawn()  # 0
    scene.play_drawn()  # 1
    assert (scene.state.turn, scene.view(0).skips) == (0, (0, 0, 0))


def test_n8_skips_add_up() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    be_wrong(scene, 2)
    scene.force(scene.table.default(1))
    be_wrong(scene, 2)
    wrong = named(scene.seen, "wrong_call")
    assert [event.number for event in wrong] == [1, 2]
    # 2 skips once; the second skip is still to come.
    assert (scene.state.turn, scene.view(0).skips) == (0, (0, 0, 1))
    scene.play_drawn()
    scene.play_drawn()
    assert (scene.state.turn, scene.view(0).skips) == (0, (0, 0, 0))


def test_n8_if_all_others_are_skipped_the_discarder_draws_again() -> None:
    scene = Scene({0: "R5"}, seats=4)
    scene.discard("R5")
    be_wrong(scene, 1, 2, 3)
    skipped = named(scene.seen, "skipped")
    assert [event.seat for event in skipped] == [1, 2, 3]
    assert (scene.state.turn, scene.view(0).skips) == (0, (0,) * 4)
    assert scene.view(0).hand_sizes == (11, 10, 10, 10)


def test_n8_a_discarder_that_must_skip_too_is_passed_over_as_well() -> None:
    scene = Scene({0: "R5", 2: "R4 R4 E1"}, draws="R4")
    scene.discard("R5")
    be_wrong(scene, 2)
    scene.discard("R4")
    scene.call(s2="set")
    scene.do(2, "show_set R4 R4")
    scene.discard("E1")
    be_wrong(scene, 0, 1)
    assert [event.seat for event in named(scene.seen, "skipped")] == [0, 1, 2]
    assert scene.state.turn == 0


def test_n8_skips_lapse_at_the_end_of_the_round() -> None:
    scene = Scene({0: "R5", 1: READY}, draws="R1")
    scene.discard("R5")
    be_wrong(scene, 2)
    scene.do(1, "go_out")
    scene.settle()
    assert scene.view(0).skips == (0, 0, 0)


def test_g6_a_void_round_is_dealt_again_without_skips_by_the_same_ma() -> None:
    scene = Scene({0: "R5"}, seats=4)
    scene.discard("R5")
    be_wrong(scene, 3)
    events = scene.table.void((2,))
    assert verbs(events) == ["seat_left", "hand_void"]
    view = scene.view(0)
    assert (view.skips, view.ma, view.hand_number) == ((0,) * 4, 0, 1)
    assert view.hand_sizes == (0,) * 4
    scene.table.advance()
    assert scene.view(0).hand_sizes == (11, 10, 0, 10)


def test_g6_the_next_seat_is_ma_if_ma_is_out() -> None:
    scene = Scene({}, seats=4, ma=3)
    scene.table.void((3,))
    assert scene.view(0).ma == 0


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
    assert scene.reason == "to answer the discard"
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


# --- G3, G7, G8, G9 -----------------------------------------------------------------------------


def test_g3_going_out_opens_the_whole_hand_and_no_other() -> None:
    scene = Scene({0: WINNING})
    scene.do(0, "go_out")
    assert scene.view(NOBODY).shown == tuple("R1 R1 B1 B1 B1 B3 B4 B5 G2 G2 G2".split())
    assert set(scene.table.dealer.known(1)) == {*scene.state.hands[1], *scene.state.hands[0]}


def test_g3_a_drawn_card_is_shuffled_into_the_hand_before_the_choice() -> None:
    scene = Scene({0: "R5"}, draws="E3")
    before = scene.state.hands[1]
    scene.play("R5")
    assert not set(before) & set(scene.state.hands[1])
    assert dict(scene.view(1).hand)[scene.view(1).drawn] == "E3"
    assert scene.view(0).drawn == -1


def test_g7_each_answers_once() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    scene.force(Action(1, "pass"))
    with pytest.raises(IllegalAction):
        scene.force(Action(1, "call_win"))


def test_g8_the_default_discards_the_drawn_card_and_passes() -> None:
    scene = Scene({0: "E3"}, draws="R1")
    scene.force(scene.table.default(0))  # nothing drawn: the last of the sorted hand
    assert scene.state.discards[-1].face == "E3"
    assert scene.table.default(1) == Action(1, "pass")
    scene.call()
    scene.force(scene.table.default(1))
    assert scene.state.discards[-1].face == "R1"


def test_g8_the_default_shows_the_first_set_in_the_order_of_codes() -> None:
    scene = Scene({0: "R4", 1: "R5 R6 R2 R3"})
    scene.discard("R4")
    scene.call(s1="set", s2="set")
    assert scene.choices(1) == ["show_set R5 R6", "show_set R3 R5", "show_set R2 R3", "wrong"]
    assert scene.read(scene.table.default(1)) == "show_set R2 R3"
    scene.do(1, "wrong")
    assert scene.read(scene.table.default(2)) == "wrong"


def test_g8_the_default_shows_a_winning_hand_that_was_called() -> None:
    scene = Scene({0: "R1", 1: READY})
    scene.discard("R1")
    scene.call(s1="win")
    assert scene.table.default(1) == Action(1, "show_win")
    assert GAME.default(scene.state, 1, {}) == Action(1, "wrong")


def test_g9_going_out_on_a_draw_is_not_forced() -> None:
    scene = Scene({1: READY, 0: "R5"}, draws="R1")
    scene.play("R5")
    assert {"go_out", "discard R1"} <= set(scene.choices(1))


# --- What anybody may rule out ------------------------------------------------------------------


def mistakes(state: State) -> Iterator[Action]:
    """Actions that no hand allows now."""
    for seat in range(-1, 4):
        yield Action(seat, "pass", (1,))
        yield Action(seat, "call_win", (), 2)
        yield Action(seat, "wrong")
        yield Action(seat, "show_win")
        yield Action(seat, "show_set", (1, 2))


def test_what_no_hand_allows_is_refused() -> None:
    scene = Scene({0: "R5"})
    for action in mistakes(scene.state):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (action,))
    with pytest.raises(IllegalAction):
        GAME.decide(scene.state, ())


def test_an_onlooker_learns_nothing_of_hands() -> None:
    scene = Scene({0: "R5"})
    view = scene.view(NOBODY)
    assert view.hand == ()
    assert view.awaited == (0,)


def test_events_of_an_operation_that_nobody_sees_are_none() -> None:
    scene = Scene({0: "R5"})
    assert seen_between(scene.state, Facts(), scene.state) == ()
