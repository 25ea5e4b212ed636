"""What three cards can stand for: the 51 patterns of a Formation (W4).

A pattern is an int, so that sorting, counting and comparing whole hands of them is cheap: suit
times 16 plus the place among the suit's 7 sequences (0-6, by lowest number) and 9 triplets (7-15);
then Junks, Forts and Tactics. This numbering is also the fixed order of W9.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import (
    FORT,
    GENERAL,
    JUNK,
    NUMBERS,
    SUITS,
    TACTICS,
)

Pattern: TypeAlias = int
MeldFaces: TypeAlias = tuple[Face, ...]  # the three cards of a face-up Formation

SUIT_PATTERNS = 16
FIRST_TRIPLET = 7
JUNKS: Pattern = 48
FORTS: Pattern = 49
RUSE: Pattern = 50  # three Tactics cards that stand for themselves
PATTERNS = range(51)
FORMATION_SIZE = 3


def _suit_cards(suit: str) -> list[tuple[Face, ...]]:
    sequences = [tuple(f"{suit}{low + step}" for step in range(3)) for low in NUMBERS[:-2]]
    triplets = [(f"{suit}{number}",) * 3 for number in NUMBERS]
    return sequences + triplets


# The cards that each pattern shows.
CARDS: tuple[tuple[Face, ...], ...] = (
    *(cards for suit in SUITS for cards in _suit_cards(suit)),
    (JUNK,) * 3,
    (FORT,) * 3,
    (TACTICS,) * 3,
)


def _fits(naturals: Sequence[Face], pattern: Pattern) -> bool:
    cards = CARDS[pattern]
    return all(naturals.count(face) <= cards.count(face) for face in naturals)


@lru_cache(maxsize=4096)  # a table has few hundred kinds of triples
def meanings(cards: tuple[Face, ...]) -> tuple[Pattern, ...]:
    """The patterns that `cards` can stand for, in order; () if they are no Formation.

    Tactics cards may stand for any Common or Honor card, or three of them for themselves (W4).
    """
    naturals = [face for face in cards if face != TACTICS]
    if len(cards) != FORMATION_SIZE or GENERAL in naturals:
        return ()
    wild = tuple(pattern for pattern in PATTERNS[:RUSE] if _fits(naturals, pattern))
    return wild if naturals else (*wild, RUSE)


def is_formation(cards: Sequence[Face]) -> bool:
    """Whether the three cards are, or by Tactics can stand for, a Formation."""
    return bool(meanings(tuple(cards)))
