"""What a vote must be, and how many it takes: half of a table puts nobody out."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session.course import Step
from p2pjong.session.effects import Awaiting, Effect, Send, VotedOut
from p2pjong.session.faults import Refusal
from p2pjong.session.gossip import Gossip
from p2pjong.session.session import Session
from p2pjong.session.votes import Votes, are_majority, check_vote
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import KeyCommit, Payload, PutOut, Vote
from tests.support.ballots import vote_of, word_at
from tests.support.sim import SessionMaker, SimTable, choose_default, tiny_draft

ABSENT = 3
DRAFT = tiny_draft(4)
KEYS = [entry.key for entry in DRAFT.seats]
HERE, ELSEWHERE = b"\1" * 32, b"\2" * 32


# --- By themselves ------------------------------------------------------------------------------


def test_a_vote_is_of_a_seat_that_may_vote_and_has_signed_it() -> None:
    good = vote_of(DRAFT, 0, ABSENT, HERE)
    check_vote(good, KEYS)
    for bad in (
        with_fields(good, step=1),
        with_fields(good, place=ELSEWHERE),
        with_fields(good, draft=bytes(32)),
        with_fields(good, voter=1),
        with_fields(good, electorate=0b1011),
        vote_of(DRAFT, 0, 0, HERE),
        vote_of(DRAFT, 0, ABSENT, HERE, electorate=0b0111),
        vote_of(DRAFT, 0, ABSENT, HERE, electorate=0b1110),
        vote_of(DRAFT, 0, ABSENT, HERE, electorate=0b11111),
        with_fields(good, seat=5),
    ):
        with pytest.raises(Refusal):
            check_vote(bad, KEYS)


def test_more_than_half_of_those_who_may_vote_are_a_majority() -> None:
    votes = [vote_of(DRAFT, voter, ABSENT, HERE) for voter in range(3)]
    assert are_majority(votes) and not are_majority(votes[:2]) and not are_majority([])
    three = [vote_of(DRAFT, voter, ABSENT, HERE, electorate=0b1011) for voter in (0, 1)]
    assert are_majority(three)
    assert not are_majority([votes[0], three[1]]), "one of them thinks that four may vote"
    assert not are_majority([votes[0], votes[0], votes[1]]), "nobody votes twice"
    for last in (
        vote_of(DRAFT, 2, ABSENT, HERE, 1),
        vote_of(DRAFT, 2, ABSENT, ELSEWHERE),
        vote_of(DRAFT, 2, 1, HERE),
    ):
        assert not are_majority([*votes[:2], last])


def heard(*votes: Vote) -> Votes:
    book = Votes(KEYS)
    for vote in votes:
        book.hear(vote, HERE)
    return book


def test_the_newest_vote_counts_and_one_of_this_place_before_others() -> None:
    old, new = (vote_of(DRAFT, 0, ABSENT, HERE, step) for step in (4, 5))
    less = vote_of(DRAFT, 0, ABSENT, HERE, 5, electorate=0b1011)
    assert heard(new, old).of(HERE, 5) == [new]
    assert heard(old, new).of(HERE, 4) == []
    assert heard(new, less).of(HERE, 5) == [less], "somebody has left since"
    assert heard(less, new).of(HERE, 5) == [less]
    away = vote_of(DRAFT, 0, ABSENT, ELSEWHERE, 9)
    assert heard(new, away).of(HERE, 5) == [new]
    assert heard(away, new).of(HERE, 5) == [new]


def test_whoever_votes_without_end_is_passed_on_a_few_times_a_second() -> None:
    book = Votes(KEYS)
    votes = [vote_of(DRAFT, 0, ABSENT, HERE, step) for step in range(40)]
    assert sum(book.hear(vote, HERE) for vote in votes) == 8
    book.tick()
    assert book.hear(votes[-1], HERE)


# --- At a table ---------------------------------------------------------------------------------


class Voter(Session):
    """Sends this to all, right after its commitment to a key, and is mute from then on."""

    what: Callable[[Session], list[Effect]]

    def _say(self, payload: Payload) -> None:
        super()._say(payload)
        if isinstance(payload, KeyCommit) and not self._has_left:
            self._has_left = True
            self._effects += type(self).what(self)


def casting(seat: Seat = ABSENT, **fields: Any) -> SessionMaker:
    """Votes in the step that is open, whoever else would."""

    class Casting(Voter):
        @staticmethod
        def what(session: Session) -> list[Effect]:
            named = {"step": session.course.step, **fields}
            vote = vote_of(session.draft, session.me, seat, session.course.place, **named)
            return [Send(encode(vote))]

    return Casting


def saying(word: Callable[[Session], Payload]) -> SessionMaker:
    class Saying(Session):
        def _say(self, payload: Payload) -> None:
            super()._say(payload)
            if isinstance(payload, KeyCommit) and not self._has_left:
                self._has_left = True
                super()._say(word(self))

    return Saying


def table_with(voters: dict[Seat, SessionMaker], seed: int = 2) -> SimTable:
    table = SimTable(4, seed, draft=tiny_draft(4), makers=voters, choose=choose_default)
    return table.start().finish()


@pytest.mark.parametrize("seed", range(3))
def test_two_of_four_put_nobody_out_whatever_they_sign(seed: int) -> None:
    table = table_with({0: casting(), 1: casting()}, seed)
    for peer in table.honest():
        assert not [one for one in peer.seen if isinstance(one, VotedOut)]
        assert peer.session.view().present[ABSENT]
        assert not peer.finished


def test_three_of_four_do() -> None:
    table = table_with(dict.fromkeys((0, 1, 2), casting()))
    (absent,) = table.honest()
    assert [one.seat for one in absent.seen if isinstance(one, VotedOut)] == [ABSENT]


WRONG_WORDS: dict[str, Callable[[Session], PutOut]] = {
    "without a majority": lambda session: word_at(session, (0, 1), ABSENT),
    "with a vote twice": lambda session: word_at(session, (0, 1, 1), ABSENT),
    "with votes of two steps": lambda session: PutOut(
        ABSENT,
        (*word_at(session, (0, 1), ABSENT).votes, *word_at(session, (2,), ABSENT, step=9).votes),
    ),
    "with votes about another": lambda session: PutOut(2, word_at(session, (0, 1), ABSENT).votes),
    "with votes of another table": lambda session: word_at(session, (0, 1, 2), ABSENT, table=HERE),
    "with few who may vote": lambda session: word_at(session, (0, 1), ABSENT, electorate=0b1000),
    "with votes that do not hold": lambda session: PutOut(
        ABSENT,
        tuple(with_fields(v, step=9) for v in word_at(session, (0, 1, 2), ABSENT).votes),
    ),
}


@pytest.mark.parametrize("name", WRONG_WORDS)
def test_a_word_with_votes_that_put_nobody_out_is_a_fault_of_its_author(name: str) -> None:
    table = table_with({1: saying(WRONG_WORDS[name])})
    assert table.faults() == [(1, "false-evidence")]
    (over,) = table.outcomes()
    assert over.outcome == "finished" and 1 not in over.winners


@pytest.mark.parametrize("out", [1, 7])
def test_who_puts_out_itself_or_nobody_is_at_fault(out: int) -> None:
    def word(session: Session) -> PutOut:
        return PutOut(out, word_at(session, (0, 2), ABSENT).votes)

    table = table_with({1: saying(word)})
    assert table.faults() == [(1, "word")]
    assert table.is_finished()


@pytest.mark.parametrize(("seats", "is_votable"), [(2, False), (3, True)])
def test_with_two_seats_nobody_is_offered_a_vote(seats: int, is_votable: bool) -> None:
    table = SimTable(seats, seed=1, draft=tiny_draft(seats), choose=choose_default)
    table.start().finish()
    waits = [one for peer in table.peers for one in peer.seen if isinstance(one, Awaiting)]
    assert any(one.votable for one in waits) == is_votable


def silent_table(seats: int = 4, seed: int = 5) -> SimTable:
    """The last seat is cut off in the first hand, and all others wait for it."""
    table = SimTable(seats, seed, draft=tiny_draft(seats), choose=choose_default).start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    for other in range(seats - 1):
        table.cut(other, seats - 1)
    return table.run()


def voted_out(table: SimTable, seats: range) -> list[list[Seat]]:
    seen = [table.peers[seat].seen for seat in seats]
    return [[one.seat for one in effects if isinstance(one, VotedOut)] for effects in seen]


def test_votes_that_come_seconds_apart_add_up() -> None:
    table = silent_table()
    for seat in range(ABSENT):
        table.at(seat, lambda session: session.propose_absent(ABSENT))
        table.run()
        for _ in range(3):
            table.tick(2)
    assert voted_out(table, range(ABSENT)) == [[ABSENT]] * 3
    assert not any(peer.session.view().present[ABSENT] for peer in table.peers[:ABSENT])


def test_a_vote_reaches_whom_its_voter_has_no_link_with() -> None:
    table = silent_table()
    table.cut(0, 2)
    table.at(0, lambda session: session.propose_absent(ABSENT))
    table.run()
    session = table.peers[2].session
    heard = session._votes.of(session.course.place, session.course.step)
    assert [vote.voter for vote in heard] == [0]
    for seat in (1, 2):
        table.at(seat, lambda session: session.propose_absent(ABSENT))
        table.run()
    assert voted_out(table, range(ABSENT)) == [[ABSENT]] * 3


def test_votes_in_two_steps_do_not_add_up() -> None:
    """Who votes, and sees the seat come back, has voted for nothing."""
    table = silent_table()
    for seat in (0, 1):
        table.at(seat, lambda session: session.propose_absent(ABSENT))
    table.run()
    table.heal()
    table.tick()
    first = table.peers[2].session.course.step
    table.run_until(lambda table: table.peers[2].session.course.step > first)
    for other in range(ABSENT):
        table.cut(other, ABSENT)
    table.run()
    table.at(2, lambda session: session.propose_absent(ABSENT))
    table.run()
    assert voted_out(table, range(ABSENT)) == [[]] * 3


def test_a_vote_that_comes_after_its_step_has_closed_completes_nothing() -> None:
    """Two voted, the seat came back and played on; a third vote for that step comes hands later."""
    table = SimTable(5, 5, draft=tiny_draft(5, target=4), choose=choose_default).start()
    absent, late = 4, 3
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    for other in range(absent):
        table.cut(other, absent)
    table.run()
    session = table.peers[0].session
    place, step = session.course.place, session.course.step
    for voter in (0, 1):
        table.at(voter, lambda session: session.propose_absent(absent))
    table.run()
    table.heal()
    table.tick()
    table.run_until(lambda table: session.play.results_closed() >= 2)
    for to in (0, 1, 2, absent):
        table.hand_over(late, to, encode(vote_of(table.draft, late, absent, place, step)))
    table.finish()
    assert table.is_finished()
    assert voted_out(table, range(5)) == [[]] * 5
    assert all(peer.finished and peer.session.view().present[absent] for peer in table.peers)


class Mute(Session):
    """Says nothing more once the charter is signed."""

    def _do_duty(self, step: Step) -> bool:
        return self.charter is None and super()._do_duty(step)


def test_votes_about_two_silent_seats_count_though_one_majority_comes_first() -> None:
    first, second, seats = 6, 5, 7
    makers: dict[Seat, SessionMaker] = {first: Mute, second: Mute}
    table = SimTable(seats, 5, draft=tiny_draft(seats), makers=makers, choose=choose_default)
    table.start().run()
    assert set(table.peers[0].session.course.missing()) == {first, second}
    voters = range(1, 5)
    for voter in (0, *voters):
        table.at(voter, lambda session: session.propose_absent(second))
        table.at(voter, lambda session: session.propose_absent(first))
    for expected in ([second], [second, first]):
        for voter in voters:
            table.hand_over(voter, 0, table.wires[voter, 0].pop(0))
        assert voted_out(table, range(1)) == [expected]
    table.run()
    assert [set(seats) for seats in voted_out(table, range(5))] == [{first, second}] * 5


def test_two_of_six_are_no_majority_of_three() -> None:
    """Who names few that may vote names no more than half of the table."""

    def word(session: Session) -> PutOut:
        return word_at(session, (0, 1), 5, electorate=0b100011)

    table = SimTable(6, 2, draft=tiny_draft(6), makers={1: saying(word)}, choose=choose_default)
    assert table.start().finish().faults() == [(1, "false-evidence")]


def test_a_vote_counts_wherever_it_was_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A voter that tells its vote to one alone: the word of that one carries it to all."""
    monkeypatch.setattr(Gossip, "pass_on", lambda *frame: [])
    table = silent_table(5)
    absent = 4
    for seat in (0, 1):
        table.at(seat, lambda session: session.propose_absent(absent))
    table.run()
    session = table.peers[2].session
    whispered = vote_of(
        table.draft,
        2,
        absent,
        session.course.place,
        session.course.step,
    )
    table.hand_over(2, 0, encode(whispered))
    table.run()
    assert voted_out(table, range(4)) == [[absent]] * 4
    assert all(not peer.blames() for peer in table.peers[:4])


class Lost(list[bytes]):
    """A wire on which nothing arrives."""

    def append(self, frame: bytes) -> None:
        pass


def test_who_has_begun_anew_follows_the_votes_of_those_who_have_not() -> None:
    """One has all words, the others lack two of them, and vote once more where they are.

    Nobody is at fault, though the words of that one then bring votes of the place before its own.
    """
    first, behind, ahead, gone = 5, (0, 1, 2), 3, 4
    table = silent_table(6)
    for voter in (*behind[:2], ahead):
        table.at(voter, lambda session: session.propose_absent(first))
        table.run()
    for silent, to in [(one, to) for one in (ahead, gone) for to in behind]:
        table.wires[silent, to] = Lost()
    table.at(behind[2], lambda session: session.propose_absent(first))
    table.run()
    sessions = [peer.session for peer in table.peers]
    assert sessions[ahead].course.is_turned and not sessions[0].course.is_turned
    for voter in behind:
        table.at(voter, lambda session: session.propose_absent(gone))
        table.run()
    for silent, to in [(one, to) for one in (ahead, gone) for to in behind]:
        table.wires[silent, to] = []
    table.finish(ticks=12)
    table.peers[first].is_honest = table.peers[gone].is_honest = False  # they were voted out
    assert table.faults() == []
    assert table.is_finished() and len(table.outcomes()) == 1
    assert all(not peer.blames() for peer in table.honest())
    assert all(verdict.is_valid for verdict in table.audits())
