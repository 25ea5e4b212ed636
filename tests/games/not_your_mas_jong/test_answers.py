"""Questions about hands of Not Your Ma's Jong in JSON, and their answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from p2pjong.games.not_your_mas_jong.answers import Question, answer, read_question
from p2pjong.games.question import BadQuestion
from p2pjong.score import answer as answer_of
from p2pjong.score import answer_batch, hand_question

GAME = "not-your-mas-jong"
CASES = json.loads(
    (Path(__file__).parents[2] / "data" / "not_your_mas_jong_hands.json").read_text()
)
HAND = "R1 R2 R3 B5 B5 B5 E1 E1".split()


def test_an_answer_tells_how_the_hand_goes_out() -> None:
    assert answer({"hand": HAND, "melds": [["S4", "S2", "S3"]]}) == {
        "goes_out": True,
        "total": None,
        "combos": {},
        "formations": [["R1", "R2", "R3"], ["B5"] * 3, ["S2", "S3", "S4"]],
        "pair": ["E1", "E1"],
        "left_over": None,
    }


def test_an_answer_about_a_hand_that_does_not_go_out() -> None:
    assert answer({"hand": [*HAND[:-1], "E2"], "melds": [["S2", "S3", "S4"]]}) == {
        "goes_out": False,
        "total": None,
        "combos": {},
        "formations": [],
        "pair": None,
        "left_over": None,
    }


def test_melds_may_be_missing_and_other_keys_are_passed_over() -> None:
    hand = [*HAND, "G1", "G1", "G1"]
    assert read_question({"hand": hand, "goes_out": True}) == Question(tuple(hand), ())


def test_a_command_line_asks_with_melds_and_without_anything_else() -> None:
    question = hand_question(GAME, ["r1 r2,R3", "e1", "E1"], ["b5 b5 b5", "S1,S2,S3"])
    assert question == {
        "hand": ["R1", "R2", "R3", "E1", "E1"],
        "melds": [["B5"] * 3, ["S1", "S2", "S3"]],
    }
    assert answer_of(GAME, question)["goes_out"]
    with pytest.raises(BadQuestion, match="no generals"):
        hand_question(GAME, HAND, generals=1)


def test_a_batch_of_the_cases_is_answered_in_order() -> None:
    answers = list(answer_batch(GAME, [json.dumps(case) for case in CASES]))
    assert [found["goes_out"] for found in answers] == [case["goes_out"] for case in CASES]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"hand": None},
        {"hand": "R1"},
        {"hand": [1] * 11},
        {"hand": HAND},
        {"hand": HAND, "melds": None},
        {"hand": HAND, "melds": {"a": 1}},
        {"hand": HAND, "melds": ["S"]},
        {"hand": HAND, "melds": [["S2", "S3", 4]]},
        {"hand": HAND, "melds": [["S2", "S3"]]},
        {"hand": HAND, "melds": [["S2", "S3", "S4"], ["S2", "S3", "S4"]]},
        {"hand": [*HAND[:5], "B5", "E1", "E9"], "melds": [["S2", "S3", "S4"]]},
    ],
)
def test_questions_that_cannot_be_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(BadQuestion):
        answer(asked)
