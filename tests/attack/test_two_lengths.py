"""Two stories of a seat that come to the same, but for one message more in one of them.

What names another place means nothing, once a hand was turned back.

Who heard the longer one has a step close with more of that lane than others have heard; so what
these say next names less of it than is required there. That is not their fault.
"""

from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session.conduct import Secrets
from p2pjong.session.history import Signed
from p2pjong.session.lanes import sign_body
from p2pjong.session.session import Session
from p2pjong.wire.messages import (
    Echo,
    Head,
    KeyPublished,
    LaneBody,
    Payload,
    Settled,
)
from tests.session.test_books import opened
from tests.session.test_turning import two_faced
from tests.support.marks import first_quick
from tests.support.sim import (
    SessionMaker,
    SimTable,
    audit_journal,
    choose_default,
    make_secrets,
    tiny_draft,
)

SEED = 3


class Mute(Session):
    """Keeps back what it would say in one step, and says nothing more by itself."""

    step: tuple[int, int]
    kept: Payload

    def _say(self, payload: Payload) -> None:
        if not self._has_left and (self.course.epoch, self.course.step) == self.step:
            self._has_left, self.kept = True, payload
        elif not self._has_left:
            super()._say(payload)


def mute_at(step: tuple[int, int]) -> Any:
    def make(draft: Any, game: Any, secrets: Secrets) -> Mute:
        session = Mute(draft, game, secrets)
        session.step = step
        return session

    return make


FILLER = Echo(bytes(32))  # it names another place


def turned_table(seats: int, cheat: Any) -> SimTable:
    """The first hand is turned back, for two stories of the last seat."""
    draft = opened(tiny_draft(seats + 1, target=2))
    makers: dict[Seat, SessionMaker] = {seats: two_faced(1)}
    makers |= {seats - 1: cheat} if cheat else {}
    table = SimTable(seats + 1, SEED, draft=draft, makers=makers, choose=choose_default)
    return table.start()


def step_before(kind: type[Payload], cheat: Seat, *, is_same: bool) -> tuple[int, int]:
    """The first step of this kind, or the last one before it in which the cheat says something."""
    table = turned_table(cheat + 1, None).finish()
    said = [signed.body for signed in table.peers[0].session.lanes.accepted[cheat]]
    (at, *_) = [at for at, body in enumerate(said) if isinstance(body.payload, kind)]
    body = said[at if is_same else at - 1]
    return body.epoch, body.step


def story(table: SimTable, cheat: Seat, payloads: list[Payload]) -> list[Signed]:
    """What the cheat signs next, one after the other."""
    session = table.peers[cheat].session
    heads, said = list(session.lanes.heads()), list[Signed]()
    body = LaneBody(
        table=session.gossip.draft,
        place=session.course.place,
        seat=cheat,
        incarnation=0,
        heads=tuple(heads),
        epoch=session.course.epoch,
        step=session.course.step,
        digest=session.course.opening_digest(),
        payload=payloads[0],
    )
    for payload in payloads:
        place = bytes(32) if payload is FILLER else body.place
        following = with_fields(body, payload=payload, heads=tuple(heads), place=place)
        said.append(sign_body(following, make_secrets(table.draft, cheat, SEED).sign))
        heads[cheat] = Head(said[-1].number + 1, said[-1].hash)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("is_same", [True, False], ids=["in-that-step", "right-before"])
@pytest.mark.parametrize("kind", [Settled, KeyPublished])
@pytest.mark.parametrize(
    ("seats", "longer"), first_quick([(3, (0,)), (5, (0,)), (5, (0, 1)), (5, (1, 2, 3))])
)
def test_who_has_heard_less_of_a_two_faced_seat_is_not_named(
    seats: int, longer: tuple[Seat, ...], kind: type[Payload], is_same: bool
) -> None:
    cheat = seats - 1
    step = step_before(kind, cheat, is_same=is_same)
    table = turned_table(seats, mute_at(step)).run()
    honest = [peer for peer in table.honest() if peer.session.me != cheat]
    mute: Any = table.peers[cheat].session
    assert all(peer.session.course.missing() == (cheat,) for peer in honest)
    for seat in range(cheat):
        said = [FILLER, mute.kept] if seat in longer else [mute.kept]
        for signed in story(table, cheat, said):
            table.hand_over(cheat, seat, signed.frame)
    for seat in range(cheat):
        table.cut(cheat, seat)
    table.finish(ticks=12)
    assert table.is_finished()
    assert len(table.digests()) == len(table.outcomes()) == 1
    for peer in table.honest():
        assert {seat for seat, _ in peer.blames()} == {cheat, seats}
        assert {fault.seat for fault in peer.session.course.faults} == {cheat, seats}
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None and verdict.fault.seat in (cheat, seats)
        assert peer.finished is not None and verdict.scores == peer.finished.over.scores
