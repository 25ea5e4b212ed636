"""Votes signed with the keys of the tests."""

from collections.abc import Iterable
from typing import Any

from p2pjong.games.game import Seat
from p2pjong.session.charter import draft_hash
from p2pjong.session.session import Session
from p2pjong.session.votes import bits_of, cast
from p2pjong.wire.messages import Draft, PutOut, Vote
from tests.support.sim import signing_key


def vote_of(
    draft: Draft, voter: Seat, seat: Seat, place: bytes, step: int = 0, **fields: Any
) -> Vote:
    """A vote in this step, of everybody at the table."""
    everyone = bits_of(range(len(draft.seats)))
    named = {"table": draft_hash(draft), "electorate": everyone, **fields}
    vote = Vote(named["table"], voter, seat, place, step, named["electorate"], bytes(64))
    return cast(vote, signing_key(voter, draft.table[0]).sign)


def word_of(
    draft: Draft, voters: Iterable[Seat], seat: Seat, place: bytes, **fields: Any
) -> PutOut:
    """The word that a majority brings."""
    return PutOut(seat, tuple(vote_of(draft, one, seat, place, **fields) for one in voters))


def word_at(session: Session, voters: Iterable[Seat], seat: Seat, **fields: Any) -> PutOut:
    """The word with votes in the step that is open for this session."""
    step = {"step": session.course.step, **fields}
    return word_of(session.draft, voters, seat, session.course.place, **step)
