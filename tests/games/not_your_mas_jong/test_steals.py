"""Calls for a discard, ruling by ruling: who is served, who was wrong, who is skipped (N4-N8)."""

import pytest

from p2pjong.games.game import NOBODY, Action, Decide, Facts, Foul, IllegalAction, Open, Order, Way
from p2pjong.games.not_your_mas_jong.choices import is_allowed, legal
from p2pjong.games.not_your_mas_jong.state import Call
from tests.support.driven import named
from tests.support.mas_jong_rulings import READY, be_wrong
from tests.support.mas_jong_scene import GAME, Scene, verbs

# --- N4: who is served --------------------------------------------------------------------------


def test_n4_all_others_answer_in_the_open_in_turn_order() -> None:
    scene = Scene({1: "R4"}, seats=4, ma=1)
    scene.discard("R4")
    assert scene.pending == Decide((2, 3, 0), "answer-discard", Way.RACE)


@pytest.mark.parametrize("first", [1, 2])
def test_n4_among_equals_the_first_call_gets_the_card_in_each_order(first: int) -> None:
    scene = Scene({0: "R5", 1: "R5 R4 R6", 2: "R3 R4"})
    scene.discard("R5")
    second = 3 - first
    events = scene.call(**{f"s{first}": "set", f"s{second}": "set"})
    assert [event.seat for event in named(events, "called")] == [1, 2]  # as they sit
    assert [(e.seat, e.number) for e in named(events, "served")] == [(first, 1)]
    assert scene.view(0).calls == (Call(first, "call_set"), Call(second, "call_set"))
    assert scene.pending == Decide((first,), "show-call")
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


def test_n4_the_discarder_orders_the_callers_though_another_is_ma() -> None:
    scene = Scene({0: "R1", 1: "R5"}, seats=4, ma=0)
    scene.play("R1")
    scene.discard("R5")
    for action in (Action(2, "pass"), Action(3, "call_set"), Action(0, "call_set")):
        scene.table.choose(action)
    assert (scene.state.ma, scene.state.turn) == (0, 1)
    assert scene.pending == Order(1, (3, 0))


def test_n4_a_single_caller_needs_no_order() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    scene.table.choose(Action(1, "pass"))
    events = scene.table.choose(Action(2, "call_win"))
    assert scene.pending == Decide((2,), "show-call")
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
    assert scene.pending == Decide((2,), "discard")
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
