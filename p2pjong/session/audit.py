"""The audit: replay a record without network, trust or secrets, and say what it proves.

Implements `protocol/audit.md`. The auditor is a session without a seat: the same judgement of each
message in its own causal past as the peers made at the table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2pjong.games.game import Game, Seat
from p2pjong.session.effects import Effect, Finished, Left
from p2pjong.session.faults import Fault, Refusal
from p2pjong.session.session import Session
from p2pjong.wire.messages import Draft, Lane
from p2pjong.wire.names import clean_name


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
    left: tuple[Seat, ...]


def audit(
    draft: Draft,
    lanes: Sequence[Lane],
    games: Mapping[str, Game],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verdict:
    """Replay the lanes of a record. Raises KeyError if the game is unknown, ValueError if the
    draft's options are none of the game's."""
    session = Session(draft, games[draft.game], None, is_checked=True)
    effects = session.begin()
    problem = ""
    for count, lane in enumerate(lanes):
        progress(count, len(lanes))
        try:
            effects += session.receive(0, lane)
        except Refusal as refusal:
            problem = f"message {count} of the record: {refusal}"
            break
    problem = problem or _leftover(session)
    progress(len(lanes), len(lanes))
    return _verdict(session, effects, problem)


def _leftover(session: Session) -> str:
    early = sorted(session.lanes.early)
    if early and not session.is_over:
        seat, number = early[0]
        return f"message {number} of seat {seat} rests on messages that are not in the record"
    return ""


def _verdict(session: Session, effects: Sequence[Effect], problem: str) -> Verdict:
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
        left=tuple(effect.seat for effect in effects if isinstance(effect, Left)),
    )
