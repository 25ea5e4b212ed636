"""Going out and points for the second verifier: that part of `protocol/war-jhong.md` alone.

Imports nothing of the project. Slow and plain: every choice of four patterns is tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

Patterns: TypeAlias = tuple[int, ...]

PATTERNS: list[list[str]] = [
    *(
        [f"{suit}{number}" for number in numbers]
        for suit in "IAC"
        for numbers in [
            *([low, low + 1, low + 2] for low in range(1, 8)),
            *([number] * 3 for number in range(1, 10)),
        ]
    ),
    ["J"] * 3,
    ["F"] * 3,
    ["T"] * 3,
]


def stands_for(cards: Sequence[str]) -> list[int]:
    """The patterns that three cards can stand for."""
    if "G" in cards:
        return []
    naturals = Counter(card for card in cards if card != "T")
    found = [n for n, faces in enumerate(PATTERNS[:50]) if naturals <= Counter(faces)]
    return found if naturals else [*found, 50]


def covered(hand: Counter[str], wilds: int, size: int, least: int = 0) -> Iterator[Patterns]:
    """The ascending lists of so many patterns that the hand covers. `hand` has no Tactics."""
    if not size:
        yield ()
        return
    for number in range(least, 51):
        wanted = Counter(PATTERNS[number])
        missing = 3 if number == 50 else (wanted - hand).total()
        if missing <= wilds:
            for rest in covered(hand - wanted, wilds - missing, size - 1, number):
                yield (number, *rest)


def formation_readings(hand: Sequence[str], melds: Sequence[Sequence[str]]) -> set[Patterns]:
    naturals = Counter(face for face in hand if face != "T")
    concealed = set(covered(naturals, list(hand).count("T"), 4 - len(melds)))
    face_up = set(product(*map(stands_for, melds)))
    return {tuple(sorted(up + down)) for up, down in product(face_up, concealed)}


def diplomatic_sets() -> Iterator[Counter[str]]:
    runs = [[low + 3 * n for n in range(size)] for size in (2, 3) for low in range(1, 10)]
    runs = [run for run in runs if run[-1] <= 9]
    for chosen in product(runs, runs, runs):
        cards = [f"{suit}{n}" for suit, run in zip("IAC", chosen, strict=True) for n in run]
        for junks, forts in product((1, 2), (1, 2)):
            if len(cards) + junks + forts == 12:
                yield Counter([*cards, *"J" * junks, *"F" * forts])


def is_diplomatic(hand: Sequence[str]) -> bool:
    held, wilds = Counter(face for face in hand if face != "T"), list(hand).count("T")
    return any((cards - held).total() <= wilds for cards in diplomatic_sets())


def has_reading(hand: Sequence[str], melds: Sequence[Sequence[str]]) -> bool:
    return bool(formation_readings(hand, melds)) or (not melds and is_diplomatic(hand))


def contains_claimed(hand: list[str], melds: Sequence[Sequence[str]], claimed: str) -> bool:
    if hand.count(claimed) > 1:
        return True
    others = [place for place, face in enumerate(hand) if face != claimed]
    return any(has_reading(hand[:place] + hand[place + 1 :], melds) for place in others)


def chart(patterns: Patterns, generals: int) -> list[tuple[str, int]]:
    """The combos of four ascending patterns, in the order of the chart."""
    common = [number for number in patterns if number < 48]
    numbers = [int(face[1]) for number in common for face in PATTERNS[number]]
    same = Counter(number % 16 for number in common).values()
    equal = Counter(common).values()
    suits = sorted(Counter(number // 16 for number in common).values())
    junks, forts, ruses = (patterns.count(number) for number in (48, 49, 50))
    four = len(common) == 4
    grand = any({u, u + 3, u + 6} <= set(common) for u in (0, 16, 32))
    lines = [
        ("going_out", 1),
        ("double_formation", 3 * sum(size == 2 for size in same)),
        ("triple_formation", 9 * sum(size >= 3 for size in same)),
        ("high_low", 5 * (four and (max(numbers) <= 5 or min(numbers) >= 5))),
        *((name, points) for name, points in [FLEETS[junks], WALLS[forts]]),
        ("great_formation", 6 * (suits == [4])),
        ("general", generals),
        ("all_triplets", 4 * (four and all(number % 16 >= 7 for number in common))),
        ("all_sequences", 4 * (four and all(number % 16 < 7 for number in common))),
        ("identical_double_formation", 6 * sum(size == 2 for size in equal)),
        ("identical_triple_formation", 18 * sum(size >= 3 for size in equal)),
        ("split_army", 3 * (suits == [2, 2])),
        ("grand_formation", 10 * grand),
        ("grand_maneuver", 7 * (suits == [3] and junks + forts == 1)),
        RUSES[ruses],
    ]
    return [(name, points) for name, points in lines if points]


FLEETS = [("", 0), ("fleet", 2), ("double_fleet", 4), ("triple_fleet", 8), ("armada", 16)]
WALLS = [("", 0), ("wall", 3), ("border_wall", 9), ("great_wall", 27), ("great_wall", 27)]
RUSES = [("", 0), ("ruse", 5), ("great_ruse", 25)]


def best_combos(
    hand: list[str], melds: Sequence[Sequence[str]], claimed: str | None, generals: int
) -> list[tuple[str, int]] | None:
    """The combos of the reading that counts, None if the hand does not go out."""
    readings = formation_readings(hand, melds)
    is_solution = not melds and is_diplomatic(hand)
    if not readings and not is_solution:
        return None
    if claimed is not None and not contains_claimed(hand, melds, claimed):
        return None
    scored = [chart(patterns, generals) for patterns in sorted(readings)]
    if is_solution:
        lines = [("going_out", 1), ("general", generals), ("diplomatic_solution", 2)]
        scored.append([(name, points) for name, points in lines if points])
    # The first of the best: Formations come before the solution, and in order among themselves.
    return max(scored, key=lambda combos: sum(points for _, points in combos))
