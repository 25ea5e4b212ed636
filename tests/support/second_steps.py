"""Lanes, judgement and steps for the second verifier: the first half of `protocol/play.md`.

Imports nothing of the project.
"""

import hashlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.support import second_msgpack as msgpack
from tests.support.second_msgpack import Malformed

EARLY_MAX = 256
BODY_BYTES_MAX = 65536


class Refused(Exception):
    """A message that ends the audit."""


class Breach(Exception):
    """A message that is a fault; the text is the rule."""


class Void(Exception):
    """A step that some seats did not answer."""

    def __init__(self, out: list[int]) -> None:
        super().__init__(str(out))
        self.out = out


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


# Seat, incarnation, number, epoch, message hash, signature.
Stamp: TypeAlias = tuple[int, int, int, int, bytes, bytes]


@dataclass
class Message:
    """A lane message that was taken in."""

    hash: bytes
    signature: bytes
    tag: str
    table: bytes
    place: bytes
    seat: int
    incarnation: int
    heads: list[list[Any]]
    epoch: int
    step: int
    digest: bytes
    payload: list[Any]

    @property
    def number(self) -> int:
        length: int = self.heads[self.seat][0]
        return length

    @property
    def stamp(self) -> Stamp:
        place = (self.seat, self.incarnation, self.number, self.epoch)
        return (*place, self.hash, self.signature)


@dataclass
class Step:
    """Who is awaited, with which payload, and what it must keep to."""

    kind: str
    seats: list[int]
    check: Callable[[int, list[Any]], None]


@dataclass
class Place:
    """Where an answer to a step must stand."""

    step: Step
    place: bytes
    epoch: int
    number: int
    digest: bytes
    required: list[int]
    is_turned: bool

    def check(self, message: Message) -> None:
        """The first four rules of "Judging a message"."""
        lengths = [head[0] for head in message.heads]
        if message.step != self.number or message.seat not in self.step.seats:
            raise Breach("out-of-turn")
        if any(length < need for length, need in zip(lengths, self.required, strict=True)):
            raise Breach("out-of-turn")
        if (message.place, message.epoch) != (self.place, self.epoch):
            raise Breach("wrong-place")
        if message.digest != self.digest:
            raise Breach("digest")
        if message.payload[0] != self.step.kind:
            raise Breach("wrong-kind")


Answers: TypeAlias = dict[int, list[Any]]
Program: TypeAlias = Generator[Step, Answers, Any]


@dataclass
class Fault:
    epoch: int
    seat: int
    number: int
    rule: str

    @property
    def rank(self) -> tuple[int, int, int]:
        return (self.epoch, self.seat, self.number)


class Course:
    """The steps of one table, run over the messages of its lanes."""

    def __init__(self, draft: list[Any]) -> None:
        self.table = sha256(b"p2pjong/v1/draft\x00", msgpack.pack(draft))
        self.keys: list[bytes] = [entry[1] for entry in draft[6]]
        self.place, self.epoch, self.step, self.chain = self.table, 0, 0, bytes(32)
        self.accepted: list[list[Message]] = [[] for _ in self.keys]
        self.early: dict[tuple[int, int], Message] = {}
        self.required = [0 for _ in self.keys]
        self.answers: dict[int, Message] = {}
        self.gone: dict[int, Message] = {}
        self.closed: set[int] = set()
        self.ignored: set[int] = set()  # whose lane has no one story
        self.bygone: set[int] = set()  # who was not of the base when a hand began anew
        self.closing: dict[int, Message] = {}
        self.is_read = False  # evidence came: no lane message follows
        self.faults: list[Fault] = []
        self.left: list[int] = []
        self.opened: Step | None = None
        self.digest = b""
        self.is_turned = False
        self.has_ended = False

    def begin(self, program: Program, state_digest: Callable[[], bytes]) -> None:
        """Open the first step of the program."""
        self.program, self.state_digest = program, state_digest
        try:
            self._open(next(program))
        except StopIteration:
            self.opened = None
            self.end()

    def end(self) -> None:
        """The program has ended."""
        self.has_ended = True

    # --- Taking in and accepting ----------------------------------------------------------------

    def take_in(self, lane: list[Any]) -> None:
        """One `lane` message of the record; raises Refused."""
        if self.is_read:
            raise Refused("a lane message after evidence")
        _, body, signature = lane
        message = self._read(body, signature)
        seat, number = message.seat, message.number
        other = self._at(seat, number)
        if other is not None and other.hash == message.hash:
            return
        self._check_form(message, body)
        if seat in self.ignored:
            return
        if other is not None:
            self.found_two(other.stamp, message.stamp)
            self._run()
            self._accept_all()
            return
        if seat in self.bygone:
            return
        if seat in self.closed:
            raise Refused("the lane is closed")
        if number >= len(self.accepted[seat]) + EARLY_MAX:
            raise Refused("too far ahead")
        self.early[seat, number] = message
        self._accept_all()

    def _accept_all(self) -> None:
        while not self.has_ended and self._accept_one():
            pass
        self.look_again()
        self._run()

    def two_stories(self, one: list[Any], other: list[Any]) -> tuple[Stamp, Stamp]:
        """Two stamps that prove two stories; raises Refused."""
        first, second = tuple(one), tuple(other)
        for stamp in (first, second):
            if stamp[0] >= len(self.keys) or stamp[1] != 0:
                raise Refused("stamp")
            self._check_stamp(stamp)
        if (first[0], first[2]) != (second[0], second[2]) or first[4] == second[4]:
            raise Refused("no two stories")
        return first, second

    def _check_stamp(self, stamp: Stamp) -> None:
        seat, *counts, hash_, signature = stamp
        place = b"".join(count.to_bytes(4, "big") for count in counts)
        signed = b"p2pjong/v1/lane\x00" + self.table + bytes([seat]) + place + hash_
        try:
            Ed25519PublicKey.from_public_bytes(self.keys[seat]).verify(signature, signed)
        except InvalidSignature as error:
            raise Refused("signature") from error

    def _read(self, body: bytes, signature: bytes) -> Message:
        try:
            fields = msgpack.read(body, msgpack.LANE_BODY)
        except Malformed as error:
            raise Refused(f"malformed: {error}") from error
        message = Message(sha256(b"p2pjong/v1/message\x00", body), signature, *fields)
        if message.table != self.table:
            raise Refused("other-table")
        if message.seat >= len(self.keys) or len(message.heads) != len(self.keys):
            raise Refused("not of this table's seats")
        return message

    def _check_form(self, message: Message, body: bytes) -> None:
        if any(length == 0 and hash_ != bytes(32) for length, hash_ in message.heads):
            raise Refused("an empty lane with a hash")
        if message.incarnation != 0:
            raise Refused("incarnation")
        if len(body) > BODY_BYTES_MAX:
            raise Refused("too long")
        self._check_stamp(message.stamp)

    def _at(self, seat: int, number: int) -> Message | None:
        if number < len(self.accepted[seat]):
            return self.accepted[seat][number]
        return self.early.get((seat, number))

    def found_two(self, one: Stamp, other: Stamp) -> None:
        """One seat has told two stories."""
        raise NotImplementedError

    def look_again(self) -> None:
        """What was put aside may come to more now."""

    def disputed(self) -> set[int]:
        """The seats of whose lanes some message that waits names another story."""
        waiting = [self.early.get((seat, len(lane))) for seat, lane in enumerate(self.accepted)]
        return {
            seat
            for message in waiting
            if message is not None
            for seat, (length, hash_) in enumerate(message.heads)
            if seat not in self.ignored | self.bygone
            and 0 < length <= len(self.accepted[seat])
            and self.accepted[seat][length - 1].hash != hash_
        }

    def _accept_one(self) -> bool:
        for seat, lane in enumerate(self.accepted):
            message = self.early.get((seat, len(lane)))
            if message is not None and all(
                map(self._has_head, range(len(self.keys)), message.heads)
            ):
                del self.early[seat, len(lane)]
                lane.append(message)
                self.judge(message)
                self._run()
                return True
        return False

    def _has_head(self, seat: int, head: list[Any]) -> bool:
        return seat in self.ignored | self.bygone or self.goes_through(seat, head)

    def goes_through(self, seat: int, head: list[Any]) -> bool:
        """Whether the lane as accepted goes through this head."""
        length, hash_ = head
        lane = self.accepted[seat]
        return bool(length == 0 or (length <= len(lane) and lane[length - 1].hash == hash_))

    # --- Judging and steps ----------------------------------------------------------------------

    def judge(self, message: Message) -> None:
        """Take an accepted message as its seat's answer, or as a fault."""
        seat = message.seat
        if message.payload == ["leave"]:
            self.go(message)
        elif self.is_turned and message.place != self.place:
            pass
        else:
            try:
                self._check(message)
                if self.opened is not None:
                    self.opened.check(seat, message.payload)
                self.answers[seat] = message
            except Breach as breach:
                self.blame(message, str(breach))

    def go(self, message: Message) -> None:
        """The seat is gone with this message."""
        self.gone[message.seat] = message
        if message.payload == ["leave"]:
            self.left.append(message.seat)
        self.close_lane(message.seat)

    def blame(self, message: Message, rule: str) -> None:
        """The message is a fault, and its seat is gone with it."""
        fault = Fault(message.epoch, message.seat, message.number, rule)
        if fault not in self.faults:
            self.faults.append(fault)
        self.go(message)

    def close_lane(self, seat: int) -> None:
        self.closed.add(seat)
        for place in [place for place in self.early if place[0] == seat]:
            del self.early[place]

    def _run(self) -> None:
        while self.opened is not None and not self.missing():
            self._close_step(self.opened)

    def missing(self) -> list[int]:
        seats = self.opened.seats if self.opened else []
        return [seat for seat in seats if seat not in self.answers and seat not in self.gone]

    def here(self, step: Step) -> Place:
        """Where we stand with this step open."""
        at = (self.place, self.epoch, self.step, self.digest)
        return Place(step, *at, list(self.required), self.is_turned)

    def _check(self, message: Message) -> None:
        if self.opened is None or message.seat not in self.missing():
            raise Breach("out-of-turn")
        self.here(self.opened).check(message)

    def note_closed(self, step: Step) -> None:
        """This step has closed, with the answers and who is gone."""
        self.closing = {
            seat: self.answers[seat] if seat in self.answers else self.gone[seat]
            for seat in step.seats
        }
        for seat, message in self.closing.items():
            self.required[seat] = message.number + 1
        hashes = [self.closing[seat].hash for seat in step.seats]
        count = len(hashes).to_bytes(2, "big")
        self.chain = sha256(b"p2pjong/v1/chain\x00", self.chain, count, *hashes)
        self.step += 1

    def _close_step(self, step: Step) -> None:
        self.note_closed(step)
        out = [seat for seat in step.seats if seat not in self.answers]
        answers = {seat: message.payload for seat, message in self.answers.items()}
        self.answers = {}
        try:
            following = self.program.throw(Void(out)) if out else self.program.send(answers)
        except StopIteration:
            self.opened = None
            self.end()
        else:
            self._open(following)
        self.look_again()

    def _open(self, step: Step) -> None:
        self.opened = step
        self.digest = self.state_digest()

    def context(self, seat: int) -> bytes:
        return msgpack.pack(["place", self.place, self.epoch, self.step, self.chain, seat])

    def contexts(self, seats: Sequence[int]) -> dict[int, bytes]:
        return {seat: self.context(seat) for seat in seats}
