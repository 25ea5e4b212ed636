"""How a game ends for all alike, whoever lies, falls silent or goes on talking in its last step."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from p2pjong.games.game import Seat
from p2pjong.session.effects import Send
from p2pjong.session.session import Session
from p2pjong.wire.messages import Convict, KeyPublished, Payload, Settled
from tests.session.test_books import FAULTS, is_publishing, opened
from tests.session.test_turning import two_faced
from tests.support.ballots import word_at
from tests.support.hostile import Misdeed, altered, flipped, hostile, twisted
from tests.support.marks import first_quick
from tests.support.sim import SessionMaker, SimTable, choose_default, tiny_draft

FIRST, ABSENT, LIAR = 0, 1, 3
WRONG_STATE = Misdeed("comes to another result", "Settled", "digest", twist=twisted(digest=flipped))
WRONG_RESULT = Misdeed("signs another result", "Settled", "result", altered(result=flipped))


class Whisperer(Session):
    """Says its last word at the end of the hand to one seat alone, and then nothing more."""

    last: type[Payload] = KeyPublished
    whispered: Sequence[bytes] = ()

    def _say(self, payload: Payload) -> None:
        before = len(self._effects)
        super()._say(payload)
        if isinstance(payload, self.last):
            sent = [one for one in self._effects[before:] if isinstance(one, Send)]
            self._effects = [one for one in self._effects if one not in sent]
            self._effects += [Send(one.frame, FIRST) for one in sent]
            self.whispered = [one.frame for one in sent]
            self._has_left = True


class ResultWhisperer(Whisperer):
    """The same, with its signature of the result."""

    last = Settled


class LyingWhisperer(ResultWhisperer):
    """The same, and it signs another result than all others."""

    def _say(self, payload: Payload) -> None:
        super()._say(Settled(bytes(32)) if isinstance(payload, Settled) else payload)


class Chatterer(Session):
    """Says one more thing right after it has signed the result."""

    def _say(self, payload: Payload) -> None:
        super()._say(payload)
        if isinstance(payload, Settled):
            super()._say(Settled(bytes(32)))


class Doubler(Session):
    """Adds to its word one against a seat against which there is nothing."""

    def _say(self, payload: Payload) -> None:
        super()._say(payload)
        if isinstance(payload, Convict):
            super()._say(word_at(self, [self.me], FIRST))


class Discreet(SimTable):
    """A network that brings what was whispered to nobody else."""

    def _send(self, seat: Seat, frame: bytes, to: Seat | None) -> None:
        whisperer: Any = self.peers[ABSENT].session
        if seat == ABSENT or frame not in whisperer.whispered:
            super()._send(seat, frame, to)


def is_signing(table: SimTable) -> bool:
    """Whether some peer has opened the step in which the first result is signed."""
    return is_anyone_at(table, Settled)


def is_anyone_at(table: SimTable, kind: type[Payload]) -> bool:
    steps = [peer.session.course.current for peer in table.peers]
    return any(step is not None and step.kind is kind for step in steps)


def vote_at_any_moment(table: SimTable, voters: list[Seat], rng: Random) -> None:
    """While messages are under way in any order, two vote, who are not enough; then all do."""
    whisperer: Any = table.peers[ABSENT].session
    while table.step():
        voter = rng.choice(voters[:2])
        step = table.peers[voter].session.course.current
        if step is not None and step.kind is whisperer.last and rng.random() < 0.2:
            table.at(voter, lambda session: session.propose_absent(ABSENT))
    for _ in range(3):
        for voter in voters:
            table.at(voter, lambda session: session.propose_absent(ABSENT))
        table.run()
        table.tick()
        table.run()


def faults_of(table: SimTable) -> set[tuple[tuple[Seat, int, str], ...]]:
    return {
        tuple((fault.seat, fault.number, fault.rule) for fault in faults)
        for faults in table.verdicts()
    }


def check_one_fault(table: SimTable, rule: str) -> None:
    """All honest peers are done, and each of them, and each auditor, names the very same fault."""
    assert table.is_finished()
    assert len(table.outcomes()) == 1
    ((fault,),) = faults_of(table)
    assert fault[0] == LIAR and fault[2] == rule
    for peer, verdict in zip(table.honest(), table.audits(), strict=True):
        assert peer.finished and peer.finished.fault and peer.finished.fault.seat == LIAR
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.number, verdict.fault.rule) == fault
        assert verdict.scores == peer.finished.over.scores


@pytest.mark.slow
@pytest.mark.parametrize("hands", first_quick([1, 2]))
@pytest.mark.parametrize("seed", first_quick(range(12)))
def test_a_wrong_key_is_named_by_all_while_another_seat_is_voted_absent(
    hands: int, seed: int
) -> None:
    """One peer has heard the last key and is done; the others vote, and never hear it."""
    makers: dict[Seat, SessionMaker] = {ABSENT: Whisperer, LIAR: hostile(FAULTS[0])}
    draft = opened(tiny_draft(7, target=hands))
    table = Discreet(7, seed, draft=draft, makers=makers).start()
    table.run_until(is_publishing())
    vote_at_any_moment(table, [2, 4, 5, 6], Random(seed))
    check_one_fault(table, "published-key")
    assert table.peers[FIRST].session.view().present[LIAR] == (hands == 1)


@pytest.mark.slow
@pytest.mark.parametrize("hands", first_quick([1, 2]))
@pytest.mark.parametrize("misdeed", [WRONG_RESULT, WRONG_STATE], ids=["result", "state"])
@pytest.mark.parametrize("seed", first_quick(range(12)))
def test_a_wrong_result_is_named_by_all_while_another_seat_is_voted_absent(
    misdeed: Misdeed, hands: int, seed: int
) -> None:
    """The result counts all the same, also for those who never heard the last signature."""
    makers: dict[Seat, SessionMaker] = {ABSENT: ResultWhisperer, LIAR: hostile(misdeed)}
    table = Discreet(7, seed, draft=tiny_draft(7, target=hands), makers=makers).start()
    table.run_until(is_signing)
    vote_at_any_moment(table, [2, 4, 5, 6], Random(seed))
    assert misdeed.rule is not None
    check_one_fault(table, misdeed.rule)
    assert {len(peer.session.play.results) for peer in table.honest()} == {hands}


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(6)))
def test_of_a_seat_that_is_voted_absent_nobody_names_what_some_have_heard(seed: int) -> None:
    """It lies to one alone, who goes on; the others vote, and all agree that it was voted out."""
    makers: dict[Seat, SessionMaker] = {ABSENT: LyingWhisperer}
    table = Discreet(5, seed, draft=tiny_draft(5, target=2), makers=makers).start()
    table.run_until(is_signing)
    vote_at_any_moment(table, [2, 3, 4], Random(seed))
    assert table.is_finished()
    assert len(table.outcomes()) == 1
    assert table.faults() == []
    assert {verdict.voted_out for verdict in table.audits()} == {(ABSENT,)}
    assert all(verdict.is_valid for verdict in table.audits())


@pytest.mark.parametrize("seed", first_quick(range(6)))
def test_what_a_seat_adds_to_its_last_answer_is_nothing_to_anyone(seed: int) -> None:
    """Some hear it before the last of the others has signed, some after the game is over."""
    makers: dict[Seat, SessionMaker] = {LIAR: Chatterer}
    table = SimTable(4, seed, draft=tiny_draft(4), makers=makers).start().finish()
    assert table.is_finished()
    assert table.faults() == []
    assert {peer.finished and peer.finished.fault for peer in table.honest()} == {None}
    assert all(verdict.is_valid for verdict in table.audits())


@pytest.mark.parametrize("seed", first_quick(range(6)))
def test_a_word_too_many_makes_nobody_answer_out_of_turn(seed: int) -> None:
    """Who had not heard it yet as the hand began anew was blamed by those who had."""
    makers: dict[Seat, SessionMaker] = {ABSENT: two_faced(2), LIAR: Doubler}
    draft = tiny_draft(5, target=2)
    table = SimTable(5, seed, draft=draft, makers=makers, choose=choose_default).start().finish()
    for peer in table.honest():
        assert {seat for seat, _ in peer.blames()} == {ABSENT, LIAR}
