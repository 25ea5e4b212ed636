"""What a vote must be, and how many it takes: half of a table puts nobody out."""

from collections.abc import Callable

import pytest

from p2pjong.games.game import Game, Seat
from p2pjong.session.conduct import Secrets
from p2pjong.session.effects import Awaiting, VotedOut
from p2pjong.session.session import Session
from p2pjong.wire.messages import Draft, KeyCommit, Payload, PutOut, VoteAbsent
from tests.support.sim import SessionMaker, SimTable, choose_default, tiny_draft

ABSENT = 3


class Voter(Session):
    """Votes seat 3 absent right after its commitment to a key, whoever else would; then is mute."""

    def __init__(
        self, draft: Draft, game: Game, secrets: Secrets, vote: Callable[[Session], Payload]
    ) -> None:
        super().__init__(draft, game, secrets)
        self._vote = vote

    def _say(self, payload: Payload) -> None:
        super()._say(payload)
        if isinstance(payload, KeyCommit):
            self._has_left = True
            super()._say(self._vote(self))

    def _say_once(self, payload: Payload) -> None:
        super()._say(payload)


def voting(vote: Callable[[Session], Payload]) -> SessionMaker:
    def make(draft: Draft, game: Game, secrets: Secrets) -> Session:
        return Voter(draft, game, secrets, vote)

    return make


def honest_vote(session: Session) -> VoteAbsent:
    return VoteAbsent(ABSENT, len(session.lanes.accepted[ABSENT]))


def table_with(voters: dict[Seat, SessionMaker], seed: int = 2) -> SimTable:
    table = SimTable(4, seed, draft=tiny_draft(4), makers=voters, choose=choose_default)
    return table.start().finish()


@pytest.mark.parametrize("seed", range(3))
def test_two_of_four_put_nobody_out_whatever_they_sign(seed: int) -> None:
    table = table_with({0: voting(honest_vote), 1: voting(honest_vote)}, seed)
    for peer in table.honest():
        assert not [one for one in peer.seen if isinstance(one, VotedOut)]
        assert peer.session.view().present[ABSENT]
        assert not peer.finished


def test_three_of_four_do() -> None:
    table = table_with(dict.fromkeys((0, 1, 2), voting(honest_vote)))
    (absent,) = table.honest()
    assert [one.seat for one in absent.seen if isinstance(one, VotedOut)] == [ABSENT]


WRONG_VOTES: dict[str, Callable[[Session], Payload]] = {
    "beyond what it has seen": lambda session: VoteAbsent(
        ABSENT, len(session.lanes.accepted[ABSENT]) + 1
    ),
    "below what it has seen": lambda session: VoteAbsent(
        ABSENT, len(session.lanes.accepted[ABSENT]) - 1
    ),
    "against itself": lambda session: VoteAbsent(
        session.me or 0, len(session.lanes.accepted[session.me or 0])
    ),
    "against nobody": lambda session: VoteAbsent(7, 0),
}


@pytest.mark.parametrize("name", WRONG_VOTES)
def test_a_vote_that_no_honest_client_casts_is_a_fault_of_its_author(name: str) -> None:
    table = table_with({1: voting(WRONG_VOTES[name])})
    assert table.faults() == [(1, "vote")]
    (over,) = table.outcomes()
    assert over.outcome == "finished" and 1 not in over.winners


def twice(session: Session) -> VoteAbsent:
    session._votes.pop((session.me or 0, ABSENT), None)
    session._say_once(honest_vote(session))  # type: ignore[attr-defined]
    return honest_vote(session)


def test_a_second_vote_against_the_same_seat_is_a_fault() -> None:
    table = table_with({1: voting(twice)})
    assert table.faults() == [(1, "vote")]
    assert table.is_finished()


def backwards(session: Session) -> VoteAbsent:
    """As if it had not seen what it has acknowledged already."""
    lane = session.lanes.accepted[ABSENT]
    del lane._kept[-1]
    return honest_vote(session)


def test_a_vote_behind_what_its_author_has_acknowledged_is_a_fault() -> None:
    table = table_with({1: voting(backwards)})
    assert table.faults() == [(1, "heads")]
    assert table.is_finished()


@pytest.mark.parametrize("out", [1, 7])
def test_who_puts_out_itself_or_nobody_is_at_fault(out: int) -> None:
    table = table_with({1: voting(lambda session: PutOut(out))})
    assert table.faults() == [(1, "word")]
    assert table.is_finished()


class Turncoat(Session):
    """Says that a seat is out for which nobody voted, and then goes on as if nothing had been."""

    def _say(self, payload: Payload) -> None:
        super()._say(payload)
        if isinstance(payload, KeyCommit):
            super()._say(PutOut(ABSENT))
            self.turning.words.clear()


def test_who_says_without_votes_that_a_seat_is_out_is_waited_for_in_vain() -> None:
    """It has given its word, so nothing more of it counts; and nobody follows it."""
    table = table_with({1: Turncoat})
    assert not table.is_finished() and table.faults() == []
    for seat in (0, 2, ABSENT):
        table.at(seat, lambda session: session.propose_absent(1))
    table.run()
    assert table.is_finished()
    (over,) = table.outcomes()
    assert over.outcome == "finished" and 1 not in over.winners


@pytest.mark.parametrize(("seats", "is_votable"), [(2, False), (3, True)])
def test_with_two_seats_nobody_is_offered_a_vote(seats: int, is_votable: bool) -> None:
    table = SimTable(seats, seed=1, draft=tiny_draft(seats), choose=choose_default)
    table.start().finish()
    waits = [one for peer in table.peers for one in peer.seen if isinstance(one, Awaiting)]
    assert any(one.votable for one in waits) == is_votable


def test_who_heard_only_the_votes_of_others_votes_too() -> None:
    """What others would do is forgotten each second; who has voted says no more that it would."""
    table = SimTable(4, seed=5, draft=tiny_draft(4), choose=choose_default).start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    for other in range(ABSENT):
        table.cut(other, ABSENT)
    table.run()
    for seat in (0, 1):
        table.at(seat, lambda session: session.propose_absent(ABSENT))
    table.run()
    for _ in range(2):
        table.tick(2)
    table.at(2, lambda session: session.propose_absent(ABSENT))
    table.run()
    for peer in table.peers[:ABSENT]:
        assert [one.seat for one in peer.seen if isinstance(one, VotedOut)] == [ABSENT]
        assert not peer.session.view().present[ABSENT]
