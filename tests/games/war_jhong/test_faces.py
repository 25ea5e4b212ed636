"""The deck, and packed hands."""

from collections import Counter

from p2pjong.games.war_jhong.faces import COPIES, DECK, FACES, SHIFT, pack, sorted_faces

WIDTHS = {"J": 5, "F": 4, "G": 4, "T": 3}


def test_the_deck_has_its_120_cards() -> None:
    assert len(DECK) == 120 and len(FACES) == 31
    counts = Counter(DECK)
    assert (counts["J"], counts["F"], counts["G"], counts["T"]) == (16, 9, 8, 6)
    assert all(counts[f"{suit}{number}"] == 3 for suit in "IAC" for number in range(1, 10))


def test_a_packed_hand_keeps_every_count_apart() -> None:
    packed = pack(DECK)
    for face in FACES:
        mask = (1 << WIDTHS.get(face, 2)) - 1
        assert packed >> SHIFT[face] & mask == COPIES[face], face


def test_hands_are_sorted_as_the_card_list_goes() -> None:
    assert sorted_faces("T C1 G J A9 I2 F A1".split()) == tuple("I2 A1 A9 C1 J F G T".split())
