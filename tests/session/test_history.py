"""What is kept of a lane, and who has signed what."""

import pytest

from p2pjong.session.history import History, Signed
from p2pjong.session.results import Signatures
from p2pjong.wire.messages import Head, LaneBody, Payload, Settled
from tests.support.ballots import word_of
from tests.support.sim import tiny_draft

ZERO, HERE, ELSEWHERE, RESULT = (bytes([mark]) * 32 for mark in range(4))


def said(seat: int, number: int, payload: Payload, place: bytes = HERE) -> Signed:
    heads = tuple(Head(number if one == seat else 0, ZERO) for one in range(3))
    body = LaneBody(
        table=ZERO,
        place=place,
        seat=seat,
        incarnation=0,
        heads=heads,
        epoch=number,
        step=0,
        digest=ZERO,
        payload=payload,
    )
    return Signed(body, bytes([number]) * 32, b"", bytes([number]) * 64)


def lane_of(length: int) -> History:
    lane = History(1)
    for number in range(length):
        lane.append(said(1, number, Settled(RESULT)))
    return lane


@pytest.mark.parametrize("before", [0, 1, 3, 5, 9])
def test_what_is_forgotten_is_still_named(before: int) -> None:
    whole, lane = lane_of(5), lane_of(5)
    lane.forget(before)
    assert len(lane) == 5
    assert [lane.stamp(number) for number in range(5)] == [one.stamp for one in whole]
    assert [lane.hash(number) for number in range(5)] == [one.hash for one in whole]


def test_the_last_message_is_never_forgotten_nor_what_comes_after() -> None:
    lane = lane_of(5)
    lane.forget(9)
    last = said(1, 5, Settled(RESULT))
    lane.append(last)
    assert lane[-1] == lane[5] == last
    assert [one.number for one in lane[4:]] == [4, 5]
    with pytest.raises(AssertionError):
        lane[3]


def test_nothing_comes_back_that_was_forgotten_once() -> None:
    lane = lane_of(5)
    lane.forget(3)
    lane.forget(1)
    assert [one.number for one in lane[3:]] == [3, 4]


def test_who_has_said_a_word_signs_no_result_after_it() -> None:
    signatures = Signatures()
    for one in (
        said(0, 0, Settled(RESULT)),
        said(1, 0, word_of(tiny_draft(3), (0, 1), 2, HERE)),
        said(1, 1, Settled(RESULT)),
        said(2, 0, Settled(RESULT), ELSEWHERE),
    ):
        signatures.note(one)
    assert signatures.of(HERE, RESULT) == {0}
    assert signatures.of(ELSEWHERE, RESULT) == {2}
    assert signatures.of(HERE, ZERO) == set()


def test_more_than_half_of_those_present_are_most() -> None:
    signatures = Signatures()
    for seat in range(2):
        signatures.note(said(seat, 0, Settled(RESULT)))
    assert signatures.are_most((0, 1, 2), HERE, RESULT)
    assert not signatures.are_most((0, 1, 2, 3), HERE, RESULT)
    assert not signatures.are_most((0, 1, 2), HERE, RESULT, without={1})
