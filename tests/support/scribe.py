"""Lane messages by hand, for tests of lanes, gossip and the course without a whole session."""

from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session.history import Signed
from p2pjong.session.lanes import EMPTY_HEAD, sign_body
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Echo, Head, Lane, LaneBody
from tests.support.sim import signing_key

TABLE = bytes([7]) * 32
ZERO = bytes(32)


def keys_of(seats: int) -> tuple[bytes, ...]:
    """The identity keys of so many test seats."""
    return tuple(signing_key(seat).public_key().public_bytes_raw() for seat in range(seats))


def lane_of(signed: Signed) -> Lane:
    """The message as it comes in."""
    lane: Lane = decode(signed.frame, Lane)
    return lane


def head_of(signed: Signed) -> Head:
    """The head of a lane that ends with this message."""
    return Head(signed.number + 1, signed.hash)


class Scribe:
    """Writes one seat's lane; `seen` says of which last messages it names the heads."""

    def __init__(self, seat: Seat, seats: int = 3) -> None:
        self.seat = seat
        self.heads = [EMPTY_HEAD] * seats

    def see(self, *messages: Signed) -> "Scribe":
        """From now on these are named as seen."""
        for signed in messages:
            self.heads[signed.body.seat] = head_of(signed)
        return self

    def draft(self, **fields: Any) -> Signed:
        """A message that is not remembered: the next one has the same number."""
        body = LaneBody(
            table=TABLE,
            place=TABLE,
            seat=self.seat,
            incarnation=0,
            heads=tuple(self.heads),
            epoch=0,
            step=self.heads[self.seat].length,
            digest=ZERO,
            payload=Echo(ZERO),
        )
        return sign_body(with_fields(body, **fields), signing_key(self.seat).sign)

    def write(self, **fields: Any) -> Signed:
        """The next message of the lane."""
        signed = self.draft(**fields)
        self.see(signed)
        return signed

    def lane(self, length: int) -> list[Signed]:
        """The next so many messages."""
        return [self.write() for _ in range(length)]
