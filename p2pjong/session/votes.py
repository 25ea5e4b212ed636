"""Votes that a seat is absent: small signed statements that stand by themselves.

Implements "Votes" of `protocol/play.md`. A vote is for one step, in which its seat was awaited: it
counts with votes for that step alone, and only while that step is open here. A
majority is carried in the words of those who turn the hand back: it counts wherever it was heard.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pjong.games.game import Seat
from p2pjong.session.faults import Refusal
from p2pjong.wire.messages import Vote

VOTE_LABEL = b"p2pjong/v1/vote\x00"
TURNING_STEP = 2**32 - 1  # stands for the words that are awaited while a hand is turned back
PASSED_ON_MAX = 8  # votes of one seat between two ticks


def vote_bytes(vote: Vote) -> bytes:
    """What the signature of a vote is over."""
    seats = bytes([vote.voter, vote.seat, vote.electorate])
    return VOTE_LABEL + vote.draft + vote.place + vote.step.to_bytes(4, "big") + seats


def bits_of(seats: Iterable[Seat]) -> int:
    """A set of seats as a number."""
    return sum(1 << seat for seat in seats)


def cast(vote: Vote, sign: Callable[[bytes], bytes]) -> Vote:
    """The vote with its signature."""
    return Vote(
        vote.draft,
        vote.voter,
        vote.seat,
        vote.place,
        vote.step,
        vote.electorate,
        sign(vote_bytes(vote)),
    )


def check_vote(vote: Vote, keys: Sequence[bytes]) -> None:
    """Raises Refusal unless its voter, a seat of this table, has signed it and may vote so."""
    if max(vote.voter, vote.seat) >= len(keys) or vote.electorate >> len(keys):
        raise Refusal("a vote of other seats than this table's")
    voters = bits_of({vote.voter, vote.seat})
    if vote.voter == vote.seat or vote.electorate & voters != voters:
        raise Refusal("a vote that its voter cannot cast")
    try:
        key = Ed25519PublicKey.from_public_bytes(keys[vote.voter])
        key.verify(vote.signature, vote_bytes(vote))
    except InvalidSignature as error:
        raise Refusal(f"the signature of seat {vote.voter} does not hold") from error


def are_majority(votes: Sequence[Vote]) -> bool:
    """Whether these are votes of several seats about one seat in one step, and more than half.

    More than half of the electorate that each of them names.
    """
    about = {(vote.draft, vote.seat, vote.place, vote.step) for vote in votes}
    voters = {vote.voter for vote in votes}
    return (
        len(about) == 1
        and len(voters) == len(votes)
        and all(2 * len(votes) > vote.electorate.bit_count() for vote in votes)
    )


def _is_newer(vote: Vote, known: Vote, place: bytes) -> bool:
    """Whether a vote stands in for the one before it; in one step, that less seats may vote."""
    if vote.place != known.place:
        return vote.place == place or known.place != place
    if vote.step != known.step:
        return vote.step > known.step
    return vote.electorate != known.electorate == vote.electorate | known.electorate


@dataclass
class Votes:
    """The newest vote of each seat about each other, as far as it came here."""

    keys: Sequence[bytes]
    _cast: dict[tuple[Seat, Seat], Vote] = field(default_factory=dict)
    _passed_on: dict[Seat, int] = field(default_factory=dict)  # since the last tick

    def hear(self, vote: Vote, place: bytes) -> bool:
        """Take in a vote, while we are at this place; says whether it is news, to be passed on.

        Raises Refusal.
        """
        known = self._cast.get((vote.voter, vote.seat))
        if known is not None and not _is_newer(vote, known, place):
            return False
        if self._passed_on.get(vote.voter, 0) >= PASSED_ON_MAX:
            return False  # it comes again
        check_vote(vote, self.keys)
        self._passed_on[vote.voter] = self._passed_on.get(vote.voter, 0) + 1
        self._cast[vote.voter, vote.seat] = vote
        return True

    def tick(self) -> None:
        """A second has passed."""
        self._passed_on.clear()

    def seats(self) -> list[Seat]:
        """About whom anyone has voted."""
        return sorted({seat for _, seat in self._cast})

    def of(self, place: bytes, step: int) -> list[Vote]:
        """All votes in this step."""
        cast = [vote for _, vote in sorted(self._cast.items())]
        return [vote for vote in cast if (vote.place, vote.step) == (place, step)]

    def majority(self, seat: Seat, place: bytes, step: int) -> tuple[Vote, ...]:
        """Votes by which a seat goes in this step, in the order of their voters; () if too few."""
        votes = tuple(vote for vote in self.of(place, step) if vote.seat == seat)
        return votes if votes and are_majority(votes) else ()
