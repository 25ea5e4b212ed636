"""A result that all who stay have signed closes for all, when two stories turn the hand back."""

from typing import Any

import pytest
from msgspec.structs import replace

from p2pjong.games.game import Seat
from p2pjong.session.course import Step
from p2pjong.session.lanes import stamp_bytes
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Evidence, Settled, Stamp
from tests.support.marks import first_quick
from tests.support.sim import SessionMaker, SimTable, audit_journal, signing_key, tiny_draft

HONEST: tuple[Seat, ...] = (0, 1, 2)
TWO_FACED, FRIEND = 3, 4


class Reluctant(Session):
    """Signs no result."""

    def _do_duty(self, step: Step) -> bool:
        return step.kind is not Settled and super()._do_duty(step)


def two_stories(table: SimTable) -> bytes:
    draft = table.peers[0].session.gossip.draft
    bare = [Stamp(TWO_FACED, 0, 0, 0, bytes([mark]) * 32, bytes(64)) for mark in (1, 2)]
    key = signing_key(TWO_FACED)
    signed = [replace(one, signature=key.sign(stamp_bytes(draft, one))) for one in bare]
    return encode(Evidence(draft, *signed))


def table_at_result(makers: dict[Seat, SessionMaker], seed: int, hands: int = 2) -> SimTable:
    """A table of five that waits for nobody but the cheats, at the end of its first hand."""
    table = SimTable(5, seed, draft=tiny_draft(5, target=hands), makers=makers).start()
    table.run()
    for peer in table.honest():
        assert set(peer.session.course.missing()) <= makers.keys()
    return table


def turn_back(table: SimTable) -> None:
    """All hear that the one has told two stories, and nobody hears more of it."""
    frame = two_stories(table)
    for seat in (*HONEST, FRIEND):
        table.hand_over(TWO_FACED, seat, frame)
        table.cut(TWO_FACED, seat)
    for _ in range(3):
        table.run_until(lambda table: all(peer.session.turning.done for peer in stayed(table)))
        table.tick()


def stayed(table: SimTable) -> list[Any]:
    return [table.peers[seat] for seat in HONEST]


def check_same(table: SimTable, closed: int) -> None:
    """All are at one place, name the one seat, and so does the auditor of each."""
    sessions = [peer.session for peer in stayed(table)]
    assert [session.play.results_closed() for session in sessions] == [closed] * 3
    assert len({session.course.place for session in sessions}) == 1
    assert len({session.play.public_digest() for session in sessions}) == 1
    for peer in stayed(table):
        assert [fault.seat for fault in peer.session.course.faults] == [TWO_FACED]
        assert TWO_FACED not in peer.session.play.present()
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None and verdict.fault.seat == TWO_FACED
        assert verdict.hands == closed


@pytest.mark.parametrize("seed", first_quick(range(4)))
def test_who_has_told_two_stories_cannot_keep_a_result_from_those_who_signed_it(seed: int) -> None:
    table = table_at_result({TWO_FACED: Reluctant, FRIEND: Session}, seed)
    assert all(peer.session.play.results_closed() == 0 for peer in stayed(table))
    turn_back(table)
    check_same(table, closed=1)


@pytest.mark.parametrize("seed", first_quick(range(4)))
def test_what_one_has_seen_closed_closes_for_who_had_only_signed_it(seed: int) -> None:
    behind = HONEST[-1]
    makers: dict[Seat, SessionMaker] = {TWO_FACED: Session, FRIEND: Session}
    table = SimTable(5, seed, draft=tiny_draft(5, target=2), makers=makers).start()
    assert table.run_until(lambda table: has_signed(table, behind))
    for other in (*HONEST[:-1], TWO_FACED, FRIEND):
        table.wires[other, behind] = Lost()
    table.run()
    hands = [peer.session.play.results_closed() for peer in stayed(table)]
    assert hands == [1, 1, 0]
    for other in (*HONEST[:-1], TWO_FACED, FRIEND):
        table.wires[other, behind] = []
    turn_back(table)
    check_same(table, closed=1)


class Lost(list[bytes]):
    """A wire on which nothing arrives."""

    def append(self, frame: bytes) -> None:
        pass


def has_signed(table: SimTable, seat: Seat) -> bool:
    """Whether this seat has signed the result, and does not know that all others have."""
    session = table.peers[seat].session
    step, lane = session.course.current, session.lanes.accepted[seat]
    return step is not None and step.kind is Settled and isinstance(lane[-1].body.payload, Settled)


@pytest.mark.parametrize("seed", first_quick(range(4)))
def test_a_result_that_one_who_stays_has_not_signed_falls_for_all(seed: int) -> None:
    """Also for those who had the signatures of more than half."""
    table = table_at_result({TWO_FACED: Session, FRIEND: Reluctant}, seed)
    turn_back(table)
    check_same(table, closed=0)


@pytest.mark.parametrize("hands", [1, 2])
def test_who_leaves_while_a_hand_is_turned_back_takes_the_signed_result_along(hands: int) -> None:
    """It closes for those who stay; so it counts for who leaves, who cannot wait to see it."""
    table = table_at_result({TWO_FACED: Reluctant, FRIEND: Session}, 1, hands)
    table.hand_over(TWO_FACED, 0, two_stories(table))
    assert table.peers[0].session.turning.is_open
    table.at(0, lambda session: [*session.leave(), *session.abandon()])
    finished = table.peers[0].finished
    assert finished is not None and finished.over.hands == 1
    for seat in HONEST[1:]:
        table.cut(TWO_FACED, seat)
    table.run()
    assert table.peers[1].session.play.results[0].scores == finished.over.scores
    verdict = audit_journal(table.draft, table.peers[0].journal)
    assert (verdict.hands, verdict.scores) == (1, finished.over.scores)
