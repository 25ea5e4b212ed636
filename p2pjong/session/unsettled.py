"""Results and books that were open when a hand was turned back: which of them close all the same.

Implements "Beginning anew" of `protocol/play.md`, its first part.

Theory of operation. Who signs a result knows that every seat had come to it (`Tallied`). So while
a hand is turned back it is enough to look whether all had: everybody sees the same, as nobody
answers between its word and the new beginning, and whoever is honest knows the state after the
result, even if it has not signed. A result that does not close so is kept until another one has
closed: as soon as more seats are put out, it may.
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
from p2pjong.session.results import Signatures
from p2pjong.wire.messages import Convict, KeyPublished, PutOut, Settled, Tallied

Said: TypeAlias = Mapping[Seat, Signed]


@dataclass(frozen=True)
class Held:
    """A step at the end of a hand that was open when the hand was turned back."""

    point: Standpoint
    base: Any  # on which that hand rested
    waiting: Waiting | None  # the result; None if it is closed, and its books are being opened
    tally: Standpoint  # the step in which all came to the result: this one, or before it

    @property
    def is_tally(self) -> bool:
        """Whether not all had come to the result, as far as was known here."""
        return self.point.step.kind is Tallied


@dataclass
class Unsettled:
    """What may close of hands that were turned back, the earliest first.

    `put_out` are, in each call, all seats that were ever put out or are being put out.
    """

    lanes: Lanes
    course: Course
    play: Play
    signatures: Signatures
    _held: list[Held] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing may close any more."""
        return not self._live()

    def hold(self, point: Standpoint | None) -> None:
        """The hand is turned back while this step is open, if one is."""
        if point is not None and point.step.kind in (Tallied, Settled):
            tally = point if point.step.kind is Tallied else self.course.before
            self._hold(point, self.play.waiting(), tally)
        elif point is not None and point.step.kind is KeyPublished:
            self._hold(point, None, point)

    def _hold(self, point: Standpoint, waiting: Waiting | None, tally: Standpoint | None) -> None:
        assert tally is not None, "no result is signed before all have come to it"
        self._held = [*self._live(), Held(point, self.play.base, waiting, tally)]

    def close(self, put_out: Collection[Seat]) -> None:
        """Close what all had answered, and what follows from it."""
        while (found := self._next(put_out)) is not None:
            self._close(*found, put_out)

    def is_certain(self, put_out: Collection[Seat]) -> bool:
        """Whether the result that waits in the state of the game closes, whatever more is said."""
        return any(
            not held.is_tally
            and held.waiting.state is self.play.state
            and self._is_final(held, held.waiting, put_out)
            for held in self._live()
            if held.waiting is not None
        )

    def required(self) -> list[Sequence[int]]:
        """From where on each lane is looked at, for each of these steps."""
        points = [point for held in self._held for point in (held.point, held.tally)]
        return [point.required for point in points]

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
            have_turned = any(self._is_word(signed) for signed in said.values())
            if have_turned and not held.is_tally:
                # Nobody has closed it so. Who came here without the answers of those who are put
                # out does not know how much of their lanes others had to have heard.
                held = replace(held, point=_without(held.point, put_out))
                said = {s: one for s, one in said.items() if self._is_right(held.point, one, ())}
            if self._closes(held, put_out, have_turned):
                return held, said
        return None

    def _closes(self, held: Held, put_out: Collection[Seat], have_turned: bool) -> bool:
        if held.waiting is None:
            return True  # books are closed for good as soon as all have said something
        if not held.is_tally and not have_turned:
            return True  # others may have closed it, right or wrong as the answers are
        return self._is_final(held, held.waiting, put_out)

    def _is_final(self, held: Held, waiting: Waiting, put_out: Collection[Seat]) -> bool:
        """Whether all who are not put out had come to the result, or most of them have signed."""
        point = held.tally
        said = self._said(point, put_out)
        if not said:
            return False
        if all(self._counts(point, signed, put_out) for signed in said.values()):
            return True
        have_turned = any(self._is_word(signed) for signed in said.values())
        return not have_turned and self.signatures.are_most(
            waiting.present, point.place, point.digest, put_out
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
        waiting, step = held.waiting, held.point.step
        out = self.course.close_held(
            held.point, said, lambda signed: self._asked(held.point, signed, put_out)
        )
        self._held = []
        if waiting is None:
            self.play.close_epoch(out)
            return
        self.play.state = waiting.state
        signing = tuple(seat for seat in said if seat not in out)
        if held.is_tally and signing:
            self.hold(self.course.follow_held(self.play.signing(signing)))
            return
        before = set(waiting.present).difference(step.seats, put_out)
        publishing = self.play.close_result(waiting, tuple(sorted(before.union(out))))
        if publishing is not None:
            self.hold(self.course.follow_held(publishing))


def _without(point: Standpoint, put_out: Collection[Seat]) -> Standpoint:
    """The same step, with no look at the lanes of these seats."""
    required = [0 if seat in put_out else need for seat, need in enumerate(point.required)]
    return replace(point, required=tuple(required))
