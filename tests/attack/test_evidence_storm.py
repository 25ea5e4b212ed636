"""Two stories of a seat that is out already: everyone hears of it, once."""

import pytest
from msgspec.structs import replace

from p2pjong.session.effects import Send
from p2pjong.session.lanes import Signed, sign_body
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Echo, Evidence, Lane
from tests.support.sim import SimTable, choose_default, make_secrets, tiny_draft

GONE = 1


def is_gone_from_base(table: SimTable) -> bool:
    """Whether a result has closed for all honest peers since the seat left."""
    plays = [peer.session.play for seat, peer in enumerate(table.peers) if seat != GONE]
    return all(GONE not in play.present_in(play.base) for play in plays)


def two_stories_of(table: SimTable) -> Evidence:
    """Two messages with the number of the first one of the seat, as the seat itself can sign."""
    sign = make_secrets(table.draft, GONE).sign
    body = table.peers[GONE].session.lanes.accepted[GONE][0].body
    stories = [sign_body(replace(body, payload=Echo(bytes([one]) * 32)), sign) for one in (1, 2)]
    first, second = (lane_of(story, sign) for story in stories)
    return Evidence(table.peers[0].session.gossip.draft, first, second)


def lane_of(signed: Signed, sign: object) -> Lane:
    from p2pjong.wire.codec import decode

    lane: Lane = decode(signed.frame, Lane)
    return lane


@pytest.mark.parametrize("seats", [3, 4])
def test_two_stories_of_a_seat_that_is_out_are_told_once(seats: int) -> None:
    table = SimTable(seats, 3, draft=tiny_draft(seats, target=3), choose=choose_default).start()
    table.run_until(lambda table: table.delivered >= 60)
    table.at(GONE, lambda session: session.leave())
    assert table.run_until(is_gone_from_base)
    frame = encode(two_stories_of(table))
    before = {seat: len(peer.seen) for seat, peer in enumerate(table.peers)}
    table.hand_over(GONE, 0, frame)
    table.run(20_000)
    for seat, peer in enumerate(table.peers):
        told = [one for one in peer.seen[before[seat] :] if is_evidence(one)]
        assert len(told) <= 1
    assert table.is_finished()


def is_evidence(effect: object) -> bool:
    return isinstance(effect, Send) and b"evidence" in effect.frame[:12]
