"""The books of an epoch, and what they must agree with."""

import pytest

from p2pjong.audit.books import Opening
from p2pjong.audit.dealer import DECK, Card, Epoch
from p2pjong.audit.faults import Breach
from p2pjong.crypto.group import BASE, Point, Scalar, add, encode_scalar, face_point, multiply_base
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import Ciphertext
from p2pjong.wire.messages import KeyPublished

SECRETS = {0: Scalar(5), 1: Scalar(7)}
JOINT = add(*map(multiply_base, SECRETS.values()))
POINTS = {face_point("war-jhong", face): face for face in ("a", "b", "c")}
OF = {face: point for point, face in POINTS.items()}


def under(face: str, key: Point) -> Ciphertext:
    return Ciphertext(BASE, add(OF[face], key))


def opening_of(faces: tuple[str, ...], deck: tuple[str, ...]) -> Opening:
    """Books of two seats, whose deck holds `deck` and was shuffled from `faces`; "b" is dealt."""
    epoch = Epoch(keys={seat: multiply_base(secret) for seat, secret in SECRETS.items()})
    slots = tuple(under(face, JOINT) for face in deck)
    epoch.cards = {number: Card(slot, DECK) for number, slot in enumerate(slots)}
    epoch.cards[9] = Card(under("b", epoch.keys[1]), 1)
    epoch.decks.append((faces, slots))
    zones = {"deck": tuple(range(len(deck))), "hand:1": (9,), "hand:0": (), "table": (77,)}
    return Opening(3, zones, POINTS, epoch)


def publish(opening: Opening, *seats: int) -> Opening:
    for seat in seats:
        opening.publish(seat, KeyPublished(encode_scalar(SECRETS[seat])))
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
    with pytest.raises(Breach, match="published-key"):
        opening_of(("a",), ("a",)).publish(0, KeyPublished(encode_scalar(secret)))
    with pytest.raises(Breach, match="published-key"):
        opening_of(("a",), ("a",)).publish(0, KeyPublished(b"\xff" * 32))


def test_books_that_contradict_their_deck_are_found_out() -> None:
    with pytest.raises(InvalidProof, match="the books of hand 3 contradict its deck"):
        publish(opening_of(("a", "b"), ("a", "a")), 0, 1).check()


def test_books_that_contradict_a_card_opened_before_are_found_out() -> None:
    opening = publish(opening_of(("a", "b"), ("b", "a")), 0, 1)
    opening.epoch.opened.append((opening.epoch.cards[9], "b"))
    opening.check()
    opening.epoch.opened.append((opening.epoch.cards[9], "a"))
    with pytest.raises(InvalidProof, match="opened before"):
        opening.check()


def test_a_card_that_bears_no_face_is_told_as_such() -> None:
    opening = publish(opening_of(("a",), ("a",)), 0, 1)
    opening.epoch.cards[0] = Card(Ciphertext(BASE, JOINT), 1)
    assert opening.books().deck == ("?",)
