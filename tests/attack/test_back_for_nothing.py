"""A seat that answers nothing, and says something without worth whenever others vote.

It counted as back by that, so nobody could ever vote it absent.
"""

from functools import partial

import pytest

from p2pjong.games.game import Seat
from p2pjong.session.history import Signed
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import TableMessage, Vote
from tests.attack.test_idle_league import (
    FRIEND,
    GONE,
    HONEST,
    NOTHING,
    TALKER,
    after,
    first_body,
    signed,
    table_of_six,
    word_against_the_gone,
)
from tests.support.sim import SimTable


class Answering(SimTable):
    """The cheat hears nothing but that others vote, and says one thing more each time."""

    last: Signed | None = None

    def hand_over(self, sender: Seat, to: Seat, frame: bytes) -> None:
        if to != TALKER or self.last is None:
            super().hand_over(sender, to, frame)
        elif isinstance(decode(frame, TableMessage), Vote):
            self.say_more()

    def say_more(self) -> None:
        word = word_against_the_gone(self)
        body = first_body(self, TALKER, word) if self.last is None else after(self.last, NOTHING)
        self.last = said = signed(self, body)
        for seat in HONEST:
            self.wires.setdefault((TALKER, seat), []).append(said.frame)


@pytest.mark.slow
@pytest.mark.parametrize("apart_s", [1, 3])
def test_who_only_says_what_means_nothing_is_voted_absent(apart_s: int) -> None:
    """People say yes one after the other, some seconds apart, each of them once."""
    table = table_of_six(Answering)
    assert isinstance(table, Answering)
    table.say_more()
    table.run()
    for absent in (TALKER, FRIEND):
        if not all(absent in session._missing() for session in sessions(table)):
            continue
        for second in range(5 * apart_s):
            if second % apart_s == 0 and second // apart_s < len(HONEST):
                table.at(second // apart_s, partial(Session.propose_absent, seat=absent))
            table.run()
            table.tick()
            table.run()
        break
    assert all(absent in session.turning.done for session in sessions(table))
    for peer in table.honest():
        assert {seat for seat, _ in peer.blames()} <= {GONE}


def sessions(table: SimTable) -> list[Session]:
    return [table.peers[seat].session for seat in HONEST]
