"""How many cards of a hand its best Formations can use: what going out comes down to.

A hand of n natural cards and t Tactics cards has to fill 3k places (k: Formations still to make).
Tactics cards fit anywhere (W4), so if k Formations can use u of the natural cards, 3k - t - u more
cards are missing. All that is left is to maximise u, suit by suit, over packed counts (faces.py).
"""

from functools import lru_cache
from typing import TypeAlias

from p2pjong.games.war_jhong.faces import (
    FORT_MASK,
    FORT_SHIFT,
    JUNK_MASK,
    JUNK_SHIFT,
    SUIT_BITS,
    SUIT_MASK,
)

FORMATIONS = 4
LAST_SEQUENCE_SHIFT = 12  # of 7, the lowest number of the highest sequence
# The most cards that 0, 1, .. 4 Formations can use.
Cover: TypeAlias = tuple[int, int, int, int, int]
NO_COVER: Cover = (0, 0, 0, 0, 0)


def lowest_shift(counts: int) -> int:
    """Where the lowest Common face present stands in packed counts."""
    return ((counts & -counts).bit_length() - 1) & ~1


@lru_cache(maxsize=1 << 15)
def suit_cover(counts: int) -> Cover:
    """The cover of one suit's packed counts."""
    if not counts:
        return NO_COVER
    shift = lowest_shift(counts)
    copies = counts >> shift & 3
    unused = suit_cover(counts - (1 << shift))
    triplet = suit_cover(counts - (copies << shift))
    # With nothing below, the highest sequence that holds the lowest face uses all that others do.
    rest, used = _without_sequence(counts, min(shift, LAST_SEQUENCE_SHIFT))
    sequence = suit_cover(rest)
    return (
        0,
        max(unused[1], copies + triplet[0], used + sequence[0]),
        max(unused[2], copies + triplet[1], used + sequence[1]),
        max(unused[3], copies + triplet[2], used + sequence[2]),
        max(unused[4], copies + triplet[3], used + sequence[3]),
    )


def _without_sequence(counts: int, low: int) -> tuple[int, int]:
    used = 0
    for shift in (low, low + 2, low + 4):
        if counts >> shift & 3:
            counts -= 1 << shift
            used += 1
    return counts, used


@lru_cache(maxsize=1 << 8)
def honor_cover(junks: int, forts: int) -> Cover:
    """The cover of Junks and Forts together."""
    return merge_covers(_pile_cover(junks), _pile_cover(forts))


def _pile_cover(held: int) -> Cover:
    return (0, min(held, 3), min(held, 6), min(held, 9), min(held, 12))


@lru_cache(maxsize=1 << 14)
def merge_covers(one: Cover, two: Cover) -> Cover:
    """The cover of two lots of cards that share no Formation."""
    _, a1, a2, a3, a4 = one
    _, b1, b2, b3, b4 = two
    return (
        0,
        max(a1, b1),
        max(a2, a1 + b1, b2),
        max(a3, a2 + b1, a1 + b2, b3),
        max(a4, a3 + b1, a2 + b2, a1 + b3, b4),
    )


def suit_counts(packed: int) -> tuple[int, int, int]:
    """The packed counts of Infantry, Archers and Cavalry."""
    return (
        packed & SUIT_MASK,
        packed >> SUIT_BITS & SUIT_MASK,
        packed >> 2 * SUIT_BITS & SUIT_MASK,
    )


def honor_counts(packed: int) -> tuple[int, int]:
    """How many Junks and Forts the hand has."""
    return packed >> JUNK_SHIFT & JUNK_MASK, packed >> FORT_SHIFT & FORT_MASK


def suits_cover(packed: int) -> Cover:
    """The cover of all Common cards of the hand."""
    infantry, archers, cavalry = map(suit_cover, suit_counts(packed))
    return merge_covers(merge_covers(infantry, archers), cavalry)


def most_used(packed: int, formations: int) -> int:
    """The most natural cards of the hand that so many Formations can use."""
    honors = honor_cover(*honor_counts(packed))
    return merge_covers(suits_cover(packed), honors)[formations]
