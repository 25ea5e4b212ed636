"""Results and books that were open when a hand was turned back: which of them close all the same.

Implements "Beginning anew" of `protocol/play.md`, its first part. Who signs a result has seen that
every seat had come to it. So a result stands if all had who are not put out; everyone who reads
this far finds the same, for nobody answers between its word and the new beginning.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from p2pjong.audit.faults import Breach
from p2pjong.audit.lanes import Lanes, Message
from p2pjong.audit.play import Play, Waiting
from p2pjong.audit.steps import Point, Steps
from p2pjong.games.game import Seat
from p2pjong.wire.messages import Convict, KeyPublished, PutOut, Settled, Tallied


@dataclass(frozen=True)
class Held:
    """A step at the end of a hand that was open when the hand was turned back."""

    point: Point
    base: Any
    waiting: Waiting | None  # the result; None once it is closed, for its books
    tally: Point | None  # where all came to the result


class Unsettled:
    """What may close of hands that were turned back, the earliest first."""

    def __init__(self, lanes: Lanes, steps: Steps, play: Play) -> None:
        self._lanes, self._steps, self._play = lanes, steps, play
        self._all: list[Held] = []

    def hold(self, point: Point | None) -> None:
        """The hand is turned back with this step open, if one is."""
        if point is None:
            return
        kind, play = point.step.kind, self._play
        if kind is Tallied:
            self._all = [*self._live(), Held(point, play.base, play.waiting(), point)]
        elif kind is Settled:
            tally = self._steps.before
            self._all = [*self._live(), Held(point, play.base, play.waiting(), tally)]
        elif kind is KeyPublished:
            self._all = [Held(point, play.base, None, None)]

    def _live(self) -> list[Held]:
        """Those on which no other result has closed since."""
        return [held for held in self._all if held.base is self._play.base]

    @property
    def is_empty(self) -> bool:
        """Whether nothing may close any more."""
        return not self._live()

    def is_certain(self, put_out: set[Seat]) -> bool:
        """Whether the result that the state of the game holds will close, whatever follows."""
        return any(
            held.point.step.kind is Settled
            and held.waiting.state is self._play.state
            and self._stands(held.tally, held.waiting, put_out)
            for held in self._live()
            if held.waiting is not None and held.tally is not None
        )

    def close(self, put_out: set[Seat]) -> None:
        """Close whatever closes without these seats, who were put out now or before."""
        while any(self._try(held, put_out) for held in self._live()):
            pass

    def _try(self, held: Held, put_out: set[Seat]) -> bool:
        said = self._said(held.point, put_out)
        if None in said.values():
            return False
        first = {seat: message for seat, message in said.items() if message is not None}
        have_turned = any(self._is_word(message) for message in first.values())
        if held.waiting is None or held.tally is None:
            closes = True
        elif held.point.step.kind is Settled and not have_turned:
            closes = True  # as it was, right or wrong, somebody may have closed it
        else:
            closes = self._stands(held.tally, held.waiting, put_out)
        if closes:
            point = held.point
            if have_turned and point.step.kind is not Tallied:
                # So nobody has closed it: what is asked for is what all of us can judge alike.
                point = point.without(put_out)
                first = {s: one for s, one in first.items() if self._is_right(point, one, set())}
            self._close(held, point, first, put_out)
        return closes

    def _stands(self, tally: Point, waiting: Waiting, put_out: set[Seat]) -> bool:
        """Whether all but these had come to the result, or more than half have signed it."""
        said = self._said(tally, put_out)
        first = [message for message in said.values() if message is not None]
        if not first or len(first) < len(said):
            return False
        if all(self._counts(tally, message, put_out) for message in first):
            return True
        signers = self._steps.signers(tally.digest, tally.place) - put_out
        is_by_most = 2 * len(signers.intersection(waiting.present)) > len(waiting.present)
        return is_by_most and not any(self._is_word(message) for message in first)

    def _said(self, point: Point, put_out: Collection[Seat]) -> dict[Seat, Message | None]:
        """What each seat that was awaited said first then."""
        return {
            seat: self._steps.first_of(point.said[seat])
            for seat in point.step.seats
            if seat not in put_out
        }

    def _is_word(self, message: Message) -> bool:
        is_gone = self._steps.is_gone_with(message)
        return isinstance(message.payload, Convict | PutOut) and not is_gone

    def _counts(self, point: Point, message: Message, put_out: set[Seat]) -> bool:
        """Whether this makes the step close for all alike: it is right, or wrong for all to see.

        Of whoever told two stories its author has heard nothing then but what all had.
        """
        if self._is_word(message):
            return False
        return self._is_right(point, message, put_out) or all(
            message.lengths[seat] <= point.required[seat]
            and self._lanes.goes_through(seat, message.body.heads[seat])
            for seat in put_out.intersection(point.step.seats)
        )

    def _is_right(self, point: Point, message: Message, put_out: set[Seat]) -> bool:
        if self._steps.is_gone_with(message):
            return True
        try:
            self._steps.check_at(point, message, put_out)
        except Breach:
            return False
        return True

    def _close(
        self, held: Held, point: Point, said: dict[Seat, Message], put_out: set[Seat]
    ) -> None:
        out = set(self._steps.close_at(point, said, put_out))
        self._all = []
        if held.waiting is None:
            self._play.close_epoch(out)
            return
        self._play.state = held.waiting.state
        if point.step.kind is Tallied and (signing := tuple(s for s in said if s not in out)):
            self.hold(self._steps.follow(self._play.signing(signing), self._play.digest()))
            return
        before = set(held.waiting.present) - put_out - set(point.step.seats)
        publishing = self._play.close_result(held.waiting, out | before)
        if publishing is not None:
            self.hold(self._steps.follow(publishing, self._play.digest()))
