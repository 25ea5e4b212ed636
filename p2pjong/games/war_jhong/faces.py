"""The cards of War Jhong: their codes, how many of each there are, and hands packed into one int.

A packed hand is a sum of `WEIGHT`s: two bits for each of the 27 Common faces, wider fields for the
others. It counts right for every hand that the deck allows, and for no other.
"""

from collections.abc import Iterable

from p2pjong.games.cards import build_deck, rank_faces
from p2pjong.games.game import Face

SUITS = "IAC"
NUMBERS = range(1, 10)
JUNK, FORT, GENERAL, TACTICS = "J", "F", "G", "T"

COMMON_FACES: tuple[Face, ...] = tuple(f"{suit}{number}" for suit in SUITS for number in NUMBERS)
# In the order of the rules' card list; every "first" in scoring means first in this order.
COPIES: dict[Face, int] = {
    **dict.fromkeys(COMMON_FACES, 3),
    JUNK: 16,
    FORT: 9,
    GENERAL: 8,
    TACTICS: 6,
}
FACES: tuple[Face, ...] = tuple(COPIES)
DECK = build_deck(COPIES)
RANK = rank_faces(COPIES)

SUIT_BITS = 18
SUIT_MASK = (1 << SUIT_BITS) - 1
JUNK_SHIFT, FORT_SHIFT, GENERAL_SHIFT, TACTICS_SHIFT = 54, 59, 63, 67
JUNK_MASK, FORT_MASK, GENERAL_MASK, TACTICS_MASK = 31, 15, 15, 7
COMMON_MASK = (1 << JUNK_SHIFT) - 1

SHIFT: dict[Face, int] = {
    **{face: 2 * index for index, face in enumerate(COMMON_FACES)},
    JUNK: JUNK_SHIFT,
    FORT: FORT_SHIFT,
    GENERAL: GENERAL_SHIFT,
    TACTICS: TACTICS_SHIFT,
}
WEIGHT: dict[Face, int] = {face: 1 << shift for face, shift in SHIFT.items()}


def pack(hand: Iterable[Face]) -> int:
    """The hand as one int, whatever its order; KeyError on a code that is no card."""
    return sum(map(WEIGHT.__getitem__, hand))


def sorted_faces(hand: Iterable[Face]) -> tuple[Face, ...]:
    """The hand in the order of `FACES`."""
    return tuple(sorted(hand, key=RANK.__getitem__))
