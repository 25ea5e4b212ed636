"""A seat that answers nothing, and says something without worth whenever others would vote.

It counted as back by that, so nobody could ever vote it absent.
"""

import pytest

from p2pjong.games.game import Seat
from p2pjong.session.history import Signed
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import PutOut, TableMessage, Willing
from tests.attack.test_idle_league import NOTHING, after, first_body, signed
from tests.support.sim import SessionMaker, SimTable, choose_default, tiny_draft

CHEAT: Seat = 4
HONEST: tuple[Seat, ...] = (0, 1, 2, 3)


class Answering(SimTable):
    """The cheat hears nothing but that others would vote, and says one thing more each time."""

    last: Signed | None = None

    def hand_over(self, sender: Seat, to: Seat, frame: bytes) -> None:
        if to != CHEAT or self.last is None:
            super().hand_over(sender, to, frame)
        elif isinstance(decode(frame, TableMessage), Willing):
            self.say_more()

    def say_more(self) -> None:
        body = (
            first_body(self, CHEAT, PutOut(0)) if self.last is None else after(self.last, NOTHING)
        )
        self.last = said = signed(self, body)
        for seat in HONEST:
            self.wires.setdefault((CHEAT, seat), []).append(said.frame)


@pytest.mark.slow
@pytest.mark.parametrize("apart_s", [1, 3])
def test_who_only_says_what_means_nothing_is_voted_absent(apart_s: int) -> None:
    """People say yes one after the other, some seconds apart, each of them once."""
    makers: dict[Seat, SessionMaker] = {CHEAT: Session}
    draft = tiny_draft(5, target=2)
    table = Answering(5, 3, draft=draft, makers=makers, choose=choose_default)
    table.start()
    table.run_until(lambda table: table.peers[0].session.course.step >= 12)
    table.peers[CHEAT].session._has_left = True
    table.run()
    table.say_more()
    table.run()
    assert all(peer.session._missing() == (CHEAT,) for peer in table.honest())
    for second in range(5 * apart_s):
        if second % apart_s == 0 and second // apart_s < len(HONEST):
            table.at(second // apart_s, lambda session: session.propose_absent(CHEAT))
        table.run()
        table.tick()
        table.run()
    assert all(CHEAT in session.turning.done for session in sessions(table))
    for peer in table.honest():
        assert peer.blames() == []


def sessions(table: SimTable) -> list[Session]:
    return [peer.session for peer in table.honest()]
