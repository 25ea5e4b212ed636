"""The open dealer: each operation tells each seat what the design's table says, and no more."""

import pytest

from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.games.game import (
    Draw,
    Facts,
    Give,
    Open,
    Operation,
    Order,
    Peek,
    ProveAmong,
    Reveil,
    Show,
    Shuffle,
    Toss,
)

FACES = ("a", "a", "b", "c", "d", "e")
SLOTS = (10, 11, 12, 13, 14, 15)


@pytest.fixture
def dealer() -> OpenDealer:
    """Three seats: slots 10 and 11 with seat 0, 12 with seat 1, the others in the deck."""
    dealer = OpenDealer(3, Chance("dealer"))
    assert carry_out(dealer, Shuffle(FACES, SLOTS, fresh_keys=True)) == Facts()
    assert carry_out(dealer, Draw(((10, 0), (11, 0), (12, 1)))) == Facts()
    return dealer


def carry_out(dealer: OpenDealer, operation: Operation) -> Facts:
    dealer.begin(operation)
    facts = dealer.facts()
    assert facts is not None
    return facts


def known(dealer: OpenDealer) -> list[set[int]]:
    """Which slots each seat knows; that it knows them rightly is checked too."""
    for seat in range(3):
        faces = dealer.known(seat)
        assert all(dealer.face(slot) == face for slot, face in faces.items())
    return [set(dealer.known(seat)) for seat in range(3)]


def test_before_anything_nothing_is_known_and_there_are_no_facts() -> None:
    dealer = OpenDealer(2, Chance("dealer"))
    assert dealer.facts() is None
    assert (dealer.known(0), dealer.known(1)) == ({}, {})


def test_a_shuffle_keeps_the_faces_and_tells_nobody(dealer: OpenDealer) -> None:
    assert sorted(dealer.face(slot) for slot in SLOTS) == list(FACES)
    carry_out(dealer, Shuffle(("x", "y"), (20, 21), fresh_keys=False))
    assert known(dealer) == [{10, 11}, {12}, set()]
    assert sorted(dealer.face(slot) for slot in (20, 21)) == ["x", "y"]


def test_shuffles_follow_the_seed() -> None:
    dealt = []
    for seed in ("1", "1", "2"):
        dealer = OpenDealer(2, Chance(seed))
        faces = tuple(map(str, range(40)))
        carry_out(dealer, Shuffle(faces, tuple(range(40)), fresh_keys=True))
        dealt.append([dealer.face(slot) for slot in range(40)])
    assert dealt[0] == dealt[1] != dealt[2]


def test_a_new_epoch_forgets_all_slots(dealer: OpenDealer) -> None:
    carry_out(dealer, Shuffle(("x", "y"), (20, 21), fresh_keys=True))
    assert known(dealer) == [set(), set(), set()]
    with pytest.raises(KeyError):
        dealer.face(10)


def test_a_draw_tells_the_drawer_alone(dealer: OpenDealer) -> None:
    assert known(dealer) == [{10, 11}, {12}, set()]


def test_an_open_tells_everyone(dealer: OpenDealer) -> None:
    facts = carry_out(dealer, Open(0, (11,)))
    assert facts == Facts(opened=((11, dealer.face(11)),))
    assert known(dealer) == [{10, 11}, {11, 12}, {11}]


def test_a_reveil_moves_the_hand_to_new_slots_that_its_holder_knows(dealer: OpenDealer) -> None:
    before = sorted(dealer.face(slot) for slot in (10, 11))
    carry_out(dealer, Reveil(0, (10, 11), (30, 31)))
    assert sorted(dealer.face(slot) for slot in (30, 31)) == before
    assert known(dealer) == [{10, 11, 30, 31}, {12}, set()]


def test_a_toss_is_a_number_below_its_sides(dealer: OpenDealer) -> None:
    tossed = {carry_out(dealer, Toss(3)).tossed for _ in range(60)}
    assert tossed == {0, 1, 2}


def test_a_peek_tells_the_seat_and_leaves_the_slots_in_the_deck(dealer: OpenDealer) -> None:
    carry_out(dealer, Peek(2, (13, 14)))
    assert known(dealer) == [{10, 11}, {12}, {13, 14}]
    carry_out(dealer, Draw(((13, 0),)))
    assert known(dealer) == [{10, 11, 13}, {12}, {13, 14}]


def test_a_show_tells_the_viewer_and_the_hand_stays(dealer: OpenDealer) -> None:
    carry_out(dealer, Show(0, 2, (10, 11)))
    assert known(dealer) == [{10, 11}, {12}, {10, 11}]
    carry_out(dealer, Open(0, (10,)))


def test_a_give_is_known_to_giver_and_taker(dealer: OpenDealer) -> None:
    carry_out(dealer, Give(0, 2, 10))
    assert known(dealer) == [{10, 11}, {12}, {10}]
    carry_out(dealer, Open(2, (10,)))


def test_a_proof_tells_nobody_a_face(dealer: OpenDealer) -> None:
    assert carry_out(dealer, ProveAmong(0, (10, 11), FACES)) == Facts()
    assert known(dealer) == [{10, 11}, {12}, set()]


def test_an_order_names_each_seat_once_and_any_may_be_first(dealer: OpenDealer) -> None:
    orders = {carry_out(dealer, Order(0, (1, 2))).order for _ in range(40)}
    assert orders == {(1, 2), (2, 1)}


@pytest.mark.parametrize(
    "operation",
    [
        Draw(((10, 1),)),  # no longer in the deck
        Open(1, (10,)),
        Open(0, (13,)),
        Reveil(1, (12, 10), (30, 31)),
        Reveil(1, (12,), (13,)),  # not a new slot
        Peek(0, (12,)),
        Show(1, 0, (10,)),
        Give(1, 2, 10),
        ProveAmong(1, (10,), FACES),
        ProveAmong(0, (10, 11), ("z",)),
        Shuffle(("x",), (10,), False),  # a slot is never used twice
    ],
)
def test_what_no_game_may_ask_is_refused(dealer: OpenDealer, operation: Operation) -> None:
    with pytest.raises(AssertionError):
        dealer.begin(operation)
