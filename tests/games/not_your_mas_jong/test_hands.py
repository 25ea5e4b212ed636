"""Whether hands go out and how far they are from it, against the cases and a plain oracle."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2pjong.games.not_your_mas_jong.faces import COPIES, DECK, FACES, pack, sorted_faces
from p2pjong.games.not_your_mas_jong.hands import (
    check_question,
    distance,
    goes_out,
    nearing,
    ready_discards,
    split,
    waits,
)
from p2pjong.games.not_your_mas_jong.sets import SETS, SetFaces, is_set, partners
from p2pjong.games.question import BadQuestion
from tests.support import mas_jong_oracle as oracle

CASES = json.loads(
    (Path(__file__).parents[2] / "data" / "not_your_mas_jong_hands.json").read_text()
)
MELDS = (("R1", "R2", "R3"), ("B5", "B5", "B5"), ("S2", "S3", "S4"))


def melds_of(count: int) -> list[SetFaces]:
    return list(MELDS[:count])


def tempting_hand(rng: Random, melds: int, size: int = 11) -> list[str]:
    """A hand, near to going out more often than not, of cards that the melds leave."""
    left = Counter(DECK)
    left.subtract(card for meld in melds_of(melds) for card in meld)
    sets = sorted(SETS)
    while True:
        hand = [card for _ in range(3 - melds) for card in rng.choice(sets)]
        hand += [rng.choice(FACES)] * 2
        for _ in range(rng.randrange(4)):
            hand[rng.randrange(len(hand))] = rng.choice(FACES)
        hand = hand[: size - 3 * melds]
        if not Counter(hand) - left:
            rng.shuffle(hand)
            return hand


def test_the_deck_is_three_copies_of_twenty_five_cards() -> None:
    assert (len(DECK), len(FACES)) == (75, 25)
    assert set(Counter(DECK).values()) == {3} == set(COPIES.values())
    assert list(FACES) == oracle.ALL_FACES


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case["hand"]))
def test_the_cases(case: dict[str, Any]) -> None:
    hand, melds = case["hand"], [tuple(meld) for meld in case["melds"]]
    check_question(hand, melds)
    assert goes_out(hand, melds) is case["goes_out"]
    assert (split(hand, melds) is not None) is case["goes_out"]
    assert (distance(hand, melds) == 0) is case["goes_out"]


@pytest.mark.parametrize("melds", range(4))
def test_hands_go_out_where_the_oracle_says_so(melds: int) -> None:
    rng = Random(melds)
    found = Counter[bool]()
    for _ in range(400):
        hand = tempting_hand(rng, melds)
        is_out = goes_out(hand, melds_of(melds))
        assert is_out is oracle.goes_out(hand), hand
        found[is_out] += 1
    assert min(found.values()) > 50  # both kinds were there


def test_all_hands_of_two_and_of_five_cards_within_two_suits() -> None:
    faces = [face for face in FACES if face[0] in "SE"]
    for one in faces:
        for other in faces:
            assert goes_out([one, other], melds_of(3)) is (one == other)
    fives = [list(hand.elements()) for hand in hands_of(faces, 5)]
    assert len(fives) > 400
    for hand in fives:
        assert goes_out(hand, melds_of(2)) is oracle.goes_out(hand), hand


def hands_of(faces: list[str], size: int) -> list[Counter[str]]:
    hands = [Counter[str]()]
    for face in faces:
        hands = [
            hand + Counter({face: copies})
            for hand in hands
            for copies in range(4)
            if hand.total() + copies <= size
        ]
    return [hand for hand in hands if hand.total() == size]


@pytest.mark.parametrize("size", [0, 1, 4, 10, 12])
def test_hands_of_another_size_do_not_go_out(size: int) -> None:
    hand = "R1 R1 R1 R2 R3 R4 B1 B1 B1 G1 G1 G1".split()[:size]
    assert not goes_out(hand, [])
    assert split(hand, []) is None


def test_four_pairs_and_a_set_do_not_go_out() -> None:
    assert not goes_out("R1 R1 B1 B1 G1 G1 S1 S1 E1 E1 E1".split(), [])


def test_three_sequences_of_the_same_cards_are_as_good_as_three_triplets() -> None:
    hand = "R4 R5 R6 R4 R5 R6 R4 R5 R6 E3 E3".split()
    found = split(hand, [])
    assert found is not None
    assert found.sets == (("R4",) * 3, ("R5",) * 3, ("R6",) * 3)
    assert found.pair == ("E3", "E3")


@pytest.mark.parametrize("melds", range(4))
def test_a_split_is_sets_and_a_pair_of_the_cards_and_the_first_of_its_kind(melds: int) -> None:
    rng = Random(10 + melds)
    seen = 0
    while seen < 100:
        hand = tempting_hand(rng, melds)
        found = split(hand, melds_of(melds))
        if found is not None:
            assert found == split(hand[::-1], melds_of(melds))
            assert all(is_set(cards) for cards in found.sets)
            assert found.pair[0] == found.pair[1]
            used = [card for cards in (*found.sets, found.pair) for card in cards]
            assert Counter(used) == Counter(hand)
            seen += 1


@cache
def finished(sets: int) -> list[Counter[str]]:
    return list(oracle.finished_hands(sets))


@pytest.mark.slow
@pytest.mark.parametrize(("melds", "hands"), [(3, 100), (2, 50), (1, 3)])
def test_the_distance_is_to_the_nearest_of_all_finished_hands(melds: int, hands: int) -> None:
    rng = Random(melds)
    for size in (10, 11):
        for _ in range(hands):
            hand = rng.sample(DECK, size - 3 * melds)
            assert distance(hand, melds_of(melds)) == oracle.distance(hand, finished(3 - melds))


def test_the_distance_of_hands_without_melds() -> None:
    assert distance("R1 R1 R1 R3 R4 R5 B2 B2 B2 E1".split(), []) == 1
    assert distance("R1 R1 R1 R3 R4 R5 B2 B2 E2 E1".split(), []) == 2
    assert distance("R1 R4 B1 B4 G1 G4 S1 S4 E1 E2".split(), []) == 7
    # The fourth copy of a card is not there to complete anything.
    assert distance("E1 E1 E1 E2 E2 E2 E3 E3 E3 R1".split(), []) == 1


@pytest.mark.parametrize("melds", range(4))
def test_what_is_awaited_is_what_goes_out(melds: int) -> None:
    rng = Random(20 + melds)
    seen = 0
    for _ in range(150):
        hand = tempting_hand(rng, melds, size=10)
        held = Counter(hand) + Counter(card for meld in melds_of(melds) for card in meld)
        awaited = tuple(face for face in FACES if held[face] < 3 and oracle.goes_out([*hand, face]))
        assert waits(hand, melds_of(melds)) == awaited
        seen += bool(awaited)
    assert seen > 15


def test_what_brings_a_hand_nearer_does() -> None:
    rng = Random(30)
    for _ in range(40):
        melds = melds_of(rng.randrange(4))
        hand = rng.sample(DECK, 10 - 3 * len(melds))
        held = Counter(hand) + Counter(card for meld in melds for card in meld)
        away = distance(hand, melds)
        assert nearing(hand, melds) == tuple(
            face for face in FACES if held[face] < 3 and distance([*hand, face], melds) == away - 1
        )


def test_discards_that_leave_a_hand_ready_are_listed_with_what_it_then_awaits() -> None:
    hand = "R1 R1 R1 B3 B4 B5 G2 G2 G2 E1 S3".split()
    assert ready_discards(hand, []) == {"S3": ("E1",), "E1": ("S3",)}
    assert ready_discards("R1 R4 B1 B4 G1 G4 S1 S4 E1 E2 E3".split(), []) == {}


@pytest.mark.parametrize("melds", range(4))
def test_ready_discards_are_exact(melds: int) -> None:
    rng = Random(40 + melds)
    for _ in range(40):
        hand = tempting_hand(rng, melds)
        expected = {}
        for face in dict.fromkeys(sorted_faces(hand)):
            awaited = waits(oracle.without(hand, [face]), melds_of(melds))
            if awaited:
                expected[face] = awaited
        assert ready_discards(hand, melds_of(melds)) == expected


@pytest.mark.parametrize("face", FACES)
def test_partners_are_all_pairs_that_make_a_set(face: str) -> None:
    expected = {
        (one, other)
        for place, one in enumerate(FACES)
        for other in FACES[place:]
        if oracle.is_set((one, other, face))
    }
    assert set(partners(face)) == expected
    assert len(partners(face)) == len(expected)


@pytest.mark.parametrize(
    "cards",
    ["", "R1", "R1 R2", "R1 R2 R4", "R5 R6 R1", "S4 S1 S2", "E1 E2 E3", "R1 B2 G3", "X X X"],
)
def test_what_is_no_set(cards: str) -> None:
    assert not is_set(cards.split())


@pytest.mark.parametrize("cards", ["R3 R1 R2", "S4 S2 S3", "E2 E2 E2", "B6 B4 B5"])
def test_sets_are_sets_in_any_order(cards: str) -> None:
    assert is_set(cards.split())


def test_a_code_that_is_no_card_cannot_be_packed() -> None:
    with pytest.raises(KeyError):
        pack(["R7"])


@pytest.mark.parametrize(
    ("hand", "melds", "reason"),
    [
        ("R1 R1 R1 R1 R2 R3 R4 R5 R6 E1 E1", (), "4 cards R1"),
        ("R7 R1 R1 R1 R2 R3 R4 R5 R6 E1 E1", (), "no card 'R7'"),
        ("R1 R1 R2 R3 R4 R5 R6 E1 E1 E2", (), "10 cards in hand"),
        ("R1 R1 R2 R3 R4 R5 R6 E1 E1 E2 E3 E3", (), "it takes 11"),
        ("R1 R1 R2 R3 R4 R5 R6 E1", ("E1 E2 E3",), "no set"),
        ("R1 R1 R2 R3 R4 R5 R6 E1", ("E1 E1 E1",), "4 cards E1"),
        ("R1 R1", ("E1 E1 E1",) * 1 + ("E2 E2 E2", "E3 E3 E3", "S1 S1 S1"), "4 face-up sets"),
        ("R1 R1", ("E1 E1",), "E1 E1 is no set"),
    ],
)
def test_questions_that_no_round_can_ask_are_refused(
    hand: str, melds: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(BadQuestion, match=reason):
        check_question(hand.split(), [tuple(meld.split()) for meld in melds])
