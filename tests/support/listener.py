"""What a peer makes of a journal, message by message, held against what an auditor makes of it.

The auditor (`p2pjong.audit`) and the sessions that played are two paths: a mistake in one of them
shows as a difference. A `Listener` is the real session as an onlooker, with what is allowed in a
record and not at a table.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from p2pjong.audit.faults import Refused
from p2pjong.audit.reading import Reading
from p2pjong.games.game import Seat
from p2pjong.session.faults import Refusal
from p2pjong.session.lanes import Signed
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Draft, Evidence, Lane
from tests.support.sim import ALL_GAMES

Recorded = Lane | Evidence


class Listener(Session):
    """An onlooker, by the three rules that a record has of its own."""

    def _count_idle(self, signed: Signed) -> None:
        """A record is read as it is, whatever is in it."""

    def hear(self, message: Recorded) -> bool:
        """Take in what the journal has next; says whether it is fit to be in one."""
        try:
            self.receive(0, message)
        except Refusal:
            return False
        if isinstance(message, Evidence):
            if self.is_over:
                self._note_stories(self.lanes.compare(message.first, message.second))
            elif self.charter is None:
                self._break_off()
        return True


class View(NamedTuple):
    """How a table stands for who has heard so much of it."""

    has_ended: bool
    place: bytes
    epoch_and_step: tuple[int, int]
    chain: bytes
    missing: tuple[Seat, ...]
    faults: tuple[tuple[int, Seat, int, str], ...]
    digest: bytes
    scores: tuple[int, ...]
    outcome: str
    winners: tuple[Seat, ...]
    hands: int
    accepted: int
    early: bool
    books: int


def view_of_peer(session: Session) -> View:
    """How a peer sees it."""
    over, course = session.standing(), session.course
    is_turned = session.turning.is_open
    ended = "fault" if over.outcome == "abandoned" and session.course.faults else over.outcome
    return View(
        has_ended=session.is_over,
        place=course.place,
        epoch_and_step=(0, 0) if is_turned else (course.epoch, course.step),
        chain=b"" if is_turned else course.chain,
        missing=() if session.is_over else session._missing(),
        faults=tuple(sorted((one.epoch, one.seat, one.number, one.rule) for one in course.faults)),
        digest=session.play.public_digest(),
        scores=over.scores,
        outcome=ended if session.is_over else "unfinished",
        winners=over.winners if session.is_over else (),
        hands=over.hands,
        accepted=sum(session.lanes.lengths()),
        early=bool(session.lanes.early),
        books=session.play.results_closed(),
    )


def view_of_auditor(reading: Reading) -> View:
    """How the auditor sees it."""
    over, steps = reading.play.standing(reading.is_result_final()), reading.steps
    is_turned = steps.is_suspended
    ended = "fault" if over.outcome == "abandoned" and steps.faults else over.outcome
    missing = reading.turning.missing() if is_turned else steps.missing()
    return View(
        has_ended=reading.has_ended,
        place=steps.place,
        epoch_and_step=(0, 0) if is_turned else (steps.epoch, steps.number),
        chain=b"" if is_turned else steps.chain,
        missing=() if reading.has_ended else missing,
        faults=tuple(sorted((one.epoch, one.seat, one.number, one.rule) for one in steps.faults)),
        digest=reading.play.digest(),
        scores=over.scores,
        outcome=ended if reading.has_ended else "unfinished",
        winners=over.winners if reading.has_ended else (),
        hands=over.hands,
        accepted=reading.lanes.accepted(),
        early=reading.lanes.first_early() is not None,
        books=len(reading.play.results),
    )


def check_every_prefix(draft: Draft, messages: Iterable[Recorded]) -> Reading:
    """Read a record to its end; after every message peer and auditor must see the very same.

    They refuse the same messages, too, after which there is nothing more to compare.
    """
    game = ALL_GAMES[draft.game]
    listener = Listener.onlooker(draft, game)
    listener.begin()
    is_fit = True

    def source() -> Iterator[Recorded]:
        nonlocal is_fit
        for message in messages:
            check()
            is_fit = listener.hear(message)
            yield message
        check()

    def check() -> None:
        assert is_fit, "the auditor reads on where a peer refuses"
        assert view_of_auditor(reading) == view_of_peer(listener)

    reading = Reading(draft, game, source())
    try:
        reading.read()
    except Refused:
        assert not is_fit, "the auditor refuses what a peer accepts"
    else:
        check()
    return reading


def recorded(journal: Iterable[bytes]) -> list[Any]:
    """The messages of a journal."""
    return [decode(frame, Lane | Evidence) for frame in journal]
