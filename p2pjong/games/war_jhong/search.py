"""The search for the four patterns of a hand that score most (W9).

Going out means that all natural cards of the hand, but at most one, lie in Formations (cover.py).
So the search takes the lowest natural card, tries each pattern that contains it or leaves it over,
and goes on with the rest. Formations for which no natural card is left are free: Tactics cards
alone make them, and they may stand for anything. So may a face-up Formation of three Tactics.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from p2pjong.games.war_jhong import chart
from p2pjong.games.war_jhong.cover import FORMATIONS, honor_counts, lowest_shift
from p2pjong.games.war_jhong.faces import (
    COMMON_MASK,
    GENERAL_MASK,
    GENERAL_SHIFT,
    JUNK_SHIFT,
    SHIFT,
)
from p2pjong.games.war_jhong.formations import (
    CARDS,
    FORMATION_SIZE,
    FORTS,
    JUNKS,
    PATTERNS,
    RUSE,
    SUIT_PATTERNS,
    MeldFaces,
    Pattern,
    meanings,
)

Patterns: TypeAlias = tuple[Pattern, ...]
# What is fixed, sorted, and how many free Formations go with it.
Plan: TypeAlias = tuple[Patterns, int]


# For every pattern of Common cards, where its three cards are counted in a packed hand; for every
# such place, the patterns that contain it.
SHIFTS = tuple(tuple(SHIFT[face] for face in cards) for cards in CARDS[:JUNKS])
CONTAINING = {
    shift: tuple(pattern for pattern in PATTERNS[:JUNKS] if shift in SHIFTS[pattern])
    for shift in range(0, JUNK_SHIFT, 2)
}
EVEN_BITS = COMMON_MASK // 3


def _representatives() -> tuple[Pattern, ...]:
    first = {(chart.ARMY[pattern], chart.TRAITS[pattern]): pattern for pattern in PATTERNS[::-1]}
    grand = (pattern for run in chart.GRAND_RUNS for pattern in run)
    return tuple(sorted({*first.values(), *grand, JUNKS, FORTS, RUSE}))


# The first pattern of each suit and traits, and those that combos ask for by name.
REPRESENTATIVES = _representatives()


def _take(naturals: int, pattern: Pattern) -> tuple[int, int]:
    """The natural cards without those that the pattern uses, and how many these are."""
    used = 0
    for shift in SHIFTS[pattern]:
        if naturals >> shift & 3:
            naturals -= 1 << shift
            used += 1
    return naturals, used


def _honor_plans(held: int, pattern: Pattern, spare: int) -> Iterator[tuple[Patterns, int]]:
    """The ways to use so many Junks or Forts: the patterns, and the cards that may be left over."""
    full, rest = divmod(held, FORMATION_SIZE)
    yield (pattern,) * (full + (rest > 0)), spare
    if rest == 1 and spare:
        yield (pattern,) * full, spare - 1


def _add_plans(
    naturals: int, size: int, free: int, spare: int, chosen: Patterns, plans: set[Plan]
) -> None:
    """Adds all ways to use `size` Common cards in at most `free` Formations, `spare` left over."""
    if size > FORMATION_SIZE * free + spare:
        return
    if not size or not free:
        plans.add((tuple(sorted(chosen)), free))
        return
    shift = lowest_shift(naturals)
    for pattern in CONTAINING[shift]:
        rest, used = _take(naturals, pattern)
        _add_plans(rest, size - used, free - 1, spare, (*chosen, pattern), plans)
    if spare:
        _add_plans(naturals - (1 << shift), size - 1, free, spare - 1, chosen, plans)


def hand_plans(packed: int, formations: int, spare: int) -> set[Plan]:
    """All ways to make so many Formations of a packed hand, of which `spare` cards are left over.

    With none the hand does not go out with four Formations.
    """
    generals = packed >> GENERAL_SHIFT & GENERAL_MASK
    common = packed & COMMON_MASK
    size = (common & EVEN_BITS).bit_count() + 2 * (common & EVEN_BITS << 1).bit_count()
    junks, forts = honor_counts(packed)
    plans: set[Plan] = set()
    if generals > spare:
        return plans
    for fleet, after_junks in _honor_plans(junks, JUNKS, spare - generals):
        for wall, after_forts in _honor_plans(forts, FORTS, after_junks):
            free = formations - len(fleet) - len(wall)
            if free >= 0:
                _add_plans(common, size, free, after_forts, fleet + wall, plans)
    return plans


def _with_melds(plans: set[Plan], melds: Sequence[MeldFaces]) -> set[Plan]:
    choices = [meanings(meld) for meld in melds]
    free_melds = sum(RUSE in choice for choice in choices)
    settled = {tuple(each) for each in product(*(c for c in choices if RUSE not in c))}
    return {
        (tuple(sorted(melded + chosen)), free + free_melds)
        for melded in settled
        for chosen, free in plans
    }


def _worthwhile(fixed: Patterns) -> list[Pattern]:
    """The patterns among which the best completion of the fixed ones, and the least such, lies.

    Any other pattern can be swapped, in all its places and suits at once, for the first one of the
    same traits: that undoes no combo and comes earlier in the order.
    """
    same_numbers = {
        suit * SUIT_PATTERNS + chart.SHOWN_NUMBERS[pattern]
        for pattern in fixed
        if pattern < JUNKS
        for suit in range(3)
    }
    return sorted(same_numbers.union(REPRESENTATIVES))


def complete(plan: Plan) -> Iterator[Patterns]:
    """The whole fours of a plan that could be best."""
    fixed, free = plan
    if not free:
        return iter((fixed,))
    added = combinations_with_replacement(_worthwhile(fixed), free)
    return (tuple(sorted(fixed + more)) for more in added)


def best_patterns(packed: int, melds: Sequence[MeldFaces], spare: int) -> Patterns | None:
    """The four sorted patterns that score most, the least of equals; None without four."""
    plans = _with_melds(hand_plans(packed, FORMATIONS - len(melds), spare), melds)
    candidates = {patterns for plan in plans for patterns in complete(plan)}
    return min(candidates, key=lambda patterns: (-chart.points(patterns), patterns), default=None)
