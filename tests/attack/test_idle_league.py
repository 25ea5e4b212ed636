"""Two in league: one talks without end, and the other rests what it says on that."""

from functools import partial

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session import turn_back
from p2pjong.session.history import Signed
from p2pjong.session.lanes import sign_body, stamp_bytes
from p2pjong.session.session import Session
from p2pjong.session.turn_back import IDLE_MAX
from p2pjong.wire.messages import Convict, Echo, Head, LaneBody, Payload, Shuffled
from tests.support.sim import (
    SessionMaker,
    SimTable,
    audit_journal,
    choose_default,
    make_secrets,
    signing_key,
    tiny_draft,
)

HONEST: tuple[Seat, ...] = (0, 1, 2)
TALKER, FRIEND, GONE = 3, 4, 5
NOTHING = Echo(bytes(32))
SEED = 3


def table_of_six(kind: type[SimTable] = SimTable) -> SimTable:
    """One has left long ago. In the midst of a hand two say nothing more by themselves."""
    makers: dict[Seat, SessionMaker] = {TALKER: Session, FRIEND: Session}
    draft = tiny_draft(6, target=3)
    table = kind(6, SEED, draft=draft, makers=makers, choose=choose_default)
    table.start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    table.at(GONE, lambda session: session.leave())
    table.run_until(is_in_the_next_hand)
    for seat in (TALKER, FRIEND):
        table.peers[seat].session._has_left = True
    return table.run()


def is_in_the_next_hand(table: SimTable) -> bool:
    session = table.peers[0].session
    step = session.course.current
    return session.play.results_closed() == 1 and step is not None and step.kind is Shuffled


def word_against_the_gone(table: SimTable) -> Convict:
    """Two stories of the seat that has left: a word that nobody need follow."""
    return convict_the_gone(table.peers[0].session)


def convict_the_gone(session: Session) -> Convict:
    key = signing_key(GONE)
    stamp = session.lanes.accepted[GONE][0].stamp
    bare = with_fields(stamp, hash=bytes(32))
    other = with_fields(bare, signature=key.sign(stamp_bytes(session.gossip.draft, bare)))
    return Convict(*sorted((stamp, other), key=lambda one: one.hash))


def first_body(table: SimTable, seat: Seat, payload: Payload) -> LaneBody:
    session = table.peers[seat].session
    return LaneBody(
        table=session.gossip.draft,
        place=session.course.place,
        seat=seat,
        incarnation=0,
        heads=session.lanes.heads(),
        epoch=session.course.epoch,
        step=session.course.step,
        digest=session.course.opening_digest(),
        payload=payload,
    )


def signed(table: SimTable, body: LaneBody) -> Signed:
    return sign_body(body, make_secrets(table.draft, body.seat, SEED).sign)


def after(said: Signed, payload: Payload, of_talker: Head | None = None) -> LaneBody:
    """The next message of the same seat, perhaps naming more of the talker's lane."""
    named = list(said.body.heads)
    named[said.body.seat] = Head(said.number + 1, said.hash)
    if of_talker is not None:
        named[TALKER] = of_talker
    return with_fields(said.body, payload=payload, heads=tuple(named))


def talk(table: SimTable, count: int) -> list[Signed]:
    """A word that nobody follows, after which nothing that its author says means anything."""
    said = [signed(table, first_body(table, TALKER, word_against_the_gone(table)))]
    while len(said) < count:
        said.append(signed(table, after(said[-1], NOTHING)))
    return said


def tell(table: SimTable, said: Signed) -> None:
    for seat in HONEST:
        table.hand_over(said.body.seat, seat, said.frame)
    table.wires.clear()


def kept(table: SimTable, before: int) -> int:
    lanes = [table.peers[seat].session.lanes.accepted[TALKER] for seat in HONEST]
    return max(map(len, lanes)) - before


def check_voted_out(table: SimTable) -> None:
    """The honest are more than half: they vote the two out, and all records are good."""
    for seat in (TALKER, FRIEND):
        for other in HONEST:
            table.cut(seat, other)
    for _ in range(24):
        for seat in HONEST:
            for absent in set(table.peers[seat].session._missing()) & {TALKER, FRIEND}:
                table.at(seat, partial(Session.propose_absent, seat=absent))
        table.run()
        table.tick()
        table.run()
    for seat in HONEST:
        peer = table.peers[seat]
        assert peer.finished is not None and peer.finished.over.outcome == "finished"
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None and verdict.fault.seat == GONE
        assert verdict.scores == peer.finished.over.scores


@pytest.mark.slow
def test_a_message_that_names_what_never_comes_makes_nobody_keep_more() -> None:
    table = table_of_six()
    before = len(table.peers[0].session.lanes.accepted[TALKER])
    body = first_body(table, FRIEND, NOTHING)
    heads = list(body.heads)
    heads[TALKER] = Head(2**31, bytes(32))
    tell(table, signed(table, with_fields(body, heads=tuple(heads))))
    for said in talk(table, 5 * IDLE_MAX):
        tell(table, said)
    assert IDLE_MAX < kept(table, before) <= IDLE_MAX + 2
    check_voted_out(table)


@pytest.mark.slow
def test_what_rests_on_ever_more_of_it_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 3 * IDLE_MAX
    monkeypatch.setattr(turn_back, "IDLE_BYTES_MAX", most * turn_back.IDLE_BYTES_MIN)
    table = table_of_six()
    before = len(table.peers[0].session.lanes.accepted[TALKER])
    said = talk(table, 12 * IDLE_MAX)
    rests = signed(table, first_body(table, FRIEND, word_against_the_gone(table)))
    tell(table, rests)
    for at in range(IDLE_MAX - 1, len(said), IDLE_MAX):
        last = said[at]
        rests = signed(table, after(rests, NOTHING, Head(last.number + 1, last.hash)))
        tell(table, rests)
        for one in said[at + 1 - IDLE_MAX : at + 1]:
            tell(table, one)
    assert 2 * IDLE_MAX < kept(table, before) <= most + 2
    check_voted_out(table)
