"""The cards of Not Your Ma's Jong: 25 faces in five suits, three copies of each.

A packed hand is a sum of `WEIGHT`s: two bits for each face, suit after suit.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from p2pjong.games.cards import build_deck, rank_faces
from p2pjong.games.game import Face

COPIES_EACH = 3
BITS = 2  # enough to count the copies of one face


@dataclass(frozen=True)
class Suit:
    """`faces` in order of codes; `is_ordered` if three in a row are a set (N2)."""

    name: str
    faces: tuple[Face, ...]
    is_ordered: bool


def _suit(name: str, size: int, is_ordered: bool = True) -> Suit:
    return Suit(name, tuple(f"{name[0]}{number}" for number in range(1, size + 1)), is_ordered)


# In the order of the rulings' card list; every "first" means first in this order.
SUITS = (
    _suit("Red", 6),
    _suit("Blue", 6),
    _suit("Green", 6),
    _suit("Seasons", 4),
    _suit("Emotions", 3, is_ordered=False),
)
FACES: tuple[Face, ...] = tuple(face for suit in SUITS for face in suit.faces)
COPIES: dict[Face, int] = dict.fromkeys(FACES, COPIES_EACH)
DECK = build_deck(COPIES)
RANK = rank_faces(COPIES)
WEIGHT: dict[Face, int] = {face: 1 << BITS * rank for face, rank in RANK.items()}


def pack(hand: Iterable[Face]) -> int:
    """The hand as one int, whatever its order; KeyError on a code that is no card."""
    return sum(map(WEIGHT.__getitem__, hand))


def sorted_faces(hand: Iterable[Face]) -> tuple[Face, ...]:
    """The hand in the order of `FACES`."""
    return tuple(sorted(hand, key=RANK.__getitem__))
