"""The best of all readings of a hand (W9), and why it is worth what it is.

A reading says which card is left over, how the others split, and what each Tactics card stands for.
Of readings with equal totals the first counts: four Formations before a Diplomatic Solution; then
the least sorted list of patterns (formations.py numbers them); then the least list of what the
face-up Formations stand for, as they lie. Of Diplomatic Solutions the first in diplomacy.py's list
counts. Given these, Tactics cards stand only where no natural card is held, and the earliest
Formation gets the natural cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.chart import Combo, combos, diplomatic_combos
from p2pjong.games.war_jhong.cover import FORMATIONS
from p2pjong.games.war_jhong.diplomacy import solutions
from p2pjong.games.war_jhong.faces import TACTICS, pack
from p2pjong.games.war_jhong.formations import (
    CARDS,
    FORMATION_SIZE,
    MeldFaces,
    is_formation,
    meanings,
)
from p2pjong.games.war_jhong.search import Patterns, best_patterns
from p2pjong.games.war_jhong.waits import (
    check_question,
    distance,
    goes_out,
    nearing,
    ready_discards,
    waits,
)

__all__ = [
    "Group",
    "Reading",
    "check_question",
    "distance",
    "goes_out",
    "is_formation",
    "nearing",
    "ready_discards",
    "score",
    "waits",
]


@dataclass(frozen=True)
class Group:
    """Cards that lie together: as held, and card by card what they stand for."""

    cards: tuple[Face, ...]
    stands_for: tuple[Face, ...]
    is_face_up: bool = False


@dataclass(frozen=True)
class Reading:
    """What a hand that goes out scores: `combos` in chart order add up to `total`.

    `formations` are the face-up ones as they lie, then the hand's. A Diplomatic Solution has none,
    but a `solution` of twelve cards. `left_over` is None if the hand has no card too many.
    """

    total: int
    combos: tuple[Combo, ...]
    formations: tuple[Group, ...]
    solution: Group | None
    left_over: Face | None


def score(hand: Sequence[Face], melds: Sequence[MeldFaces], generals: int) -> Reading | None:
    """The best reading of a hand that goes out, None for one that does not.

    The hand is 12 or 13 cards, less 3 for each meld, of a deal that can be (`check_question`);
    `generals` are those that its owner discarded in this hand (W12).
    """
    spare = len(hand) - FORMATION_SIZE * (FORMATIONS - len(melds))
    assert spare in (0, 1), "check_question comes first"
    patterns = best_patterns(pack(hand), melds, spare)
    if not melds and (solution := _first_solution(hand, spare)):
        scored = diplomatic_combos(generals)
        if patterns is None or _total(combos(patterns, generals)) < _total(scored):
            return _solution_reading(hand, solution, scored)
    if patterns is None:
        return None
    return _formation_reading(hand, melds, patterns, combos(patterns, generals))


def _total(scored: tuple[Combo, ...]) -> int:
    return sum(value for _, value in scored)


def _first_solution(hand: Sequence[Face], spare: int) -> tuple[Face, ...] | None:
    naturals = Counter(face for face in hand if face != TACTICS)
    for solution, counted in _counted_solutions():
        if (naturals - counted).total() <= spare:
            return solution
    return None


@cache
def _counted_solutions() -> tuple[tuple[tuple[Face, ...], Counter[Face]], ...]:
    return tuple([(solution, Counter(solution)) for solution in solutions()])


def _solution_reading(
    hand: Sequence[Face], solution: tuple[Face, ...], scored: tuple[Combo, ...]
) -> Reading:
    left = Counter(hand)
    group = _lay(solution, left)
    return Reading(_total(scored), scored, (), group, _only(left))


def _formation_reading(
    hand: Sequence[Face], melds: Sequence[MeldFaces], patterns: Patterns, scored: tuple[Combo, ...]
) -> Reading:
    left = Counter(hand)
    melded, rest = next(_splits(left, melds, patterns))
    groups = [
        _lay(CARDS[pattern], Counter(meld), is_face_up=True)
        for pattern, meld in zip(melded, melds, strict=True)
    ]
    groups += [_lay(CARDS[pattern], left) for pattern in rest]
    return Reading(_total(scored), scored, tuple(groups), None, _only(left))


def _splits(
    hand: Counter[Face], melds: Sequence[MeldFaces], patterns: Patterns
) -> Iterator[tuple[Patterns, Patterns]]:
    """How the patterns go to the face-up Formations and to the hand, least first."""
    if not melds:
        if _can_hold(hand, patterns):
            yield (), patterns
        return
    for pattern in dict.fromkeys(patterns):
        if pattern in meanings(melds[0]):
            place = patterns.index(pattern)
            others = patterns[:place] + patterns[place + 1 :]
            for melded, rest in _splits(hand, melds[1:], others):
                yield (pattern, *melded), rest


def _can_hold(hand: Counter[Face], patterns: Patterns) -> bool:
    wanted = Counter(face for pattern in patterns for face in CARDS[pattern])
    return (wanted - hand).total() <= hand[TACTICS] - wanted[TACTICS]


def _lay(cards: tuple[Face, ...], held: Counter[Face], is_face_up: bool = False) -> Group:
    """Takes the cards from those held, a Tactics card for each that is missing."""
    laid = []
    for face in cards:
        card = face if held[face] else TACTICS
        held[card] -= 1
        laid.append(card)
    return Group(tuple(laid), cards, is_face_up)


def _only(left: Counter[Face]) -> Face | None:
    faces = list(left.elements())
    assert len(faces) <= 1 and min(left.values(), default=0) >= 0, (
        "a reading uses all cards but one"
    )
    return faces[0] if faces else None
