"""What a hand of War Jhong could become: plans that it is a few cards away from.

A plan says what the finished hand would show, which cards are still missing for it, and which of
the hand's cards it has no use for. Only plans within reach are listed, so that a bot can weigh all.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.chart import diplomatic_combos, points
from p2pjong.games.war_jhong.cover import FORMATIONS, honor_counts, lowest_shift
from p2pjong.games.war_jhong.diplomacy import solutions
from p2pjong.games.war_jhong.faces import (
    COMMON_FACES,
    COMMON_MASK,
    FORT,
    GENERAL,
    JUNK,
    SHIFT,
    TACTICS,
    WEIGHT,
    pack,
)
from p2pjong.games.war_jhong.formations import FORTS, JUNKS, RUSE, MeldFaces, Pattern, meanings
from p2pjong.games.war_jhong.search import CONTAINING, SHIFTS, Patterns, count_common

Hole = tuple[int, Face]  # which Formation lacks it, and what

FACE_AT = dict(zip((SHIFT[face] for face in COMMON_FACES), COMMON_FACES, strict=True))
SOLUTION_POINTS = sum(value for _, value in diplomatic_combos(0))
# What a face-up Formation of three Tactics may be counted as: trying all 51 would take too long.
OPEN_RUSE = (RUSE, JUNKS, FORTS)


@dataclass(frozen=True, slots=True)
class Plan:
    """A finished hand within reach, worth `points` without Generals.

    `missing` are the faces that it lacks, each with whether a single discard of another seat would
    complete that Formation; `spare` are the hand's faces of which it leaves a copy unused.
    """

    points: int
    missing: tuple[tuple[Face, bool], ...]
    spare: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A plan under way: what it shows, what it lacks, the cards passed over, and the rest."""

    patterns: Patterns
    holes: tuple[Hole, ...]
    passed: int
    free: int
    budget: int


def list_plans(
    hand: Sequence[Face], melds: Sequence[MeldFaces], missing_max: int, left: Mapping[Face, int]
) -> list[Plan]:
    """The plans that lack at most so many cards; `left` counts the copies that are out of sight.

    Tactics cards are put where the fewest copies are left.
    """
    wilds = hand.count(TACTICS)
    packed = pack(hand)
    found = [
        _finish(draft, rest, hand, melds, left)
        for draft, rest in _drafts(packed, FORMATIONS - len(melds), wilds + missing_max)
    ]
    if not melds:
        found += _solution_plans(hand, wilds + missing_max, left)
    return found


def _drafts(packed: int, free: int, budget: int) -> Iterator[tuple[_Draft, tuple[int, int, int]]]:
    common = packed & COMMON_MASK
    junks, forts = honor_counts(packed)
    for fleets, walls in product(range(-(-junks // 3) + 1), range(-(-forts // 3) + 1)):
        holes = [(place, JUNK) for place in ()]
        lacking = max(0, 3 * fleets - junks) + max(0, 3 * walls - forts)
