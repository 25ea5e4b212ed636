"""The last result of a game, said to have closed while a hand is turned back."""

from typing import Any

import pytest

from p2pjong.session.course import Step
from p2pjong.session.session import Session
from p2pjong.wire.messages import ActOpen, Convict, Payload, Settled
from tests.support.hostile import (
    HostileSession,
    Misdeed,
    flipped,
    honest_payload,
    hostile,
    twisted,
    two_stories,
)
from tests.support.sim import SimTable, choose_default, tiny_draft
from tests.support.tiny import TURNS_MAX

CHEAT, FRIEND = 1, 3


def is_last_answer(session: HostileSession, step: Step) -> bool:
    is_last = session.play.state.turns == TURNS_MAX
    return step.kind is ActOpen and is_last and session.course.is_awaited(session.seat)


LAST = Misdeed(
    "tells two stories in the last step of a hand",
    "ActOpen",
    "equivocation",
    forge=honest_payload,
    when=is_last_answer,
    tell=two_stories(twisted(digest=flipped)),
)


class Afterthinker(Session):
    """Signs the result that it had not signed when the hand was turned back, after its word."""

    def _say(self, payload: Payload) -> None:
        super()._say(payload)
        if isinstance(payload, Convict):
            super()._say(Settled(self.play.public_digest()))


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_result_that_ends_the_game_is_not_played_on_from(seed: int) -> None:
    """Who stood right before it took it for closed, and then voided a game that was over."""
    makers: dict[int, Any] = {CHEAT: hostile(LAST), FRIEND: Afterthinker}
    draft = tiny_draft(4, target=1)
    table = SimTable(4, seed, draft=draft, makers=makers, choose=choose_default)
    table.start().finish()  # an honest peer that falls over fails here
    assert any(peer.finished for peer in table.honest())
    for peer in table.honest():
        assert {seat for seat, _ in peer.blames()} <= {CHEAT, FRIEND}
