"""The scorer against a brute-force oracle, on seeded hands with many wilds and face-up sets."""

from collections import Counter
from random import Random

import pytest

from p2pjong.games.war_jhong.scoring import Reading, goes_out, score
from p2pjong.games.war_jhong.waits import check_question
from tests.support import war_jhong_oracle as oracle
from tests.support.marks import first_quick
from tests.support.war_jhong_hands import Question, random_question, random_solution


def ordered(reading: oracle.Reading) -> list[tuple[int, int, tuple[str, ...]]]:
    """The documented order of W9, worked out from the cards that are shown."""
    suits = "IACJFT"
    return sorted((suits.index(cards[0][0]), len(set(cards)) == 1, cards) for cards in reading)


def check_reading(question: Question, reading: Reading) -> None:
    """The reading's cards are the hand's, and its combos are those of what it shows."""
    hand, melds, generals = question
    laid = [group.cards for group in reading.formations]
    laid += [reading.solution.cards] if reading.solution else []
    dealt = Counter(hand)
    for meld in melds:
        dealt.update(meld)
    used = Counter(card for cards in laid for card in cards)
    used.update([reading.left_over] if reading.left_over else [])
    assert used == dealt
    for meld, group in zip(melds, reading.formations, strict=False):
        assert group.is_face_up and Counter(group.cards) == Counter(meld)
    groups = [*reading.formations, *([reading.solution] if reading.solution else [])]
    for group in groups:
        pairs = zip(group.cards, group.stands_for, strict=True)
        assert all(card in ("T", face) for card, face in pairs)
    shown = tuple(sorted(tuple(sorted(group.stands_for)) for group in reading.formations))
    lines = dict(oracle.chart(shown)) if shown else {"going_out": 1, "diplomatic_solution": 2}
    assert dict(reading.combos) == lines | ({"general": generals} if generals else {})
    assert reading.total == sum(points for _, points in reading.combos)


def check_first(question: Question, reading: Reading) -> None:
    """Of the readings with the highest total, this one is the first in order (W9)."""
    hand, melds, generals = question
    totals = {each: oracle.total_of(each) for each in oracle.all_readings(hand, melds)}
    best = [ordered(each) for each, total in totals.items() if total + generals == reading.total]
    shown = tuple(tuple(sorted(group.stands_for)) for group in reading.formations)
    assert (min(best) if best else []) == ordered(shown)


def check_question_against_oracle(question: Question) -> bool:
    check_question(*question)
    reading = score(*question)
    total = oracle.oracle_total(*question)
    assert (reading and reading.total) == total, question
    assert goes_out(question[0], question[1]) == (total is not None), question
    if reading is not None:
        check_reading(question, reading)
        check_first(question, reading)
    return total is not None


def check_many(seed: int, hands: int) -> None:
    rng = Random(seed)
    going_out = 0
    for turn in range(hands):
        question = random_question(rng) if turn % 10 else random_solution(rng)
        going_out += check_question_against_oracle(question)
    assert 0.7 * hands < going_out < 0.98 * hands  # both answers are put to the test


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(10)))
def test_fifteen_hundred_hands_agree_with_the_oracle(seed: int) -> None:
    check_many(seed, hands=150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_thirty_thousand_hands_agree_with_the_oracle(seed: int) -> None:
    check_many(seed, hands=500)


def test_hands_of_six_wilds_agree_with_the_oracle() -> None:
    rng = Random(2)
    for _ in range(12):
        naturals = [rng.choice("IA") + str(rng.randint(1, 9)) for _ in range(7)]
        if max(Counter(naturals).values()) <= 3:
            check_question_against_oracle((("T",) * 6 + tuple(naturals), (), 0))


def test_face_up_wilds_agree_with_the_oracle() -> None:
    for hand, melds in [
        ("I4 I5 I6 C5 C5 C5 J", ["T T T", "T T T"]),
        ("F F F F F F F", ["T T T", "T T T"]),
        ("I4 I5 I6 I7 I8 I9 J J J T", ["T T T"]),
        ("I1 I1 I5 I5 A3 A3 J T T T", ["T T T"]),
        ("I4 I5 I6 T T C5 G", ["T I5 T", "A2 T T"]),
        ("F", ["T I5 T", "A2 T T", "T T A2", "I4 I5 I6"]),
        ("T", ["T T I4", "T T T", "I4 I5 I6", "C4 C4 C4"]),
    ]:
        shown = [tuple(meld.split()) for meld in melds]
        triples = tuple((one, two, three) for one, two, three in shown)
        assert check_question_against_oracle((tuple(hand.split()), triples, 0)), hand
