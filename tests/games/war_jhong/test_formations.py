"""What three cards can stand for (W4)."""

from itertools import combinations_with_replacement

import pytest

from p2pjong.games.war_jhong.faces import FACES
from p2pjong.games.war_jhong.formations import (
    CARDS,
    PATTERNS,
    RUSE,
    is_formation,
    meanings,
)
from tests.support.war_jhong_oracle import meanings_of


def meant(cards: str) -> set[str]:
    return {" ".join(CARDS[pattern]) for pattern in meanings(tuple(cards.split()))}


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("I1 I2 I3", {"I1 I2 I3"}),
        ("I3 I1 I2", {"I1 I2 I3"}),
        ("C9 C9 C9", {"C9 C9 C9"}),
        ("J J J", {"J J J"}),
        ("T F T", {"F F F"}),
        ("I4 T I5", {"I3 I4 I5", "I4 I5 I6"}),
        ("I4 T I6", {"I4 I5 I6"}),
        ("I8 T I9", {"I7 I8 I9"}),
        ("A4 A4 T", {"A4 A4 A4"}),
        ("T C1 T", {"C1 C2 C3", "C1 C1 C1"}),
        ("T C5 T", {"C3 C4 C5", "C4 C5 C6", "C5 C6 C7", "C5 C5 C5"}),
    ],
)
def test_three_cards_stand_for_all_that_they_can(cards: str, expected: set[str]) -> None:
    assert meant(cards) == expected


def test_three_tactics_stand_for_anything_or_for_themselves_w4() -> None:
    assert meanings(("T", "T", "T")) == tuple(PATTERNS)


@pytest.mark.parametrize(
    "cards",
    ["I1 I2 I4", "I1 I2 A3", "I1 I1 I2", "I8 I9 I1", "I1 A1 C1", "J J F", "J T I1", "I1 T I4"],
)
def test_cards_that_do_not_match_are_no_formation(cards: str) -> None:
    assert not is_formation(cards.split())


@pytest.mark.parametrize("cards", ["G G G", "G T T", "G J J"])
def test_generals_are_never_part_of_a_formation_w4(cards: str) -> None:
    assert not is_formation(cards.split())


@pytest.mark.parametrize("cards", [[], ["J"], ["J", "J"], ["J"] * 4, ["I1", "I2", "I3", "I4"]])
def test_a_formation_has_three_cards(cards: list[str]) -> None:
    assert not is_formation(cards)


def test_an_unknown_code_is_no_formation() -> None:
    assert not is_formation(["X1", "T", "T"])


def test_every_triple_of_the_deck_means_what_brute_force_says() -> None:
    for cards in combinations_with_replacement(FACES, 3):
        found = {tuple(sorted(CARDS[pattern])) for pattern in meanings(cards)}
        assert found == meanings_of(cards), cards


def test_patterns_are_numbered_in_the_order_of_suits_then_kinds_then_numbers() -> None:
    assert [" ".join(CARDS[number]) for number in (0, 6, 7, 15, 16, 48, 49, RUSE)] == [
        "I1 I2 I3",
        "I7 I8 I9",
        "I1 I1 I1",
        "I9 I9 I9",
        "A1 A2 A3",
        "J J J",
        "F F F",
        "T T T",
    ]
