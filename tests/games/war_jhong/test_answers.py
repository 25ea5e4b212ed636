"""Questions about War Jhong hands in JSON, and their answers."""

from typing import Any

import pytest

from p2pjong.games.question import BadQuestion
from p2pjong.games.war_jhong.answers import Question, answer, read_question

HAND = "J J J F F F I1 I2 I3 A5 A5 T G".split()


def test_an_answer_tells_the_total_and_how_it_came_about() -> None:
    assert answer(
        {"hand": [*HAND[:8], "A5", "A5"], "melds": [["C7", "T", "C8"]], "generals": 2}
    ) == {
        "goes_out": False,
        "total": None,
        "combos": {},
        "formations": [],
        "stands_for": [],
        "solution": None,
        "left_over": None,
    }
    assert answer({"hand": HAND, "melds": [], "generals": 2}) == {
        "goes_out": True,
        "total": 8,
        "combos": {"going_out": 1, "fleet": 2, "wall": 3, "general": 2},
        "formations": [["I1", "I2", "I3"], ["A5", "A5", "T"], ["J"] * 3, ["F"] * 3],
        "stands_for": [["I1", "I2", "I3"], ["A5", "A5", "A5"], ["J"] * 3, ["F"] * 3],
        "solution": None,
        "left_over": "G",
    }


def test_a_diplomatic_solution_is_answered_by_its_twelve_cards_w11() -> None:
    found = answer({"hand": "I1 I4 I7 A2 A5 A8 C3 C6 C9 J T F F".split()})
    assert (found["formations"], found["stands_for"], found["left_over"]) == ([], [], "I7")
    assert found["solution"]["cards"] == "I1 I4 A2 A5 A8 C3 C6 C9 J T F F".split()
    assert found["combos"] == {"going_out": 1, "diplomatic_solution": 2}


def test_melds_and_generals_may_be_missing_and_other_keys_are_passed_over() -> None:
    assert read_question({"hand": HAND, "total": 6}) == Question(tuple(HAND), (), 0)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"hand": None},
        {"hand": "I1"},
        {"hand": [1] * 13},
        {"hand": [["I1"]] * 13},
        {"hand": HAND, "melds": None},
        {"hand": HAND, "melds": {"a": 1}},
        {"hand": HAND[:10], "melds": ["J"]},
        {"hand": HAND[:10], "melds": [["J", "J", 1]]},
        {"hand": HAND, "generals": None},
        {"hand": HAND, "generals": -1},
        {"hand": HAND, "generals": True},
        {"hand": HAND, "generals": 1.0},
        {"hand": HAND, "generals": "1"},
        {"hand": HAND, "generals": 8},
        {"hand": HAND, "generals": 10**400},
    ],
)
def test_questions_of_the_wrong_form_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(BadQuestion):
        answer(asked)
