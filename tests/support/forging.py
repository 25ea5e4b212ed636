"""Records whose last message is forged, and signed by the seat that it names."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.audit import Verdict, audit
from p2pjong.games.game import Seat
from p2pjong.session.lanes import message_hash, sign_body
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Draft, Head, Lane, LaneBody, Payload, Stamp
from tests.support.sim import ALL_GAMES, SimTable, signing_key

Change = Callable[[LaneBody], LaneBody]


def lanes_of(table: SimTable, seat: Seat = 0) -> list[Lane]:
    """The messages of a peer's journal."""
    return [decode(frame, Lane) for frame in table.peers[seat].journal]


def body_of(lane: Lane) -> LaneBody:
    """What the author of a message has signed."""
    body: LaneBody = decode(lane.body, LaneBody)
    return body


def sign(body: LaneBody) -> Lane:
    """The message of the seat that it names."""
    lane: Lane = decode(sign_body(body, signing_key(body.seat).sign).frame, Lane)
    return lane


def find(lanes: Sequence[Lane], kind: type[Any], nth: int = 0) -> int:
    """Where the nth message with such a payload is."""
    places = [at for at, lane in enumerate(lanes) if isinstance(body_of(lane).payload, kind)]
    return places[nth]


def forged(draft: Draft, lanes: Sequence[Lane], at: int, change: Change) -> Verdict:
    """The verdict on the record up to there, with that message forged."""
    forgery = sign(change(body_of(lanes[at])))
    return audit(draft, [*lanes[:at], forgery], ALL_GAMES)


def next_of(lanes: Sequence[Lane], seat: Seat, payload: Payload) -> Lane:
    """One more message of a seat that has seen all of these."""
    heads = {body_of(lane).seat: sign_body(body_of(lane), bytes) for lane in lanes}
    last = next(body_of(lane) for lane in reversed(lanes) if body_of(lane).seat == seat)
    seen = tuple(
        Head(heads[one].number + 1, heads[one].hash) if one in heads else head
        for one, head in enumerate(last.heads)
    )
    return sign(with_fields(last, heads=seen, payload=payload))


def stamp_of(lane: Lane) -> Stamp:
    """What the author of a message has signed of it."""
    body = body_of(lane)
    number = body.heads[body.seat].length
    return Stamp(body.seat, 0, number, body.epoch, message_hash(lane.body), lane.signature)


def payload(**fields: Callable[[Any], Any]) -> Change:
    """The payload with some fields changed by functions of their honest values."""

    def change(body: LaneBody) -> LaneBody:
        changed = {name: edit(getattr(body.payload, name)) for name, edit in fields.items()}
        return with_fields(body, payload=with_fields(body.payload, **changed))

    return change


def around(**fields: Callable[[Any], Any]) -> Change:
    """The body with some fields changed by functions of their honest values."""

    def change(body: LaneBody) -> LaneBody:
        changed = {name: edit(getattr(body, name)) for name, edit in fields.items()}
        return with_fields(body, **changed)

    return change
