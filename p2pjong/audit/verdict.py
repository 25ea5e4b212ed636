"""The verdict on a record, and the function that comes to it.

Implements `protocol/audit.md` from its step 2 on. No network, no trust, no secret: the messages of
the record alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from p2pjong.audit.books import Books
from p2pjong.audit.faults import Fault, Refused
from p2pjong.audit.reading import Reading
from p2pjong.audit.tally import PROVEN, Ballot, Result
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.games.game import Game, Over, Seat
from p2pjong.wire.codec import DecodeError
from p2pjong.wire.keys import check_identity_key
from p2pjong.wire.messages import Draft, Evidence, Lane, SeatEntry
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
    damaged_at: int | None = None  # the message that no record may hold, where its reading ended

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
    messages: Iterable[Lane | Evidence],
    games: Mapping[str, Game],
) -> Verdict:
    """Read the messages of a record, one by one, and none after one that no record may hold.

    Raises KeyError if the game is unknown, ValueError if the draft's options are none of the
    game's, and what `messages` raises.
    """
    game, source = games[draft.game], _Counted(messages)
    reading = Reading(draft, game, iter(source))
    bad_seats = _what_is_wrong_with(draft.seats)
    if bad_seats:
        return _void(draft, bad_seats)
    problem, damaged_at = "", None
    try:
        reading.read()
    except (Refused, InvalidProof) as error:
        # A proof that does not hold is its author's fault. Where nobody was asked for one, all
        # seats together have made what no honest one can have had a part in.
        problem = f"message {source.at} of the record: {error}"
        damaged_at = source.at if isinstance(error, Refused) else None
    verdict = _verdict(draft, reading, problem or _leftover(reading))
    return replace(verdict, damaged_at=damaged_at)


class _Counted:
    """The messages of a record, and which of them was read last."""

    def __init__(self, messages: Iterable[Lane | Evidence]) -> None:
        self.at = 0
        self._messages = messages

    def __iter__(self) -> Iterator[Lane | Evidence]:
        for at, message in enumerate(self._messages):
            self.at = at
            yield message


def _what_is_wrong_with(seats: Sequence[SeatEntry]) -> str:
    """Why nobody signs with these seats; "" if one may."""
    keys = [entry.key for entry in seats]
    if len(set(keys)) < len(keys):
        return "two seats have one identity key"
    for seat, key in enumerate(keys):
        try:
            check_identity_key(key)
        except DecodeError as error:
            return f"seat {seat} has {error}"
    return ""


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


def _leftover(reading: Reading) -> str:
    early = reading.lanes.first_early()
    if early is None or reading.has_ended:
        return ""
    seat, number = early
    return f"message {number} of seat {seat} rests on messages that are not in the record"


def _verdict(draft: Draft, reading: Reading, problem: str) -> Verdict:
    play = reading.play
    fault = min(reading.steps.faults, key=lambda one: one.rank, default=None)
    if fault is not None and not problem:
        problem = fault_problem(draft, fault)
    over, waiting = play.standing(reading.is_result_final()), play.waiting_result()
    return Verdict(
        draft=draft,
        is_valid=not problem,
        outcome=_outcome(reading, over),
        scores=over.scores,
        winners=over.winners if reading.has_ended else (),
        hands=over.hands,
        digest=play.digest(),
        messages=reading.lanes.accepted(),
        fault=fault,
        problem=problem,
        departures=tuple(reading.departures),
        ballots=reading.turning.ballots(),
        results=(*play.results, *([waiting] if waiting else [])),
        proven=play.tally.told(),
        books=play.all_books(),
        stop=None if reading.has_ended else _stop(reading),
    )


def _outcome(reading: Reading, over: Over) -> str:
    if not reading.has_ended:
        return "unfinished"
    is_by_fault = over.outcome == "abandoned" and bool(reading.steps.faults)
    return "fault" if is_by_fault else over.outcome


def _stop(reading: Reading) -> Stop:
    steps, turning = reading.steps, reading.turning
    if steps.is_suspended:
        return Stop(steps.epoch, steps.number, turning.missing(), "to begin anew")
    reason = steps.current.reason if steps.current else ""
    return Stop(steps.epoch, steps.number, steps.missing(), reason)
