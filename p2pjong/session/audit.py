"""The audit: replay a record without network, trust or secrets, and say what it proves.

Implements `protocol/audit.md`. The auditor is a session without a seat: the same judgement of each
message in its own causal past as the peers made at the table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2pjong.crypto.invalid import InvalidProof
from p2pjong.games.game import Game, Seat
from p2pjong.session.auditor import PROVEN, Auditor, Ballot, Result
from p2pjong.session.draft import BadDraft
from p2pjong.session.effects import Awaiting, Books, Effect, Finished
from p2pjong.session.faults import Fault, Refusal
from p2pjong.wire.messages import Draft, Evidence, Lane
from p2pjong.wire.names import clean_name


@dataclass(frozen=True)
class Stop:
    """Where a record breaks off: the open step, and who was awaited in it for what reason."""

    epoch: int
    step: int
    awaited: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What a record proves. `is_valid`: every message of it is authentic, in place and lawful."""

    draft: Draft
    is_valid: bool
    outcome: str  # "finished", "abandoned", "fault" or "unfinished"
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    hands: int
    digest: bytes
    messages: int
    fault: Fault | None
    problem: str  # why it is not valid, for people; "" otherwise
    departures: tuple[tuple[Seat, int], ...]  # who left, with which message of its lane
    ballots: tuple[Ballot, ...]
    results: tuple[Result, ...]
    proven: tuple[tuple[str, int], ...]  # how many of each of `PROVEN`
    books: tuple[Books, ...]  # of each hand that closed, at a table with open books
    stop: Stop | None  # of a record that breaks off

    @property
    def left(self) -> tuple[Seat, ...]:
        """The seats that left, in the order in which the record has it."""
        return tuple(seat for seat, _ in self.departures)

    @property
    def voted_out(self) -> tuple[Seat, ...]:
        """The seats that a strict majority has voted absent."""
        return tuple(ballot.seat for ballot in self.ballots if ballot.is_out)


def audit(
    draft: Draft,
    lanes: Sequence[Lane | Evidence],
    games: Mapping[str, Game],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verdict:
    """Replay the lanes of a record. Raises KeyError if the game is unknown, ValueError if the
    draft's options are none of the game's."""
    try:
        session = Auditor(draft, games[draft.game], None, is_checked=True)
    except BadDraft as bad:
        return _void(draft, str(bad))
    effects = session.begin()
    problem = ""
    for count, lane in enumerate(lanes):
        progress(count, len(lanes))
        try:
            effects += _read(session, lane)
        except (Refusal, InvalidProof) as refusal:
            # A proof that fails is a fault; one that nobody asked for cannot be: all seats together
            # have made what no honest one can have had a part in.
            problem = f"message {count} of the record: {refusal}"
            break
    problem = problem or _leftover(session)
    progress(len(lanes), len(lanes))
    return _verdict(session, effects, problem)


def _void(draft: Draft, problem: str) -> Verdict:
    """Of a draft that nobody signs: no message under it can count."""
    return Verdict(
        draft=draft,
        is_valid=False,
        outcome="unfinished",
        scores=(0,) * len(draft.seats),
        winners=(),
        hands=0,
        digest=b"",
        messages=0,
        fault=None,
        problem=problem,
        departures=(),
        ballots=(),
        results=(),
        proven=tuple((kind, 0) for kind in PROVEN),
        books=(),
        stop=None,
    )


def _read(session: Auditor, message: Lane | Evidence) -> list[Effect]:
    if isinstance(message, Evidence):
        return session.end_by(message)
    return session.receive(0, message)


def _leftover(session: Auditor) -> str:
    early = sorted(session.lanes.early)
    if early and not session.is_over:
        seat, number = early[0]
        return f"message {number} of seat {seat} rests on messages that are not in the record"
    return ""


def _verdict(session: Auditor, effects: Sequence[Effect], problem: str) -> Verdict:
    faults = sorted(session.course.faults, key=lambda fault: fault.rank)
    fault = faults[0] if faults else None
    finished = [effect for effect in effects if isinstance(effect, Finished)]
    over = finished[0].over if finished else session.standing()
    if fault and not problem:
        name = clean_name(session.draft.seats[fault.seat].name)
        problem = f"{name} (seat {fault.seat}) broke “{fault.rule}” at its message {fault.number}"
    return Verdict(
        draft=session.draft,
        is_valid=not problem,
        outcome=over.outcome if finished else "unfinished",
        scores=over.scores,
        winners=over.winners if finished else (),
        hands=over.hands,
        digest=finished[0].digest if finished else session.play.public_digest(),
        messages=sum(session.lanes.lengths()),
        fault=fault,
        problem=problem,
        departures=tuple(session.departures),
        ballots=session.ballots(),
        results=session.all_results(),
        proven=tuple((kind, session.proven[kind]) for kind in PROVEN),
        books=session.all_books(),
        stop=None if finished else _stop(session, effects),
    )


def _stop(session: Auditor, effects: Sequence[Effect]) -> Stop:
    waits = [effect for effect in effects if isinstance(effect, Awaiting)]
    last = waits[-1] if waits else Awaiting((), "")
    return Stop(session.course.epoch, session.course.step, last.seats, last.reason)
