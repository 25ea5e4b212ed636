"""What means nothing any more spends nobody's disk: talk while a hand is turned back."""

import pytest

from p2pjong.session.session import Session
from p2pjong.session.turn_back import IDLE_MAX
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Convict, Echo, Lane, LaneBody, Payload
from tests.session.test_turning import two_faced
from tests.support.marks import first_quick
from tests.support.sim import SessionMaker, SimTable, audit_journal, choose_default, tiny_draft

TWO_FACED, TALKER = 1, 3
FLOOD = 5 * IDLE_MAX
IN_A_HAND = 40  # more than a seat says in one hand of the tiny game


class Talker(Session):
    """Says very much around its word, none of which can mean anything."""

    is_before = False

    def _say(self, payload: Payload) -> None:
        if not isinstance(payload, Convict):
            super()._say(payload)
            return
        if self.is_before:
            self._babble()
        super()._say(payload)
        if not self.is_before:
            self._babble()

    def _babble(self) -> None:
        for _ in range(FLOOD):
            super()._say(Echo(bytes(32)))


class EarlyTalker(Talker):
    """The same, and gives its word after that."""

    is_before = True


def kept(table: SimTable) -> list[int]:
    """How many messages of the talker each honest peer has put on its disk."""
    return [
        sum(decode(decode(frame, Lane).body, LaneBody).seat == TALKER for frame in lanes)
        for peer in table.honest()
        for lanes in [[frame for frame in peer.journal if b"evidence" not in frame[:12]]]
    ]


def propose(table: SimTable) -> None:
    for seat, peer in enumerate(table.peers):
        if peer.is_honest:
            table.at(seat, lambda session: session.propose_absent(TALKER))


@pytest.mark.slow
@pytest.mark.parametrize(
    "maker", first_quick([Talker, EarlyTalker]), ids=["after-its-word", "before-its-word"]
)
def test_who_talks_on_while_a_hand_is_turned_back_is_not_kept_and_voted_absent(
    maker: SessionMaker,
) -> None:
    makers: dict[int, SessionMaker] = {TWO_FACED: two_faced(2), TALKER: maker}
    draft = tiny_draft(5, target=2)
    table = SimTable(5, 3, draft=draft, makers=makers, choose=choose_default).start()
    table.finish(ticks=4)
    assert max(kept(table)) > IDLE_MAX, "it was heard"
    for _ in range(4):
        propose(table)
        table.run()
        table.tick()
        table.run()
    assert table.is_finished()
    assert len(table.outcomes()) == 1
    assert max(kept(table)) <= 3 * IDLE_MAX + IN_A_HAND  # one turning for each seat that is out
    for peer in table.honest():
        assert {seat for seat, _ in peer.blames()} == {TWO_FACED}
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (TWO_FACED, "equivocation")
