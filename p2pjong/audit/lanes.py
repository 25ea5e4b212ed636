"""The lanes of a record: who signed what, in which order, and what each message rests on.

Implements "Lanes" of `protocol/play.md` and the stamps of `protocol/messages.md`. A message waits
until all that it names is here, whatever the order of the file; once accepted it is known by its
mark alone, so that a long record takes little memory.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pjong.audit.faults import Refused
from p2pjong.games.game import Seat
from p2pjong.wire.codec import DecodeError, decode
from p2pjong.wire.messages import Head, Lane, LaneBody, Stamp

STAMP_LABEL = b"p2pjong/v1/lane\x00"
MESSAGE_LABEL = b"p2pjong/v1/message\x00"
BODY_BYTES_MAX = 65_536
AHEAD_MAX = 256  # how far beyond its lane a message may be
HASH_BYTES = 32
NO_HASH = bytes(HASH_BYTES)


class Mark(NamedTuple):
    """What is kept of every message that was accepted."""

    hash: bytes
    epoch: int


class Marks:
    """The marks of one lane, closely packed: whoever makes up a record may fill a GiB with them."""

    def __init__(self) -> None:
        self._hashes, self._epochs = bytearray(), array("L")

    def __len__(self) -> int:
        return len(self._epochs)

    def __getitem__(self, number: int) -> Mark:
        at = number * HASH_BYTES
        return Mark(bytes(self._hashes[at : at + HASH_BYTES]), self._epochs[number])

    def append(self, mark: Mark) -> None:
        """The next message of the lane."""
        self._hashes += mark.hash
        self._epochs.append(mark.epoch)


@dataclass(frozen=True, slots=True)
class Message:
    """A lane message in its place: it is well formed, of this table, and signed by its seat."""

    body: LaneBody
    hash: bytes
    number: int  # its place in its lane, from 0
    size_bytes: int

    @property
    def seat(self) -> Seat:
        """Whose lane it is in."""
        return self.body.seat

    @property
    def payload(self) -> Any:
        """What its author says."""
        return self.body.payload

    @property
    def mark(self) -> Mark:
        """What names it."""
        return Mark(self.hash, self.body.epoch)

    @property
    def lengths(self) -> tuple[int, ...]:
        """How much its author had accepted of each lane."""
        return tuple([head.length for head in self.body.heads])


@dataclass(frozen=True)
class Stories:
    """Two messages of one seat with one number; `epoch` is that of the one with the lesser hash."""

    seat: Seat
    number: int
    epoch: int

    @property
    def rank(self) -> tuple[int, int]:
        """Of several of one seat the least counts."""
        return self.number, self.epoch


def _stories(seat: Seat, number: int, one: Mark, other: Mark) -> Stories:
    return Stories(seat, number, min(one, other).epoch)


@dataclass
class _Lane:
    """One lane as far as it was read."""

    key: Ed25519PublicKey
    marks: Marks = field(default_factory=Marks)
    early: dict[int, Message] = field(default_factory=dict)
    is_closed: bool = False  # no further message of it is accepted
    is_ignored: bool = False  # it has no one story: its messages are dropped
    is_bygone: bool = False  # its seat is out for all alike, but some have heard more than others

    @property
    def is_unread(self) -> bool:
        """Whether heads in it are not looked at."""
        return self.is_ignored or self.is_bygone

    def at(self, number: int) -> Mark | None:
        """The message of that number that is here."""
        if number < len(self.marks):
            return self.marks[number]
        return self.early[number].mark if number in self.early else None

    def goes_through(self, head: Head) -> bool:
        """Whether the message that the head names is accepted."""
        if not head.length:
            return True
        return head.length <= len(self.marks) and self.marks[head.length - 1].hash == head.hash

    def differs(self, head: Head) -> bool:
        """Whether another message than the one that the head names is accepted."""
        return head.length <= len(self.marks) and not self.goes_through(head)


class Lanes:
    """All lanes of the table that is named by this draft hash."""

    def __init__(self, table: bytes, keys: Sequence[bytes]) -> None:
        self._table = table
        self._lanes = [_Lane(Ed25519PublicKey.from_public_bytes(key)) for key in keys]

    # --- Taking in ----------------------------------------------------------------------------

    def take_in(self, lane: Lane) -> Stories | None:
        """One message of the file: it is early now, or known, or proves two stories.

        Raises Refused on a message that is malformed, of another table, or out of place.
        """
        message = self._read(lane.body)
        mine, known = self._lanes[message.seat], self._at(message)
        if known is not None and known.hash == message.hash:
            return None
        self._verify(_stamp(message, lane.signature))
        if mine.is_ignored:
            return None
        if known is not None:
            return _stories(message.seat, message.number, known, message.mark)
        if mine.is_bygone:
            return None
        if mine.is_closed:
            raise Refused(f"seat {message.seat} has left; its lane is closed")
        if message.number >= len(mine.marks) + AHEAD_MAX:
            raise Refused(f"seat {message.seat} is too far ahead of its lane")
        mine.early[message.number] = message
        return None

    def _read(self, packed: bytes) -> Message:
        try:
            body: LaneBody = decode(packed, LaneBody)
        except DecodeError as error:
            raise Refused(f"malformed lane message: {error}") from error
        if body.table != self._table:
            raise Refused("a lane message of another table")
        if body.seat >= len(self._lanes) or len(body.heads) != len(self._lanes):
            raise Refused("a lane message for other seats than this table's")
        if any(head.length == 0 and head.hash != NO_HASH for head in body.heads):
            raise Refused("a head of an empty lane that is not empty")
        if len(packed) > BODY_BYTES_MAX:
            raise Refused("a lane message over its limit")
        hash_ = sha256(MESSAGE_LABEL + packed).digest()
        return Message(body, hash_, body.heads[body.seat].length, len(packed))

    def _at(self, message: Message) -> Mark | None:
        return self._lanes[message.seat].at(message.number)

    # --- Signatures ---------------------------------------------------------------------------

    def _verify(self, stamp: Stamp) -> None:
        """Raises Refused unless the seat that it names has signed it at this table."""
        if stamp.seat >= len(self._lanes):
            raise Refused("a stamp of another seat than this table's")
        if stamp.incarnation:
            raise Refused("an incarnation that this version does not know")
        counts = (stamp.incarnation, stamp.number, stamp.epoch)
        place = bytes([stamp.seat]) + b"".join([count.to_bytes(4, "big") for count in counts])
        try:
            self._lanes[stamp.seat].key.verify(
                stamp.signature, STAMP_LABEL + self._table + place + stamp.hash
            )
        except InvalidSignature as error:
            raise Refused(f"the signature of seat {stamp.seat} does not hold") from error

    def compare(self, one: Stamp, other: Stamp) -> Stories:
        """Two stamps that are held up as two stories. Raises Refused if they are none."""
        self._verify(one)
        self._verify(other)
        if (one.seat, one.number) != (other.seat, other.number) or one.hash == other.hash:
            raise Refused("evidence that proves nothing")
        marks = Mark(one.hash, one.epoch), Mark(other.hash, other.epoch)
        return _stories(one.seat, one.number, *marks)

    # --- Accepting ----------------------------------------------------------------------------

    def accept_next(self) -> Message | None:
        """Accept and return a message all of whose past is accepted, if there is one."""
        for lane in self._lanes:
            message = lane.early.get(len(lane.marks))
            if message is not None and self._has_past(message):
                del lane.early[message.number]
                lane.marks.append(message.mark)
                return message
        return None

    def _has_past(self, message: Message) -> bool:
        return all(
            lane.is_unread or lane.goes_through(head)
            for lane, head in zip(self._lanes, message.body.heads, strict=True)
        )

    def goes_through(self, seat: Seat, head: Head) -> bool:
        """Whether this seat's lane goes through the head."""
        return self._lanes[seat].goes_through(head)

    def is_disputed(self, seat: Seat) -> bool:
        """Whether a message that would be the next of its lane names another story of this one."""
        lane = self._lanes[seat]
        waiting = [one.early.get(len(one.marks)) for one in self._lanes]
        return not lane.is_unread and any(
            message is not None and lane.differs(message.body.heads[seat]) for message in waiting
        )

    def waiting(self) -> int:
        """How many messages wait for others."""
        return sum(len(lane.early) for lane in self._lanes)

    def accepted(self) -> int:
        """How many messages are accepted."""
        return sum(len(lane.marks) for lane in self._lanes)

    def first_early(self) -> tuple[Seat, int] | None:
        """The least seat of which a message waits for others, and its number."""
        waiting = [(seat, min(lane.early)) for seat, lane in enumerate(self._lanes) if lane.early]
        return waiting[0] if waiting else None

    # --- Closing ------------------------------------------------------------------------------

    def close(self, seat: Seat) -> None:
        """No further message of this seat is accepted; what waits of it is dropped."""
        self._lanes[seat].is_closed = True
        self._lanes[seat].early.clear()

    def open_again(self, seats: Iterable[Seat]) -> None:
        """What these seats say counts again."""
        for seat in seats:
            self._lanes[seat].is_closed = False

    def ignore(self, seat: Seat) -> None:
        """This lane has no one story: its messages are dropped, and heads in it say nothing."""
        self.close(seat)
        self._lanes[seat].is_ignored = True

    def pass_over(self, seats: Iterable[Seat]) -> None:
        """These seats are out: what they go on to say, and what others name of it, is all one."""
        for seat in seats:
            self.close(seat)
            self._lanes[seat].is_bygone = True

    def is_ignored(self, seat: Seat) -> bool:
        """Whether this lane has no one story."""
        return self._lanes[seat].is_ignored


def _stamp(message: Message, signature: bytes) -> Stamp:
    body = message.body
    return Stamp(body.seat, body.incarnation, message.number, body.epoch, message.hash, signature)
