"""Going out, how far away it is, and what a hand awaits; W3, W5 and W11."""

from random import Random

import pytest

from p2pjong.games.question import BadQuestion
from p2pjong.games.war_jhong.faces import DECK, FACES
from p2pjong.games.war_jhong.waits import (
    check_question,
    distance,
    goes_out,
    nearing,
    ready_discards,
    waits,
)
from tests.support.marks import first_quick
from tests.support.war_jhong_hands import COPIES, random_question, random_solution
from tests.support.war_jhong_oracle import oracle_distance, oracle_goes_out

MELD = ("I4", "I5", "I6")
NINE = "I1 I2 I3 A1 A1 A1 F F F".split()
SOLUTION = "I1 I4 I7 A2 A5 A8 C3 C6 C9 J J F".split()


def test_the_card_left_over_is_ignored_whatever_it_is_w3() -> None:
    for face in FACES:
        if face != "A1":  # all three are in the hand
            assert goes_out([*NINE, "C7", "C8", "C9", face], ()), face


def test_twelve_cards_go_out_with_none_left_over() -> None:
    assert goes_out([*NINE, "C7", "C8", "C9"], ())
    assert goes_out(NINE, [MELD])
    assert not goes_out([*NINE, "C7", "C8", "J"], ())


def test_four_face_up_formations_go_out_w6() -> None:
    assert goes_out(["G"], [MELD] * 4)
    assert goes_out([], [MELD] * 4)


def test_two_cards_that_fit_nowhere_are_one_too_many() -> None:
    assert not goes_out([*NINE, "C7", "C9", "J", "G"], ())
    assert not goes_out([*NINE[:-1], "C7", "C8", "C9", "G", "G"], ())


def test_a_claim_must_be_part_of_some_winning_reading_w5() -> None:
    complete = [*NINE, "C7", "C8", "C9"]
    assert not goes_out([*complete, "J"], (), claimed="J")
    assert not goes_out([*complete, "I7"], (), claimed="I7")
    # C6 can take the place of C9, which is then left over.
    assert goes_out([*complete, "C6"], (), claimed="C6")
    assert goes_out([*NINE, "C7", "C8", "J", "C9"], (), claimed="C9")


def test_a_claimed_card_may_be_any_of_its_copies_w5() -> None:
    # One of four Forts is left over: it need not be the claimed one.
    assert goes_out([*NINE, "C7", "C8", "C9", "F"], (), claimed="F")


def test_a_claim_on_a_hand_without_a_card_too_many_is_used() -> None:
    assert goes_out([*NINE, "C7", "C8", "C9"], (), claimed="C9")


def test_a_general_cannot_be_claimed_w5() -> None:
    assert not goes_out([*NINE, "C7", "C8", "C9", "G"], (), claimed="G")
    assert not goes_out([*NINE, "C7", "C8", "G", "G"], (), claimed="G")


def test_a_claimed_tactics_card_counts_like_any_other_w5() -> None:
    assert goes_out([*NINE, "C7", "C8", "J", "T"], (), claimed="T")


def test_a_diplomatic_solution_goes_out_with_no_face_up_formation_w11() -> None:
    assert goes_out([*SOLUTION, "G"], ())
    assert goes_out(SOLUTION, ())
    assert goes_out(["T", "T", "T", *SOLUTION[3:], "I9"], ())
    assert not goes_out([*SOLUTION[3:], "I9"], [("I1", "I2", "I3")])


def test_a_claim_may_complete_a_diplomatic_solution_w11() -> None:
    assert goes_out([*SOLUTION, "G"], (), claimed="F")
    assert goes_out([*SOLUTION, "G"], (), claimed="A5")
    assert not goes_out([*SOLUTION, "I9"], (), claimed="I9")


@pytest.mark.parametrize(
    "twelve",
    [
        "I1 I4 I7 A2 A5 A8 C3 C6 J J F F",  # all but one of thirteen: the highest
        "I4 I7 A2 A5 A8 C3 C6 C9 J J F F",  # the lowest
        "I1 I4 I7 A2 A5 A8 C3 C6 C9 J F F",
        "I1 T I7 A2 A5 A8 C3 C6 C9 J F F",  # a wild in the middle
    ],
)
def test_every_run_in_threes_is_a_diplomatic_solution_w11(twelve: str) -> None:
    assert goes_out(twelve.split(), ())


@pytest.mark.parametrize(
    "twelve",
    [
        "I1 I7 A2 A5 A8 C3 C6 C9 J J F F",  # a step of six
        "I1 I4 I7 I7 A2 A5 A8 C3 C6 C9 J F",  # a number twice
        "I1 I4 I7 A2 A5 A9 C3 C6 C9 J J F",  # a step of four
        "I1 I4 I7 A2 A5 C3 C6 C9 J J J F",  # three Junks
        "I1 I4 I7 A2 A5 C3 C6 C9 J F F F",
        "I1 I4 I7 A2 A5 A8 C3 C6 C9 J J G",  # a General
    ],
)
def test_anything_else_is_no_diplomatic_solution_w11(twelve: str) -> None:
    assert not goes_out(twelve.split(), ())


def test_distance_counts_the_cards_that_are_missing() -> None:
    assert distance([*NINE, "C7", "C8", "C9", "G"], ()) == 0
    assert distance([*NINE, "C7", "C8", "G", "G"], ()) == 1
    assert distance([*NINE, "C1", "C4", "G", "G"], ()) == 2
    assert distance(["G"] * 4, [MELD] * 3) == 3
    assert distance([*SOLUTION[:10], "I1", "G"], ()) == 2


def test_a_hand_before_and_after_its_discard_is_measured_alike() -> None:
    assert distance([*NINE, "C7", "C8", "G"], ()) == 1
    assert distance([*NINE, "C7", "C8", "T"], ()) == 0


def test_waits_are_all_faces_that_complete_the_hand() -> None:
    assert waits([*NINE, "C7", "C8", "G"], ()) == ("C6", "C9", "T")
    assert waits(["J", "J", "J", "F", "F", "F", "C5", "C5", "I9"], [MELD]) == ("C5", "T")
    assert waits([*NINE, "G", "G", "G"], ()) == ()


def test_waits_leave_out_cards_of_which_the_own_side_holds_all() -> None:
    hand = ["J", "J", "J", "F", "F", "F", "C5", "C6", "G"]
    assert waits(hand, [MELD]) == ("C4", "C7", "T")
    assert waits(hand, [("C7", "C7", "C7")]) == ("C4", "T")
    assert waits(["I1", "I2", "G"], [("T", "T", "T")] * 2 + [("I3", "I3", "I3")]) == ()


def test_a_hand_complete_without_its_last_card_awaits_anything() -> None:
    complete = [*NINE, "C7", "C8", "C9"]
    assert waits(complete, ()) == tuple(face for face in FACES if face != "A1")


def test_ready_discards_tell_what_each_leaves_awaited() -> None:
    hand = [*NINE, "C7", "C8", "G", "J"]
    assert ready_discards(hand, ()) == {
        "J": ("C6", "C9", "T"),
        "G": ("C6", "C9", "T"),
    }
    assert ready_discards([*NINE, "G", "G", "G", "G"], ()) == {}


def test_ready_discards_of_a_hand_that_goes_out_keep_it_near() -> None:
    ready = ready_discards([*NINE, "C7", "C8", "C9", "G"], ())
    assert ready["C9"] == ("C6", "C9", "T")
    assert len(ready["G"]) == len(FACES) - 1


def test_nearing_lists_the_faces_that_help() -> None:
    hand = ["J", "J", "J", "F", "F", "C5", "C6", "G", "G"]
    assert distance(hand, [MELD]) == 2
    assert nearing(hand, [MELD]) == ("C4", "C7", "F", "T")


def test_distance_agrees_with_brute_force() -> None:
    rng = Random(20)
    for _ in range(60):
        hand, melds, _ = random_question(rng, wilds_max=2)
        spoilt = list(hand)
        for place in rng.sample(range(len(hand)), min(len(hand), rng.randint(0, 3))):
            spoilt[place] = rng.choice("FGJ")
        assert distance(spoilt, melds) == oracle_distance(tuple(spoilt), melds), (spoilt, melds)


def test_distance_of_half_a_solution_agrees_with_brute_force() -> None:
    rng = Random(21)
    for _ in range(15):
        hand = list(random_solution(rng)[0])
        hand[rng.randrange(13)] = rng.choice("FGJ")
        assert distance(hand, ()) == oracle_distance(tuple(hand), ()), hand


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(22, 25)))
def test_waits_and_claims_agree_with_brute_force(seed: int) -> None:
    rng = Random(seed)
    for turn in range(20):
        hand, melds, _ = random_question(rng, wilds_max=3) if turn % 5 else random_solution(rng)
        rest = hand[1:] if len(hand) + 3 * len(melds) == 13 else hand
        held = [*rest, *(face for meld in melds for face in meld)]
        outside = [face for face in FACES if held.count(face) < COPIES[face]]
        expected = [face for face in outside if oracle_goes_out((*rest, face), melds)]
        assert list(waits(rest, melds)) == expected, (rest, melds)
        for face in set(outside) - {"G"}:
            is_won = oracle_goes_out((*rest, face), melds, face)
            assert goes_out((*rest, face), melds, claimed=face) == is_won, (rest, melds, face)


@pytest.mark.parametrize(
    ("hand", "melds", "generals", "message"),
    [
        (["I1"] * 4 + NINE, (), 0, "5 cards I1, but the deck has 3"),
        ([*DECK[:12], "X"], (), 0, "no card 'X'"),
        ([*DECK[:12], "i1"], (), 0, "no card 'i1'"),
        (DECK[:11], (), 0, "11 cards in hand"),
        (DECK[:14], (), 0, "14 cards in hand"),
        (DECK[:11], [("J", "J", "J")], 0, "11 cards in hand"),
        (DECK[:10], [("J", "J", "F")], 0, "J J F is no Formation"),
        (DECK[:10], [("J", "J")], 0, "J J is no Formation"),
        (DECK[:10], [("G", "J", "J")], 0, "G J J is no Formation"),
        ([], [("J", "J", "J")] * 5, 0, "5 face-up Formations"),
        (["T"], [("T", "T", "T")] * 2 + [("J", "J", "J")] * 2, 0, "7 cards T"),
        (DECK[:13], (), -1, "fewer than no Generals"),
        (DECK[:13], (), 9, "9 Generals"),
        ([*DECK[:11], "G", "G"], (), 7, "9 Generals"),
    ],
)
def test_questions_that_no_deal_can_bring_are_refused(
    hand: list[str], melds: list[tuple[str, ...]], generals: int, message: str
) -> None:
    with pytest.raises(BadQuestion, match=message):
        check_question(hand, melds, generals)


def test_questions_that_a_deal_can_bring_pass() -> None:
    check_question([*DECK[:11], "G", "G"], (), 6)
    check_question(DECK[:12], (), 8)
    check_question([], [("J", "J", "J")] * 4, 0)
