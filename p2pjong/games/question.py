"""What every game's scorer refuses: a question about cards that cannot lie on a table."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from p2pjong.games.game import Face

QUOTED_MAX = 24
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


class BadQuestion(ValueError):
    """Cards that no deal of the game can bring together; the text is for the one who asked."""


def read_cards(asked: Any, what: str) -> tuple[Face, ...]:
    """A list of card codes from foreign JSON; raises BadQuestion on anything else."""
    if not isinstance(asked, list | tuple) or not all(isinstance(face, str) for face in asked):
        raise BadQuestion(f"{what} is a list of card codes")
    return tuple(asked)


def read_count(asked: Any, what: str) -> int:
    """A number of cards from foreign JSON; raises BadQuestion on anything else."""
    if not isinstance(asked, int) or isinstance(asked, bool) or asked < 0:
        raise BadQuestion(f"{what} is a number of cards")
    return asked


def check_copies(faces: Iterable[Face], copies: Mapping[Face, int]) -> None:
    """Raises BadQuestion on an unknown face, or on more copies of one than the deck has."""
    for face, held in Counter(faces).items():
        if face not in copies:
            raise BadQuestion(f"there is no card {face[:QUOTED_MAX]!r}")
        if held > copies[face]:
            raise BadQuestion(f"{held} cards {face}, but the deck has {copies[face]}")
