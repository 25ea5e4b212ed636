"""Messages before their time: kept in order, and bounded for each who sends them."""

from p2pjong.app import early
from p2pjong.app.early import BYTES_MAX, MESSAGES_MAX, Early
from p2pjong.app.station import Heard
from p2pjong.wire.messages import Bye, Lane

ANN, BEN = (bytes([number]) * 32 for number in (2, 3))


def test_what_is_kept_is_taken_once_and_in_order() -> None:
    kept = Early()
    heard = [Heard(key, Bye()) for key in (ANN, BEN, ANN)]
    assert all(map(kept.keep, heard))
    assert kept.take() == heard
    assert kept.take() == []


def test_one_sender_can_have_so_many_kept_and_does_not_crowd_out_another() -> None:
    kept = Early()
    assert all(kept.keep(Heard(ANN, Bye())) for _ in range(MESSAGES_MAX))
    assert not kept.keep(Heard(ANN, Bye()))
    assert kept.keep(Heard(BEN, Bye()))
    assert len(kept.take()) == MESSAGES_MAX + 1
    assert kept.keep(Heard(ANN, Bye())), "there is room again"


def test_large_ones_are_bounded_by_their_bytes() -> None:
    kept = Early()
    large = Heard(ANN, Lane(bytes(BYTES_MAX // 4), bytes(64)))
    assert [kept.keep(large) for _ in range(5)] == [True] * 3 + [False] * 2
    assert kept.keep(Heard(BEN, Bye()))


def test_what_honest_peers_send_has_room() -> None:
    """A minute of a fellow that begins sooner, or a whole lobby of eight that all get ready."""
    assert early.MESSAGES_MAX >= 60 + 8
    assert early.MESSAGES_MAX >= 7 * 2 * 8
