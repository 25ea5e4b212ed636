"""Two stories of a seat that is out already: everyone hears of it, once."""

import pytest
from msgspec.structs import replace

from p2pjong.session.effects import Effect, Send
from p2pjong.session.lanes import sign_body
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Echo, Evidence
from tests.support.sim import SimTable, choose_default, make_secrets, tiny_draft

GONE = 1


def is_gone_from_base(table: SimTable) -> bool:
    """Whether a result has closed for all who stayed since the seat left."""
    plays = [peer.session.play for seat, peer in enumerate(table.peers) if seat != GONE]
    return all(GONE not in play.present_in(play.base) for play in plays)


def two_stories(table: SimTable) -> Evidence:
    """Two messages with the number of its first one, as the seat itself can sign at any time."""
    sign = make_secrets(table.draft, GONE).sign
    body = table.peers[GONE].session.lanes.accepted[GONE][0].body
    stories = [sign_body(replace(body, payload=Echo(bytes([one]) * 32)), sign) for one in (1, 2)]
    return Evidence(table.peers[0].session.gossip.draft, stories[0].stamp, stories[1].stamp)


def is_evidence(effect: Effect) -> bool:
    return isinstance(effect, Send) and b"evidence" in effect.frame[:12]


@pytest.mark.parametrize("seats", [3, 4])
def test_two_stories_of_a_seat_that_is_out_are_told_once(seats: int) -> None:
    """Each peer passed them on each time that it heard them: without end, and ever more."""
    table = SimTable(seats, 3, draft=tiny_draft(seats, target=3), choose=choose_default).start()
    assert table.run_until(lambda table: all(peer.session.charter for peer in table.peers))
    table.at(GONE, lambda session: session.leave())
    assert table.run_until(is_gone_from_base)
    before = [len(peer.seen) for peer in table.peers]
    table.hand_over(GONE, 0, encode(two_stories(table)))
    table.run(20_000)
    for start, peer in zip(before, table.peers, strict=True):
        assert sum(is_evidence(effect) for effect in peer.seen[start:]) <= 1
    assert table.is_finished()
