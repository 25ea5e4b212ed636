"""A limit that `threats.md` tells of: what two seats can do to a result that is being signed."""

from typing import Any

from msgspec.structs import replace

from p2pjong.games.game import Seat
from p2pjong.session.lanes import stamp_bytes
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Evidence, Settled, Stamp
from tests.support.sim import SessionMaker, SimTable, audit_journal, signing_key, tiny_draft

HONEST: tuple[Seat, ...] = (0, 1, 2)
TWO_FACED, FRIEND = 3, 4


class Reluctant(Session):
    """Signs no result."""

    def _do_duty(self, step: Any) -> bool:
        return step.kind is not Settled and super()._do_duty(step)


def two_stories(table: SimTable) -> bytes:
    draft = table.peers[0].session.gossip.draft
    bare = [Stamp(TWO_FACED, 0, 0, 0, bytes([mark]) * 32, bytes(64)) for mark in (1, 2)]
    key = signing_key(TWO_FACED)
    signed = [replace(one, signature=key.sign(stamp_bytes(draft, one))) for one in bare]
    return encode(Evidence(draft, *signed))


def test_two_seats_can_undo_a_result_that_most_have_signed_at_the_price_of_one() -> None:
    """All who are honest still agree, nobody honest is named, and the one seat is out."""
    makers: dict[Seat, SessionMaker] = {TWO_FACED: Reluctant, FRIEND: Reluctant}
    table = SimTable(5, 1, draft=tiny_draft(5, target=4), makers=makers).start()
    table.run()  # until the first result waits for the two
    honest = [table.peers[seat].session for seat in HONEST]
    assert all(session.standing().hands == 1 for session in honest)
    frame = two_stories(table)
    for seat in (*HONEST, FRIEND):
        table.hand_over(TWO_FACED, seat, frame)
        table.cut(TWO_FACED, seat)
    table.run_until(lambda table: all(session.turning.done for session in honest))
    assert [session.play.results_closed() for session in honest] == [0, 0, 0]
    (_,) = {session.play.public_digest() for session in honest}
    for session, peer in zip(honest, table.peers, strict=False):
        assert [fault.seat for fault in session.course.faults] == [TWO_FACED]
        assert session.play.present() == (*HONEST, FRIEND)
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None and verdict.fault.seat == TWO_FACED
