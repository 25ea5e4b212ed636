"""The course of a table: steps that close only when every awaited seat has answered.

Implements "Steps" of `protocol/play.md`.

Theory of operation. The protocol is one generator (`play.py`): it yields a `Step` that names the
seats it awaits and how to check an answer, and gets the complete set of answers back. A `Course`
runs it over lane messages. Each awaited seat answers a step with exactly one message, so what a
step came to is a function of a set of messages and never of the order in which they arrived. A
seat that leaves, or whose message is a fault, has thereby given its answer; the step still waits
for the others and is then void: `HandVoid` is thrown into the generator.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, TypeAlias

from p2pjong.games.game import Action, Seat
from p2pjong.session.faults import Fault, PeerFault
from p2pjong.session.history import Signed
from p2pjong.wire.codec import Message, encode
from p2pjong.wire.messages import Leave, Payload

CHAIN_LABEL = b"p2pjong/v1/chain\x00"

Answers: TypeAlias = Mapping[Seat, Any]


class Place(Message, tag="place", frozen=True):
    """What every challenge and every derivation is bound to, in its one encoding.

    `chain` is the hash of the complete answers to all steps before this one.
    """

    charter: bytes
    epoch: int
    step: int
    chain: bytes
    seat: Seat


@dataclass(frozen=True)
class Step:
    """One step: the payload type awaited of `seats`, its check, and what our own seat does.

    `check(seat, payload)` raises PeerFault on an answer that no honest client gives. `make` is a
    duty of the machine; where it is None, `answer` turns a person's action into the payload.
    """

    kind: type[Any]
    seats: tuple[Seat, ...]
    reason: str  # a purpose, of the protocol or of the game
    check: Callable[[Seat, Any], None]
    make: Callable[[], Payload] | None = None
    answer: Callable[[Action], Payload] | None = None
    is_race: bool = False  # the order of the answers counts
    is_answer: bool = False  # to a discard or the like: must not tell by its time


def no_duty() -> Any:
    """What makes the answer of a seat that a step does not await."""
    raise AssertionError("whoever is not awaited has no duties")


@dataclass(frozen=True)
class Standpoint:
    """A step that is open, or was, and what an answer to it must fit."""

    step: Step
    place: bytes
    epoch: int
    number: int
    digest: bytes
    required: tuple[int, ...]  # how much of each lane an answer must name
    is_turned: bool

    def is_elsewhere(self, signed: Signed) -> bool:
        """Whether its author may have heard other stories of a seat that is out, and gone on from
        another place: then it means nothing here."""
        return self.is_turned and signed.body.place != self.place

    def check(self, signed: Signed) -> None:
        """Raises PeerFault unless it is an answer to this step, right or wrong."""
        body = signed.body
        if body.step != self.number or body.seat not in self.step.seats:
            raise PeerFault("out-of-turn")
        # An answer that does not name all that closed the steps before it: a peer to whom it came
        # sooner found another step open. One rule for both, so that all give the same verdict.
        if any(head.length < need for head, need in zip(body.heads, self.required, strict=True)):
            raise PeerFault("out-of-turn")
        if body.place != self.place or body.epoch != self.epoch:
            raise PeerFault("wrong-place")
        if body.digest != self.digest:
            raise PeerFault("digest")
        if not isinstance(body.payload, self.step.kind):
            raise PeerFault("wrong-kind")


class HandVoid(Exception):
    """A step ended without some seats: they left, or broke the protocol. The hand is void (G6)."""

    def __init__(self, out: tuple[Seat, ...]) -> None:
        super().__init__(f"seats {out} are out")
        self.out = out


Program: TypeAlias = Generator[Step, Answers, None]


@dataclass
class Course:
    """Runs a program of steps over the lane messages of `lanes` seats.

    Every message is judged right after its acceptance, when its whole causal past has been judged.
    An honest seat that answers step k has seen all that closed the steps before k, so then k is
    the step that is open here too; anything else is a fault, on every peer alike.
    """

    lanes: int
    place: bytes
    program: Program
    digest: Callable[[], bytes]
    epoch: int = 0
    step: int = 0
    chain: bytes = bytes(32)
    current: Step | None = None
    faults: list[Fault] = field(default_factory=list)
    required: list[int] = field(init=False)
    arrivals: tuple[Seat, ...] = ()  # who answered the last step, in the order of acceptance here
    is_turned: bool = False  # whether a hand was turned back
    _answers: dict[Seat, Signed] = field(init=False, default_factory=dict)
    _gone: dict[Seat, Signed] = field(init=False, default_factory=dict)
    _closed: Mapping[Seat, Signed] = field(init=False, default_factory=dict)
    _digest: bytes = b""

    def __post_init__(self) -> None:
        self.required = [0] * self.lanes

    def context(self, seat: Seat) -> bytes:
        """What binds a proof of `seat` to this table, epoch, step and all that came before.

        The same while a step is open as in the program just before it yields that step.
        """
        return encode(Place(self.place, self.epoch, self.step, self.chain, seat))

    def begin(self) -> None:
        """Open the first step."""
        self._open(next(self.program, None))

    def is_awaited(self, seat: Seat) -> bool:
        """Whether the open step still waits for this seat."""
        return seat in self.missing()

    def missing(self) -> tuple[Seat, ...]:
        """The seats that the open step still waits for."""
        if self.current is None:
            return ()
        return tuple(
            seat
            for seat in self.current.seats
            if seat not in self._answers and seat not in self._gone
        )

    def answered(self, seat: Seat) -> Payload | None:
        """What this seat has answered to the open step, whether it has left since or not."""
        signed = self._answers.get(seat)
        return signed.body.payload if signed else None

    def opening_digest(self) -> bytes:
        """The public digest of the state in which the current step opened."""
        return self._digest

    def is_closed(self, seat: Seat) -> bool:
        """Whether this seat has left or is at fault, so that nothing more of it counts."""
        return seat in self._gone

    def judge(self, signed: Signed, is_own: bool = False) -> Fault | None:
        """Take an accepted message as its seat's answer; what is none is a fault of that seat."""
        seat = signed.body.seat
        assert seat not in self._gone
        if isinstance(signed.body.payload, Leave):
            self._gone[seat] = signed
            return None
        if self.is_elsewhere(signed):
            return None
        try:
            self._check(signed)
            if not is_own and self.current is not None:
                self.current.check(seat, signed.body.payload)
        except PeerFault as breach:
            return self._breach(signed, breach.rule, self.current)
        self._answers[seat] = signed
        return None

    def _breach(self, signed: Signed, rule: str, step: Step | None) -> Fault:
        # The epoch that the message names, not ours: it may have come early or late, and all must
        # find the same.
        epoch, seat = signed.body.epoch, signed.body.seat
        reason = step.reason if step else ""
        fault = Fault(epoch, seat, signed.number, rule, (signed.frame,), reason)
        self._note(fault)
        self._gone[seat] = signed
        return fault

    def is_elsewhere(self, signed: Signed) -> bool:
        """Whether it is from another place, to which a turning has led its author."""
        return self.is_turned and signed.body.place != self.place

    def standpoint(self, step: Step) -> Standpoint:
        """Where we stand with this step open."""
        at = (self.place, self.epoch, self.step)
        return Standpoint(step, *at, self._digest, tuple(self.required), self.is_turned)

    def _check(self, signed: Signed) -> None:
        """Whether it is an answer to the open step at all; raises PeerFault."""
        if self.current is None or not self.is_awaited(signed.body.seat):
            raise PeerFault("out-of-turn")
        self.standpoint(self.current).check(signed)

    def _note(self, fault: Fault) -> None:
        if fault not in self.faults:
            self.faults.append(fault)

    def closing_lengths(self) -> Mapping[Seat, int]:
        """How long the lanes are with what closed the last step: who has heard that has so much."""
        return {seat: signed.number + 1 for seat, signed in self._closed.items()}

    def blame(self, seat: Seat, rule: str) -> Fault:
        """Record a fault that came to light only in the outcome of the last complete step."""
        signed = self._closed[seat]
        fault = Fault(self.epoch, seat, signed.number, rule, evidence=(signed.frame,))
        self.faults.append(fault)
        self._gone[seat] = signed
        return fault

    def convict(self, equivocation: Fault) -> None:
        """Record two stories; of several the least, whichever came to light first.

        What was wrong with one of them, or came after it, is nothing beside that: peers who heard
        the other one first must come to the same verdict.
        """
        seat, number = equivocation.seat, equivocation.number
        known = [f for f in self.faults if (f.seat, f.rule) == (seat, equivocation.rule)]
        if any((f.number, f.epoch) <= (number, equivocation.epoch) for f in known):
            return
        kept = [fault for fault in self.faults if fault.seat != seat or fault.number < number]
        self.faults[:] = [*kept, equivocation]

    def condemn(self, signed: Signed, rule: str) -> Fault:
        """Record a fault that a message proves by itself, whatever step is open."""
        seat = signed.body.seat
        fault = Fault(signed.body.epoch, seat, signed.number, rule, evidence=(signed.frame,))
        self.faults.append(fault)
        self._gone[seat] = signed
        return fault

    def depart(self, signed: Signed) -> None:
        """A seat leaves while the hand is being turned back."""
        assert isinstance(signed.body.payload, Leave)
        self._gone[signed.body.seat] = signed

    def outcasts(self) -> frozenset[Seat]:
        """The seats that are out whatever becomes of the hand: they left, or proved their fault."""
        left = {seat for seat, one in self._gone.items() if isinstance(one.body.payload, Leave)}
        return frozenset(left | {fault.seat for fault in self.faults if fault.is_self_proving})

    def has_left(self, seat: Seat) -> bool:
        """Whether this seat is out by its own leave."""
        return seat in self._gone and isinstance(self._gone[seat].body.payload, Leave)

    def left(self, past: Sequence[int] | None = None) -> set[Seat]:
        """Who has left; with a `past`, as far as that goes in the lanes."""
        leaves = {
            seat: one.number
            for seat, one in self._gone.items()
            if isinstance(one.body.payload, Leave)
        }
        return {seat for seat, number in leaves.items() if past is None or number < past[seat]}

    def judge_late(self, signed: Signed) -> None:
        """Judge a message that was put off, and that its author may have followed by its leave."""
        leave = self._gone.pop(signed.body.seat, None)
        self.judge(signed)
        if leave is not None:
            self._gone.setdefault(signed.body.seat, leave)

    def waive(self, seat: Seat) -> None:
        """The open step no longer waits for this seat, which has no one story to tell."""
        step = self.current
        if step is not None and self.is_awaited(seat):
            seats = tuple(one for one in step.seats if one != seat)
            self.current = replace(step, seats=seats)

    def suspend(self) -> Standpoint | None:
        """The hand is being turned back: no step of it goes on, and its verdicts fall with it.

        Says where we stood, if a step was open.
        """
        outcasts = self.outcasts()
        self._gone = {seat: one for seat, one in self._gone.items() if seat in outcasts}
        point = self.standpoint(self.current) if self.current else None
        self.current, self._answers = None, {}
        return point

    def strike(self, seat: Seat) -> None:
        """This seat is voted absent: who voted first has not heard what others held against it."""
        self.faults = [
            fault for fault in self.faults if fault.seat != seat or fault.is_self_proving
        ]

    def conclude(self, of_base: Collection[Seat]) -> None:
        """The program has ended: what came after the last answers not everyone has heard.

        All agree on who was out before the base.
        """
        self.faults = [
            fault
            for fault in self.faults
            if fault.rule == "equivocation"
            or fault.seat not in of_base
            or fault.number < self.required[fault.seat]
        ]

    def gone_with(self, seat: Seat) -> Signed | None:
        """The message with which this seat has left or proved its fault, if it has."""
        return self._gone.get(seat)

    def close_held(
        self,
        point: Standpoint,
        said: Mapping[Seat, Signed],
        asked: Callable[[Signed], Standpoint],
    ) -> tuple[Seat, ...]:
        """Close a step that was open when the hand turned back, with these; says who is out by it.

        They are judged as they would have been then, for some peers closed it so before they knew:
        `asked` is where the author of each must have stood.
        """
        self.place, self.epoch, self.step = point.place, point.epoch, point.number
        self.required, self._digest = list(point.required), point.digest
        self.is_turned = point.is_turned  # what follows in that hand is judged like it
        out = tuple(seat for seat, signed in said.items() if not self._fits(asked(signed), signed))
        self._go_on(replace(point.step, seats=tuple(said)), said)
        return out

    def _fits(self, point: Standpoint, signed: Signed) -> bool:
        """Whether it is a right answer to that step; a wrong one is a fault."""
        if self._gone.get(signed.body.seat) is signed:
            return False
        try:
            point.check(signed)
            point.step.check(signed.body.seat, signed.body.payload)
        except PeerFault as breach:
            self._breach(signed, breach.rule, point.step)
            return False
        return True

    def follow_held(self, step: Step) -> Standpoint:
        """The step that follows on the one just closed so, in the state that there is now."""
        self._digest = self.digest()
        return self.standpoint(step)

    def restart(
        self,
        program: Program,
        place: bytes,
        epoch: int,
        put_out: frozenset[Seat],
        out_before: frozenset[Seat],
        required: Mapping[Seat, int],
    ) -> None:
        """Begin anew under another place, from what the program finds.

        Verdicts on messages of the hand that is turned back fall with it, as not everyone could
        reach them; but all agree on who was out before it. `required` are the lengths of lanes that
        every answer must name.
        """
        self.program.close()
        stays_out = put_out | out_before | self.outcasts()
        self.faults = [
            fault for fault in self.faults if fault.is_self_proving or fault.seat in out_before
        ]
        self._gone = {seat: one for seat, one in self._gone.items() if seat in stays_out}
        self.is_turned = True
        self.program, self.place, self.chain, self.epoch = program, place, place, epoch
        self.step, self.arrivals = 0, ()
        self.required = [required.get(seat, 0) for seat in range(self.lanes)]
        self._answers, self._closed = {}, {}
        self.begin()

    def close_step(self) -> bool:
        """If every awaited seat has answered, close the step and open the next; says whether."""
        step = self.current
        if step is None or self.missing():
            return False
        closing = {
            seat: self._answers[seat] if seat in self._answers else self._gone[seat]
            for seat in step.seats
        }
        self._go_on(step, closing)
        self._proceed(step, closing)
        return True

    def _go_on(self, step: Step, closing: Mapping[Seat, Signed]) -> None:
        self._closed = closing
        for seat, signed in closing.items():
            self.required[seat] = signed.number + 1
        self.chain = extend_chain(self.chain, [closing[seat].hash for seat in step.seats])
        self.step += 1

    def _proceed(self, step: Step, closing: Mapping[Seat, Signed]) -> None:
        # Who answered before it left or broke a rule has answered: others may have closed the step
        # on that answer before they heard the rest, and all must come to the same.
        out = tuple(seat for seat in step.seats if seat not in self._answers)
        self.arrivals = tuple(self._answers)
        self._answers = {}
        try:
            if out:
                following = self.program.throw(HandVoid(out))
            else:
                answers = {seat: signed.body.payload for seat, signed in closing.items()}
                following = self.program.send(answers)
        except StopIteration:
            self._open(None)
        else:
            self._open(following)

    def _open(self, step: Step | None) -> None:
        assert step is None or step.seats, "a step awaits somebody"
        self.current = step
        self._digest = self.digest()


def extend_chain(chain: bytes, hashes: list[bytes]) -> bytes:
    """The chain after a step whose closing messages, in the step's order, have these hashes."""
    return sha256(CHAIN_LABEL + chain + len(hashes).to_bytes(2, "big") + b"".join(hashes)).digest()
