"""Valid bytes made invalid, or oddly valid: edits of raw bytes and of the msgpack values in them.

Every choice comes from the `Random` that is passed in: hypothesis shrinks it, `scripts/fuzz` seeds
it. Edits of values keep the encoding canonical, so that they reach the checks behind the decoder.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

import msgpack

from p2pjong.wire.framing import encode_frame

Edit: TypeAlias = Callable[[bytes, Random], bytes]

EDITS_MAX = 3
FRAMES_MAX = 40
NUMBERS = (0, 1, 2, 3, 7, 8, 255, 256, (1 << 16) - 1, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, -1)
TEXTS = ("", "a", "\x1b[2J", "\u202e", "e\u0301" * 16, "x" * 33, "x" * 300, "\x00")


def mutated(content: bytes, rng: Random, pool: Sequence[bytes] = ()) -> bytes:
    """`content` after one to three edits; parts of the valid inputs in `pool` may come into it."""
    for _ in range(rng.randint(1, EDITS_MAX)):
        if rng.random() < 0.6:
            content = _edit_value(content, rng, pool)
        else:
            content = rng.choice(BYTE_EDITS)(content, rng)
    return content


def mutated_stream(frames: Sequence[bytes], rng: Random) -> bytes:
    """Some of the frames in a new order, most of them edited, as one stream."""
    chosen = [rng.choice(frames) for _ in range(rng.randint(1, FRAMES_MAX))]
    edited = [mutated(one, rng, frames) if rng.random() < 0.7 else one for one in chosen]
    return b"".join(encode_frame(one) for one in edited if one)


# --- Bytes --------------------------------------------------------------------------------------


def _place(content: bytes, rng: Random) -> int:
    return rng.randrange(len(content)) if content else 0


def _flip(content: bytes, rng: Random) -> bytes:
    at = _place(content, rng)
    bit = 1 << rng.randrange(8)
    flipped = bytes(byte ^ bit for byte in content[at : at + 1])
    return content[:at] + flipped + content[at + 1 :]


def _overwrite(content: bytes, rng: Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _cut(content: bytes, rng: Random) -> bytes:
    return content[: _place(content, rng)]


def _leave_out(content: bytes, rng: Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + content[at + rng.randint(1, 40) :]


def _insert(content: bytes, rng: Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + rng.randbytes(rng.randint(1, 8)) + content[at:]


def _repeat(content: bytes, rng: Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + content[at : at + rng.randint(1, 64)] + content[at:]


BYTE_EDITS: tuple[Edit, ...] = (_flip, _flip, _overwrite, _cut, _leave_out, _insert, _repeat)


# --- Values -------------------------------------------------------------------------------------


def _edit_value(content: bytes, rng: Random, pool: Sequence[bytes]) -> bytes:
    """The encoding of the value in `content` with one part of it changed; other bytes flipped."""
    value = _unpacked(content)
    if not isinstance(value, list):
        return _flip(content, rng)
    other = _unpacked(rng.choice(pool)) if pool else None
    try:
        packed: bytes = msgpack.packb(_changed(value, rng, other))
    except (OverflowError, ValueError):
        return _flip(content, rng)
    return packed


def _unpacked(content: bytes) -> Any:
    try:
        return msgpack.unpackb(content, strict_map_key=False, unicode_errors="surrogateescape")
    except (ValueError, TypeError, RecursionError):  # a key of a map may be of any type here
        return None


def _changed(value: Any, rng: Random, other: Any) -> Any:
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        if rng.random() < 0.2:
            return _rearranged(value, at, rng)
        if isinstance(other, list) and at < len(other) and rng.random() < 0.3:
            return [*value[:at], other[at], *value[at + 1 :]]
        inner = other[at] if isinstance(other, list) and at < len(other) else None
        return [*value[:at], _changed(value[at], rng, inner), *value[at + 1 :]]
    return _leaf(value, rng)


def _rearranged(value: list[Any], at: int, rng: Random) -> list[Any]:
    match rng.randrange(3):
        case 0:
            return value[:at] + value[at + 1 :]
        case 1:
            return [*value[:at], value[at], *value[at:]]
        case _:
            return [*value[:at], *reversed(value[at:])]


def _leaf(value: Any, rng: Random) -> Any:
    if isinstance(value, bytes):
        return _changed_bytes(value, rng)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, max(value - 1, 0), rng.choice(NUMBERS)))
    if isinstance(value, str):
        return rng.choice(TEXTS)
    return rng.choice((None, True, 0, "", b"", [], {}, 0.5))


def _changed_bytes(value: bytes, rng: Random) -> bytes:
    """Sized like before more often than not: what has the wrong size is refused at once."""
    nested = _unpacked(value)
    if isinstance(nested, list) and len(value) > 40:
        return _edit_value(value, rng, ())
    match rng.randrange(4):
        case 0:
            return rng.choice((b"", value[:-1], value + b"\0", bytes(len(value)), value[32:]))
        case 1:
            return value[32:64] + value[:32] + value[64:]
        case _:
            return _flip(value, rng)
