"""Questions about a hand from outside (`p2pjong score`), and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from p2pjong.games.game import Face
from p2pjong.games.not_your_mas_jong.faces import sorted_faces
from p2pjong.games.not_your_mas_jong.hands import check_question, split
from p2pjong.games.question import Answer, BadQuestion, Scorer, read_cards


@dataclass(frozen=True)
class Question:
    """A hand of a round that can be; `split` takes it as it is."""

    hand: tuple[Face, ...]
    melds: tuple[tuple[Face, ...], ...]


def read_question(asked: Mapping[str, Any]) -> Question:
    """The question in `{"hand": [..], "melds": [[..]]}`; raises BadQuestion.

    `melds` may be missing; keys that mean nothing here are passed over.
    """
    hand = read_cards(asked.get("hand"), "hand")
    melds = asked.get("melds", [])
    if not isinstance(melds, list | tuple):
        raise BadQuestion("melds is a list of face-up sets")
    question = Question(hand, tuple(read_cards(meld, "a face-up set") for meld in melds))
    check_question(question.hand, question.melds)
    return question


def answer(asked: Mapping[str, Any]) -> Answer:
    """Whether and how the hand goes out, as JSON; raises BadQuestion.

    `formations` are the three sets, the face-up ones last. A hand has no points here, and no card
    is left over: those fields are there because they are in every game's answer about a hand.
    """
    question = read_question(asked)
    found = split(question.hand, question.melds)
    sets = [*found.sets, *map(sorted_faces, question.melds)] if found else []
    return {
        "goes_out": found is not None,
        "total": None,
        "combos": {},
        "formations": [list(cards) for cards in sets],
        "pair": list(found.pair) if found else None,
        "left_over": None,
    }


SCORER = Scorer(answer, str.upper, "hand", ("melds",))
