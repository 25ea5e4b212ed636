"""Two seats that tell two stories in one hand, as its result is signed.

Honest seats can come to stand at two places by that, but find together again.
"""

from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session.history import Signed
from p2pjong.session.lanes import sign_body
from p2pjong.session.onlooker import Onlooker
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Convict, Evidence, LaneBody, Payload, Settled
from tests.support.sim import SimTable, audit_journal, choose_default, make_secrets, tiny_draft
from tests.support.verified import recorded

ONE, OTHER = 1, 3  # both cheat
ALONE, TOGETHER = 0, (2, 4)  # where the honest seats are parted


class Withholding(Session):
    """Does not sign the result, and says nothing more by itself."""

    def _say(self, payload: Payload) -> None:
        if isinstance(payload, Settled):
            self._has_left = True
        elif not self._has_left:
            super()._say(payload)


def is_all_but_signed(table: SimTable) -> bool:
    return all(peer.session.course.missing() == (OTHER,) for peer in table.honest())


def says(table: SimTable, *payloads: Payload) -> list[Signed]:
    """What the withholding seat signs next, in order."""
    session: Any = table.peers[OTHER].session
    body = LaneBody(
        table=session.gossip.draft,
        place=session.course.place,
        seat=OTHER,
        incarnation=0,
        heads=session.lanes.heads(),
        epoch=session.course.epoch,
        step=session.course.step,
        digest=session.course.opening_digest(),
        payload=payloads[0],
    )
    said: list[Signed] = []
    for payload in payloads:
        heads = list(body.heads)
        if said:
            heads[OTHER] = said[-1].body.heads[OTHER]
            heads[OTHER] = with_fields(heads[OTHER], length=said[-1].number + 1, hash=said[-1].hash)
        following = with_fields(body, payload=payload, heads=tuple(heads))
        said.append(sign_body(following, make_secrets(table.draft, OTHER, SEED).sign))
    return said


SEED = 3


def evidence_against_one(table: SimTable) -> Evidence:
    """The first cheat has signed something else beside the last thing that all have heard."""
    heard = table.peers[ALONE].session.lanes.accepted[ONE][-1]
    other = with_fields(heard.body, payload=Settled(bytes(32)))
    stamp = sign_body(other, make_secrets(table.draft, ONE, SEED).sign).stamp
    first, second = sorted((heard.stamp, stamp), key=lambda one: one.hash)
    return Evidence(table.peers[ALONE].session.gossip.draft, first, second)


def parted_table(hands: int) -> SimTable:
    """Two stories of one seat turn the hand back; then the other one has answered, for one peer,
    and has said its word instead, for the rest."""
    draft = tiny_draft(5, target=hands)
    table = SimTable(5, SEED, draft=draft, makers={OTHER: Withholding}, choose=choose_default)
    assert table.start().run_until(is_all_but_signed)
    table.run()
    for cheat in (ONE, OTHER):
        table.peers[cheat].is_honest = False
    evidence = evidence_against_one(table)
    answer = Settled(table.peers[ALONE].session.play.public_digest())
    word = Convict(evidence.first, evidence.second)
    for seat in (ALONE, *TOGETHER):
        table.hand_over(ONE, seat, encode(evidence))
    table.cut(ONE, ALONE)
    table.run()
    for signed in says(table, answer, word):
        table.hand_over(OTHER, ALONE, signed.frame)
    for seat in TOGETHER:
        table.hand_over(OTHER, seat, says(table, word)[0].frame)
    return table


def closed(table: SimTable) -> dict[Seat, int]:
    return {seat: table.peers[seat].session.play.results_closed() for seat in (ALONE, *TOGETHER)}


def test_who_was_parted_from_the_others_by_another_seat_is_so_only_for_a_while() -> None:
    """The result stands for one, and not for the rest: until they hear of the other cheat."""
    table = parted_table(2)
    assert closed(table) == {ALONE: 1, **dict.fromkeys(TOGETHER, 0)}
    table.finish(ticks=12)
    assert min(closed(table).values()) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("hands", [1, 2])
def test_two_who_tell_two_stories_at_a_result_part_nobody(hands: int) -> None:
    table = parted_table(hands).finish(ticks=12)
    assert table.is_finished()
    assert len(table.digests()) == len(table.outcomes()) == 1
    for peer in table.honest():
        faults = {(fault.seat, fault.rule) for fault in peer.session.course.faults}
        assert (ONE, "equivocation") in faults
        assert {seat for seat, _ in faults | set(peer.blames())} <= {ONE, OTHER}
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None and peer.finished is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (ONE, "equivocation")
        assert verdict.scores == peer.finished.over.scores
        assert verdict.digest == peer.finished.digest
    for seat in TOGETHER if hands == 1 else (ALONE, *TOGETHER):
        assert proven_against(table, seat) == {ONE, OTHER}


def proven_against(table: SimTable, seat: Seat) -> set[Seat]:
    """Against whom the journal of this peer alone holds two stories."""
    peer = table.peers[seat]
    reader = Onlooker(table.draft, table.game)
    reader.begin()
    for message in recorded(peer.journal):
        reader.read(message)
    return {fault.seat for fault in reader.course.faults if fault.rule == "equivocation"}
