"""The Diplomatic Solution (W11): twelve cards that go up in threes, and no Formation among them.

Each suit gives a run of one residue class (1-4-7, 2-5-8 or 3-6-9), Junks and Forts at most two
each. All of it makes 13 cards, so a solution is a full set with exactly one card left out.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.cover import honor_counts, suit_counts
from p2pjong.games.war_jhong.faces import FORT, JUNK, NUMBERS, SUITS

SOLUTION_SIZE = 12
HONORS_MAX = 2
STEP = 3


@lru_cache(maxsize=1 << 12)
def _run_cover(counts: int) -> tuple[int, int]:
    """The most numbers of a suit that a run of three, and one of two, can use."""
    held = [counts >> 2 * (number - 1) & 3 > 0 for number in NUMBERS]
    classes = [held[start::STEP] for start in range(STEP)]
    threes = max(map(sum, classes))
    twos = max(max(low + mid, mid + top) for low, mid, top in classes)
    return threes, twos


def most_used_in_solution(packed: int) -> int:
    """The most natural cards of the hand that one Diplomatic Solution can use."""
    junks, forts = (min(held, HONORS_MAX) for held in honor_counts(packed))
    runs = [_run_cover(counts) for counts in suit_counts(packed)]
    full = sum(threes for threes, _ in runs) + junks + forts
    # One place of the 13 stays empty: the one whose loss costs least.
    losses = [threes - twos for threes, twos in runs]
    losses += [junks // HONORS_MAX, forts // HONORS_MAX]
    return full - min(losses)


def _suit_runs(suit: str, length: int) -> list[tuple[Face, ...]]:
    starts = [low for low in NUMBERS if low + STEP * (length - 1) <= NUMBERS[-1]]
    return [tuple(f"{suit}{low + STEP * place}" for place in range(length)) for low in starts]


def _solutions() -> Iterator[tuple[Face, ...]]:
    for *lengths, junks, forts in product((2, 3), (2, 3), (2, 3), (1, 2), (1, 2)):
        if sum(lengths) + junks + forts == SOLUTION_SIZE:
            runs = (_suit_runs(suit, length) for suit, length in zip(SUITS, lengths, strict=True))
            for one, two, three in product(*runs):
                yield (*one, *two, *three, *(JUNK,) * junks, *(FORT,) * forts)


@lru_cache(maxsize=1)
def solutions() -> tuple[tuple[Face, ...], ...]:
    """All 216 sets of cards that a Diplomatic Solution can stand for."""
    return tuple(_solutions())
