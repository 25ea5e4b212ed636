"""Questions about a hand from outside (`p2pjong score`), and their answers."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from p2pjong.games.game import Face
from p2pjong.games.question import Answer, BadQuestion, Scorer, read_cards, read_count
from p2pjong.games.war_jhong.scoring import Group, Reading, check_question, score

NOT_OUT: Answer = {
    "goes_out": False,
    "total": None,
    "combos": {},
    "formations": [],
    "stands_for": [],
    "solution": None,
    "left_over": None,
}


@dataclass(frozen=True)
class Question:
    """A hand of a deal that can be; `score` takes it as it is."""

    hand: tuple[Face, ...]
    melds: tuple[tuple[Face, ...], ...]
    generals: int


def read_question(asked: Mapping[str, Any]) -> Question:
    """The question in `{"hand": [..], "melds": [[..]], "generals": n}`; raises BadQuestion.

    `melds` and `generals` may be missing; keys that mean nothing here are passed over.
    """
    hand = read_cards(asked.get("hand"), "hand")
    melds = asked.get("melds", [])
    if not isinstance(melds, list | tuple):
        raise BadQuestion("melds is a list of face-up Formations")
    question = Question(
        hand,
        tuple(read_cards(meld, "a face-up Formation") for meld in melds),
        read_count(asked.get("generals", 0), "generals"),
    )
    check_question(question.hand, question.melds, question.generals)
    return question


def answer(asked: Mapping[str, Any]) -> Answer:
    """What the hand is worth, as JSON; raises BadQuestion."""
    question = read_question(asked)
    reading = score(question.hand, question.melds, question.generals)
    return _answer_out(reading) if reading else deepcopy(NOT_OUT)


def _answer_out(reading: Reading) -> Answer:
    return {
        "goes_out": True,
        "total": reading.total,
        "combos": dict(reading.combos),
        "formations": [list(group.cards) for group in reading.formations],
        "stands_for": [list(group.stands_for) for group in reading.formations],
        "solution": reading.solution and _solution(reading.solution),
        "left_over": reading.left_over,
    }


def _solution(group: Group) -> Answer:
    return {"cards": list(group.cards), "stands_for": list(group.stands_for)}


SCORER = Scorer(answer, str.upper, "hand", ("melds", "generals"))
