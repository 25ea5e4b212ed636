"""Decks and the order of card codes."""

from p2pjong.games.cards import build_deck, rank_faces, sort_hand
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
