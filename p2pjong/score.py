"""What `p2pjong score` answers, for every game: pure functions over questions; no terminal here.

A question is a JSON object whose fields the game names; an answer is one, too. The page on the
command line says what they hold.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from p2pjong.games.not_your_mas_jong import answers as not_your_mas_jong
from p2pjong.games.question import BadQuestion
from p2pjong.games.samurai_warfare import answers as samurai_warfare
from p2pjong.games.war_jhong import answers as war_jhong

Question: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Scorer:
    """One game's scorer: `answer` raises BadQuestion, `fold_case` makes codes of typed ones.

    `cards` is the field of a question that the cards of a command line stand in, `options` are the
    fields that its options fill.
    """

    answer: Callable[[Question], Answer]
    fold_case: Callable[[str], str]
    cards: str
    options: tuple[str, ...]


SCORERS: dict[str, Scorer] = {
    "not-your-mas-jong": Scorer(not_your_mas_jong.answer, str.upper, "hand", ("melds",)),
    "samurai-warfare": Scorer(samurai_warfare.answer, str.lower, "played", ("destroyed",)),
    "war-jhong": Scorer(war_jhong.answer, str.upper, "hand", ("melds", "generals")),
}


def split_cards(game: str, words: Iterable[str]) -> list[str]:
    """The card codes in what was typed: apart by spaces or commas, in any case."""
    fold = SCORERS[game].fold_case
    return [fold(code) for word in words for code in word.replace(",", " ").split()]


def hand_question(
    game: str,
    cards: Sequence[str],
    melds: Iterable[str] = (),
    generals: int = 0,
    destroyed: Sequence[str] = (),
) -> Question:
    """The question that a command line asks; raises BadQuestion on an option not of this game."""
    scorer = SCORERS[game]
    given = {
        "melds": [split_cards(game, [meld]) for meld in melds],
        "generals": generals,
        "destroyed": split_cards(game, destroyed),
    }
    for name, value in given.items():
        if value and name not in scorer.options:
            raise BadQuestion(f"there are no {name} in this game")
    asked = {name: given[name] for name in scorer.options}
    return {scorer.cards: split_cards(game, cards), **asked}


def answer(game: str, question: Question) -> Answer:
    """The answer to one question; raises BadQuestion."""
    return SCORERS[game].answer(question)


def answer_line(game: str, line: str | bytes) -> Answer:
    """The answer to a question on one line of JSON, or `{"error": ..}` in its place."""
    try:
        return answer(game, _read_line(line))
    except BadQuestion as error:
        return {"error": str(error)}


def _read_line(line: str | bytes) -> Question:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadQuestion("the line is not JSON") from error
    if not isinstance(question, dict):
        raise BadQuestion("a question is a JSON object")
    return question


def answer_batch(game: str, lines: Iterable[str | bytes]) -> Iterator[Answer]:
    """One answer a line, in order; a question that cannot be stops nothing."""
    return (answer_line(game, line) for line in lines)
