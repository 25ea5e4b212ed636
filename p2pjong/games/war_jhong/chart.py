"""The scoring chart: what four Formations are worth, combo by combo (W10).

Everything is a table look-up on a few features of the four patterns, so that the search for the
best reading can afford to ask for the points of thousands of candidates.
"""

from collections.abc import Sequence
from typing import TypeAlias

from p2pjong.games.war_jhong.formations import (
    CARDS,
    FIRST_TRIPLET,
    FORTS,
    JUNKS,
    PATTERNS,
    RUSE,
    SUIT_PATTERNS,
    Pattern,
)

Combo: TypeAlias = tuple[str, int]

GOING_OUT: Combo = ("going_out", 1)
DIPLOMATIC_SOLUTION: Combo = ("diplomatic_solution", 2)
HIGH_LOW: Combo = ("high_low", 5)
GREAT_FORMATION: Combo = ("great_formation", 6)
ALL_TRIPLETS: Combo = ("all_triplets", 4)
ALL_SEQUENCES: Combo = ("all_sequences", 4)
SPLIT_ARMY: Combo = ("split_army", 3)
GRAND_FORMATION: Combo = ("grand_formation", 10)
GRAND_MANEUVER: Combo = ("grand_maneuver", 7)
GENERAL_POINTS = 1

CHART_ORDER = (
    "going_out",
    "double_formation",
    "triple_formation",
    "high_low",
    "fleet",
    "double_fleet",
    "triple_fleet",
    "armada",
    "wall",
    "border_wall",
    "great_wall",
    "great_formation",
    "general",
    "all_triplets",
    "all_sequences",
    "identical_double_formation",
    "identical_triple_formation",
    "split_army",
    "grand_formation",
    "grand_maneuver",
    "ruse",
    "great_ruse",
    "diplomatic_solution",
)

NOTHING: Combo = ("", 0)

# By the number of Formations of that kind; the tiers exclude one another (W10).
FLEETS = (NOTHING, ("fleet", 2), ("double_fleet", 4), ("triple_fleet", 8), ("armada", 16))
WALLS = (NOTHING, ("wall", 3), ("border_wall", 9), ("great_wall", 27), ("great_wall", 27))
RUSES = (NOTHING, ("ruse", 5), ("great_ruse", 25))

# By the sum of the squares of the sizes of the groups of equals, less the number of Formations: a
# group of two makes it 2, two such groups 4, one of three 6, one of four 12. Groups of three and of
# four score alike (W10).
SAME_NUMBERS: dict[int, Combo] = {
    0: NOTHING,
    2: ("double_formation", 3),
    4: ("double_formation", 6),
    6: ("triple_formation", 9),
    12: ("triple_formation", 9),
}
IDENTICAL: dict[int, Combo] = {
    0: NOTHING,
    2: ("identical_double_formation", 6),
    4: ("identical_double_formation", 12),
    6: ("identical_triple_formation", 18),
    12: ("identical_triple_formation", 18),
}

LOW, HIGH, SEQUENCE, TRIPLET = 1, 2, 4, 8
MIDDLE = 5


def _traits(pattern: Pattern) -> int:
    if pattern >= JUNKS:
        return 0
    numbers = [int(face[1]) for face in CARDS[pattern]]
    kind = SEQUENCE if pattern % SUIT_PATTERNS < FIRST_TRIPLET else TRIPLET
    return kind | LOW * (max(numbers) <= MIDDLE) | HIGH * (min(numbers) >= MIDDLE)


TRAITS = tuple(_traits(pattern) for pattern in PATTERNS)
SHOWN_NUMBERS = tuple(pattern % SUIT_PATTERNS for pattern in PATTERNS)
ARMY = tuple(pattern // SUIT_PATTERNS for pattern in PATTERNS)  # 0-2: the Common suit; 3: none
GRAND_RUNS = tuple((base, base + 3, base + 6) for base in range(0, JUNKS, SUIT_PATTERNS))


def _army_combo(patterns: Sequence[Pattern]) -> Combo:
    # The patterns are sorted: equal suits stand together, and what is not Common stands last.
    first, second, third, fourth = (ARMY[pattern] for pattern in patterns)
    if first == third and second < ARMY[JUNKS]:
        if first == fourth:
            return GREAT_FORMATION
        return GRAND_MANEUVER if patterns[3] in (JUNKS, FORTS) else NOTHING
    if first == second and third == fourth < ARMY[JUNKS]:
        return SPLIT_ARMY
    return NOTHING


def _rows(patterns: Sequence[Pattern]) -> tuple[Combo, ...]:
    first, second, third, fourth = patterns
    shared = TRAITS[first] & TRAITS[second] & TRAITS[third] & TRAITS[fourth]
    common = [pattern for pattern in patterns if pattern < JUNKS]
    numbers = [SHOWN_NUMBERS[pattern] for pattern in common]
    is_grand = any(
        low in common and mid in common and top in common for low, mid, top in GRAND_RUNS
    )
    return (
        GOING_OUT,
        SAME_NUMBERS[sum(map(numbers.count, numbers)) - len(common)],
        HIGH_LOW if shared & (LOW | HIGH) else NOTHING,
        FLEETS[patterns.count(JUNKS)],
        WALLS[patterns.count(FORTS)],
        ALL_TRIPLETS if shared & TRIPLET else ALL_SEQUENCES if shared & SEQUENCE else NOTHING,
        IDENTICAL[sum(map(common.count, common)) - len(common)],
        _army_combo(patterns),
        GRAND_FORMATION if is_grand else NOTHING,
        RUSES[patterns.count(RUSE)],
    )


def points(patterns: Sequence[Pattern]) -> int:
    """What four sorted patterns score, Generals apart."""
    return sum([value for _, value in _rows(patterns)])


def combos(patterns: Sequence[Pattern], generals: int) -> tuple[Combo, ...]:
    """The combos of four sorted patterns and the Generals discarded (W12), in chart order."""
    return _in_chart_order((*_rows(patterns), _general_combo(generals)))


def diplomatic_combos(generals: int) -> tuple[Combo, ...]:
    """All that a Diplomatic Solution scores (W11)."""
    return _in_chart_order((GOING_OUT, DIPLOMATIC_SOLUTION, _general_combo(generals)))


def _general_combo(generals: int) -> Combo:
    return ("general", generals * GENERAL_POINTS)


def _in_chart_order(rows: Sequence[Combo]) -> tuple[Combo, ...]:
    scored = [combo for combo in rows if combo[1]]
    return tuple(sorted(scored, key=lambda combo: CHART_ORDER.index(combo[0])))
