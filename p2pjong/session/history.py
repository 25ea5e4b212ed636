"""What was accepted of one lane, from its first message to its last.

A peer keeps every message, for others may lack it. Who reads a record may forget what no open
step can ask for; what names a message is kept, so that two stories are found whenever they come.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from p2pjong.games.game import Seat
from p2pjong.wire.messages import LaneBody, Stamp

HASH_BYTES = 32
SIGNATURE_BYTES = 64


@dataclass(frozen=True, slots=True)
class Signed:
    """A lane message whose signature holds."""

    body: LaneBody
    hash: bytes
    frame: bytes
    signature: bytes

    @property
    def stamp(self) -> Stamp:
        """What its author has signed."""
        body = self.body
        return Stamp(
            body.seat, body.incarnation, self.number, body.epoch, self.hash, self.signature
        )

    @property
    def past(self) -> tuple[int, ...]:
        """How much of each lane its author had accepted."""
        return tuple([head.length for head in self.body.heads])

    @property
    def number(self) -> int:
        """Its place in its lane, from 0."""
        return self.body.heads[self.body.seat].length


class History(Sequence[Signed]):
    """The accepted messages of a seat's lane, by their numbers."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._kept: list[Signed] = []
        # Of those that are forgotten, closely packed: a record may hold millions.
        self._hashes, self._signatures, self._epochs = bytearray(), bytearray(), array("L")

    def __len__(self) -> int:
        return len(self._epochs) + len(self._kept)

    @overload
    def __getitem__(self, at: int) -> Signed: ...
    @overload
    def __getitem__(self, at: slice) -> list[Signed]: ...
    def __getitem__(self, at: int | slice) -> Signed | list[Signed]:
        forgotten = len(self._epochs)
        if not forgotten:
            return self._kept[at]
        numbers = range(len(self))[at]
        if isinstance(numbers, int):
            assert numbers >= forgotten, "what is forgotten is not asked for"
            return self._kept[numbers - forgotten]
        return [self[number] for number in numbers]

    def append(self, signed: Signed) -> None:
        """The next message of the lane."""
        self._kept.append(signed)

    def hash(self, number: int) -> bytes:
        """The hash that names the message of this number."""
        forgotten = len(self._epochs)
        if number >= forgotten:
            return self._kept[number - forgotten].hash
        return bytes(self._hashes[number * HASH_BYTES : (number + 1) * HASH_BYTES])

    def stamp(self, number: int) -> Stamp:
        """What its author has signed with the message of this number."""
        if number >= len(self._epochs):
            return self[number].stamp
        at = number * SIGNATURE_BYTES
        signature = bytes(self._signatures[at : at + SIGNATURE_BYTES])
        return Stamp(self._seat, 0, number, self._epochs[number], self.hash(number), signature)

    def forget(self, before: int) -> None:
        """Of the messages before this one keep only what names them; never forget the last."""
        count = min(before, len(self) - 1) - len(self._epochs)
        if count <= 0:
            return
        for signed in self._kept[:count]:
            self._hashes += signed.hash
            self._signatures += signed.signature
            self._epochs.append(signed.body.epoch)
        del self._kept[:count]
