"""What an attacker found in the turning back of hands, and may not find again."""

from typing import Any

import pytest
from msgspec.structs import replace

from p2pjong.session.course import Step
from p2pjong.session.effects import Send
from p2pjong.session.lanes import sign_body
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.framing import encode_frame
from p2pjong.wire.messages import ActOpen, Convict, Lane, LaneBody, Payload, Settled
from tests.session.test_turning import two_faced
from tests.support.hostile import (
    HostileSession,
    Misdeed,
    flipped,
    honest_payload,
    hostile,
    twisted,
    two_stories,
)
from tests.support.sim import SessionMaker, SimTable, choose_default, make_secrets, tiny_draft

CHEAT = 1


def at_last_message(session: HostileSession, step: Step) -> bool:
    is_last = step.kind is ActOpen and session.play.state.turns == 3
    return is_last and session.course.is_awaited(session.seat)


LAST = Misdeed(
    "tells two stories in the last step of a hand",
    "ActOpen",
    "equivocation",
    forge=honest_payload,
    when=at_last_message,
    tell=two_stories(twisted(digest=flipped)),
)


@pytest.mark.timeout(60)
def test_one_seat_cannot_part_the_others_in_the_last_step_of_a_hand() -> None:
    """Some have signed the result, one cannot reach it: all must begin anew at one place."""
    erred = 0
    for seed in range(6):
        makers: dict[int, SessionMaker] = {CHEAT: hostile(LAST)}
        draft = tiny_draft(5, target=2)
        table = SimTable(5, seed, draft=draft, makers=makers, choose=choose_default)
        table.start().finish(20)
        cheat: Any = table.peers[CHEAT].session
        erred += cheat.has_erred
        assert table.is_finished()
        assert len(table.outcomes()) == len(table.digests()) == 1
        for peer in table.honest():
            assert {seat for seat, _ in peer.blames()} <= {CHEAT}
    assert erred >= 2


class Mute(Session):
    """Falls silent as soon as a hand is turned back."""

    def _say(self, payload: Payload) -> None:
        if isinstance(payload, Convict):
            self._has_left = True
        else:
            super()._say(payload)


class Inflater(Session):
    """As a hand is turned back, signs a result that is none, and counts one more than closed."""

    def _say(self, payload: Payload) -> None:
        if isinstance(payload, Convict):
            super()._say(Settled(bytes(32)))
            payload = Convict(payload.settled + 1, payload.first, payload.second)
        super()._say(payload)


def turning_with(other: SessionMaker) -> SimTable:
    makers: dict[int, SessionMaker] = {1: two_faced(2), 3: other}
    draft = tiny_draft(5, target=2)
    return SimTable(5, 3, draft=draft, makers=makers, choose=choose_default).start().finish()


def test_who_is_silent_while_a_hand_is_turned_back_can_be_voted_absent() -> None:
    table = turning_with(Mute)
    assert not table.is_finished()
    for _ in range(3):
        for seat in (0, 2, 4):
            table.at(seat, lambda session: session.propose_absent(3))
        table.run()
        table.tick()
        table.run()
    assert table.is_finished()
    assert len(table.outcomes()) == 1


def test_one_who_stays_cannot_end_the_game_by_a_false_count() -> None:
    table = turning_with(Inflater)
    assert all(
        peer.finished and peer.finished.over.outcome == "finished" for peer in table.honest()
    )


def test_stories_too_long_to_be_handed_on_break_nobody() -> None:
    table = SimTable(3, 1, draft=tiny_draft(3, target=2)).start()
    table.run_until(lambda t: all(peer.session.charter for peer in t.peers))
    cheat = table.peers[1].session
    junk = [Lane(bytes([number]) * 230_000, bytes(64)) for number in (1, 2, 3)]
    last: Lane = decode(cheat.lanes.accepted[1][-1].frame, Lane)
    body: LaneBody = decode(last.body, LaneBody)
    for one, other in ((0, 1), (1, 2)):
        word = Convict(0, junk[one], junk[other])
        story = replace(body, heads=cheat.lanes.heads(), payload=word)
        signed = sign_body(story, make_secrets(table.draft, 1, 1).sign)
        table.hand_over(1, 0, signed.frame)
    assert table.peers[0].refusals
    for effect in table.peers[0].seen:
        if isinstance(effect, Send):
            assert encode_frame(effect.frame)


@pytest.mark.parametrize("seed", range(3))
def test_a_voter_takes_nothing_more_of_the_lane_it_voted_against(seed: int) -> None:
    """A cheat feigns to be willing; the slow seat comes back: nobody honest is named for it."""
    table = SimTable(3, seed, draft=tiny_draft(3, target=2)).start()
    table.run_until(lambda t: t.delivered >= 60)
    for other in (0, 1):
        table.cut(2, other)
    table.run()
    table.at(0, lambda session: session.propose_absent(2))
    table.run()
    gossip = table.peers[1].session.gossip
    table.hand_over(1, 0, gossip.willing(2, table.peers[1].session.lanes).frame)
    assert any(b"vote-absent" in frame for frame in table.peers[0].journal)
    table.heal()
    table.tick()
    table.run()
    assert not any(peer.blames() for peer in table.peers)
