"""Results and books that were open when a hand was turned back: which of them close all the same.

Implements "Beginning anew" of `protocol/play.md`, its first part.

Theory of operation. A result is closed when all who are present have signed it, or left. So if
somebody has closed it, everyone who stays has signed it before its word; and as nobody answers
between its word and the new beginning, all see the same by then. A result that does not close so is
kept until another one has closed: as soon as more seats are put out, it may.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from p2pjong.games.game import Seat
from p2pjong.session.course import Course, Standpoint
from p2pjong.session.faults import PeerFault
from p2pjong.session.history import Signed
from p2pjong.session.lanes import Lanes
from p2pjong.session.play import Play, Waiting
from p2pjong.wire.messages import Convict, KeyPublished, PutOut, Settled

Said: TypeAlias = Mapping[Seat, Signed]


@dataclass(frozen=True)
class Held:
    """A step at the end of a hand that was open when the hand was turned back."""

    point: Standpoint
    base: Any  # on which that hand rested
    waiting: Waiting | None  # the result; None if it is closed, and its books are being opened


@dataclass
class Unsettled:
    """What may close of hands that were turned back, the earliest first.

    `put_out` are, in each call, all seats that were ever put out or are being put out.
    """

    lanes: Lanes
    course: Course
    play: Play
    _held: list[Held] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing may close any more."""
        return not self._live()

    def hold(self, point: Standpoint | None) -> None:
        """The hand is turned back while this step is open, if one is."""
        if point is None or point.step.kind not in (Settled, KeyPublished):
            return
        waiting = self.play.waiting() if point.step.kind is Settled else None
        self._held = [*self._live(), Held(point, self.play.base, waiting)]

    def close(self, put_out: Collection[Seat]) -> None:
        """Close what all had answered, and what follows from it."""
        while (found := self._next(put_out)) is not None:
            self._close(*found, put_out)

    def required(self) -> list[Sequence[int]]:
        """From where on each lane is looked at, for each of these steps."""
        return [held.point.required for held in self._held]

    def _live(self) -> list[Held]:
        """Those that rest on the last result that closed."""
        return [held for held in self._held if held.base is self.play.base]

    # --- Whether one closes -------------------------------------------------------------------

    def _next(self, put_out: Collection[Seat]) -> tuple[Held, Said] | None:
        """The first step that closes, and with what."""
        for held in self._live():
            said = self._said(held.point, put_out)
            if said is None:
                continue  # it cannot be told yet
            if held.waiting is None:
                return self._with_what_is_right(held, said, put_out)
            if self._is_signed(held, said, put_out):
                return held, said
        return None

    def _with_what_is_right(
        self, held: Held, said: Said, put_out: Collection[Seat]
    ) -> tuple[Held, Said]:
        """Books are closed for good as soon as all have said something.

        If somebody has turned back, nobody has closed them yet. Who came here without the answers
        of those who are put out does not know how much of their lanes others had to have heard.
        """
        if not any(self._is_word(signed) for signed in said.values()):
            return held, said
        held = replace(held, point=_without(held.point, put_out))
        right = {s: one for s, one in said.items() if self._is_right(held.point, one, ())}
        return held, right

    def _is_signed(self, held: Held, said: Said, put_out: Collection[Seat]) -> bool:
        """Whether all who are not put out have signed the result, or are gone with what they said
        in place of that."""
        return bool(said) and all(
            self._counts(held.point, signed, put_out) for signed in said.values()
        )

    def _said(self, point: Standpoint, put_out: Collection[Seat]) -> Said | None:
        """What each awaited seat that is not put out said first in this step; None if one has
        said nothing yet."""
        seats = [seat for seat in point.step.seats if seat not in put_out]
        said = {seat: self._first_said(point, seat) for seat in seats}
        known = {seat: signed for seat, signed in said.items() if signed is not None}
        return known if len(known) == len(seats) else None

    def _first_said(self, point: Standpoint, seat: Seat) -> Signed | None:
        """What this seat said first while the step was open: its answer, or its word."""
        for signed in self.lanes.accepted[seat][point.required[seat] :]:
            if self._is_last(signed) or isinstance(signed.body.payload, Convict | PutOut):
                return signed
            if not point.is_elsewhere(signed):
                return signed
        return None

    def _is_last(self, signed: Signed) -> bool:
        """Whether its seat is gone with it, for all alike."""
        return self.course.gone_with(signed.body.seat) is signed

    def _is_word(self, signed: Signed) -> bool:
        return isinstance(signed.body.payload, Convict | PutOut) and not self._is_last(signed)

    def _counts(self, point: Standpoint, signed: Signed, put_out: Collection[Seat]) -> bool:
        """Whether the step may close with this: a right answer, or one of which all see that it
        is wrong, for its author had heard no more of those who are put out than everyone."""
        if self._is_right(point, signed, put_out):
            return True
        heads = signed.body.heads
        return not self._is_word(signed) and all(
            heads[seat].length <= point.required[seat] and self.lanes.holds(seat, heads[seat])
            for seat in put_out
            if seat in point.step.seats
        )

    def _asked(self, point: Standpoint, signed: Signed, put_out: Collection[Seat]) -> Standpoint:
        """Where the author must have stood. Of a lane that is put out, and of which it has heard
        another story than we, it may have heard less: that is not its fault."""
        heads = signed.body.heads
        return _without(point, [s for s in put_out if not self.lanes.holds(s, heads[s])])

    def _is_right(self, point: Standpoint, signed: Signed, put_out: Collection[Seat]) -> bool:
        """Whether it is an answer to that step, or its seat is gone with it."""
        if self._is_last(signed):
            return True
        try:
            self._asked(point, signed, put_out).check(signed)
        except PeerFault:
            return False
        return True

    # --- Closing ------------------------------------------------------------------------------

    def _close(self, held: Held, said: Said, put_out: Collection[Seat]) -> None:
        out = self.course.close_held(
            held.point, said, lambda signed: self._asked(held.point, signed, put_out)
        )
        self._held = []
        if held.waiting is None:
            self.play.close_epoch(out)
            return
        self.play.state = held.waiting.state
        publishing = self.play.close_result(held.waiting, tuple(sorted(out)))
        if publishing is not None:
            self.hold(self.course.follow_held(publishing))


def _without(point: Standpoint, put_out: Collection[Seat]) -> Standpoint:
    """The same step, with no look at the lanes of these seats."""
    required = [0 if seat in put_out else need for seat, need in enumerate(point.required)]
    return replace(point, required=tuple(required))
