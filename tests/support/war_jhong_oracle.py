"""War Jhong's chart and rulings as plainly as they read: a slow second opinion for the scorer.

It shares nothing with the package. Every wild card is replaced by every face, every card is left
over once, every partition is tried; only memoisation keeps that within reach. A Formation here is
the sorted triple of what its cards stand for; the Tactics Formation is ("T", "T", "T").
"""

from collections import Counter
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise, product

Cards = tuple[str, ...]
Reading = tuple[Cards, ...]

COMMON = [suit + str(number) for suit in "IAC" for number in range(1, 10)]
STAND_INS = [*COMMON, "J", "F"]
TACTICS_FORMATION = ("T", "T", "T")


def is_plain_formation(cards: Cards) -> bool:
    if all(card == "J" for card in cards) or all(card == "F" for card in cards):
        return True
    if any(card not in COMMON for card in cards) or len({card[0] for card in cards}) != 1:
        return False
    low, middle, high = sorted(int(card[1]) for card in cards)
    return low == middle == high or (middle == low + 1 and high == low + 2)


@cache
def meanings_of(cards: Cards) -> frozenset[Cards]:
    """All that three cards can stand for as a Formation."""
    found = set()
    for stand_ins in product(*(STAND_INS if card == "T" else [card] for card in cards)):
        if is_plain_formation(stand_ins):
            found.add(tuple(sorted(stand_ins)))
    if cards == TACTICS_FORMATION:
        found.add(TACTICS_FORMATION)
    return frozenset(found)


def without(cards: Cards, *gone: str) -> Cards:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


@lru_cache(maxsize=20_000)
def readings_of(cards: Cards) -> frozenset[Reading]:
    """All that exactly these cards, in threes, can stand for. `cards` is sorted."""
    if not cards:
        return frozenset({()})
    found = set()
    for one, two in set(combinations(cards[1:], 2)):
        for meaning in meanings_of((cards[0], one, two)):
            for others in readings_of(without(cards, cards[0], one, two)):
                found.add(tuple(sorted((meaning, *others))))
    return frozenset(found)


def all_diplomatic_solutions() -> list[Counter[str]]:
    """Every choice of numbers of each suit, kept if it goes up in threes and makes twelve cards."""
    runs = [
        numbers
        for size in range(10)
        for numbers in combinations(range(1, 10), size)
        if all(after - before == 3 for before, after in pairwise(numbers))
    ]
    found = []
    for infantry, archers, cavalry in product(runs, repeat=3):
        for junks, forts in product(range(3), repeat=2):
            if len(infantry) + len(archers) + len(cavalry) + junks + forts == 12:
                cards = [f"I{n}" for n in infantry] + [f"A{n}" for n in archers]
                cards += [f"C{n}" for n in cavalry] + ["J"] * junks + ["F"] * forts
                found.append(Counter(cards))
    return found


SOLUTIONS = all_diplomatic_solutions()


def is_diplomatic(cards: Cards) -> bool:
    naturals = Counter(card for card in cards if card != "T")
    return len(cards) == 12 and any(naturals <= solution for solution in SOLUTIONS)


@lru_cache(maxsize=100_000)
def chart(formations: Reading) -> tuple[tuple[str, int], ...]:
    """The combos of four Formations, read off the chart line by line."""
    common = [formation for formation in formations if formation[0] in COMMON]
    numbers = Counter(tuple(card[1] for card in formation) for formation in common)
    identical = Counter(common)
    suits = Counter(formation[0][0] for formation in common)
    junks = formations.count(("J", "J", "J"))
    forts = formations.count(("F", "F", "F"))
    ruses = formations.count(TACTICS_FORMATION)
    shown = [int(card[1]) for formation in common for card in formation]
    lines = {"going_out": 1}
    lines["double_formation"] = 3 * sum(1 for count in numbers.values() if count == 2)
    lines["triple_formation"] = 9 * sum(1 for count in numbers.values() if count >= 3)
    lines["identical_double_formation"] = 6 * sum(1 for n in identical.values() if n == 2)
    lines["identical_triple_formation"] = 18 * sum(1 for n in identical.values() if n >= 3)
    if len(common) == 4:
        if max(shown) <= 5 or min(shown) >= 5:
            lines["high_low"] = 5
        if len(suits) == 1:
            lines["great_formation"] = 6
        if sorted(suits.values()) == [2, 2]:
            lines["split_army"] = 3
        if all(len(set(formation)) == 1 for formation in common):
            lines["all_triplets"] = 4
        if all(len(set(formation)) == 3 for formation in common):
            lines["all_sequences"] = 4
    if len(common) == 3 and len(suits) == 1 and junks + forts == 1:
        lines["grand_maneuver"] = 7
    for suit in "IAC":
        runs = [tuple(suit + n for n in run) for run in ("123", "456", "789")]
        if all(run in common for run in runs):
            lines["grand_formation"] = 10
    if junks == 1:
        lines["fleet"] = 2
    if junks == 2:
        lines["double_fleet"] = 4
    if junks == 3:
        lines["triple_fleet"] = 8
    if junks == 4:
        lines["armada"] = 16
    if forts == 1:
        lines["wall"] = 3
    if forts == 2:
        lines["border_wall"] = 9
    if forts >= 3:
        lines["great_wall"] = 27
    if ruses == 1:
        lines["ruse"] = 5
    if ruses >= 2:
        lines["great_ruse"] = 25
    return tuple((name, points) for name, points in lines.items() if points)


def total_of(reading: Reading) -> int:
    return sum(points for _, points in chart(reading))


def remainders(hand: Cards, melds: tuple[Cards, ...]) -> set[Cards]:
    """The sorted hand less each card that could be left over; as it is, if none can be."""
    cards = tuple(sorted(hand))
    if len(hand) + 3 * len(melds) == 12:
        return {cards}
    return {without(cards, card) for card in cards}


def all_readings(hand: Cards, melds: tuple[Cards, ...]) -> set[Reading]:
    """The Formation readings of a hand, whatever is left over."""
    concealed = set(chain.from_iterable(map(readings_of, remainders(hand, melds))))
    face_up = product(*(meanings_of(tuple(sorted(meld))) for meld in melds))
    return {
        tuple(sorted((*shown, *reading))) for shown, reading in product(set(face_up), concealed)
    }


def oracle_total(hand: Cards, melds: tuple[Cards, ...], generals: int) -> int | None:
    """The best total of the hand, None if it does not go out."""
    totals = [total_of(reading) for reading in all_readings(hand, melds)]
    if not melds and any(map(is_diplomatic, remainders(hand, melds))):
        totals.append(1 + 2)
    return max(totals) + generals if totals else None


@lru_cache(maxsize=200_000)
def can_split(cards: Cards) -> bool:
    """Whether exactly these cards, sorted, make Formations, whichever."""
    if not cards:
        return True
    return any(
        meanings_of((cards[0], one, two)) and can_split(without(cards, cards[0], one, two))
        for one, two in set(combinations(cards[1:], 2))
    )


def oracle_goes_out(hand: Cards, melds: tuple[Cards, ...], claimed: str | None = None) -> bool:
    """Whether some reading goes out and, if a card was claimed, contains it (W5)."""
    for rest in remainders(hand, melds):
        if claimed is not None and claimed not in rest:
            continue
        if can_split(rest) or (not melds and is_diplomatic(rest)):
            return True
    return False


def oracle_distance(hand: Cards, melds: tuple[Cards, ...]) -> int:
    """The fewest cards to exchange: a card that may be anything is as good as a wild one."""
    needed = 12 - 3 * len(melds)
    for missing in range(needed + 1):
        for kept in set(combinations(sorted(hand), needed - missing)):
            cards = tuple(sorted((*kept, *["T"] * missing)))
            if can_split(cards) or (not melds and is_diplomatic(cards)):
                return missing
    raise AssertionError("wild cards alone go out")
