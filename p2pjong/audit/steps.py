"""The steps of a table: one is open at a time, and closes with the complete set of its answers.

Implements "Judging a message", "Steps" and "Contexts" of `protocol/play.md`. What a step came to is
a function of a set of messages, so nothing here depends on their order in the file.
"""

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeAlias

from p2pjong.audit.faults import Breach, Fault
from p2pjong.audit.lanes import Lanes, Message, Stories
from p2pjong.games.game import Seat
from p2pjong.wire import codec
from p2pjong.wire.messages import Convict, Leave, PutOut, Settled, VoteAbsent

CHAIN_LABEL = b"p2pjong/v1/chain\x00"


class Place(codec.Message, tag="place", frozen=True):
    """What a proof, a commitment or a toss of one seat is bound to."""

    charter: bytes
    epoch: int
    step: int
    chain: bytes
    seat: Seat


@dataclass(frozen=True)
class Step:
    """Which kind of payload is awaited of which seats.

    `check(seat, payload)` raises Breach on an answer that no honest client gives, and returns what
    the answer comes to otherwise.
    """

    kind: type[Any]
    seats: tuple[Seat, ...]
    reason: str  # for people: what its seats are awaited for
    check: Callable[[Seat, Any], Any]


Answers: TypeAlias = dict[Seat, Any]  # of every seat of a step: what its check returned
Ask: TypeAlias = Callable[[Step], Answers]  # raises Void if some gave none, or TurnedBack


@dataclass(frozen=True)
class Point:
    """A step that is open, or was, with all that an answer to it must fit."""

    step: Step
    place: bytes
    epoch: int
    number: int
    digest: bytes
    required: tuple[int, ...]  # of each lane, how much an answer must have seen
    said: tuple[list[Message], ...]  # in each lane, from there on

    def check(self, message: Message) -> Step:
        """The step, if this is an answer to it, right or wrong. Raises Breach."""
        body = message.body
        if body.step != self.number or message.seat not in self.step.seats:
            raise Breach("out-of-turn")
        # Whoever answers has seen all that closed the steps before: a peer to whom the answer came
        # sooner had another step open, and must find the same.
        if any(has < need for has, need in zip(message.lengths, self.required, strict=True)):
            raise Breach("out-of-turn")
        if (body.place, body.epoch) != (self.place, self.epoch):
            raise Breach("wrong-place")
        if body.digest != self.digest:
            raise Breach("digest")
        if not isinstance(body.payload, self.step.kind):
            raise Breach("wrong-kind")
        return self.step

    def without(self, seats: Collection[Seat]) -> "Point":
        """The same step, whatever an answer has seen of these seats' lanes."""
        required = [0 if seat in seats else need for seat, need in enumerate(self.required)]
        return replace(self, required=tuple(required))


class Void(Exception):
    """A step closed without these seats: the hand does not count (G6)."""

    def __init__(self, out: tuple[Seat, ...]) -> None:
        super().__init__(f"seats {out} are out")
        self.out = out


class TurnedBack(Exception):
    """The hand is being turned back: no step of it is closed any more."""


class Steps:
    """The steps of one table, and what the seats have made of them."""

    def __init__(self, lanes: Lanes, seats: int, place: bytes) -> None:
        self.place, self.epoch, self.number, self.chain = place, 0, 0, bytes(32)
        self.current: Step | None = None
        self.before: Point | None = None  # the step that closed last
        self.required = [0] * seats  # of each lane, how much an answer must have seen
        self.gone: dict[Seat, Message] = {}  # and the message with which each is
        self.faults: list[Fault] = []
        self.without: set[Seat] = set()  # who is being put out by the hand's being turned back
        self._lanes = lanes
        self._is_turned = False  # whether a hand was ever turned back
        self._digest = b""
        self._answers: dict[Seat, tuple[Message, Any]] = {}
        self._closing: Mapping[Seat, Message] = {}  # the messages that closed the last step
        self._since: list[list[Message]] = [[] for _ in range(seats)]  # from `required` on
        self._signed: dict[tuple[bytes, bytes], set[Seat]] = {}  # (place, result): by whom
        self._worded: set[tuple[bytes, Seat]] = set()  # (place, seat) that has said a word there

    # --- Contexts -----------------------------------------------------------------------------

    def context(self, seat: Seat) -> bytes:
        """What binds this seat in the step that is open, or that opens next."""
        return codec.encode(Place(self.place, self.epoch, self.number, self.chain, seat))

    def contexts(self, seats: Iterable[Seat]) -> dict[Seat, bytes]:
        """The context of each of these seats."""
        return {seat: self.context(seat) for seat in seats}

    # --- From opening to closing --------------------------------------------------------------

    def open(self, step: Step, digest: bytes) -> None:
        """Open a step, in a state of this digest."""
        self.current, self._digest = step, digest

    def missing(self) -> tuple[Seat, ...]:
        """The seats that the open step still waits for."""
        if self.current is None:
            return ()
        return tuple(
            seat
            for seat in self.current.seats
            if seat not in self._answers and seat not in self.gone
        )

    def close(self) -> Answers:
        """Close the open step, for which nobody is missing. Raises Void if some did not answer."""
        assert self.current is not None and not self.missing()
        seats, answers = self.current.seats, self._answers
        closing = {seat: answers[seat][0] if seat in answers else self.gone[seat] for seat in seats}
        self._go_on(self.current, closing)
        if len(answers) < len(seats):
            raise Void(tuple(seat for seat in seats if seat not in answers))
        return {seat: answers[seat][1] for seat in seats}

    def _point(self, step: Step) -> Point:
        at = (self.place, self.epoch, self.number, self._digest)
        return Point(step, *at, tuple(self.required), tuple(self._since))

    def _go_on(self, step: Step, closing: Mapping[Seat, Message]) -> None:
        self.before = self._point(step)
        for seat, message in closing.items():
            self._require(seat, message.number + 1)
        hashes = b"".join([message.hash for message in closing.values()])
        count = len(closing).to_bytes(2, "big")
        self.chain = sha256(CHAIN_LABEL + self.chain + count + hashes).digest()
        self.number += 1
        self.current, self._answers, self._closing = None, {}, closing

    def _require(self, seat: Seat, length: int) -> None:
        self.required[seat] = length
        self._since[seat] = [one for one in self._since[seat] if one.number >= length]

    # --- Judging ------------------------------------------------------------------------------

    def note(self, message: Message) -> None:
        """A message was accepted: keep in mind what it signs."""
        place, payload = message.body.place, message.payload
        if isinstance(payload, Convict | PutOut):
            self._worded.add((place, message.seat))
        elif isinstance(payload, Settled) and (place, message.seat) not in self._worded:
            self._signed.setdefault((place, payload.result), set()).add(message.seat)

    def signers(self, result: bytes, place: bytes) -> set[Seat]:
        """Who has signed this result at this place, before any word of theirs there."""
        return self._signed.get((place, result), set())

    def keep(self, message: Message) -> None:
        """A message that means something: it may be asked what its seat said first."""
        insort(self._since[message.seat], message, key=lambda one: one.number)

    def judge(self, message: Message) -> None:
        """Take the message as its seat's answer to the open step, or as a fault."""
        try:
            if message.seat not in self.missing():
                raise Breach("out-of-turn")
            answer = self._check(self.current, message)
        except Breach as breach:
            self.blame(message, breach.rule, self.current)
        else:
            self._answers[message.seat] = (message, answer)

    def judge_late(self, message: Message) -> None:
        """Judge a message that was put off, and that its author may have followed by its leave."""
        gone = self.gone.get(message.seat)
        if gone is not None and not isinstance(gone.payload, Leave):
            return
        self.gone.pop(message.seat, None)
        self.judge(message)
        if gone is not None:
            self.gone.setdefault(message.seat, gone)

    def is_elsewhere(self, message: Message) -> bool:
        """Whether its author may have begun anew at another place, so that it means nothing."""
        return self._is_turned and message.body.place != self.place

    def _check(self, step: Step | None, message: Message) -> Any:
        """What the message comes to as an answer to this step. Raises Breach."""
        if step is None:
            raise Breach("out-of-turn")
        return self._point(step).check(message).check(message.seat, message.payload)

    def go(self, message: Message) -> None:
        """The seat is gone with this message.

        While a hand is turned back its lane stays open: others may not know yet, and rest on what
        it goes on to say; unless it is a message of this lane that tells everyone.
        """
        self.gone[message.seat] = message
        if not self.is_suspended or message.seat in self.outcasts():
            self._lanes.close(message.seat)

    def blame(self, message: Message, rule: str, step: Step | None = None) -> None:
        """The message is a fault, as an answer to a step or by itself; its seat is gone with it."""
        reason = step.reason if step else ""
        fault = Fault(message.body.epoch, message.seat, message.number, rule, reason)
        if fault not in self.faults:
            self.faults.append(fault)
        self.go(message)

    def closing_lengths(self) -> dict[Seat, int]:
        """How long the lanes are with what closed the last step: who knows of it has so much."""
        return {seat: message.number + 1 for seat, message in self._closing.items()}

    def blame_answer(self, seat: Seat, rule: str) -> None:
        """A fault that came to light only when the step that this seat has answered was closed."""
        self.blame(self._closing[seat], rule)

    def blame_stories(self, stories: Stories) -> None:
        """Two stories; what was wrong with one, or came after it, not everyone could find."""
        seat, number = stories.seat, stories.number
        self._lanes.close(seat)
        known = [one for one in self.faults if (one.seat, one.rule) == (seat, "equivocation")]
        if any((one.number, one.epoch) <= stories.rank for one in known):
            return
        kept = [one for one in self.faults if one.seat != seat or one.number < number]
        self.faults = [*kept, Fault(stories.epoch, seat, number, "equivocation")]

    # --- Turning back -------------------------------------------------------------------------

    def waive(self, seat: Seat) -> None:
        """The open step no longer awaits this seat, which has no one story to tell."""
        step = self.current
        if step is not None and seat in self.missing():
            seats = tuple(one for one in step.seats if one != seat)
            self.current = Step(step.kind, seats, step.reason, step.check)

    def outcasts(self) -> set[Seat]:
        """The seats that are out whatever becomes of the hand: they left, or proved their fault."""
        left = {seat for seat, one in self.gone.items() if isinstance(one.payload, Leave)}
        return left | {fault.seat for fault in self.faults if fault.is_self_proving}

    @property
    def is_suspended(self) -> bool:
        """Whether the hand is being turned back."""
        return bool(self.without)

    def suspend(self, without: Seat) -> Point | None:
        """The hand is turned back, without this seat: its open step and answers are forgotten.

        Returns that step, if one was open.
        """
        self.without.add(without)
        point = self._point(self.current) if self.current else None
        self.current, self._answers = None, {}
        self._keep_gone(self.outcasts())
        return point

    def strike(self, seat: Seat) -> None:
        """This seat is voted absent: who voted first has not heard what others held against it."""
        self.faults = [one for one in self.faults if one.seat != seat or one.is_self_proving]

    def conclude(self, of_base: Collection[Seat]) -> None:
        """The program has ended: what came after the last answers not everyone has heard.

        All agree on who was out before the base.
        """
        self.faults = [
            one
            for one in self.faults
            if one.rule == "equivocation"
            or one.seat not in of_base
            or one.number < self.required[one.seat]
        ]

    def _keep_gone(self, seats: set[Seat]) -> None:
        self.gone = {seat: one for seat, one in self.gone.items() if seat in seats}

    def is_gone_with(self, message: Message) -> bool:
        """Whether its seat is gone with this message."""
        return self.gone.get(message.seat) is message

    def first_of(self, said: Sequence[Message]) -> Message | None:
        """The first of these of one seat that is its answer, or its word.

        A message by which it is gone counts, whatever it is.
        """
        for message in said:
            if self.is_gone_with(message) or not isinstance(message.payload, VoteAbsent):
                return message
        return None

    def close_at(
        self, point: Point, said: Mapping[Seat, Message], put_out: Collection[Seat]
    ) -> tuple[Seat, ...]:
        """Close a step that was open when the hand turned back with these; who is out by that.

        They are judged as they would have been then: some peers closed it so, before they knew.
        """
        self.place, self.epoch, self.number = point.place, point.epoch, point.number
        self.required, self._digest = list(point.required), point.digest
        self._since, out = list(point.said), []
        for seat, message in said.items():
            if self.is_gone_with(message):
                out.append(seat)
                continue
            try:
                self.check_at(point, message, put_out).check(seat, message.payload)
            except Breach as breach:
                self.blame(message, breach.rule, point.step)
                out.append(seat)
        self._go_on(point.step, said)
        return tuple(out)

    def check_at(self, point: Point, message: Message, put_out: Collection[Seat]) -> Step:
        """The step, if this is an answer to it. Raises Breach.

        Who has heard another story of a lane that is put out may have heard less of it.
        """
        heads = message.body.heads
        others = [seat for seat in put_out if not self._lanes.goes_through(seat, heads[seat])]
        return point.without(others).check(message)

    def follow(self, step: Step, digest: bytes) -> Point:
        """The step that follows on one closed so, in a state of this digest."""
        self._digest = digest
        return self._point(step)

    def begin_anew(
        self, place: bytes, epoch: int, out_before: set[Seat], put_out: set[Seat]
    ) -> None:
        """At another place, with no verdict on what belongs to the hand that is turned back.

        `out_before` was out when the last result closed: that is the same for everyone.
        """
        kept = [one for one in self.faults if one.is_self_proving or one.seat in out_before]
        self._keep_gone(out_before | put_out | self.outcasts())
        self.faults, self.without, self._is_turned = kept, set(), True
        self.place, self.chain, self.epoch, self.number = place, place, epoch, 0
        self.current, self.before, self._answers, self._closing = None, None, {}, {}

    def require(self, lengths: Sequence[int]) -> None:
        """From now on answers must have seen so much of each lane."""
        for seat, length in enumerate(lengths):
            self._require(seat, length)
