"""The books of an epoch, and what they must agree with."""

from dataclasses import replace

import pytest

from p2pjong.crypto.group import BASE, Point, Scalar, add, encode_scalar, face_point, multiply_base
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import Ciphertext
from p2pjong.games.game import NOBODY
from p2pjong.session.books import Card, Opening, Shown
from p2pjong.session.faults import PeerFault
from p2pjong.wire.messages import KeyPublished

SECRETS = {0: Scalar(5), 1: Scalar(7)}
JOINT = add(*map(multiply_base, SECRETS.values()))
POINTS = {face_point("war-jhong", face): face for face in ("a", "b", "c")}
OF = {face: point for point, face in POINTS.items()}


def under(face: str, key: Point) -> Ciphertext:
    return Ciphertext(BASE, add(OF[face], key))


def opening_of(faces: tuple[str, ...], deck: tuple[str, ...]) -> Opening:
    """Books of two seats, whose deck holds `deck` and was shuffled from `faces`; "b" is dealt."""
    publics = {seat: multiply_base(secret) for seat, secret in SECRETS.items()}
    slots = tuple(under(face, JOINT) for face in deck)
    cards = {number: Card(slot, NOBODY) for number, slot in enumerate(slots)}
    cards[9] = Card(under("b", publics[1]), 1)
    zones = {"deck": tuple(range(len(deck))), "hand:1": (9,), "hand:0": (), "table": (77,)}
    return Opening(3, zones, publics, POINTS, cards, Shown([(faces, slots)]), NOBODY, None)


def publish(opening: Opening, *seats: int) -> Opening:
    step = opening.step((0, 1))
    for seat in seats:
        step.check(seat, KeyPublished(encode_scalar(SECRETS[seat])))
    return opening


def test_all_keys_open_all_cards() -> None:
    opening = publish(opening_of(("a", "c"), ("c", "a")), 0, 1)
    opening.check()
    books = opening.books()
    assert (books.hand, books.deck) == (3, ("c", "a"))
    assert (books.hands, books.unopened) == (((0, ()), (1, ("b",))), ())


def test_one_key_opens_the_cards_of_its_seat_alone() -> None:
    opening = publish(opening_of(("a", "c"), ("c", "a")), 1)
    opening.check()
    books = opening.books()
    assert (books.deck, books.hands, books.unopened) == (("", ""), ((0, ()), (1, ("b",))), (0,))


@pytest.mark.parametrize("secret", [Scalar(0), Scalar(6)])
def test_another_key_than_its_own_is_a_breach(secret: Scalar) -> None:
    step = opening_of(("a",), ("a",)).step((0, 1))
    with pytest.raises(PeerFault, match="published-key"):
        step.check(0, KeyPublished(encode_scalar(secret)))
    with pytest.raises(PeerFault, match="published-key"):
        step.check(0, KeyPublished(b"\xff" * 32))


def test_books_that_contradict_their_deck_are_found_out() -> None:
    with pytest.raises(InvalidProof, match="the books of hand 3 contradict its deck"):
        publish(opening_of(("a", "b"), ("a", "a")), 0, 1).check()


def test_books_that_contradict_a_card_opened_before_are_found_out() -> None:
    opening = publish(opening_of(("a", "b"), ("b", "a")), 0, 1)
    opening.shown.opened.append((opening.cards[9], "b"))
    opening.check()
    opening.shown.opened.append((opening.cards[9], "a"))
    with pytest.raises(InvalidProof, match="opened before"):
        opening.check()


def test_a_card_that_bears_no_face_is_told_as_such() -> None:
    opening = publish(opening_of(("a",), ("a",)), 0, 1)
    cards = {**opening.cards, 0: Card(Ciphertext(BASE, JOINT), 1)}
    assert replace(opening, cards=cards).books().deck == ("?",)
