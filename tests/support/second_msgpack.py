"""Messages of `protocol/messages.md` for the second verifier: written from that page alone.

Imports nothing of the project. A message is a plain list, as the pages write it.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[Any], bool]

MIB = 1 << 20
NESTING_MAX = 8
ELEMENTS_MAX = 1024


class Malformed(Exception):
    """Bytes that are no message; the text is the name of the check that failed."""


# --- msgpack, its shortest forms alone ----------------------------------------------------------


def pack(value: Any) -> bytes:
    """The one encoding of integers, booleans, strings, byte strings and lists."""
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _pack_int(value)
    if isinstance(value, str):
        text = value.encode()
        return _sized(text, len(text), (0xA0, 32), {1: 0xD9, 2: 0xDA, 4: 0xDB})
    if isinstance(value, bytes):
        return _sized(value, len(value), None, {1: 0xC4, 2: 0xC5, 4: 0xC6})
    assert isinstance(value, list)
    items = b"".join(map(pack, value))
    return _sized(items, len(value), (0x90, 16), {2: 0xDC, 4: 0xDD})


def _pack_int(value: int) -> bytes:
    if -32 <= value < 128:
        return bytes([value & 0xFF])
    for size, unsigned, signed in (
        (1, 0xCC, 0xD0),
        (2, 0xCD, 0xD1),
        (4, 0xCE, 0xD2),
        (8, 0xCF, 0xD3),
    ):
        if 0 <= value < 1 << 8 * size:
            return bytes([unsigned]) + value.to_bytes(size, "big")
        if value < 0 and -value <= 1 << (8 * size - 1):
            return bytes([signed]) + value.to_bytes(size, "big", signed=True)
    raise Malformed("msgpack")


def _sized(
    content: bytes, count: int, fix: tuple[int, int] | None, wide: Mapping[int, int]
) -> bytes:
    if fix and count < fix[1]:
        return bytes([fix[0] + count]) + content
    size = next(size for size in wide if count < 1 << 8 * size)
    return bytes([wide[size]]) + count.to_bytes(size, "big") + content


def unpack(data: bytes) -> Any:
    """The value that `data` encodes in its shortest form; raises Malformed."""
    value, end = _read(data, 0, 0)
    if _elements(value) > ELEMENTS_MAX:
        raise Malformed("elements")
    if end != len(data):
        raise Malformed("msgpack")
    if pack(value) != data:
        raise Malformed("canonical")
    return value


def _elements(value: Any) -> int:
    return len(value) + sum(map(_elements, value)) if isinstance(value, list) else 0


def _read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    first = _take(data, at, 1)[0]
    if first < 0x80:
        return first, at + 1
    if first >= 0xE0:
        return first - 256, at + 1
    if first in (0xC2, 0xC3):
        return first == 0xC3, at + 1
    for kind, (low, high, wide) in _SIZED.items():
        if low <= first < high:
            return _read_sized(kind, data, at + 1, first - low, depth)
        if first in wide:
            size = wide[first]
            count = int.from_bytes(_take(data, at + 1, size), "big")
            return _read_sized(kind, data, at + 1 + size, count, depth)
    if 0xCC <= first <= 0xD3:
        size = 1 << (first & 3)
        number = int.from_bytes(_take(data, at + 1, size), "big", signed=first >= 0xD0)
        return number, at + 1 + size
    raise Malformed("msgpack or schema")  # nil, floats, maps, extensions


_SIZED: Mapping[str, tuple[int, int, Mapping[int, int]]] = {
    "array": (0x90, 0xA0, {0xDC: 2, 0xDD: 4}),
    "text": (0xA0, 0xC0, {0xD9: 1, 0xDA: 2, 0xDB: 4}),
    "bytes": (0, 0, {0xC4: 1, 0xC5: 2, 0xC6: 4}),
}


def _read_sized(kind: str, data: bytes, at: int, count: int, depth: int) -> tuple[Any, int]:
    if kind == "array":
        if depth == NESTING_MAX:
            raise Malformed("nesting")
        if count > ELEMENTS_MAX:
            raise Malformed("elements")
        items = []
        for _ in range(count):
            item, at = _read(data, at, depth + 1)
            items.append(item)
        return items, at
    content = _take(data, at, count)
    if kind == "bytes":
        return content, at + count
    try:
        return content.decode(), at + count
    except UnicodeDecodeError as error:
        raise Malformed("msgpack") from error


def _take(data: bytes, at: int, count: int) -> bytes:
    if at + count > len(data):
        raise Malformed("msgpack")
    return data[at : at + count]


# --- Schemas ------------------------------------------------------------------------------------


def integer(low: int, high: int) -> Check:
    return lambda value: type(value) is int and low <= value <= high


def octets(low: int, high: int | None = None) -> Check:
    most = low if high is None else high
    return lambda value: isinstance(value, bytes) and low <= len(value) <= most


def text(most: int) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= most


def boolean(value: Any) -> bool:
    return isinstance(value, bool)


def array(item: Check, low: int, high: int) -> Check:
    return lambda value: (
        isinstance(value, list) and low <= len(value) <= high and all(map(item, value))
    )


def struct(*fields: Check) -> Check:
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(fields)
        and all(check(item) for check, item in zip(fields, value, strict=True))
    )


def tagged(tag: str, *fields: Check) -> Check:
    return struct(lambda value: value == tag and isinstance(value, str), *fields)


COUNT, SEAT = integer(0, (1 << 32) - 1), integer(0, 7)
HASH = KEY = POINT = octets(32)
SIGNATURE, TABLE_ID = octets(64), octets(16)
SMALL_PROOF, CARDS = octets(32, 1024), octets(64, 16384)

SEAT_ENTRY = struct(text(32), KEY, boolean, boolean)
OPTIONS = struct(
    integer(0, 10_000),
    integer(0, 1_000),
    integer(0, 86_400_000),
    integer(0, 3_600_000),
    integer(0, 86_400_000),
    boolean,
)
DRAFT = tagged(
    "draft", integer(1, 255), TABLE_ID, text(32), text(32), OPTIONS, array(SEAT_ENTRY, 2, 8)
)
LANE = tagged("lane", octets(1, MIB - 256), SIGNATURE)
STAMP = struct(SEAT, COUNT, COUNT, COUNT, HASH, SIGNATURE)
EVIDENCE = tagged("evidence", HASH, STAMP, STAMP)
VOTE = tagged("vote", HASH, SEAT, SEAT, HASH, COUNT, integer(1, 255), SIGNATURE)
ACT = tagged("act", text(32), array(COUNT, 0, 16), integer(-1, 7))
PAYLOADS: Mapping[str, Check] = {
    "nonce-commit": tagged("nonce-commit", HASH),
    "nonce-open": tagged("nonce-open", HASH, HASH),
    "sign": tagged("sign", HASH),
    "echo": tagged("echo", HASH),
    "key-commit": tagged("key-commit", HASH),
    "key-open": tagged("key-open", POINT, SMALL_PROOF, HASH),
    "shuffled": tagged("shuffled", CARDS, octets(32, 65536)),
    "shares": tagged("shares", octets(32, 8192), SMALL_PROOF),
    "switched": tagged("switched", CARDS, SMALL_PROOF),
    "proven-among": tagged("proven-among", octets(64, 61440)),
    "toss-commit": tagged("toss-commit", HASH),
    "toss-open": tagged("toss-open", HASH, HASH),
    "ordered": tagged("ordered", array(SEAT, 1, 8)),
    "act": ACT,
    "act-commit": tagged("act-commit", HASH),
    "act-open": tagged("act-open", ACT, HASH),
    "settled": tagged("settled", HASH),
    "key-published": tagged("key-published", HASH),
    "convict": tagged("convict", STAMP, STAMP),
    "put-out": tagged("put-out", SEAT, array(VOTE, 1, 8)),
    "leave": tagged("leave"),
}


def payload(value: Any) -> bool:
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        return False
    return value[0] in PAYLOADS and PAYLOADS[value[0]](value)


HEAD = struct(COUNT, HASH)
LANE_BODY = tagged(
    "lane-body", HASH, HASH, SEAT, COUNT, array(HEAD, 2, 8), COUNT, COUNT, HASH, payload
)


def recorded(value: Any) -> bool:
    """What a record holds after its head."""
    return LANE(value) or EVIDENCE(value)


RECORD_HEAD = tagged("p2pjong-record", integer(1, 255), DRAFT)


def read(data: bytes, check: Check) -> Any:
    """The message, which must be of this schema; raises Malformed."""
    if len(data) > MIB:
        raise Malformed("size")
    value = unpack(data)
    if not check(value):
        raise Malformed("schema")
    return value
