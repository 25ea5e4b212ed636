"""The best reading of a hand: one test for each ruling it rests on, and the given cases."""

import json
from collections import Counter
from pathlib import Path

import pytest

from p2pjong.games.war_jhong.scoring import Reading, score

CASES = json.loads((Path(__file__).parents[2] / "data" / "war_jhong_scores.json").read_text())


def read(hand: str, *melds: str, generals: int = 0) -> Reading:
    reading = score(hand.split(), [tuple(meld.split()) for meld in melds], generals)
    assert reading is not None, f"{hand} does not go out"
    return reading


def combos(hand: str, *melds: str, generals: int = 0) -> dict[str, int]:
    return dict(read(hand, *melds, generals=generals).combos)


def shown(reading: Reading) -> list[str]:
    return [" ".join(group.stands_for) for group in reading.formations]


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case["hand"]))
def test_given_cases_score_as_given(case: dict[str, object]) -> None:
    hand, melds, generals = case["hand"], case["melds"], case["generals"]
    assert isinstance(hand, list) and isinstance(melds, list) and isinstance(generals, int)
    reading = score(hand, [tuple(meld) for meld in melds], generals)
    assert (reading is not None) == case["goes_out"]
    assert (reading and reading.total) == case["total"]


def test_the_card_left_over_is_the_one_whose_loss_pays_most_w3() -> None:
    # Without I4 there is 1-2-3; without I1 there is 2-3-4, as in the Archers.
    reading = read("I1 I2 I3 I4 A2 A3 A4 C9 C9 C9 J J J")
    assert reading.left_over == "I1"
    assert dict(reading.combos)["double_formation"] == 3


def test_a_general_may_be_the_card_left_over_w3() -> None:
    assert read("G J J J J J J J J J J J J").left_over == "G"
    assert score("G G J J J J J J J J J J J".split(), (), 0) is None


def test_twelve_cards_leave_none_over_w3() -> None:
    reading = read("J J J J J J J J J J J J")
    assert reading.left_over is None
    assert dict(reading.combos) == {"going_out": 1, "armada": 16}


def test_the_one_card_beside_four_face_up_formations_is_left_over_w3() -> None:
    reading = read("I9", "F F F", "J J J", "A1 A2 A3", "C5 C5 C5")
    assert (reading.left_over, reading.total) == ("I9", 6)
    assert read("", "F F F", "J J J", "A1 A2 A3", "C5 C5 C5").left_over is None


def test_a_wild_stands_for_a_card_whose_copies_are_all_visible_w4() -> None:
    # All three I5 lie face up; the wild is one more.
    reading = read("I3 I4 T F", "I5 I5 I5", "J J J", "C1 C2 C3")
    assert "I3 I4 I5" in shown(reading) or "I2 I3 I4" in shown(reading)
    identical = read("I5 T T F", "I5 I5 I5", "J J J", "C1 C2 C3")
    assert dict(identical.combos)["identical_double_formation"] == 6


def test_several_wilds_may_stand_in_one_formation_w4() -> None:
    reading = read("I7 T T A1 A2 A3 C4 C4 C4 J J J G")
    assert [group.cards for group in reading.formations if "T" in group.cards] == [("T", "T", "I7")]


def test_three_wilds_are_whatever_formation_pays_more_w4() -> None:
    assert combos("T T T F F F F F F F F F G") == {"going_out": 1, "great_wall": 27, "ruse": 5}
    instead = combos("T T T I1 I2 I3 I4 I5 I6 J J J G")
    assert "ruse" not in instead and instead["grand_formation"] == 10


def test_six_wilds_make_a_great_ruse_where_nothing_pays_more_w4() -> None:
    found = combos("T T T T T T F F F F F F G")
    assert found == {"going_out": 1, "border_wall": 9, "great_ruse": 25}


def test_generals_are_never_part_of_a_formation_w4() -> None:
    assert score("G T T I1 I2 I3 A5 A5 A5 C7 C8 C9 G".split(), (), 0) is None


def test_a_face_up_formation_keeps_its_cards_together_w6() -> None:
    # Free, the Tactics card could make a Fort of the two; it stays with the Infantry.
    assert score("F F A9 C1".split(), [("I4", "I5", "T"), *[("J", "J", "J")] * 2], 0) is None


def test_a_face_up_wild_is_settled_only_at_scoring_w6() -> None:
    low = read("I3 I4 I5 F", "I4 I5 T", "J J J", "C1 C1 C1")
    high = read("I4 I5 I6 F", "I4 I5 T", "J J J", "C1 C1 C1")
    assert shown(low)[0] == "I3 I4 I5" and shown(high)[0] == "I4 I5 I6"
    assert low.total == high.total == 1 + 2 + 3 + 6


def test_three_face_up_wilds_may_be_tactics_or_anything_w6() -> None:
    ruse = read("F F F G", "T T T", "F F F", "F F F")
    assert shown(ruse)[0] == "T T T" and dict(ruse.combos)["ruse"] == 5
    grand = read("I7 I8 I9 G", "T T T", "I1 I2 I3", "J J J")
    assert shown(grand)[0] == "I4 I5 I6"
    assert dict(grand.combos)["grand_formation"] == 10


def test_the_best_partition_counts_w9() -> None:
    # 1-1-1 2-2-2 3-3-3 is three triplets, or three times 1-2-3.
    reading = read("I1 I1 I1 I2 I2 I2 I3 I3 I3 C9 C9 C9 G")
    assert shown(reading) == ["I1 I2 I3"] * 3 + ["C9 C9 C9"]
    assert reading.total == 1 + 9 + 18
    triplets = read("I1 I1 I1 I2 I2 I2 I3 I3 I3 I9 I9 I9 G")
    assert triplets.total == 1 + 9 + 18 + 6


def test_of_equal_readings_the_first_in_order_counts_w9() -> None:
    # The pair of wilds with I5 could be any of four; 3-4-5 is numbered first.
    reading = read("I5 T T G", "A1 A1 A1", "C9 C9 C9", "J J J")
    assert shown(reading)[3] == "I3 I4 I5"
    # Two equal face-up Formations: the earlier one gets the lesser pattern.
    twins = read("J J J G", "T I8 T", "I8 T T", "F F F")
    assert shown(twins) == ["I6 I7 I8", "I6 I7 I8", "F F F", "J J J"]
    # Nothing hangs on the order of the cards.
    assert read("G T I5 T", "A1 A1 A1", "C9 C9 C9", "J J J") == reading


def test_formations_come_before_a_diplomatic_solution_of_equal_worth_w9() -> None:
    hand = "J J F F T T T T T T I1 A5 C9"
    reading = read(hand)
    assert reading.solution is None and reading.total > 3


def test_each_pair_of_two_groups_scores_once_w10() -> None:
    found = combos("I1 I2 I3 A1 A2 A3 I7 I7 I7 C7 C7 C7 G")
    assert found["double_formation"] == 6


def test_four_alike_score_as_three_w10() -> None:
    found = combos("G", "I4 I5 I6", "I4 I5 T", "I4 T I6", "T I5 I6")
    assert found["triple_formation"] == 9 and found["identical_triple_formation"] == 18


def test_tiers_exclude_one_another_and_combos_add_up_w10() -> None:
    found = combos("F F F F F F J J J J J J G")
    assert found == {"going_out": 1, "double_fleet": 4, "border_wall": 9}


def test_a_diplomatic_solution_scores_its_own_points_only_w11() -> None:
    reading = read("I1 T I7 A2 A5 A8 C3 C6 C9 J T F I9", generals=2)
    assert dict(reading.combos) == {"going_out": 1, "general": 2, "diplomatic_solution": 2}
    assert (reading.total, reading.formations, reading.left_over) == (5, (), "I9")
    solution = reading.solution
    assert solution is not None
    assert Counter(solution.cards) == Counter("I1 T I7 A2 A5 A8 C3 C6 C9 J T F".split())
    assert all(
        card in ("T", face) for card, face in zip(solution.cards, solution.stands_for, strict=True)
    )


def test_three_wilds_in_a_diplomatic_solution_are_no_formation_w11() -> None:
    found = combos("T T T A2 A5 A8 C3 C6 C9 J J F I9")
    assert found == {"going_out": 1, "diplomatic_solution": 2}


def test_four_formations_of_more_worth_beat_a_diplomatic_solution_w11() -> None:
    reading = read("J J T F F T I1 T T A1 T T G")
    assert reading.solution is None
    assert dict(reading.combos)["wall"] == 3


def test_generals_discarded_count_one_each_w12() -> None:
    hand = "J J J F F F I1 I2 I3 A5 A5 A5 G"
    assert combos(hand, generals=0).get("general") is None
    assert combos(hand, generals=4)["general"] == 4
    assert read(hand, generals=4).total == read(hand).total + 4


def test_a_hand_that_does_not_go_out_has_no_reading() -> None:
    assert score("I1 I2 I4 A1 A2 A4 C1 C2 C4 J J F F".split(), (), 3) is None


def test_groups_show_the_cards_as_held_and_as_read() -> None:
    reading = read("I5 T T G", "T A1 A1", "C9 C8 T", "J J J")
    groups = [(g.cards, g.stands_for, g.is_face_up) for g in reading.formations]
    assert groups == [
        (("A1", "A1", "T"), ("A1", "A1", "A1"), True),
        (("T", "C8", "C9"), ("C7", "C8", "C9"), True),
        (("J", "J", "J"), ("J", "J", "J"), True),
        (("T", "T", "I5"), ("I3", "I4", "I5"), False),
    ]
