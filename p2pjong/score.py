"""What `p2pjong score` answers, for every game: pure functions over questions; no terminal here.

A question is a JSON object whose fields the game names; an answer is one, too. The page on the
command line says what they hold.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from p2pjong.games import ENTRIES, part
from p2pjong.games.question import Answer, BadQuestion, Question, Scorer


def scorer_of(game: str) -> Scorer:
    """The scorer of a game."""
    scorer: Scorer = part(ENTRIES[game].answers).SCORER
    return scorer


def split_cards(game: str, words: Iterable[str]) -> list[str]:
    """The card codes in what was typed: apart by spaces or commas, in any case."""
    fold = scorer_of(game).fold_case
    return [fold(code) for word in words for code in word.replace(",", " ").split()]


def hand_question(
    game: str,
    cards: Sequence[str],
    melds: Iterable[str] = (),
    generals: int = 0,
    destroyed: Sequence[str] = (),
) -> Question:
    """The question that a command line asks; raises BadQuestion on an option not of this game."""
    scorer = scorer_of(game)
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
    return scorer_of(game).answer(question)


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
