"""Records tampered with: lane messages signed anew with the known keys, files edited as data."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec.structs import replace as with_fields

from p2pjong.session.lanes import message_hash, signed_bytes
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Head, Lane, LaneBody, Payload
from tests.support.sim import signing_key

Case: TypeAlias = dict[str, Any]
Frames: TypeAlias = list[bytes]
Change: TypeAlias = Callable[[LaneBody], LaneBody]


@dataclass
class Story:
    """The lane frames of one table, as data to be tampered with."""

    frames: Frames
    file: str = "record-two-seats.bin"

    def body(self, index: int) -> LaneBody:
        lane: Lane = decode(self.frames[index], Lane)
        body: LaneBody = decode(lane.body, LaneBody)
        return body

    def find(self, kind: str, seat: int = 1, nth: int = 0) -> int:
        """Where the seat's nth message with that payload stands."""
        found = [
            index
            for index in range(len(self.frames))
            if self.body(index).seat == seat and type(self.body(index).payload).__name__ == kind
        ]
        return found[nth]

    def forge(self, index: int, change: Change) -> bytes:
        """The message with another body, signed anew by its seat."""
        return signed(change(self.body(index)))

    def after_forgery(self, index: int, forged: bytes) -> Frames:
        """The record up to the forged message, and of the rest what does not rest on the old."""
        lanes: dict[int, list[bytes]] = {}
        kept: Frames = []
        for frame in [*self.frames[:index], forged, *self.frames[index + 1 :]]:
            lane: Lane = decode(frame, Lane)
            body: LaneBody = decode(lane.body, LaneBody)
            if frame is forged or _fits(body, lanes):
                lanes.setdefault(body.seat, []).append(message_hash(lane.body))
                kept.append(frame)
        return kept


def record_case(
    name: str, *edits: Any, file: str = "record-two-seats.bin", **expected: Any
) -> Case:
    """A case of `records.json`, with what its verdict must say at least."""
    return {"name": name, "file": file, "edits": list(edits), "verdict": expected}


def forgery(story: Story, rule: str, name: str, index: int, change: Change) -> Case:
    """A case in which seat 1 signs something else in place of the message at `index`: a fault."""
    forged = story.forge(index, change)
    if rule == "equivocation":
        edits: list[Case] = [{"keep": index + 1}, {"append": forged.hex()}]
    else:
        rest = story.after_forgery(index, forged)
        edits = [{"keep": index}] + [{"append": frame.hex()} for frame in rest[index:]]
    body: LaneBody = decode(decode(forged, Lane).body, LaneBody)
    number = body.heads[body.seat].length
    expected = {"valid": False, "rule": rule, "number": number}
    return record_case(f"seat 1 {name}", *edits, file=story.file, **expected)


def _fits(body: LaneBody, lanes: dict[int, list[bytes]]) -> bool:
    for seat, head in enumerate(body.heads):
        lane = lanes.get(seat, [])
        if head.length > len(lane) or (head.length and lane[head.length - 1] != head.hash):
            return False
    return body.heads[body.seat].length == len(lanes.get(body.seat, []))


def signed(body: LaneBody) -> bytes:
    """A lane frame, signed with the known key of its seat."""
    packed = encode(body)
    heads = body.heads if body.seat < len(body.heads) else (body.heads[0],) * (body.seat + 1)
    content = signed_bytes(body.table, with_fields(body, heads=heads), message_hash(packed))
    return encode(Lane(packed, signing_key(body.seat).sign(content)))


def flipped(content: bytes) -> bytes:
    return bytes([content[0] ^ 1]) + content[1:]


def payload(**changes: Callable[[Any], Any]) -> Change:
    """A change of some fields of the payload."""

    def change(body: LaneBody) -> LaneBody:
        old = body.payload
        new = {name: alter(getattr(old, name)) for name, alter in changes.items()}
        return with_fields(body, payload=with_fields(old, **new))

    return change


def instead(new: Payload) -> Change:
    return lambda body: with_fields(body, payload=new)


def fields(**changes: Callable[[Any], Any]) -> Change:
    """A change of some fields of the body."""
    return lambda body: with_fields(
        body, **{name: alter(getattr(body, name)) for name, alter in changes.items()}
    )


def next_body(story: Story, index: int, new: Payload) -> LaneBody:
    """A next message of the same lane, with the heads of the one before."""
    body = story.body(index)
    lane: Lane = decode(story.frames[index], Lane)
    heads = list(body.heads)
    heads[body.seat] = Head(heads[body.seat].length + 1, message_hash(lane.body))
    return with_fields(body, heads=tuple(heads), payload=new)


def record_of(head: bytes, frames: Iterable[bytes]) -> bytes:
    """A record file."""
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in [head, *frames])


def edited(head: bytes, frames: Sequence[bytes], edits: Iterable[Case]) -> bytes:
    """The record after the edits of a case."""
    frames = list(frames)
    tail, cut = b"", 0
    for edit in edits:
        ((what, how),) = edit.items()
        if what == "file":
            return bytes.fromhex(how)
        if what == "head":
            head = bytes.fromhex(how)
        elif what == "cut":
            cut = how
        elif what == "append_bytes":
            tail = bytes.fromhex(how)
        else:
            FRAME_EDITS[what](frames, how)
    record = record_of(head, frames) + tail
    return record[: len(record) - cut]


def _keep(frames: Frames, count: int) -> None:
    del frames[count:]


def _drop(frames: Frames, index: int) -> None:
    del frames[index]


def _swap(frames: Frames, places: list[int]) -> None:
    one, other = places
    frames[one], frames[other] = frames[other], frames[one]


def _replace(frames: Frames, how: tuple[int, str]) -> None:
    frames[how[0]] = bytes.fromhex(how[1])


def _flip(frames: Frames, how: list[int]) -> None:
    index, bit = how
    frame = bytearray(frames[index])
    frame[bit // 8] ^= 1 << bit % 8
    frames[index] = bytes(frame)


FRAME_EDITS: dict[str, Callable[[Frames, Any], None]] = {
    "keep": _keep,
    "drop": _drop,
    "swap": _swap,
    "reverse": lambda frames, _: frames.reverse(),
    "append": lambda frames, frame: frames.append(bytes.fromhex(frame)),
    "replace": _replace,
    "flip": _flip,
}
