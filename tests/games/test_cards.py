"""Decks, the order of card codes, and what all games do with hands."""

from p2pjong.games.cards import (
    build_deck,
    deal_hands,
    find_pairs,
    find_twin,
    in_order,
    rank_faces,
    sort_hand,
    without,
)
from p2pjong.games.war_jhong.faces import COPIES, DECK, RANK


def test_a_deck_has_each_face_as_often_as_told_in_order() -> None:
    assert build_deck({"b": 2, "a": 1}) == ("b", "b", "a")
    assert build_deck(COPIES) == DECK


def test_faces_rank_in_the_order_of_their_copies() -> None:
    assert rank_faces({"b": 2, "a": 1}) == {"b": 0, "a": 1}
    assert rank_faces(COPIES) == RANK


def test_a_hand_is_sorted_by_code_then_slot_and_unknown_cards_are_left_out() -> None:
    known = {5: "A1", 3: "I9", 8: "A1", 9: "J"}
    assert sort_hand((8, 7, 5, 3), known, RANK) == ((3, "I9"), (5, "A1"), (8, "A1"))


def test_open_cards_are_sorted_by_code_then_slot() -> None:
    cards = ((8, "A1"), (3, "I9"), (5, "A1"))
    assert in_order(cards, RANK) == ((3, "I9"), (5, "A1"), (8, "A1"))


def test_a_deal_gives_each_seat_its_slots_in_order_and_who_is_out_none() -> None:
    assert deal_hands(((4, 0), (5, 2), (6, 0)), 3) == ((4, 6), (), (5,))


def test_slots_leave_one_hand_alone() -> None:
    assert without(((1, 2, 3), (4, 5)), 0, (2,)) == ((1, 3), (4, 5))


def test_the_card_drawn_is_found_by_its_face_for_who_knows_it() -> None:
    known = {1: "I1", 2: "I2", 9: "I2"}
    assert find_twin((1, 2), 9, known) == 2
    assert find_twin((1, 2), 8, known) is None
    assert find_twin((1,), 9, known) is None


def test_one_pair_of_slots_is_found_for_each_pair_of_faces() -> None:
    known = {1: "I1", 2: "I3", 3: "I1", 4: "I2"}
    partners = (("I1", "I3"), ("I3", "I4"), ("I1", "I1"), ("I2", "I2"))
    assert find_pairs((1, 2, 3, 4), known, partners) == [(1, 2), (1, 3)]
    assert find_pairs((2, 3), known, partners) == [(2, 3)]
