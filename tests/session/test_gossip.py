"""Gossip: messages reach whoever lacks them, once, and peers come to rest."""

from typing import Any

import pytest

from p2pjong.session import gossip as module
from p2pjong.session.effects import Effect, Send
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.gossip import Gossip
from p2pjong.session.history import Signed
from p2pjong.session.lanes import Equivocation, Lanes
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Evidence, Have, TableMessage, Want
from tests.support.hostile import flipped
from tests.support.scribe import TABLE, ZERO, Scribe, keys_of, lane_of


def lanes_with(*messages: Signed, seats: int = 4) -> Lanes:
    lanes = Lanes(TABLE, keys_of(seats))
    for signed in messages:
        lanes.add(lane_of(signed))
        assert lanes.next_ready() is not None
    return lanes


def read(effects: list[Effect]) -> list[tuple[Any, int | None]]:
    """What is said to whom."""
    sends = [effect for effect in effects if isinstance(effect, Send)]
    assert len(sends) == len(effects)
    return [(decode(send.frame, TableMessage), send.to) for send in sends]


@pytest.fixture
def gossip() -> Gossip:
    """Seat 0's, linked with all three others."""
    gossip = Gossip(TABLE, 4, 0)
    gossip.links |= {1, 2, 3}
    return gossip


def have(*lengths: int, linked: tuple[int, ...] = (), draft: bytes = TABLE) -> Have:
    return Have(draft, lengths, sum(1 << seat for seat in linked))


def test_a_peer_is_told_what_we_hold_and_whom_we_are_linked_with(gossip: Gossip) -> None:
    lanes = lanes_with(*Scribe(2, 4).lane(3))
    assert read([gossip.have(lanes, 1)]) == [(have(0, 0, 3, 0, linked=(1, 2, 3)), 1)]


def test_who_lacks_messages_gets_them_in_the_order_of_their_lane(gossip: Gossip) -> None:
    one, two, three = Scribe(2, 4).lane(3)
    lanes = lanes_with(one, two, three)
    said = read(gossip.on_have(1, have(0, 0, 1, 0), lanes))
    assert said == [(lane_of(two), 1), (lane_of(three), 1)]


def test_who_lacks_nothing_gets_nothing(gossip: Gossip) -> None:
    lanes = lanes_with(Scribe(2, 4).write())
    assert gossip.on_have(1, have(0, 0, 1, 0), lanes) == []


def test_one_answer_is_bounded_but_never_empty(
    gossip: Gossip, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = Scribe(2, 4).lane(5)
    lanes = lanes_with(*story)
    monkeypatch.setattr(module, "REPLY_BYTES_MAX", 2 * len(story[0].frame) + 1)
    assert len(gossip.on_have(1, have(0, 0, 0, 0), lanes)) == 2
    gossip.tick()
    monkeypatch.setattr(module, "REPLY_BYTES_MAX", 1)
    assert len(gossip.on_have(1, have(0, 0, 2, 0), lanes)) == 1


def test_what_was_sent_just_now_is_not_sent_again_before_a_second_has_passed(
    gossip: Gossip,
) -> None:
    lanes = lanes_with(*Scribe(2, 4).lane(3))
    assert len(gossip.on_have(1, have(0, 0, 1, 0), lanes)) == 2
    assert gossip.on_have(1, have(0, 0, 1, 0), lanes) == []
    assert len(gossip.on_have(1, have(0, 0, 0, 0), lanes)) == 0, "nor what came before it"
    assert len(gossip.on_have(3, have(0, 0, 1, 0), lanes)) == 2, "others have not got it"
    gossip.tick()
    assert len(gossip.on_have(1, have(0, 0, 1, 0), lanes)) == 2


def test_what_one_peer_calls_up_within_a_second_is_bounded_whatever_it_sends(
    gossip: Gossip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `have` and by `want`, and over one link after the other."""
    story = Scribe(2, 4).lane(6)
    lanes = lanes_with(*story)
    allowance = sum(len(signed.frame) for signed in story[:4])
    monkeypatch.setattr(module, "REPLY_BYTES_MAX", allowance)
    last = story[-1]
    wanted = Want(TABLE, 2, last.number, last.hash)
    called_up: list[Effect] = []
    for _ in range(5):
        called_up += gossip.on_want(1, wanted, lanes)
        called_up += gossip.on_have(1, have(0, 0, 0, 0), lanes)
        gossip.forget(1)  # its link is down, and comes up again
    assert sum(len(send.frame) for send in called_up if isinstance(send, Send)) <= allowance
    assert called_up
    gossip.tick()
    assert len(gossip.on_have(1, have(0, 0, 2, 0), lanes)) == 4


def test_what_was_on_a_link_that_went_down_is_sent_again(gossip: Gossip) -> None:
    lanes = lanes_with(*Scribe(2, 4).lane(2))
    assert len(gossip.on_have(1, have(0, 0, 0, 0), lanes)) == 2
    gossip.forget(1)
    assert len(gossip.on_have(1, have(0, 0, 0, 0), lanes)) == 2


def test_who_holds_what_we_lack_is_told_what_we_hold_but_only_once(gossip: Gossip) -> None:
    """Two peers that cannot accept each other's messages would never come to rest."""
    lanes = lanes_with()
    assert read(gossip.on_have(1, have(0, 5, 0, 0), lanes)) == [
        (have(0, 0, 0, 0, linked=(1, 2, 3)), 1)
    ]
    assert gossip.on_have(1, have(0, 6, 0, 0), lanes) == []
    lanes.accept_own(Scribe(0, 4).write())
    assert len(gossip.on_have(1, have(1, 6, 0, 0), lanes)) == 1, "now we hold something else"


def test_after_a_new_link_a_peer_is_told_again(gossip: Gossip) -> None:
    lanes = lanes_with()
    gossip.on_have(1, have(0, 5, 0, 0), lanes)
    gossip.forget(1)
    assert len(gossip.on_have(1, have(0, 5, 0, 0), lanes)) == 1


def test_what_all_were_told_counts_for_each(gossip: Gossip) -> None:
    lanes = lanes_with()
    assert read([gossip.have(lanes, None)])[0][1] is None
    assert gossip.on_have(3, have(0, 5, 0, 0), lanes) == []


def test_a_message_is_forwarded_to_those_without_a_link_to_its_author(gossip: Gossip) -> None:
    signed = Scribe(3, 4).write()
    lanes = lanes_with()
    gossip.on_have(1, have(0, 0, 0, 0, linked=(0, 2)), lanes)
    gossip.on_have(2, have(0, 0, 0, 0, linked=(0, 1, 3)), lanes)
    assert read(gossip.forward(signed, 3)) == [(lane_of(signed), 1)]


def test_a_message_is_not_sent_back_to_who_brought_it(gossip: Gossip) -> None:
    signed = Scribe(3, 4).write()
    gossip.on_have(1, have(0, 0, 0, 0, linked=(0,)), lanes_with())
    assert gossip.forward(signed, 1) == []


def test_who_has_not_said_whom_it_is_linked_with_is_not_sent_everything(gossip: Gossip) -> None:
    assert gossip.forward(Scribe(3, 4).write(), 3) == []


def test_whether_a_peer_holds_all_is_as_it_last_said(gossip: Gossip) -> None:
    lanes = lanes_with(Scribe(2, 4).write())
    assert not gossip.holds(1, lanes)
    gossip.on_have(1, have(0, 0, 0, 0), lanes)
    assert not gossip.holds(1, lanes)
    gossip.on_have(1, have(0, 9, 1, 0), lanes)
    assert gossip.holds(1, lanes)
    gossip.forget(1)
    assert not gossip.holds(1, lanes)


def test_the_very_message_that_is_wanted_is_supplied_and_no_other(gossip: Gossip) -> None:
    one, two = Scribe(2, 4).lane(2)
    lanes = lanes_with(one, two)
    want = Want(TABLE, 2, 1, two.hash)
    assert read(gossip.on_want(3, want, lanes)) == [(lane_of(two), 3)]
    for other in (
        Want(TABLE, 2, 1, one.hash),
        Want(TABLE, 2, 7, two.hash),
        Want(TABLE, 1, 1, ZERO),
    ):
        assert gossip.on_want(3, other, lanes) == []


def test_evidence_is_for_everyone_now_and_for_each_new_link(gossip: Gossip) -> None:
    scribe = Scribe(2, 4)
    one, other = scribe.draft(), scribe.draft(step=4)
    assert gossip.proof(1) == []
    ((evidence, to),) = read([gossip.evidence(Equivocation(one.stamp, other.stamp))])
    assert evidence == Evidence(TABLE, one.stamp, other.stamp)
    assert to is None
    assert read(list(gossip.proof(3))) == [(evidence, 3)]


@pytest.mark.parametrize(
    "message", [have(0, 0, 0, 0, draft=flipped(TABLE)), Want(flipped(TABLE), 0, 0, ZERO)]
)
def test_what_speaks_of_another_table_is_dropped(gossip: Gossip, message: Have | Want) -> None:
    with pytest.raises(OtherTable):
        if isinstance(message, Have):
            gossip.on_have(1, message, lanes_with())
        else:
            gossip.on_want(1, message, lanes_with())


def test_what_speaks_of_other_seats_is_refused(gossip: Gossip) -> None:
    with pytest.raises(Refusal, match="another size"):
        gossip.on_have(1, have(0, 0, 0), lanes_with())
    with pytest.raises(Refusal, match="not at this table"):
        gossip.on_want(1, Want(TABLE, 4, 0, ZERO), lanes_with())


def test_lengths_beyond_ours_supply_nothing(gossip: Gossip) -> None:
    lanes = lanes_with(Scribe(2, 4).write())
    said = read(gossip.on_have(1, have(9, 9, 2**32 - 1, 9), lanes))
    assert [type(message) for message, _ in said] == [Have]


def test_who_is_far_behind_gets_of_every_lane_the_next_first_and_no_more_than_can_wait(
    gossip: Gossip, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long lane in front would use up the allowance with what cannot be accepted yet."""
    monkeypatch.setattr(module, "EARLY_MAX", 3)
    long, short = Scribe(1, 4).lane(8), Scribe(2, 4).lane(2)
    lanes = lanes_with(*long, *short)
    said = read(gossip.on_have(3, have(0, 1, 0, 0), lanes))
    sent = [long[1], short[0], long[2], short[1], long[3]]
    assert said == [(lane_of(signed), 3) for signed in sent]
    said = read(gossip.on_have(3, have(0, 4, 2, 0), lanes))
    assert said == [(lane_of(signed), 3) for signed in long[4:7]], "the rest when it has those"
