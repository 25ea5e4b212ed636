"""What a peer keeps of a fault is what a third party can check."""

from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Lane, LaneBody
from tests.support.hostile import hostile
from tests.support.misdeeds import MISDEEDS
from tests.support.sim import SimTable

MISDEED = {misdeed.name: misdeed for misdeed in MISDEEDS}


def test_the_evidence_of_a_fault_is_the_signed_message_itself() -> None:
    makers = {1: hostile(MISDEED["lies in its echo"])}
    table = SimTable(3, seed=1, makers=makers).start().finish()
    ((fault,),) = table.verdicts()
    (frame,) = fault.evidence
    lane: Lane = decode(frame, Lane)
    body: LaneBody = decode(lane.body, LaneBody)
    assert body.seat == fault.seat == 1
    assert body.heads[1].length == fault.number
    assert all(frame in peer.journal for peer in table.honest())
