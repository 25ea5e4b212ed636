"""What a finished hand of Not Your Ma's Jong is, as plainly as it reads: a slow second opinion.

It shares nothing with the package.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement

COLOURS = [suit + str(number) for suit in "RBG" for number in range(1, 7)]
SEASONS = ["S1", "S2", "S3", "S4"]
EMOTIONS = ["E1", "E2", "E3"]
ALL_FACES = [*COLOURS, *SEASONS, *EMOTIONS]


def is_set(cards: Sequence[str]) -> bool:
    """Three of a kind, or three consecutive numbers of one colour or Seasons (N2)."""
    one, two, three = sorted(cards)
    if one == two == three:
        return True
    if len({card[0] for card in cards}) > 1 or one[0] == "E":
        return False
    return int(two[1]) == int(one[1]) + 1 and int(three[1]) == int(two[1]) + 1


def without(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def are_sets(cards: Sequence[str]) -> bool:
    """Whether the cards part into sets, tried every way."""
    if not cards:
        return True
    first, *others = cards
    return any(
        is_set((first, *two)) and are_sets(without(others, two))
        for two in set(combinations(others, 2))
    )


def goes_out(hand: Sequence[str]) -> bool:
    """Whether some two equal cards leave nothing but sets."""
    pairs = {pair for pair in combinations(sorted(hand), 2) if pair[0] == pair[1]}
    return any(are_sets(without(sorted(hand), pair)) for pair in pairs)


def all_sets() -> list[tuple[str, ...]]:
    return [cards for cards in combinations_with_replacement(ALL_FACES, 3) if is_set(cards)]


def finished_hands(sets: int) -> Iterator[Counter[str]]:
    """All hands of so many sets and a pair that three copies of each card allow."""
    for chosen in combinations_with_replacement(all_sets(), sets):
        cards = Counter(card for each in chosen for card in each)
        for face in ALL_FACES:
            hand = cards + Counter({face: 2})
            if max(hand.values()) <= 3:
                yield hand


def distance(hand: Sequence[str], finished: Sequence[Counter[str]]) -> int:
    """How many cards the nearest finished hand has that this one lacks."""
    held = Counter(hand)
    return min((goal - held).total() for goal in finished)
