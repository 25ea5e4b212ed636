"""A seat that is long out is good for no second throw: nobody turns a hand back for it."""

from typing import Any

import pytest
from msgspec.structs import replace

from p2pjong.games.game import Seat
from p2pjong.session.effects import Effect
from p2pjong.session.lanes import stamp_bytes
from p2pjong.session.session import Session
from p2pjong.wire.messages import Convict, Stamp
from tests.support.sim import SimTable, choose_default, signing_key, tiny_draft

FRIEND, PUPPET = 1, 2


class Friend(Session):
    """Holds up two stamps of its puppet when it likes."""

    def strike(self, word: Convict) -> list[Effect]:
        self._say(word)
        self._run()
        return self.drain()


def two_stamps(table: SimTable, seat: Seat) -> Convict:
    def stamp(mark: int) -> Stamp:
        bare = Stamp(seat, 0, 0, 0, bytes([mark]) * 32, b"")
        draft = table.peers[0].session.gossip.draft
        return replace(bare, signature=signing_key(seat).sign(stamp_bytes(draft, bare)))

    return Convict(stamp(1), stamp(2))


def friend_at(table: SimTable) -> Any:
    return table.peers[FRIEND].session


def struck(results: int) -> SimTable:
    """The puppet leaves, so many results close, and its friend holds up what it had signed."""
    draft = tiny_draft(4, target=4)
    table = SimTable(4, 0, draft=draft, makers={FRIEND: Friend}, choose=choose_default).start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    table.at(PUPPET, lambda session: session.leave())
    table.peers[PUPPET].is_honest = False
    others = [peer for seat, peer in enumerate(table.peers) if seat != PUPPET]
    table.run_until(
        lambda table: all(one.session.play.results_closed() >= results for one in others)
    )
    for _ in range(60):
        table.step()
    word = two_stamps(table, PUPPET)
    table.at(FRIEND, lambda session: friend_at(table).strike(word))
    return table.finish()


@pytest.mark.slow
def test_nobody_turns_a_hand_back_for_a_seat_that_is_long_out() -> None:
    """Nothing more of its friend counts, which is waited for; the vote begins the hand anew."""
    table = struck(results=2)
    for peer in table.honest():
        assert not peer.session.turning.done and not peer.session.turning.is_open
        assert [fault.rule for fault in peer.session.course.faults] == ["equivocation"]
    for seat in (0, 3):
        table.at(seat, lambda session: session.propose_absent(FRIEND))
    table.finish()
    assert table.is_finished() and len(table.outcomes()) == 1
    assert {seat for seat, _ in table.faults()} == {PUPPET}
    for peer, verdict in zip(table.honest(), table.audits(), strict=True):
        assert peer.finished
        assert verdict.digest == peer.finished.digest
        assert verdict.scores == peer.finished.over.scores


@pytest.mark.slow
def test_in_the_hand_in_which_it_left_all_begin_anew() -> None:
    table = struck(results=0)
    for peer in table.honest():
        assert peer.session.turning.done == {PUPPET}
    assert table.is_finished() and len(table.outcomes()) == 1
