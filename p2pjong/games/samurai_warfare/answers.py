"""Questions about a line of cards from outside (`p2pjong score`), and their answers."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from p2pjong.games.game import Face
from p2pjong.games.question import Answer, BadQuestion, Scorer, check_copies, read_cards
from p2pjong.games.samurai_warfare.battlefield import force
from p2pjong.games.samurai_warfare.cards import COPIES, RANK


def read_question(asked: Mapping[str, Any]) -> tuple[tuple[Face, ...], tuple[Face, ...]]:
    """The cards in play and the fallen ones in `{"played": [..], "destroyed": [..]}`.

    `destroyed` (it may be missing) are some of those played. How they came into play is not asked.
    Raises BadQuestion.
    """
    played = read_cards(asked.get("played"), "played")
    destroyed = read_cards(asked.get("destroyed", []), "destroyed")
    check_copies(played, COPIES)
    check_copies(destroyed, COPIES)
    left = Counter(played)
    left.subtract(destroyed)
    for face, count in left.items():
        if count < 0:
            raise BadQuestion(f"{face} was destroyed more often than it was played")
    in_play = sorted(left.elements(), key=RANK.__getitem__)
    return tuple(in_play), destroyed


def answer(asked: Mapping[str, Any]) -> Answer:
    """The total at the Victory Phase, as JSON; raises BadQuestion."""
    return {"force": force(*read_question(asked))}


SCORER = Scorer(answer, str.lower, "played", ("destroyed",))
