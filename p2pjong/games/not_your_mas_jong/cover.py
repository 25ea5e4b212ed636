"""How many cards of a hand the sets and the pair of a finished one can use, suit by suit.

Theory of operation. A finished hand has some sets and one pair. For each suit a row says, at index
2 * sets + pairs, how many of its held cards so many sets and pairs can use at most, whatever else
they still lack; rows of several suits are joined into one. A suit has few patterns of held cards
(4096 for a colour, which the three colours share), so that its rows are made once and kept.
"""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import product
from typing import TypeAlias

from p2pjong.games.not_your_mas_jong.faces import BITS, COPIES_EACH, SUITS
from p2pjong.games.not_your_mas_jong.sets import SET_SIZE

Row: TypeAlias = tuple[int, ...]

SETS_TO_WIN = 3
PAIR_SIZE = 2
MANY = 9
NEVER = -100  # so many sets and pairs of one suit would take more copies than there are
WANTED = tuple(product(range(SETS_TO_WIN + 1), range(2)))  # the (sets, pairs) of a row's places
FACE_MASK = (1 << BITS) - 1


def _fields() -> tuple[tuple[int, int, int, bool], ...]:
    fields, shift = [], 0
    for suit in SUITS:
        bits = BITS * len(suit.faces)
        fields.append((shift, (1 << bits) - 1, len(suit.faces), suit.is_ordered))
        shift += bits
    return tuple(fields)


FIELDS = _fields()  # of each suit: where it stands in a packed hand, its mask, its size, its order
PLACE = {wanted: place for place, wanted in enumerate(WANTED)}
# For each place of a joined row, the pairs of places in two rows that it can come from.
JOINS = tuple(
    tuple(
        (PLACE[one_sets, one_pairs], PLACE[sets - one_sets, pairs - one_pairs])
        for one_sets in range(sets + 1)
        for one_pairs in range(pairs + 1)
    )
    for sets, pairs in WANTED
)


def _ways() -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
    """For each number of free copies of a face, what may begin at it without taking more.

    Sequences, triplets, pairs, and the copies that they take together.
    """
    counts = product(range(COPIES_EACH + 1), range(2), range(2))
    every = [(*ways, ways[0] + SET_SIZE * ways[1] + PAIR_SIZE * ways[2]) for ways in counts]
    return tuple(
        tuple(ways for ways in every if ways[3] <= free) for free in range(COPIES_EACH + 1)
    )


WAYS = _ways()


@cache
def suit_row(held: int, size: int, is_ordered: bool) -> Row:
    """The row of one suit of `size` faces, of which `held` has the packed cards.

    Goes from face to face. A cell's key is (sets begun, pairs begun, sequences that began two faces
    ago, sequences that began one face ago); its value the most held cards used so far.
    """
    cells = {(0, 0, 0, 0): 0}
    for place in range(size):
        count = held >> BITS * place & FACE_MASK
        has_runs = is_ordered and place + SET_SIZE <= size
        after: dict[tuple[int, int, int, int], int] = {}
        for (sets, pairs, older, last), used in cells.items():
            for runs, triplets, more, taken in WAYS[COPIES_EACH - older - last]:
                key = (sets + runs + triplets, pairs + more, last, runs)
                if key[0] <= SETS_TO_WIN and key[1] <= 1 and (has_runs or not runs):
                    after[key] = max(after.get(key, NEVER), used + min(count, older + last + taken))
        cells = after
    return tuple([cells.get((sets, pairs, 0, 0), NEVER) for sets, pairs in WANTED])


@cache
def whole_pairs(held: int, size: int, is_ordered: bool) -> int:
    """How many pairs are left over, 0 or 1, where sets take all other cards of the suit.

    More than any hand may have, where they cannot.
    """
    counts = [held >> BITS * place & FACE_MASK for place in range(size)]
    over = sum(counts) % SET_SIZE
    if not over and _is_sets(counts, is_ordered):
        return 0
    if over == PAIR_SIZE:
        for place in range(size):
            rest = [count - PAIR_SIZE * (place == each) for each, count in enumerate(counts)]
            if _is_sets(rest, is_ordered):
                return 1
    return MANY


def _is_sets(counts: Sequence[int], is_ordered: bool) -> bool:
    left = list(counts)
    for place in range(len(left)):
        # Three sequences from here on are as good as the three triplets of the same cards.
        runs = left[place] % SET_SIZE
        if left[place] < 0 or (runs and not (is_ordered and place + SET_SIZE <= len(left))):
            return False
        for step in range(1, SET_SIZE) if runs else ():
            left[place + step] -= runs
    return True


def suit_rows(packed: int) -> tuple[Row, ...]:
    """The rows of all suits of a packed hand."""
    return tuple(
        [suit_row(packed >> shift & mask, size, order) for shift, mask, size, order in FIELDS]
    )


def join(one: Row, other: Row) -> Row:
    """The row of two suits, or two groups of suits, together."""
    return tuple([max([one[a] + other[b] for a, b in places]) for places in JOINS])


def most_used(packed: int, sets: int) -> int:
    """The most cards of the hand that `sets` sets and a pair can use."""
    return reduce(join, suit_rows(packed))[PLACE[sets, 1]]


def is_whole(packed: int) -> bool:
    """Whether all cards of the hand together are sets and exactly one pair."""
    pairs = 0
    for shift, mask, size, order in FIELDS:
        pairs += whole_pairs(packed >> shift & mask, size, order)
    return pairs == 1
