"""Questions about lines of cards in JSON, and their answers."""

from typing import Any

import pytest

from p2pjong.games.question import BadQuestion
from p2pjong.games.samurai_warfare.answers import answer


def test_any_cards_of_the_deck_add_up() -> None:
    line = ["takeda", "castle", "matchlock-gunners", "cannons", "minamoto", "honda"]
    assert answer({"played": line, "destroyed": []}) == {"force": 7 + 9 + 12 + 15 + 6 + 10}


def test_what_was_destroyed_counts_no_more_but_its_bonus_does() -> None:
    asked = {"played": ["takeda", "cannons"], "destroyed": ["takeda"]}
    assert answer(asked) == {"force": 12}


def test_one_of_two_equal_cards_may_be_destroyed() -> None:
    asked = {"played": ["yari-spearmen"] * 2, "destroyed": ["yari-spearmen"]}
    assert answer(asked) == {"force": 2}


def test_destroyed_may_be_missing_and_other_keys_are_passed_over() -> None:
    assert answer({"played": ["honda"], "force": 3}) == {"force": 10}
    assert answer({"played": []}) == {"force": 0}


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "played is a list"),
        ({"played": "honda"}, "played is a list"),
        ({"played": ["honda", 3]}, "played is a list"),
        ({"played": ["honda"], "destroyed": "honda"}, "destroyed is a list"),
        ({"played": ["geisha"]}, "there is no card 'geisha'"),
        ({"played": ["honda"], "destroyed": ["geisha"]}, "there is no card"),
        ({"played": ["honda", "honda"]}, "2 cards honda, but the deck has 1"),
        ({"played": ["yari-spearmen"] * 5}, "5 cards yari-spearmen"),
        ({"played": [], "destroyed": ["honda"]}, "honda was destroyed more often"),
        (
            {"played": ["naginata"], "destroyed": ["naginata", "naginata"]},
            "naginata was destroyed more often",
        ),
    ],
)
def test_a_question_that_cannot_be_is_refused(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(BadQuestion, match=why):
        answer(asked)
