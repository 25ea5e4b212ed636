"""Whether a hand goes out, and how or why not, for `p2pjong score`."""

from collections.abc import Mapping
from typing import Any

from p2pjong.games.not_your_mas_jong.answers import read_question
from p2pjong.games.not_your_mas_jong.hands import distance, ready_discards, split
from p2pjong.ui.not_your_mas_jong.cards import LOOK, card, split_lines
from p2pjong.ui.text import bold, plural, wrap


def score_lines(asked: Mapping[str, Any]) -> list[str]:
    """What `p2pjong score` tells a person about a question; raises BadQuestion."""
    question = read_question(asked)
    hand, melds = question.hand, question.melds
    found = split(hand, melds)
    if found:
        return [bold("goes out: three sets and a pair"), *split_lines(found, melds)]
    lines = [
        bold("does not go out"),
        f"  {plural(distance(hand, melds), 'card')} short of three sets and a pair",
    ]
    for face, awaited in ready_discards(hand, melds).items():
        lines += wrap([f"  discard {card(face)}: waiting for", LOOK.cards(awaited)])
    return lines
