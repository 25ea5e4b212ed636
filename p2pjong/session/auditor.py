"""The session that audits: it has no seat, and keeps count of what the messages prove.

Implements "What the verdict lists" of `protocol/audit.md`. It judges nothing itself: what it counts
is what the session has accepted, checked and closed.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from p2pjong.engine.canonical import digest
from p2pjong.games.game import (
    Action,
    Decide,
    Draw,
    Facts,
    Open,
    Peek,
    Seat,
    Settle,
    Shuffle,
    Toss,
)
from p2pjong.session.books import Opening
from p2pjong.session.effects import Books
from p2pjong.session.lanes import Signed
from p2pjong.session.session import Session
from p2pjong.wire.messages import (
    KeyOpen,
    KeyPublished,
    Leave,
    ProvenAmong,
    Settled,
    Shares,
    Shuffled,
    Switched,
    VoteAbsent,
)

POINT_BYTES = 32

# What is counted, in the order in which it is told.
PROVEN = (
    "keys",  # key shares whose secret their seat has proven to know
    "decks",  # decks that every seat had shuffled
    "shuffles",  # shuffles of a deck by one seat, proven
    "dealt",  # cards brought under one seat's key alone, by a deal, a draw or a peek
    "opened",  # cards opened to all
    "shares",  # key shares of single cards, for dealing and opening, proven
    "reveils",  # hands that their holders shuffled anew, proven
    "switches",  # cards handed over or shown to one seat, proven
    "passes",  # proofs that a hand holds nothing but certain faces
    "tosses",  # joint random numbers
    "actions",  # choices that the rules allow
    "results",  # results that closed
    "published",  # keys published at the end of their epoch, at a table with open books
)


@dataclass(frozen=True)
class Result:
    """A result and who of the seats then present has signed it."""

    scores: tuple[int, ...]
    signers: tuple[Seat, ...]
    present: tuple[Seat, ...]
    is_closed: bool  # the game went on from it

    @property
    def is_by_majority(self) -> bool:
        """Whether a strict majority of the seats present has signed: then nothing undoes it."""
        return 2 * len(self.signers) > len(self.present)


@dataclass(frozen=True)
class Ballot:
    """All votes that a seat is absent: (voter, number of the vote in its lane), and the outcome."""

    seat: Seat
    votes: tuple[tuple[Seat, int], ...]
    is_out: bool  # they were a strict majority


class Auditor(Session):
    """A session without a seat that counts as it goes."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.proven: Counter[str] = Counter()
        self._proven_at_base: Counter[str] = Counter()
        self.results: list[Result] = []
        self.votes: dict[Seat, dict[Seat, int]] = {}
        self.departures: list[tuple[Seat, int]] = []
        self.books: list[Books] = []

    def _judge(self, signed: Signed, is_own: bool) -> None:
        was_turned, pending = self.turning.is_open, self.play.pending()
        super()._judge(signed, is_own)
        if any(signed.frame in fault.evidence for fault in self.course.faults):
            return
        self._note(signed)
        if not was_turned:
            self._count(signed.body.payload, pending)

    def _note(self, signed: Signed) -> None:
        seat, payload = signed.body.seat, signed.body.payload
        if isinstance(payload, VoteAbsent):
            self.votes.setdefault(payload.seat, {})[seat] = signed.number
        elif isinstance(payload, Leave):
            self.departures.append((seat, signed.number))

    def _count(self, payload: Any, pending: Any) -> None:
        if isinstance(payload, KeyOpen):
            self.proven["keys"] += 1
        elif isinstance(payload, Shuffled):
            self.proven["shuffles" if isinstance(pending, Shuffle) else "reveils"] += 1
        elif isinstance(payload, Shares):
            self.proven["shares"] += len(payload.shares) // POINT_BYTES
        elif isinstance(payload, Switched):
            self.proven["switches"] += len(payload.cards) // (2 * POINT_BYTES)
        elif isinstance(payload, ProvenAmong):
            self.proven["passes"] += 1
        elif isinstance(payload, KeyPublished):
            self.proven["published"] += 1

    def _watch(self, before: Any, cause: Facts | tuple[Action, ...], after: Any) -> None:
        super()._watch(before, cause, after)
        pending = self.game.pending(before)
        if isinstance(cause, Facts):
            self._count_operation(before, pending)
        elif isinstance(pending, Decide):
            self.proven["actions"] += len(cause)

    def _count_operation(self, before: Any, pending: Any) -> None:
        if isinstance(pending, Shuffle):
            self.proven["decks"] += 1
        elif isinstance(pending, Draw):
            self.proven["dealt"] += len(pending.moves)
        elif isinstance(pending, Peek | Open):
            kind = "dealt" if isinstance(pending, Peek) else "opened"
            self.proven[kind] += len(pending.slots)
        elif isinstance(pending, Toss):
            self.proven["tosses"] += 1
        elif isinstance(pending, Settle):
            self.proven["results"] += 1
            self.results.append(self._result(before, pending, is_closed=True))
            self._proven_at_base = self.proven.copy()

    def _tell_books(self, opening: Opening) -> None:
        opening.check()
        super()._tell_books(opening)
        self.books.append(opening.books())

    def _restart(self, stays: tuple[Seat, ...]) -> None:
        # How much of the hand that is turned back was checked depends on the order in the file.
        self.proven = self._proven_at_base.copy()
        super()._restart(stays)

    def _result(self, state: Any, pending: Settle, is_closed: bool) -> Result:
        present = self.play.present_in(state)
        wanted = Settled(digest(state))
        signers = tuple(
            seat
            for seat in present
            if seat not in self.turning.out and self._has_signed(seat, wanted)
        )
        return Result(pending.result.scores, signers, present, is_closed)

    # --- What it has found --------------------------------------------------------------------

    def all_results(self) -> tuple[Result, ...]:
        """Every result that closed, and the one that waits for signatures, if one does."""
        pending = self.play.pending()
        if not isinstance(pending, Settle):
            return tuple(self.results)
        return (*self.results, self._result(self.play.state, pending, is_closed=False))

    def all_books(self) -> tuple[Books, ...]:
        """The books of each hand, as far as they were opened; those under way last."""
        opening = self.play.opening
        return (*self.books, opening.books()) if opening else tuple(self.books)

    def ballots(self) -> tuple[Ballot, ...]:
        """Every seat that was voted absent or was to be, with who voted at which message."""
        out = self.turning.out | self.turning.done
        return tuple(
            Ballot(seat, tuple(sorted(votes.items())), seat in out)
            for seat, votes in sorted(self.votes.items())
        )
