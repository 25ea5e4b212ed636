"""Seeded hands of War Jhong that a deal could bring: most of them go out, or all but do."""

from collections import Counter
from random import Random

from tests.support.war_jhong_oracle import COMMON

Question = tuple[tuple[str, ...], tuple[tuple[str, str, str], ...], int]

COPIES = {**dict.fromkeys(COMMON, 3), "J": 16, "F": 9, "G": 8, "T": 6}
DECK = [face for face, copies in COPIES.items() for _ in range(copies)]


def random_formation(rng: Random, suits: str) -> list[str]:
    kind = rng.choice("sssstttJFT")
    suit = rng.choice(suits)
    if kind == "s":
        low = rng.randint(1, 7)
        return [f"{suit}{low + step}" for step in range(3)]
    if kind == "t":
        return [f"{suit}{rng.randint(1, 9)}"] * 3
    return [kind] * 3


def is_of_one_deal(faces: list[str], generals: int = 0) -> bool:
    held = Counter(faces)
    held["G"] += generals
    return all(count <= COPIES[face] for face, count in held.items())


def random_question(rng: Random, wilds_max: int = 6) -> Question:
    """Four Formations, some face up, wilds in places, one more card, at times one card spoilt."""
    while True:
        suits = rng.choice(["I", "AC", "IAC", "IAC"])
        groups = [random_formation(rng, suits) for _ in range(4)]
        for _ in range(rng.randint(0, wilds_max)):
            group = rng.choice(groups)
            group[rng.randrange(3)] = "T"
        face_up = rng.choice([0, 0, 0, 1, 1, 2, 3, 4])
        hand = [face for group in groups[face_up:] for face in group]
        hand += [] if rng.random() < 0.1 else [rng.choice(DECK)]
        if hand and rng.random() < 0.25:
            hand[rng.randrange(len(hand))] = rng.choice(DECK)
        generals = rng.choice([0, 0, 1, 2, 5])
        everything = hand + [face for group in groups[:face_up] for face in group]
        if everything.count("T") <= wilds_max and is_of_one_deal(everything, generals):
            rng.shuffle(hand)
            melds = [tuple(rng.sample(group, 3)) for group in groups[:face_up]]
            return tuple(hand), tuple((one, two, three) for one, two, three in melds), generals


def random_solution(rng: Random) -> Question:
    """A Diplomatic Solution with wilds, at times one card spoilt."""
    cards = ["J", "J", "F", "F"]
    for suit in "IAC":
        low = rng.randint(1, 3)
        cards += [f"{suit}{low + step}" for step in (0, 3, 6)]
    cards.remove(rng.choice(cards))
    for place in rng.sample(range(12), rng.randint(0, 6)):
        cards[place] = "T"
    if rng.random() < 0.3:
        cards[rng.randrange(12)] = rng.choice(COMMON)
    while True:
        hand = [*cards, rng.choice(DECK)]
        if is_of_one_deal(hand):
            rng.shuffle(hand)
            return tuple(hand), (), rng.choice([0, 1, 3])
