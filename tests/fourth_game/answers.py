"""What `p2pjong score` says of it: whether a hand is safe, and its best card."""

from collections.abc import Mapping
from typing import Any

from p2pjong.games.question import Answer, BadQuestion, Scorer, read_cards


def answer(asked: Mapping[str, Any]) -> Answer:
    hand = read_cards(asked.get("hand"), "hand")
    if len(hand) != 3 or not set(hand) <= set("1234"):
        raise BadQuestion("a hand is three cards, 1 to 4")
    return {"is_safe": len(set(hand)) == 1, "best": max(hand)}


SCORER = Scorer(answer, str.upper, "hand", ())
