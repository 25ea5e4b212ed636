"""War Jhong ruling by ruling: each test names the one it holds the game to."""

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
    Over,
    Result,
    Reveil,
    Settle,
    Toss,
    Way,
)
from p2pjong.games.war_jhong.scoring import score
from tests.support.driven import named
from tests.support.scene import GAME, Scene
from tests.support.tables import make_table, steps

# Three Formations and a pair of Junks: one card from going out.
READY = "I1 I2 I3 A4 A5 A6 C7 C7 C7 J J A9"
DIPLOMATIC = "I1 I4 I7 A2 A5 A8 C3 C6 C9 J F"  # eleven of its twelve cards


def result_of(scene: Scene) -> Result:
    assert isinstance(scene.pending, Settle)
    return scene.pending.result


# --- Seats, turns, hands ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_w1_other_than_two_to_eight_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 8 seats"):
        GAME.start(seats, Options())


@pytest.mark.parametrize("seats", [2, 8])
def test_w1_two_and_eight_seats_are_dealt_twelve_cards_each(seats: int) -> None:
    scene = Scene({}, seats=seats)
    assert scene.view(0).hand_sizes == (13, *(12,) * (seats - 1))
    assert scene.view(0).deck_size == 120 - 12 * seats - 1


def test_g1_the_first_seat_is_tossed_also_where_somebody_is_oldest() -> None:
    state = GAME.start(4, Options(oldest=(2,)))
    assert GAME.pending(state) == Toss(4)
    assert GAME.resolve(state, Facts(tossed=3)).first == 3


def test_w2_the_first_seat_draws_at_the_start_of_its_first_turn() -> None:
    scene = Scene({1: READY}, draws="G", first=1)
    assert [(event.verb, event.seat) for event in scene.seen] == [
        ("first_seat", 1),
        ("hand_began", 1),
        ("dealt", NOBODY),
        ("drew", 1),
    ]
    assert "G" in scene.faces(1)


def test_w2_the_winner_begins_the_next_hand() -> None:
    scene = Scene({2: READY}, draws="A1 A1 J")
    scene.play("A1", "A1")
    scene.do(2, "go_out")
    events = scene.settle()
    assert named(events, "hand_began")[0].seat == 2
    assert (scene.state.turn, scene.view(0).hand_number) == (2, 2)


def test_w2_after_a_washed_out_hand_the_same_seat_begins() -> None:
    scene = Scene({}, first=1, seats=8)
    wash_out(scene)
    events = scene.settle()
    assert (named(events, "hand_began")[0].seat, scene.state.turn) == (1, 1)
    assert scene.view(0).hand_number == 2


def play_drawn(scene: Scene) -> None:
    view = scene.view(scene.state.turn)
    scene.play(dict(view.hand)[view.drawn])


def wash_out(scene: Scene) -> None:
    while not isinstance(scene.pending, Settle):
        play_drawn(scene)


# --- Going out ----------------------------------------------------------------------------------


@pytest.mark.parametrize("left_over", ["G", "A9", "F", "J"])
def test_w3_the_card_left_over_may_be_any(left_over: str) -> None:
    hand = READY.replace("A9", left_over)
    scene = Scene({0: hand}, draws="J")
    scene.do(0, "go_out")
    assert dict(result_of(scene).details)["going_out"] == 1


def test_w3_three_formations_and_a_pair_do_not_go_out() -> None:
    scene = Scene({0: READY}, draws="F")
    assert "go_out" not in scene.choices(0)
    with pytest.raises(IllegalAction):
        scene.force(Action(0, "go_out"))


def test_w4_a_tactics_card_completes_a_formation() -> None:
    scene = Scene({0: READY}, draws="T")
    assert "go_out" in scene.choices(0)


def test_w4_a_tactics_card_stands_for_a_card_whose_copies_are_all_visible() -> None:
    scene = Scene({0: "F", 1: READY.replace("J J", "I9 T")}, draws="I9 I9")
    scene.play("I9")
    assert "go_out" in scene.choices(1)


def test_w4_generals_are_never_part_of_a_formation() -> None:
    scene = Scene({0: "I4", 1: "I5 G G T T"})
    scene.discard("I4")
    assert "claim_formation I5 T" in scene.choices(1)
    assert not [choice for choice in scene.choices(1) if "G" in choice.split()[1:]]


def test_w4_three_tactics_are_a_formation_and_may_be_claimed() -> None:
    scene = Scene({0: "T", 1: "T T"})
    scene.discard("T")
    scene.answer({1: "claim_formation T T"})
    assert scene.view(0).melds[1][0].faces == ("T", "T", "T")


# --- Claims -------------------------------------------------------------------------------------


def test_w5_all_others_answer_in_secret_in_turn_order() -> None:
    scene = Scene({1: "I4"}, seats=4, first=1)
    scene.discard("I4")
    assert scene.pending == Decide((2, 3, 0), "answer-discard", Way.ANSWER)


def test_w5_the_nearest_claimant_is_served_whatever_it_claimed_for() -> None:
    scene = Scene({0: "J", 1: "J J", 2: READY}, seats=3)
    scene.discard("J")
    assert "claim_go_out" in scene.choices(2)
    events = scene.answer({1: "claim_formation J J", 2: "claim_go_out"})
    assert [(event.seat, event.number) for event in named(events, "claimed")] == [(1, 1), (2, 0)]
    assert scene.view(0).melds[1][0].faces == ("J", "J", "J")
    assert scene.state.turn == 1


def test_w5_nearest_is_counted_from_the_discarder() -> None:
    scene = Scene({0: "J J", 1: "J", 2: "J J"}, first=1)
    scene.discard("J")
    scene.answer({0: "claim_formation J J", 2: "claim_formation J J"})
    assert scene.state.turn == 2


def test_g3_slots_named_in_vain_are_named_no_more() -> None:
    """Who sees one of a pair opened later must not learn what the other may be."""
    scene = Scene({0: "J J", 1: "J", 2: "J J", 3: "J J"}, seats=4, first=1)
    before = scene.state.hands
    scene.discard("J")
    scene.answer({0: "claim_formation J J", 2: "claim_formation J J", 3: "claim_formation J J"})
    for loser in (0, 3):
        assert not set(before[loser]) & set(scene.state.hands[loser])
        assert len(before[loser]) == len(scene.state.hands[loser])
    assert set(scene.state.hands[2]) < set(before[2])
    assert scene.state.mixing == ()


def test_w5_a_claim_to_go_out_wins_at_once() -> None:
    scene = Scene({0: "J", 2: READY})
    scene.discard("J")
    events = scene.answer({2: "claim_go_out"})
    (won,) = named(events, "went_out")
    assert (won.seat, won.target, len(won.faces)) == (2, 0, 13)
    assert result_of(scene).winner == 2


def test_w5_the_claimed_card_must_be_in_a_winning_reading() -> None:
    # Seat 1 goes out without the discard already; that card fits nowhere.
    scene = Scene({0: "F I8", 1: READY.replace("A9", "J")})
    scene.discard("I8")
    assert "claim_go_out" not in scene.choices(1)


def test_w5_there_is_no_claiming_after_a_general() -> None:
    scene = Scene({0: "G", 1: "G G"})
    events = scene.discard("G")
    assert [event.verb for event in events] == ["discarded", "drew"]
    assert scene.state.turn == 1


def test_w5_only_cards_that_make_a_formation_are_offered_each_pair_of_faces_once() -> None:
    scene = Scene({0: "I4", 1: "I2 I3 I3 I4 I5 I5 A4 T T C1 F G"})
    scene.discard("I4")
    assert sorted(scene.choices(1)) == [
        "claim_formation I2 I3",
        "claim_formation I2 T",
        "claim_formation I3 I5",
        "claim_formation I3 T",
        "claim_formation I4 T",
        "claim_formation I5 T",
        "claim_formation T T",
        "pass",
    ]


def test_w5_equal_cards_are_twins_and_as_legal() -> None:
    scene = Scene({0: "I4", 1: "I3 I3 I5 A1 A9 C1 C5 C9 F G J G"})
    scene.discard("I4")
    (offered,) = (action for action in scene.table.legal(1) if action.slots)
    hand = {slot: face for slot, face in scene.view(1).hand if face in ("I3", "I5")}
    twin = tuple(sorted(hand.keys() - {min(offered.slots)}))
    scene.force(replace(offered, slots=twin))
    scene.answer()
    assert scene.view(0).melds[1][0].faces == ("I3", "I4", "I5")


# --- After a claim ------------------------------------------------------------------------------


def three_melds() -> Scene:
    """Seat 1 has three face-up Formations and I7, I8, G in hand; seat 0 has I9 and I1."""
    scene = Scene({0: "J F A3 I9 I1", 1: "J J F F A1 A2 I7 I8 G C1 C3 C5"}, seats=2)
    for face, pair, thrown in (("J", "J J", "C1"), ("F", "F F", "C3"), ("A3", "A1 A2", "C5")):
        scene.discard(face)
        scene.answer({1: f"claim_formation {pair}"})
        scene.play(thrown)
    return scene


def test_w6_a_fourth_face_up_formation_is_going_out() -> None:
    scene = three_melds()
    assert scene.faces(1) == ["I7", "I8", "G"]
    scene.discard("I9")
    assert scene.choices(1) == ["claim_formation I7 I8", "claim_go_out", "pass"]
    events = scene.answer({1: "claim_formation I7 I8"})
    assert [event.verb for event in events] == ["claimed", "melded", "went_out"]
    assert named(events, "went_out")[0].faces == ("G",)  # G3: the card left over too
    assert result_of(scene).winner == 1


def test_w6_what_tactics_stand_for_is_settled_at_scoring() -> None:
    scene = Scene({0: "J", 1: "J T J J J J J J J A1 A9 C9"})
    scene.discard("J")
    scene.answer({1: "claim_formation J T"})
    assert scene.view(0).melds[1][0].faces == ("J", "J", "T")
    assert scene.view(0).melds[1][0].giver == 0


def test_w7_the_claimer_does_not_draw_discards_and_play_goes_on_to_its_right() -> None:
    scene = Scene({0: "J", 2: "J J A9"}, seats=4)
    deck_size = scene.view(0).deck_size
    scene.discard("J")
    scene.answer({2: "claim_formation J J"})
    assert scene.pending == Decide((2,), "discard")
    assert (scene.view(0).deck_size, scene.view(2).hand_sizes[2]) == (deck_size, 10)
    scene.play("A9")
    assert scene.state.turn == 3


def test_w7_the_claimer_may_go_out_instead_of_discarding() -> None:
    scene = Scene({0: "J", 1: READY})
    scene.discard("J")
    scene.answer({1: "claim_formation J J"})
    assert "go_out" in scene.choices(1)
    (won,) = named(scene.do(1, "go_out"), "went_out")
    assert (won.target, result_of(scene).winner) == (0, 1)


def test_w7_a_claim_that_leaves_the_hand_short_does_not_go_out() -> None:
    scene = Scene({0: "J", 1: "J J"})
    scene.discard("J")
    scene.answer({1: "claim_formation J J"})
    assert "go_out" not in scene.choices(1)


# --- The empty deck -----------------------------------------------------------------------------


def test_w8_a_hand_whose_deck_runs_out_is_washed_out() -> None:
    scene = Scene({}, seats=8)
    wash_out(scene)
    assert scene.view(0).deck_size == 0
    assert scene.seen[-1].verb == "washed_out"
    assert result_of(scene) == Result("washed_out", NOBODY, (0,) * 8, (0,) * 8)


def test_w8_a_discard_made_with_an_empty_deck_may_be_claimed() -> None:
    scene = Scene({1: READY, 7: "J"}, seats=8)
    while scene.view(0).deck_size:
        play_drawn(scene)
    scene.discard("J")
    scene.answer({1: "claim_go_out"})
    assert result_of(scene).winner == 1


def test_w8_a_formation_claimed_with_an_empty_deck_still_discards() -> None:
    scene = Scene({1: READY, 7: "J"}, seats=8)
    while scene.view(0).deck_size:
        play_drawn(scene)
    scene.discard("J")
    scene.answer({1: "claim_formation J J"})
    scene.play("A9")
    assert result_of(scene).kind == "washed_out"


# --- Points -------------------------------------------------------------------------------------


def test_w9_the_hand_scores_its_best_reading() -> None:
    hand = "I1 I2 I3 A1 A2 A3 C1 C2 C3 T T T"
    scene = Scene({0: hand}, draws="G")
    scene.do(0, "go_out")
    best = score([*hand.split(), "G"], [], 0)
    assert best is not None
    assert result_of(scene).points == (best.total, 0, 0)


def test_w10_the_result_tells_combo_by_combo() -> None:
    scene = Scene({0: READY}, draws="J")
    events = scene.do(0, "go_out")
    combos = (("going_out", 1), ("fleet", 2))
    assert result_of(scene) == Result("won", 0, (3, 0, 0), (3, 0, 0), combos)
    assert named(events, "went_out")[0].details == combos


def test_w11_a_diplomatic_solution_goes_out_by_a_draw() -> None:
    scene = Scene({0: DIPLOMATIC + " A1"}, draws="J")
    scene.do(0, "go_out")
    assert result_of(scene).details == (("going_out", 1), ("diplomatic_solution", 2))


def test_w11_a_claim_may_complete_it() -> None:
    scene = Scene({0: "F", 1: DIPLOMATIC + " A1"})
    scene.discard("F")
    scene.answer({1: "claim_go_out"})
    assert dict(result_of(scene).details)["diplomatic_solution"] == 2


def test_w11_face_up_formations_rule_it_out() -> None:
    scene = Scene({0: "A3", 1: DIPLOMATIC + " A4"}, draws="G J")
    scene.discard("A3")
    scene.answer({1: "claim_formation A2 A4"})
    assert "go_out" not in scene.choices(1)


def test_w12_generals_count_for_who_discarded_them_in_this_hand() -> None:
    scene = Scene({0: "G G A9 I9", 1: "G " + READY[:-3]}, draws="A9 A9 I9 C1 J")
    scene.play("G", "G")
    assert scene.view(2).generals == (1, 1, 0)
    scene.play("I9", "G")
    assert scene.view(2).generals == (2, 1, 0)
    scene.do(1, "go_out")
    assert ("general", 1) in result_of(scene).details
    scene.settle()
    assert scene.view(2).generals == (0, 0, 0)


def test_w13_the_target_is_a_hundred_unless_told() -> None:
    assert Scene({}).view(0).target == 100
    assert Scene({}, target=7).view(0).target == 7


@pytest.mark.parametrize("target", [-1, 10**9])
def test_w13_a_target_out_of_range_is_refused(target: int) -> None:
    with pytest.raises(ValueError, match="target"):
        GAME.start(4, Options(target=target))


def test_rounds_are_refused_where_the_game_has_none() -> None:
    with pytest.raises(ValueError, match="rounds"):
        GAME.start(4, Options(rounds=3))


def test_w13_who_reaches_the_target_wins_the_game() -> None:
    scene = Scene({0: READY}, draws="J", target=3)
    scene.do(0, "go_out")
    events = scene.settle()
    assert scene.pending == Over("finished", (3, 0, 0), (0,), 1)
    assert named(events, "game_over")[0].seat == 0


def test_w13_one_point_short_is_not_enough() -> None:
    scene = Scene({0: READY}, draws="J", target=4)
    scene.do(0, "go_out")
    scene.settle()
    assert isinstance(scene.pending, Decide)
    assert scene.view(1).scores == (3, 0, 0)


# --- What is hidden, and what is not ------------------------------------------------------------


def test_g3_a_hand_is_veiled_anew_after_each_draw() -> None:
    scene = Scene({}, seats=2)
    scene.play(scene.faces(0)[0])
    before = replace(scene.state, phase="reveil", hands=((1, 2), (3, 4)), turn=1, next_slot=500)
    assert GAME.pending(before) == Reveil(1, (3, 4), (500, 501))
    after = GAME.resolve(before, Facts())
    assert (after.hands, after.next_slot) == (((1, 2), (500, 501)), 502)


def test_g3_slot_numbers_are_never_used_twice() -> None:
    scene = Scene({}, seats=8)
    used: set[int] = set()
    for _ in range(2):
        while not isinstance(scene.pending, Settle):
            fresh = set(scene.state.hands[scene.state.turn])
            assert not fresh & used
            used |= fresh
            play_drawn(scene)
        scene.settle()
    assert len(used) == 2 * 13 * 24


def test_g3_cards_named_with_a_claim_are_opened_only_if_it_is_served() -> None:
    scene = Scene({0: "J", 1: "J J", 2: "J J A9"})
    scene.discard("J")
    (unserved,) = (action.slots for action in scene.table.legal(2) if action.slots)
    scene.answer({1: "claim_formation J J", 2: "claim_formation J J"})
    assert not set(unserved) & set(scene.table.dealer.known(0))


def test_g3_going_out_opens_the_whole_hand_and_no_other() -> None:
    scene = Scene({0: READY}, draws="J")
    scene.do(0, "go_out")
    assert scene.view(1).shown == tuple("I1 I2 I3 A4 A5 A6 A9 C7 C7 C7 J J J".split())
    assert not set(scene.state.hands[2]) & set(scene.table.dealer.known(1))


def test_g3_the_drawn_card_is_known_to_its_seat_alone() -> None:
    scene = Scene({}, draws="T")
    view = scene.view(0)
    assert dict(view.hand)[view.drawn] == "T"
    assert scene.view(1).drawn == scene.view(NOBODY).drawn == -1


def test_g3_each_seat_knows_its_own_cards_and_open_ones_alone() -> None:
    table = make_table(GAME, 3, seed=1, target=3)
    for _ in steps(table, 1):
        zones = GAME.zones(table.state)
        hidden = {slot for zone in ("deck", "hand:1", "hand:2") for slot in zones.get(zone, ())}
        shown = {slot for slot, _ in table.state.shown}
        assert not (hidden - shown) & table.dealer.known(0).keys()
        assert {*zones.get("discards", ()), *shown} <= table.dealer.known(0).keys()


# --- Seats that leave, and fouls ----------------------------------------------------------------


def test_g4_a_seat_that_is_out_is_passed_over() -> None:
    scene = Scene({}, seats=4)
    scene.table.void((1,))
    scene.table.advance()
    assert scene.view(0).hand_sizes == (13, 0, 12, 12)
    scene.discard(next(face for face in scene.faces(0) if face != "G"))
    assert scene.table.awaited() == (2, 3)
    assert scene.table.legal(1) == ()
    scene.answer()
    assert scene.state.turn == 2


def test_g4_the_game_is_abandoned_when_one_seat_is_left() -> None:
    scene = Scene({}, seats=3)
    events = scene.table.void((0, 2))
    assert scene.pending == Over("abandoned", (0, 0, 0), (), 0)
    assert [event.verb for event in events] == ["seat_left", "seat_left", "game_over"]


def test_g4_a_seat_that_is_out_does_not_win() -> None:
    scene = Scene({0: READY}, draws="J", target=3)
    scene.do(0, "go_out")
    final = replace(GAME.resolve(scene.state, Facts()), present=(False, True, True))
    assert GAME.pending(final) == Over("finished", (3, 0, 0), (1, 2), 1)


def test_g5_cards_that_make_no_formation_are_a_foul() -> None:
    scene = Scene({0: "J", 1: "I1 A9"})
    scene.discard("J")
    slots = tuple(sorted(slot for slot, face in scene.view(1).hand if face in ("I1", "A9")))
    claim = Action(1, "claim_formation", slots[:2])
    state = GAME.decide(scene.state, (claim, Action(2, "pass")))
    assert GAME.pending(state) == Open(1, slots[:2])
    opened = Facts(opened=((slots[0], "I1"), (slots[1], "A9")))
    with pytest.raises(Foul) as caught:
        GAME.resolve(state, opened)
    assert (caught.value.seat, caught.value.rule) == (1, "claim-without-formation")


@pytest.mark.parametrize("verb", ["go_out", "claim_go_out"])
def test_g5_a_hand_that_does_not_go_out_is_a_foul(verb: str) -> None:
    scene = Scene({0: "J"}, seats=2)
    seat = 0
    if verb == "claim_go_out":
        scene.discard("J")
        seat = 1
    hand = scene.view(seat).hand
    state = GAME.decide(scene.state, (Action(seat, verb),))
    assert GAME.pending(state) == Open(seat, tuple(sorted(slot for slot, _ in hand)))
    with pytest.raises(Foul) as caught:
        GAME.resolve(state, Facts(opened=tuple(sorted(hand))))
    assert (caught.value.seat, caught.value.rule) == (seat, "hand-does-not-go-out")


def test_g5_going_out_on_a_card_that_no_reading_needs_is_a_foul() -> None:
    scene = Scene({0: "I8", 1: READY.replace("A9", "J")}, seats=2)
    scene.discard("I8")
    state = GAME.decide(scene.state, (Action(1, "claim_go_out"),))
    with pytest.raises(Foul):
        GAME.resolve(state, Facts(opened=tuple(sorted(scene.view(1).hand))))


def test_g6_a_void_hand_is_dealt_again_by_the_same_seat() -> None:
    scene = Scene({2: READY}, draws="A1 A1 J")
    scene.play("A1", "A1")
    scene.do(2, "go_out")
    scene.settle()
    scores = scene.view(0).scores
    events = scene.table.void(())
    assert [event.verb for event in events] == ["hand_void"]
    scene.table.advance()
    assert (scene.state.turn, scene.view(0).scores) == (2, scores)
    assert scene.view(0).hand_number == 2  # the void hand does not count


def test_g6_the_next_seat_begins_where_the_first_one_is_out() -> None:
    scene = Scene({}, seats=3, first=2)
    scene.table.void((2,))
    scene.table.advance()
    assert scene.state.turn == 0


def test_g6_a_hand_voided_before_its_result_is_final_scores_nothing() -> None:
    scene = Scene({0: READY}, draws="J")
    scene.do(0, "go_out")
    scene.table.void((1,))
    assert (scene.state.scores, scene.state.hands_ended) == ((0, 0, 0), 0)


def test_g6_a_seat_that_leaves_before_the_toss_has_no_part_in_it() -> None:
    state = GAME.void(GAME.start(3, Options()), (0,))
    assert GAME.pending(state) == Toss(2)
    assert GAME.resolve(state, Facts(tossed=1)).first == 2


def test_g7_each_answers_exactly_once() -> None:
    scene = Scene({0: "J"}, seats=3)
    scene.discard("J")
    for answers in [(1,), (1, 1), (2, 1), (1, 2, 1), (0, 1), ()]:
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, tuple(Action(seat, "pass") for seat in answers))
    scene.force(Action(1, "pass"))
    with pytest.raises(IllegalAction):
        scene.force(Action(1, "pass"))


def test_g8_time_up_discards_the_card_just_drawn() -> None:
    scene = Scene({0: "C9 C9 F F"}, draws="A5")
    assert scene.read(scene.table.default(0)) == "discard A5"


def test_g8_without_a_draw_the_last_of_the_sorted_hand_goes() -> None:
    scene = Scene({0: "J", 1: "J J G T F F I1 I2 A1 A2 C1 C2"})
    scene.discard("J")
    scene.answer({1: "claim_formation J J"})
    assert scene.read(scene.table.default(1)) == "discard G", "no Tactics card, as there is another"


def test_g8_a_tactics_card_goes_only_if_there_is_no_other() -> None:
    drawn = Scene({0: "C9 C9 F F"}, draws="T")
    assert drawn.read(drawn.table.default(0)) == "discard F"
    slots = range(4)
    state = replace(drawn.state, hands=(tuple(slots), *drawn.state.hands[1:]), drawn=0)
    for faces, gone in (("T T T A1", 3), ("T T T T", 3), ("A1 T J T", 0)):
        known = dict(zip(slots, faces.split(), strict=True))
        assert GAME.default(state, 0, known) == Action(0, "discard", (gone,))


def test_g8_time_up_passes_a_claim() -> None:
    scene = Scene({0: "J", 1: READY})
    scene.discard("J")
    assert scene.table.default(1) == Action(1, "pass")


def test_g9_going_out_is_never_forced() -> None:
    scene = Scene({0: READY, 1: "J"}, draws="J")
    assert {"go_out", "discard J"} <= set(scene.choices(0))
    scene.discard("J")
    assert "pass" in scene.choices(1)
