"""Lanes: each seat's numbered, hash-chained, signed messages, and who has seen what of them.

Implements "Lanes" of `protocol/play.md`. A message is accepted when all that it names as seen is
here, so it is judged in its own causal past. Two messages of a lane with one number are an
equivocation, whoever brought them; a head that names a message other than ours is looked into
before anything else is held against its sender.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pjong.games.game import Seat
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.history import History, Signed
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import Head, Lane, LaneBody, Stamp

SIGNATURE_LABEL = b"p2pjong/v1/lane\x00"
MESSAGE_LABEL = b"p2pjong/v1/message\x00"
EMPTY_HEAD = Head(0, bytes(32))
BODY_BYTES_MAX = 64 * 1024
EARLY_MAX = 256  # messages of one lane that may wait for others


@dataclass(frozen=True)
class Equivocation:
    """Two signed stamps with one number in one lane; the one with the lesser hash comes first."""

    first: Stamp
    second: Stamp

    @property
    def rank(self) -> tuple[int, int]:
        """Of several of one seat the least counts: everybody hears of it sooner or later."""
        return self.first.number, self.first.epoch


def _equivocation(one: Stamp, other: Stamp) -> Equivocation:
    first, second = sorted((one, other), key=lambda stamp: stamp.hash)
    return Equivocation(first, second)


@dataclass(frozen=True)
class Missing:
    """A message that somebody names, other than ours of its number: to be asked for by its hash."""

    seat: Seat
    number: int
    hash: bytes


def message_hash(body: bytes) -> bytes:
    """What names a lane message: over the body alone, so that no second signature renames it."""
    return sha256(MESSAGE_LABEL + body).digest()


def signed_bytes(table: bytes, body: LaneBody, hash_: bytes) -> bytes:
    """What the signature of a lane message is over, at the table with this draft hash."""
    number = body.heads[body.seat].length
    return stamp_bytes(table, Stamp(body.seat, body.incarnation, number, body.epoch, hash_, b""))


def stamp_bytes(table: bytes, stamp: Stamp) -> bytes:
    """What the signature of a stamp is over, whatever message it names."""
    counts = (stamp.incarnation, stamp.number, stamp.epoch)
    place = b"".join(count.to_bytes(4, "big") for count in counts)
    return SIGNATURE_LABEL + table + stamp.seat.to_bytes(1, "big") + place + stamp.hash


def sign_body(body: LaneBody, sign: Callable[[bytes], bytes]) -> Signed:
    """Our own next message."""
    packed = encode(body)
    hash_ = message_hash(packed)
    signature = sign(signed_bytes(body.table, body, hash_))
    return Signed(body, hash_, encode(Lane(packed, signature)), signature)


def read_lane(lane: Lane, table: bytes, seats: int) -> Signed:
    """The message, if it is a well-formed one of this table; raises Refusal.

    Its signature is yet to be verified.
    """
    try:
        body: LaneBody = decode(lane.body, LaneBody)
    except DecodeError as error:
        raise Refusal(f"malformed lane message: {error}") from error
    if body.table != table:
        raise OtherTable("a lane message of another table")
    if body.seat >= seats or len(body.heads) != seats:
        raise Refusal("a lane message for other seats than this table's")
    if any(head.length == 0 and head != EMPTY_HEAD for head in body.heads):
        raise Refusal("a head of an empty lane that is not empty")
    if len(lane.body) > BODY_BYTES_MAX:
        raise Refusal("a lane message over its limit")
    return Signed(body, message_hash(lane.body), encode(lane), lane.signature)


def verify_stamp(table: bytes, stamp: Stamp, keys: Sequence[bytes]) -> None:
    """Raises Refusal unless the seat that it names has signed it at this table."""
    if stamp.seat >= len(keys):
        raise Refusal("a stamp of another seat than this table's")
    if stamp.incarnation:
        raise Refusal("an incarnation that this version does not know")
    try:
        key = Ed25519PublicKey.from_public_bytes(keys[stamp.seat])
        key.verify(stamp.signature, stamp_bytes(table, stamp))
    except InvalidSignature as error:
        raise Refusal(f"the signature of seat {stamp.seat} does not hold") from error


@dataclass
class Lanes:
    """All lanes of one table, named by the hash of its draft, as this peer holds them."""

    table: bytes
    keys: tuple[bytes, ...]
    is_record: bool = False  # read from a file, which holds what its writer has accepted
    accepted: list[History] = field(init=False)
    early: dict[tuple[Seat, int], Signed] = field(init=False, default_factory=dict)
    closed: set[Seat] = field(init=False, default_factory=set)
    ignored: set[Seat] = field(init=False, default_factory=set)  # whose lane has no one story
    bygone: set[Seat] = field(init=False, default_factory=set)  # of whom some have heard more
    # Who says too much that means nothing, and up to which length it is accepted nevertheless.
    idle: dict[Seat, int] = field(init=False, default_factory=dict)
    is_full: bool = False  # so much was said that means nothing that no more of idle lanes is taken
    spare: int = 0  # messages taken in that changed nothing

    def __post_init__(self) -> None:
        self.accepted = [History(seat) for seat in range(len(self.keys))]

    def heads(self) -> tuple[Head, ...]:
        """The head of every lane as accepted here."""
        return tuple(self.head(seat) for seat in range(len(self.keys)))

    def head(self, seat: Seat) -> Head:
        """The head of one lane."""
        lane = self.accepted[seat]
        return Head(len(lane), lane.hash(len(lane) - 1)) if lane else EMPTY_HEAD

    def lengths(self) -> tuple[int, ...]:
        """How many messages of each lane are accepted here."""
        return tuple(len(lane) for lane in self.accepted)

    def find(self, seat: Seat, number: int, wanted: bytes) -> Signed | None:
        """The accepted message of that place and hash, if it is here."""
        lane = self.accepted[seat]
        return lane[number] if number < len(lane) and lane.hash(number) == wanted else None

    def holds(self, seat: Seat, head: Head) -> bool:
        """Whether the lane as it is here goes through this head."""
        lane = self.accepted[seat]
        return head.length == 0 or (
            head.length <= len(lane) and lane.hash(head.length - 1) == head.hash
        )

    def add(self, lane: Lane) -> Equivocation | None:
        """Take in a frame: new, known or early. Raises Refusal; returns proof of two stories."""
        signed = self._recognise(lane)
        if signed is None:
            self.spare += 1
            return None
        seat, number = signed.body.seat, signed.number
        known = None if seat in self.ignored else self._at(seat, number)
        if known is not None:
            # The same message again was sorted out above.
            self.spare += 1
            return _equivocation(known, signed.stamp)
        if self._is_unread(seat):
            self.spare += 1
        elif seat in self.closed:
            raise Refusal(f"seat {seat} has left; its lane is closed")
        elif number < len(self.accepted[seat]) + EARLY_MAX:
            self.early[seat, number] = signed
        elif self.is_record:
            raise Refusal(f"seat {seat} is too far ahead of its lane")
        # Else it is we who are behind, no fault of theirs: gossip brings it again in its turn.
        return None

    def compare(self, one: Stamp, other: Stamp) -> Equivocation:
        """Two stamps that somebody holds up as two stories. Raises Refusal if they are none."""
        for stamp in (one, other):
            verify_stamp(self.table, stamp, self.keys)
        if (one.seat, one.number) != (other.seat, other.number) or one.hash == other.hash:
            raise Refusal("evidence that proves nothing")
        return _equivocation(one, other)

    def _recognise(self, lane: Lane) -> Signed | None:
        """The signed message, or None for an exact duplicate, which costs no signature check."""
        signed = read_lane(lane, self.table, len(self.keys))
        known = self._at(signed.body.seat, signed.number)
        if known is not None and known.hash == signed.hash:
            return None
        verify_stamp(self.table, signed.stamp, self.keys)
        return signed

    def _at(self, seat: Seat, number: int) -> Stamp | None:
        if number < len(self.accepted[seat]):
            return self.accepted[seat].stamp(number)
        early = self.early.get((seat, number))
        return early.stamp if early else None

    def accept_own(self, signed: Signed) -> None:
        """Append a message that we have just signed."""
        assert signed.number == len(self.accepted[signed.body.seat])
        self.accepted[signed.body.seat].append(signed)

    def next_ready(self) -> Signed | None:
        """Accept and return a message whose whole causal past is here, if there is one."""
        for seat, lane in enumerate(self.accepted):
            if self._is_ready(seat):
                signed = self.early.pop((seat, len(lane)))
                lane.append(signed)
                return signed
        return None

    def _is_ready(self, seat: Seat) -> bool:
        """Whether all that the next message of this lane names is here."""
        length = len(self.accepted[seat])
        signed = self.early.get((seat, length))
        if signed is None or self._differing_head(signed) is not None:
            return False
        is_idle = length >= self.idle.get(seat, sys.maxsize)
        if is_idle and (self.is_full or not self._is_rested_on(seat)):
            return False
        return self._holds(signed.body.heads)

    def disputed(self) -> list[Missing]:
        """The heads that differ from ours: until both stories are here nobody is blamed."""
        waiting = [self.early.get((seat, len(lane))) for seat, lane in enumerate(self.accepted)]
        differing = [self._differing_head(signed) for signed in waiting if signed is not None]
        return [missing for missing in differing if missing is not None]

    def _holds(self, heads: Sequence[Head]) -> bool:
        return all(
            head.length <= len(self.accepted[seat])
            for seat, head in enumerate(heads)
            if not self._is_unread(seat)
        )

    def _is_rested_on(self, seat: Seat) -> bool:
        """Whether a message of a seat that is not idle waits for more of this lane, and not for
        more than could wait."""
        waiting = [
            self.early.get((other, len(lane)))
            for other, lane in enumerate(self.accepted)
            if other not in self.idle
        ]
        length = len(self.accepted[seat])
        named = [one.body.heads[seat].length for one in waiting if one is not None]
        return any(length < head <= length + EARLY_MAX for head in named)

    def _is_unread(self, seat: Seat) -> bool:
        return seat in self.ignored or seat in self.bygone

    def _differing_head(self, signed: Signed) -> Missing | None:
        for seat, head in enumerate(signed.body.heads):
            if self._is_unread(seat) or not 0 < head.length <= len(self.accepted[seat]):
                continue
            if self.accepted[seat].hash(head.length - 1) != head.hash:
                return Missing(seat, head.length - 1, head.hash)
        return None

    def ignore(self, seat: Seat) -> None:
        """This seat is out and its lane has no one story: what anyone names of it is all one."""
        self.ignored.add(seat)
        self.close(seat)

    def pass_over(self, seats: Iterable[Seat]) -> None:
        """These seats are out, for all alike; what anyone names of their lanes is all one."""
        for seat in seats:
            self.bygone.add(seat)
            self.close(seat)

    def reopen(self, seats: Iterable[Seat]) -> None:
        """What these seats say counts again."""
        self.closed.difference_update(seats)

    def close(self, seat: Seat) -> None:
        """No further message of this seat counts."""
        self.closed.add(seat)
        for place in [place for place in self.early if place[0] == seat]:
            del self.early[place]
