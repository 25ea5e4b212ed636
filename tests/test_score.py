"""What `p2pjong score` answers, one question or thousands."""

import json
from pathlib import Path
from typing import Any

import pytest

from p2pjong.games import GAMES
from p2pjong.games.question import BadQuestion
from p2pjong.score import answer, answer_batch, answer_line, hand_question, split_cards

CASES = json.loads((Path(__file__).parent / "data" / "war_jhong_scores.json").read_text())
GAME = "war-jhong"


def test_every_game_with_a_scorer_answers() -> None:
    assert GAME in GAMES


def test_cards_are_read_apart_by_spaces_or_commas_in_any_case() -> None:
    assert split_cards(GAME, ["i1,I2", " j ", "a9 T,,", ""]) == ["I1", "I2", "J", "A9", "T"]


def test_the_words_of_a_command_line_make_a_question() -> None:
    question = hand_question(GAME, ["f", "F", "F", "G"], ["J,J,J", "i1 i2 t", "C5 C5 C5"], 3)
    assert question == {
        "hand": ["F", "F", "F", "G"],
        "melds": [["J"] * 3, ["I1", "I2", "T"], ["C5"] * 3],
        "generals": 3,
    }
    assert answer(GAME, question)["total"] == 1 + 2 + 3 + 3


def test_a_question_that_cannot_be_raises() -> None:
    with pytest.raises(BadQuestion, match="9 cards T"):
        answer(GAME, hand_question(GAME, ["T"] * 9 + ["J"] * 4))


@pytest.mark.parametrize("times", [1, pytest.param(25, marks=pytest.mark.slow)])
def test_a_batch_of_thousands_is_answered_line_by_line_in_order(times: int) -> None:
    lines = [json.dumps(case) for case in CASES] * times
    answers = list(answer_batch(GAME, lines))
    assert len(answers) == len(lines) > 80 * times
    assert [found["total"] for found in answers] == [case["total"] for case in CASES] * times


@pytest.mark.parametrize(
    "line",
    [
        "",
        "not json",
        "[]",
        "3",
        "null",
        '{"hand": ["I1"]}',
        '{"hand": ["T","T","T","T","T","T","T","J","J","J","J","J"]}',
        '{"hand": ["J","J","J","J","J","J","J","J","J"], "melds": [["I1","I2","I4"]]}',
        b"\xff\xfe\x00",
        "[" * 100_000,
        '{"hand": ' + "9" * 5000 + "}",
        '{"generals": NaN, "hand": ["J","J","J","J","J","J","J","J","J","J","J","J"]}',
    ],
)
def test_a_bad_line_is_an_error_in_its_place(line: str | bytes) -> None:
    good = json.dumps(CASES[0])
    first, second, third = answer_batch(GAME, [good, line, good])
    assert first == third == answer_line(GAME, good) and first["total"] == CASES[0]["total"]
    assert list(second) == ["error"] and second["error"]


def test_answers_are_plain_json() -> None:
    for case in CASES:
        found = answer(GAME, case)
        assert json.loads(json.dumps(found)) == found


SAMURAI = "samurai-warfare"
FORCES = json.loads((Path(__file__).parent / "data" / "samurai_warfare_force.json").read_text())


def test_lines_of_samurai_warfare_are_answered_by_their_force() -> None:
    answers = answer_batch(SAMURAI, [json.dumps(case) for case in FORCES])
    assert list(answers) == [{"force": case["force"]} for case in FORCES]


def test_a_command_line_names_the_cards_played_and_those_destroyed() -> None:
    question = hand_question(SAMURAI, ["Takeda,cannons"], destroyed=["TAKEDA"])
    assert question == {"played": ["takeda", "cannons"], "destroyed": ["takeda"]}
    assert answer(SAMURAI, question) == {"force": 12}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (SAMURAI, {"melds": ["J J J"]}),
        (SAMURAI, {"generals": 1}),
        (GAME, {"destroyed": ["J"]}),
    ],
)
def test_an_option_of_another_game_is_refused(game: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadQuestion, match=f"there are no {next(iter(options))} in this game"):
        hand_question(game, ["J"], **options)
