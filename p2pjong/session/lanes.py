"""Lanes: each seat's numbered, hash-chained, signed messages, and who has seen what of them.

Implements "Lanes" of `protocol/play.md`. A message is accepted when all that it names as seen is
here, so it is judged in its own causal past. Two messages of a lane with one number are an
equivocation, whoever brought them; a head that names a message other than ours is looked into
before anything else is held against its sender.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pjong.games.game import Seat
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import Convict, Head, Lane, LaneBody

SIGNATURE_LABEL = b"p2pjong/v1/lane\x00"
MESSAGE_LABEL = b"p2pjong/v1/message\x00"
EMPTY_HEAD = Head(0, bytes(32))
BODY_BYTES_MAX = 64 * 1024
CONVICT_BYTES_MAX = 480 * 1024
EARLY_MAX = 256  # messages of one lane that may wait for others


@dataclass(frozen=True)
class Signed:
    """A lane message whose signature holds."""

    body: LaneBody
    hash: bytes
    frame: bytes

    @property
    def number(self) -> int:
        """Its place in its lane, from 0."""
        return self.body.heads[self.body.seat].length

    @property
    def previous(self) -> bytes:
        """The hash of the message before it in its lane."""
        return self.body.heads[self.body.seat].hash


@dataclass(frozen=True)
class Equivocation:
    """Two signed messages with one number in one lane."""

    first: Signed
    second: Signed


@dataclass(frozen=True)
class Missing:
    """A head named by `namer` that differs from ours: ask for that message by its hash."""

    namer: Seat
    seat: Seat
    number: int
    hash: bytes


def message_hash(body: bytes) -> bytes:
    """What names a lane message: over the body alone, so that no second signature renames it."""
    return sha256(MESSAGE_LABEL + body).digest()


def sign_body(body: LaneBody, sign: Callable[[bytes], bytes]) -> Signed:
    """Our own next message."""
    packed = encode(body)
    lane = Lane(packed, sign(SIGNATURE_LABEL + packed))
    return Signed(body, message_hash(packed), encode(lane))


def verify_lane(lane: Lane, keys: Sequence[bytes]) -> Signed:
    """The message if it is well formed and signed by the seat it names; raises Refusal."""
    try:
        body: LaneBody = decode(lane.body, LaneBody)
    except DecodeError as error:
        raise Refusal(f"malformed lane message: {error}") from error
    if body.seat >= len(keys) or len(body.heads) != len(keys):
        raise Refusal("lane message for other seats than this table's")
    if any(head.length == 0 and head != EMPTY_HEAD for head in body.heads):
        raise Refusal("a head of an empty lane that is not empty")
    if body.incarnation:
        # Nobody comes back from an older copy yet; two stories must not pass for that.
        raise Refusal("an incarnation that this version does not know")
    # A conviction holds two messages, which may be convictions themselves; its own proof must fit
    # into a frame, so that nobody can be made to say what cannot be sent.
    is_conviction = isinstance(body.payload, Convict)
    if len(lane.body) > (CONVICT_BYTES_MAX if is_conviction else BODY_BYTES_MAX):
        raise Refusal("lane message over its limit")
    try:
        key = Ed25519PublicKey.from_public_bytes(keys[body.seat])
        key.verify(lane.signature, SIGNATURE_LABEL + lane.body)
    except InvalidSignature as error:
        raise Refusal(f"signature of seat {body.seat} does not hold") from error
    return Signed(body, message_hash(lane.body), encode(lane))


@dataclass
class Lanes:
    """All lanes of one table, named by the hash of its draft, as this peer holds them."""

    table: bytes
    keys: tuple[bytes, ...]
    accepted: list[list[Signed]] = field(init=False)
    early: dict[tuple[Seat, int], Signed] = field(init=False, default_factory=dict)
    closed: set[Seat] = field(init=False, default_factory=set)
    frozen: set[Seat] = field(init=False, default_factory=set)
    ignored: set[Seat] = field(init=False, default_factory=set)  # whose lane has no one story

    def __post_init__(self) -> None:
        self.accepted = [[] for _ in self.keys]

    def heads(self) -> tuple[Head, ...]:
        """The head of every lane as accepted here."""
        return tuple(self.head(seat) for seat in range(len(self.keys)))

    def head(self, seat: Seat) -> Head:
        """The head of one lane."""
        lane = self.accepted[seat]
        return Head(len(lane), lane[-1].hash) if lane else EMPTY_HEAD

    def lengths(self) -> tuple[int, ...]:
        """How many messages of each lane are accepted here."""
        return tuple(len(lane) for lane in self.accepted)

    def find(self, seat: Seat, number: int, wanted: bytes) -> Signed | None:
        """The accepted message of that place and hash, if it is here."""
        if number < len(self.accepted[seat]) and self.accepted[seat][number].hash == wanted:
            return self.accepted[seat][number]
        return None

    def add(self, lane: Lane) -> Equivocation | None:
        """Take in a frame: new, known or early. Raises Refusal; returns proof of two stories."""
        signed = self._recognise(lane)
        if signed is None:
            return None
        seat, number = signed.body.seat, signed.number
        if seat in self.ignored:
            return None
        known = self._at(seat, number)
        if known is not None:
            # The same message again was sorted out above.
            return Equivocation(known, signed)
        if seat in self.closed:
            raise Refusal(f"seat {seat} has left; its lane is closed")
        if number >= len(self.accepted[seat]) + EARLY_MAX:
            raise Refusal(f"seat {seat} is too far ahead of its lane")
        self.early[seat, number] = signed
        return None

    def compare(self, one: Lane, other: Lane) -> Equivocation:
        """Two frames that somebody holds up as two stories. Raises Refusal if they are none."""
        first, second = (verify_lane(lane, self.keys) for lane in (one, other))
        if {first.body.table, second.body.table} != {self.table}:
            raise OtherTable("evidence from another table")
        is_one_place = (first.body.seat, first.number) == (second.body.seat, second.number)
        if not is_one_place or first.hash == second.hash:
            raise Refusal("evidence that proves nothing")
        return Equivocation(first, second)

    def _recognise(self, lane: Lane) -> Signed | None:
        """The signed message, or None for an exact duplicate, which costs no signature check."""
        try:
            body: LaneBody = decode(lane.body, LaneBody)
        except DecodeError as error:
            raise Refusal(f"malformed lane message: {error}") from error
        if body.table != self.table:
            raise OtherTable("a lane message of another table")
        if body.seat < len(self.keys) and len(body.heads) == len(self.keys):
            known = self._at(body.seat, body.heads[body.seat].length)
            if known is not None and known.hash == message_hash(lane.body):
                return None
        return verify_lane(lane, self.keys)

    def _at(self, seat: Seat, number: int) -> Signed | None:
        if number < len(self.accepted[seat]):
            return self.accepted[seat][number]
        return self.early.get((seat, number))

    def accept_own(self, signed: Signed) -> None:
        """Append a message that we have just signed."""
        assert signed.number == len(self.accepted[signed.body.seat])
        self.accepted[signed.body.seat].append(signed)

    def next_ready(self) -> Signed | None:
        """Accept and return a message whose whole causal past is here, if there is one."""
        for seat, lane in enumerate(self.accepted):
            signed = self.early.get((seat, len(lane)))
            if signed is None or seat in self.frozen or self._differing_head(signed) is not None:
                continue
            if self._holds(signed.body.heads):
                del self.early[seat, len(lane)]
                lane.append(signed)
                return signed
        return None

    def disputed(self) -> list[Missing]:
        """The heads that differ from ours: until both stories are here nobody is blamed."""
        waiting = [self.early.get((seat, len(lane))) for seat, lane in enumerate(self.accepted)]
        differing = [self._differing_head(signed) for signed in waiting if signed is not None]
        return [missing for missing in differing if missing is not None]

    def _holds(self, heads: Sequence[Head]) -> bool:
        return all(
            head.length <= len(self.accepted[seat])
            for seat, head in enumerate(heads)
            if seat not in self.ignored
        )

    def _differing_head(self, signed: Signed) -> Missing | None:
        for seat, head in enumerate(signed.body.heads):
            if seat in self.ignored or not 0 < head.length <= len(self.accepted[seat]):
                continue
            if self.accepted[seat][head.length - 1].hash != head.hash:
                return Missing(signed.body.seat, seat, head.length - 1, head.hash)
        return None

    def drop_early(self, seat: Seat, number: int) -> None:
        """Forget an early message that will not be accepted."""
        self.early.pop((seat, number), None)

    def freeze(self, seat: Seat) -> None:
        """Accept nothing more of this seat: we have voted that it is absent."""
        self.frozen.add(seat)

    def ignore(self, seat: Seat) -> None:
        """This seat is out and its lane has no one story: what anyone names of it is all one."""
        self.ignored.add(seat)
        self.close(seat)

    def reopen(self, seats: Iterable[Seat]) -> None:
        """What these seats say counts again."""
        self.closed.difference_update(seats)

    def close(self, seat: Seat) -> None:
        """No further message of this seat counts."""
        self.closed.add(seat)
        for place in [place for place in self.early if place[0] == seat]:
            del self.early[place]
