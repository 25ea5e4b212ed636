"""What closes of a hand that is turned back, for the second verifier: "Beginning anew", 1.

Imports nothing of the project.
"""

from collections.abc import Collection
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from tests.support.second_play import Play
from tests.support.second_steps import Breach, Course, Message, Place, Step


@dataclass
class Kept:
    """A step that is remembered."""

    place: Place
    results: int  # closed when it was open
    state: dict[str, Any]
    cards: Any  # those and the keys of the epoch, for its books

    @property
    def kind(self) -> str:
        return self.place.step.kind


class Unsettled(Course):
    """Steps of which some seats may have closed what for us was turned back."""

    play: Play
    kept: list[Kept]

    def remember(self, step: Step | None) -> None:
        """This step was open as the hand was turned back."""
        if step is None or step.kind not in ("settled", "key-published"):
            return
        place = self.here(step)
        cards = (self.play.cards, self.play.publics)
        state = deepcopy(self.play.state)
        self.kept = [*self.live(), Kept(place, self.play.results, state, cards)]

    def live(self) -> list[Kept]:
        """Those of the hand after the last closed result."""
        return [kept for kept in self.kept if kept.results == self.play.results]

    def settle(self, put_out: Collection[int]) -> None:
        """Close what closes."""
        while any(self._try(kept, put_out) for kept in self.live()):
            pass

    def _try(self, kept: Kept, put_out: Collection[int]) -> bool:
        said = self._all_first(kept.place, put_out)
        if said is None:
            return False
        place = kept.place
        if kept.kind == "settled":
            if not self._are_all(place, said, put_out):
                return False
        elif any(self._is_word(message) for message in said.values()):
            needed = [0 if seat in put_out else n for seat, n in enumerate(place.required)]
            place = replace(place, required=needed)
            said = {seat: one for seat, one in said.items() if self._is_right(place, one, ())}
        self._close(kept, place, said, put_out)
        return True

    def _are_all(self, place: Place, said: dict[int, Message], put_out: Collection[int]) -> bool:
        return bool(said) and all(
            self._counts(place, message, put_out) for message in said.values()
        )

    def has_signed(self, seat: int, place: bytes, digest: bytes) -> bool:
        """Whether this seat has signed that result, before any word of its."""
        for one in self.accepted[seat]:
            if one.place == place and one.payload == ["settled", digest]:
                return True
            if one.place == place and one.payload[0] in ("convict", "put-out"):
                return False
        return False

    def _all_first(self, place: Place, put_out: Collection[int]) -> dict[int, Message] | None:
        said: dict[int, Message] = {}
        for seat in place.step.seats:
            if seat not in put_out:
                first = self._first_said(place, seat)
                if first is None:
                    return None
                said[seat] = first
        return said

    def _first_said(self, place: Place, seat: int) -> Message | None:
        for message in self.accepted[seat][place.required[seat] :]:
            kind = message.payload[0]
            if message is self.gone.get(seat) or kind in ("convict", "put-out"):
                return message
            means_nothing = place.is_turned and message.place != place.place
            if not means_nothing:
                return message
        return None

    def _is_word(self, message: Message) -> bool:
        is_gone = message is self.gone.get(message.seat)
        return message.payload[0] in ("convict", "put-out") and not is_gone

    def _asked(self, place: Place, message: Message, put_out: Collection[int]) -> Place:
        """Of a lane of which its author names another story than ours no length is required."""
        required = [
            0 if seat in put_out and not self.goes_through(seat, message.heads[seat]) else n
            for seat, n in enumerate(place.required)
        ]
        return replace(place, required=required)

    def _is_right(self, place: Place, message: Message, put_out: Collection[int]) -> bool:
        if message is self.gone.get(message.seat):
            return True
        try:
            self._asked(place, message, put_out).check(message)
        except Breach:
            return False
        return True

    def _counts(self, place: Place, message: Message, put_out: Collection[int]) -> bool:
        if self._is_word(message):
            return False
        return self._is_right(place, message, put_out) or all(
            message.heads[seat][0] <= place.required[seat]
            and self.goes_through(seat, message.heads[seat])
            for seat in put_out
            if seat in place.step.seats
        )

    def _close(
        self, kept: Kept, place: Place, said: dict[int, Message], put_out: Collection[int]
    ) -> None:
        play, step = self.play, place.step
        out = self._judge_at(place, said, put_out)
        self.kept = []
        if step.kind == "key-published":
            play.end_books(out)
            return
        play.restore(kept.state, *kept.cards)
        following = play.close_result(out)
        if following is not None:
            self.digest = play.digest()
            self.remember(following)

    def _judge_at(
        self, place: Place, said: dict[int, Message], put_out: Collection[int]
    ) -> list[int]:
        """Judge these as if the step were open; says who has not answered it."""
        self.place, self.epoch, self.step = place.place, place.epoch, place.number
        self.required, self.digest = list(place.required), place.digest
        self.is_turned = place.is_turned
        out = []
        for seat, message in said.items():
            if self.gone.get(seat) is message:
                out.append(seat)
                continue
            try:
                self._asked(place, message, put_out).check(message)
                place.step.check(seat, message.payload)
                self.answers[seat] = message
            except Breach as breach:
                self.blame(message, str(breach))
                out.append(seat)
        self.note_closed(Step(place.step.kind, list(said), place.step.check))
        self.answers = {}
        return out
