"""The verdict on a record, and the function that comes to it.

Implements `protocol/audit.md` from its step 2 on. No network, no trust, no secret: the messages of
the record alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from p2pjong.crypto.invalid import InvalidProof
from p2pjong.games.game import Game, Over, Seat, Settle
from p2pjong.session.draft import BadDraft, game_options
from p2pjong.session.effects import Books
from p2pjong.session.faults import Fault, Refusal
from p2pjong.session.onlooker import Onlooker
from p2pjong.session.results import Ballot, SignedResult
from p2pjong.session.tally import PROVEN
from p2pjong.wire.messages import Draft, Evidence, Lane
from p2pjong.wire.names import clean_name
from p2pjong.wire.ranges import check_times


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
    results: tuple[SignedResult, ...]
    proven: tuple[tuple[str, int], ...]  # how many of each of `PROVEN`
    books: tuple[Books, ...]  # of each hand that closed, at a table with open books
    stop: Stop | None  # of a record that breaks off
    damaged_at: int | None = None  # the message that no record may hold, where its reading ended

    @property
    def left(self) -> tuple[Seat, ...]:
        """The seats that left, in the order in which the record has it."""
        return tuple(seat for seat, _ in self.departures)

    @property
    def voted_out(self) -> tuple[Seat, ...]:
        """The seats that a strict majority has voted absent."""
        return tuple(ballot.seat for ballot in self.ballots)


def audit(
    draft: Draft,
    messages: Iterable[Lane | Evidence],
    games: Mapping[str, Game],
) -> Verdict:
    """Read the messages of a record, one by one, and none after one that no record may hold.

    Raises KeyError if the game is unknown, ValueError if the draft's options are none of the
    game's, and what `messages` raises.
    """
    game, options = games[draft.game], draft.options
    game.start(len(draft.seats), game_options(draft))
    check_times(options.clock_ms / 1000, options.window_ms / 1000, options.grace_ms / 1000)
    try:
        onlooker = Onlooker(draft, game)
    except BadDraft as error:
        return _void(draft, str(error))
    problem, damaged_at, at = "", None, 0
    try:
        onlooker.begin()
        for message in messages:
            onlooker.read(message)
            at += 1
    except (Refusal, InvalidProof) as error:
        # A proof that does not hold is its author's fault. Where nobody was asked for one, all
        # seats together have made what no honest one can have had a part in.
        problem = f"message {at} of the record: {error}"
        damaged_at = at if isinstance(error, Refusal) else None
    verdict = _verdict(onlooker, problem or _leftover(onlooker))
    return replace(verdict, damaged_at=damaged_at)


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


def fault_problem(draft: Draft, fault: Fault) -> str:
    """That a record with this fault is not valid, for scripts; people have plainer words for it."""
    name = clean_name(draft.seats[fault.seat].name)
    return f"{name} (seat {fault.seat}) broke “{fault.rule}” at its message {fault.number}"


def _leftover(onlooker: Onlooker) -> str:
    if onlooker.is_over or not onlooker.lanes.early:
        return ""
    seat, number = min(onlooker.lanes.early)
    return f"message {number} of seat {seat} rests on messages that are not in the record"


def _verdict(onlooker: Onlooker, problem: str) -> Verdict:
    draft, play, over = onlooker.draft, onlooker.play, onlooker.standing()
    fault = min(onlooker.course.faults, key=lambda one: one.rank, default=None)
    if fault is not None and not problem:
        problem = fault_problem(draft, fault)
    waiting = [play.result()] if isinstance(play.pending(), Settle) else []
    under_way = [play.opening.books()] if play.opening else []
    books = (*onlooker.books, *under_way)
    return Verdict(
        draft=draft,
        is_valid=not problem,
        outcome=_outcome(onlooker, over),
        scores=over.scores,
        winners=over.winners if onlooker.is_over else (),
        hands=over.hands,
        digest=play.public_digest(),
        messages=sum(onlooker.lanes.lengths()),
        fault=fault,
        problem=problem,
        departures=tuple(onlooker.departures),
        ballots=onlooker.ballots(),
        results=(*play.results, *waiting),
        proven=onlooker.tally.told(sum(len(one.hands) - len(one.unopened) for one in books)),
        books=books,
        stop=None if onlooker.is_over else _stop(onlooker),
    )


def _outcome(onlooker: Onlooker, over: Over) -> str:
    if not onlooker.is_over:
        return "unfinished"
    is_by_fault = over.outcome == "abandoned" and bool(onlooker.course.faults)
    return "fault" if is_by_fault else over.outcome


def _stop(onlooker: Onlooker) -> Stop:
    course, awaited = onlooker.course, onlooker.awaiting()
    return Stop(course.epoch, course.step, awaited.seats, awaited.reason)
