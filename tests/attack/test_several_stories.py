"""More than two stories of one seat, told to different peers: all name the same message."""

from random import Random

import pytest
from msgspec.structs import replace

from p2pjong.session.lanes import stamp_bytes
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Evidence, Stamp
from tests.support.sim import SimTable, audit_journal, choose_default, signing_key, tiny_draft

CHEAT = 3
HONEST = range(CHEAT)


def evidence(table: SimTable, number: int, epoch: int, hashes: tuple[int, int]) -> bytes:
    """Two stories that only their author can have signed; the epochs are what it likes."""
    draft = table.peers[0].session.gossip.draft
    stamps = []
    for value in hashes:
        stamp = Stamp(CHEAT, 0, number, epoch, bytes([value]) * 32, bytes(64))
        signature = signing_key(CHEAT).sign(stamp_bytes(draft, stamp))
        stamps.append(replace(stamp, signature=signature))
    return encode(Evidence(draft, *stamps))


# What the first, the second and the third honest seat is told: (number, epoch, hashes).
TOLD = {
    "another number": [(5, 1, (1, 2)), (2, 0, (1, 2)), (5, 1, (1, 2))],
    "another epoch": [(5, 0, (1, 7)), (5, 9, (2, 7)), (5, 9, (2, 7))],
    "three of one number": [(5, 4, (1, 2)), (5, 3, (2, 3)), (5, 2, (1, 3))],
    "less and less": [(9, 1, (1, 2)), (7, 1, (1, 2)), (3, 1, (1, 2))],
}


@pytest.mark.slow
@pytest.mark.parametrize("is_late", [False, True], ids=["at once", "after the turning"])
@pytest.mark.parametrize("name", TOLD)
def test_of_several_stories_all_name_the_least(name: str, is_late: bool) -> None:
    table = SimTable(4, 1, draft=tiny_draft(4, target=2), choose=choose_default).start()
    honest = [table.peers[seat].session for seat in HONEST]
    table.run_until(lambda table: honest[0].charter is not None and table.delivered >= 75)
    for seat in HONEST:
        table.cut(CHEAT, seat)
    order = list(HONEST)
    Random(name).shuffle(order)
    for seat in order:
        table.hand_over(CHEAT, seat, evidence(table, *TOLD[name][seat]))
        if is_late:
            table.run_until(lambda table: all(session.turning.done for session in honest))
    for _ in range(5):
        table.tick()
        table.run()
    number, epoch = min((number, epoch) for number, epoch, _ in TOLD[name])
    for seat in HONEST:
        peer = table.peers[seat]
        (fault,) = peer.session.course.faults
        assert (fault.seat, fault.rule) == (CHEAT, "equivocation")
        assert (fault.number, fault.epoch) == (number, epoch)
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None
        assert (verdict.fault.number, verdict.fault.epoch) == (number, epoch)
        assert len(peer.blames()) == 1, "a screen says once that a seat told two stories"
        assert peer.finished is not None and verdict.scores == peer.finished.over.scores
