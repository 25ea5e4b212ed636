"""The cases of `protocol/vectors/frames.json`: bytes that are messages, and bytes that are none.

Each refused case says which check must refuse it; nothing here asks the decoder.
"""

import re
from typing import Any

from scripts.vector_packing import Raw, pack, to_json

Case = dict[str, Any]

HASH, KEY, SIGNATURE = bytes(range(32)), bytes(range(100, 132)), bytes(64)
OPTIONS: list[Any] = [0, 0, 60_000, 2_000, 60_000, False]
ENTRY = ["a seat", KEY, False, True]
DRAFT = ["draft", 1, bytes(16), "a table", "war-jhong", OPTIONS, [ENTRY, ENTRY]]
JOIN = ["join", 1, "somebody", True, False, 4711, ["192.0.2.7", "fe80::1%eth0"]]
LANE = ["lane", b"\x01", SIGNATURE]
STAMP = [2, 0, 7, 3, HASH, SIGNATURE]
VOTE: list[Any] = ["vote", HASH, 0, 2, HASH, 7, 0b111, bytes(64)]
HAVE = ["have", HASH, [3, 70_000], 3]
ACT = ["act", "discard", [300], -1]
READY = ["ready", True, HASH, HASH]
PAYLOADS: list[Any] = [
    ["nonce-commit", HASH],
    ["nonce-open", HASH, HASH],
    ["sign", HASH],
    ["echo", HASH],
    ["key-commit", HASH],
    ["key-open", HASH, bytes(64), HASH],
    ["shuffled", bytes(64), bytes(32)],
    ["shares", bytes(32), bytes(32)],
    ["switched", bytes(64), bytes(32)],
    ["proven-among", bytes(64)],
    ["toss-commit", HASH],
    ["toss-open", HASH, HASH],
    ["ordered", [2, 0]],
    ACT,
    ["act-commit", HASH],
    ["act-open", ACT, HASH],
    ["settled", HASH],
    ["key-published", HASH],
    ["convict", STAMP, STAMP],
    ["put-out", 2, [VOTE]],
    ["leave"],
]


def body(payload: Any) -> list[Any]:
    heads = [[0, bytes(32)], [1 << 20, HASH]]
    return ["lane-body", HASH, HASH, 1, 0, heads, 2, 65_535, HASH, payload]


def frame_cases() -> list[Case]:
    """All cases, accepted ones first."""
    return [*_accepted(), *_refused()]


def _accepted() -> list[Case]:
    messages: list[tuple[str, Any]] = [
        ("a join", JOIN),
        ("the longest texts count code points, not bytes", ["refused", "é" * 32, "字" * 200]),
        ("the least and the greatest numbers", ["join", 255, "", False, False, 65_535, []]),
        ("a lobby", ["lobby", bytes(16), "t", "g", OPTIONS, 8, [["s", KEY, False, True]]]),
        ("a ready", READY),
        ("a begin", ["begin", DRAFT, [[["192.0.2.7", 1]], []], [HASH]]),
        ("a bye", ["bye"]),
        ("a lane", LANE),
        ("a have", HAVE),
        ("a want", ["want", HASH, 7, (1 << 32) - 1, HASH]),
        ("a vote", VOTE),
        ("an evidence", ["evidence", HASH, STAMP, STAMP]),
        ("a code-start", ["code-start", HASH]),
        ("a code-answer", ["code-answer", HASH]),
        ("a code-proof", ["code-proof", HASH]),
        ("a code-passed", ["code-passed", HASH]),
    ]
    cases = [_accept(name, "message", message) for name, message in messages]
    return cases + [_accept(f"a {p[0]}", "lane-body", body(p)) for p in PAYLOADS]


def _accept(name: str, kind: str, message: Any) -> Case:
    case = {"name": name, "kind": kind, "verdict": "accept", "value": to_json(message)}
    return case | {"bytes": pack(message).hex()}


def _refused() -> list[Case]:
    return [
        *_wrong_size(),
        *_wrong_msgpack(),
        *_too_many(),
        *_wrong_nesting(),
        *_wrong_schema(),
        *_wrong_bounds(),
        *_not_canonical(),
    ]


def _refuse(name: str, failure: str, data: Any, kind: str = "message") -> Case:
    """`data`: a message; or bytes; or a list of (bytes, how often) pairs, for what is long."""
    coded: Any = [[part.hex(), times] for part, times in _parts(data)]
    if len(coded) == 1 and coded[0][1] == 1:
        coded = coded[0][0]
    return {"name": name, "kind": kind, "verdict": "refuse", "failure": failure, "bytes": coded}


def _parts(data: Any) -> list[tuple[bytes, int]]:
    if isinstance(data, list) and data and isinstance(data[0], tuple):
        return data
    return _runs(data if isinstance(data, bytes) else pack(data))


def _runs(packed: bytes) -> list[tuple[bytes, int]]:
    """The bytes with the longest run of zeros, if it is long, written as such."""
    longest = max(re.findall(rb"\0*", packed), key=len)
    if len(longest) < 1000:
        return [(packed, 1)]
    before, _, after = packed.partition(longest)
    return [
        (part, times) for part, times in ((before, 1), (b"\0", len(longest)), (after, 1)) if part
    ]


def _wrong_size() -> list[Case]:
    mib = 1 << 20
    text = b"\xdb" + (mib - 14).to_bytes(4, "big")
    return [
        _refuse("a byte more than 1 MiB", "size", [(b"\xc0", mib + 1)]),
        _refuse("a text of 1 MiB", "schema", [(b"\x92\xa5ready" + text, 1), (b"a", mib - 14)]),
    ]


def _wrong_msgpack() -> list[Case]:
    ready = pack(READY)
    tag = pack(["ready"])[1:]
    return [
        _refuse("nothing", "msgpack", b""),
        _refuse("a byte after the message", "msgpack", ready + b"\x00"),
        _refuse("a message after the message", "msgpack", ready + ready),
        _refuse("an array cut off", "msgpack", ready[:-1]),
        _refuse("a text cut off", "msgpack", b"\x92\xa5rea"),
        _refuse("an array that claims 2^32 - 1 elements", "elements", b"\xdd\xff\xff\xff\xff"),
        _refuse("a byte string that claims 2^32 - 1 bytes", "msgpack", b"\x91\xc6\xff\xff\xff\xff"),
        _refuse("the byte that msgpack never uses", "msgpack", b"\x92" + tag + b"\xc1"),
        _refuse("a text that is not UTF-8", "msgpack", b"\x93\xa7refused\xa1\xff\xa0"),
        _refuse("a text with a surrogate", "msgpack", b"\x93\xa7refused\xa3\xed\xa0\x80\xa0"),
        _refuse("a text with an overlong byte", "msgpack", b"\x93\xa7refused\xa2\xc0\xaf\xa0"),
        _refuse("a map instead of an array", "msgpack", b"\x81\xa5ready\xc3"),
        _refuse("a map with a key twice", "msgpack", b"\x82\xa5ready\xc3\xa5ready\xc2"),
        _refuse("a map as a field", "msgpack", b"\x92" + tag + b"\x81\x01\x02"),
        _refuse("a map of 16 bit as a field", "msgpack", b"\x92" + tag + b"\xde\x00\x01\x01\x02"),
        _refuse("an extension", "msgpack", b"\x92" + tag + b"\xd4\x05\x00"),
        _refuse("a long extension", "msgpack", b"\x92" + tag + b"\xc7\x03\x05abc"),
        _refuse("a time stamp", "msgpack", b"\x92" + tag + b"\xd6\xff\x00\x00\x00\x00"),
    ]


def _wrong_nesting() -> list[Case]:
    return [
        _refuse("eight arrays in each other", "schema", b"\x91" * 8 + b"\x00"),
        _refuse("nine arrays in each other", "nesting", b"\x91" * 9 + b"\x00"),
        _refuse("nine arrays, the last one empty", "nesting", b"\x91" * 8 + b"\x90"),
        _refuse("500 arrays in each other", "nesting", [(b"\x91", 500), (b"\x00", 1)]),
        _refuse("1024 arrays in each other", "nesting", [(b"\x91", 1024), (b"\x00", 1)]),
    ]


def _too_many() -> list[Case]:
    """Each of a million bytes may be a value: they are counted before any is made."""
    many = [(b"\xdd\x00\x0f\xff\x00", 1), (b"\x90", 0xFFF00)]
    return [
        _refuse("1024 elements", "schema", [(b"\xdc\x04\x00", 1), (b"\x00", 1024)]),
        _refuse("1025 elements", "elements", [(b"\xdc\x04\x01", 1), (b"\x00", 1025)]),
        _refuse("1025 elements announced", "elements", b"\xdd\x00\x00\x04\x01"),
        _refuse(
            "1025 elements of two arrays",
            "elements",
            [(b"\x92\xdc\x03\xfe", 1), (b"\x00", 1022), (b"\x91\x00", 1)],
        ),
        _refuse("a million empty arrays", "elements", many),
        _refuse("a million arrays in each other", "elements", [(b"\x91", 10**6), (b"\x00", 1)]),
    ]


def _wrong_schema() -> list[Case]:
    return [
        _refuse("no array", "schema", True),
        _refuse("an array without a tag", "schema", []),
        _refuse("an unknown tag", "schema", ["steal", True]),
        _refuse("a tag in capitals", "schema", ["Ready", True]),
        _refuse("a tag that is a byte string", "schema", [b"ready", *READY[1:]]),
        _refuse("a tag that is a number", "schema", [1, True]),
        _refuse("a field is missing", "schema", ["ready"]),
        _refuse("a field too many", "schema", [*READY, True]),
        _refuse("nil for a bool", "schema", ["ready", Raw(b"\xc0"), HASH, HASH]),
        _refuse("1 for a bool", "schema", ["ready", 1, HASH, HASH]),
        _refuse("true for a number", "schema", ["join", True, *JOIN[2:]]),
        _refuse(
            "a float for a number", "schema", ["join", Raw(b"\xca\x3f\x80\x00\x00"), *JOIN[2:]]
        ),
        _refuse("not a number", "schema", ["join", Raw(b"\xca\x7f\xc0\x00\x00"), *JOIN[2:]]),
        _refuse("a text for a number", "schema", ["join", "1", *JOIN[2:]]),
        _refuse("bytes for a text", "schema", ["join", 1, b"somebody", *JOIN[3:]]),
        _refuse("a text for bytes", "schema", ["have", "x" * 32, *HAVE[2:]]),
        _refuse("an array for bytes", "schema", ["have", [0] * 32, *HAVE[2:]]),
        _refuse("an empty map for an array", "schema", [*HAVE[:2], Raw(b"\x80"), 3]),
        _refuse(
            "an empty extension for a bool", "schema", ["ready", Raw(b"\xc7\x00\x05"), HASH, HASH]
        ),
        _refuse("a lane body where a message stands", "schema", body(["leave"])),
        _refuse("a draft by itself", "schema", DRAFT),
        _refuse("a message of a link", "schema", ["link-ping", 1]),
        _refuse("a message where a lane body stands", "schema", READY, "lane-body"),
        _refuse("a payload without a tag", "schema", body([]), "lane-body"),
        _refuse("an unknown payload", "schema", body(["resign"]), "lane-body"),
        _refuse("a payload with a field too many", "schema", body(["leave", 1]), "lane-body"),
        _refuse(
            "a head with a field too many", "schema", _with_head([0, bytes(32), 0]), "lane-body"
        ),
    ]


def _with_head(head: list[Any]) -> list[Any]:
    fields = body(["leave"])
    return [*fields[:5], [head, *fields[5][1:]], *fields[6:]]


def _draft(place: int, value: Any) -> list[Any]:
    """A `begin` whose draft has another value at that place."""
    draft = [*DRAFT[:place], value, *DRAFT[place + 1 :]]
    return ["begin", draft, [[], []], [HASH]]


def _options(place: int, value: int) -> list[Any]:
    return _draft(5, [*OPTIONS[:place], value, *OPTIONS[place + 1 :]])


def _wrong_bounds() -> list[Case]:
    cases: list[tuple[str, Any]] = [
        ("a text of 33 characters", ["join", 1, "x" * 33, *JOIN[3:]]),
        ("a text of 201 characters", ["refused", "full", "x" * 201]),
        ("a hash of 31 bytes", ["have", bytes(31), *HAVE[2:]]),
        ("a hash of 33 bytes", ["have", bytes(33), *HAVE[2:]]),
        ("a signature of 63 bytes", ["lane", b"\x01", bytes(63)]),
        ("an empty body", ["lane", b"", SIGNATURE]),
        ("a table id of 15 bytes", _draft(2, bytes(15))),
        ("version 0", ["join", 0, *JOIN[2:]]),
        ("version 256", ["join", 256, *JOIN[2:]]),
        ("port 0", [*JOIN[:5], 0, []]),
        ("port 65536", [*JOIN[:5], 65_536, []]),
        ("17 addresses", [*JOIN[:6], ["a"] * 17]),
        ("a count of -1", [*HAVE[:2], [-1, 0], 3]),
        ("a count of 2^32", [*HAVE[:2], [1 << 32, 0], 3]),
        ("a count of 2^64 - 1", [*HAVE[:2], [(1 << 64) - 1, 0], 3]),
        ("one length", [*HAVE[:2], [0], 3]),
        ("nine lengths", [*HAVE[:2], [0] * 9, 3]),
        ("a link to a ninth seat", [*HAVE[:3], 256]),
        ("seat 8", ["want", HASH, 8, 0, HASH]),
        ("seat -1", ["want", HASH, -1, 0, HASH]),
        ("one seat", _draft(6, [ENTRY])),
        ("nine seats", _draft(6, [ENTRY] * 9)),
        ("a target of 10001", _options(0, 10_001)),
        ("1001 rounds", _options(1, 1_001)),
        ("a clock of more than a day", _options(2, 86_400_001)),
        ("a window of more than an hour", _options(3, 3_600_001)),
        ("a grace of more than a day", _options(4, 86_400_001)),
        ("a number for open books", _options(5, 1)),
        (
            "a lobby of one seat",
            ["lobby", bytes(16), "t", "g", OPTIONS, 1, [["s", KEY, True, True]]],
        ),
        ("a lobby without anybody", ["lobby", bytes(16), "t", "g", OPTIONS, 2, []]),
    ]
    payloads: list[tuple[str, Any]] = [
        ("a verb of 33 characters", ["act", "x" * 33, [], -1]),
        ("17 slots", ["act", "discard", [1] * 17, -1]),
        ("a target of -2", ["act", "discard", [1], -2]),
        ("a target of 8", ["act", "discard", [1], 8]),
        ("cards of 63 bytes", ["shuffled", bytes(63), bytes(32)]),
        ("cards of more than 256 slots", ["shuffled", bytes(64 * 256 + 1), bytes(32)]),
        ("a proof of a shuffle over its bound", ["shuffled", bytes(64), bytes(65_537)]),
        ("a proof of shares over its bound", ["shares", bytes(32), bytes(1_025)]),
        ("shares of more than 256 slots", ["shares", bytes(32 * 256 + 1), bytes(32)]),
        ("a published key of 31 bytes", ["key-published", bytes(31)]),
        ("a key of 31 bytes", ["key-open", bytes(31), bytes(64), HASH]),
        ("no order", ["ordered", []]),
    ]
    refused = [_refuse(name, "schema", message) for name, message in cases]
    return refused + [_refuse(name, "schema", body(p), "lane-body") for name, p in payloads]


def _not_canonical() -> list[Case]:
    def join(number: bytes) -> list[Any]:
        return ["join", Raw(number), *JOIN[2:]]

    def act(target: bytes) -> list[Any]:
        return body([*ACT[:3], Raw(target)])

    cases: list[tuple[str, Any]] = [
        ("5 as uint 8", join(b"\xcc\x05")),
        ("5 as uint 16", join(b"\xcd\x00\x05")),
        ("5 as uint 32", join(b"\xce\x00\x00\x00\x05")),
        ("5 as uint 64", join(b"\xcf" + bytes(7) + b"\x05")),
        ("5 as int 8", join(b"\xd0\x05")),
        ("5 as int 64", join(b"\xd3" + bytes(7) + b"\x05")),
        ("200 as int 16", join(b"\xd1\x00\xc8")),
        ("200 as uint 16", join(b"\xcd\x00\xc8")),
        ("a tag as str 8", [Raw(b"\xd9\x05ready"), *READY[1:]]),
        ("a tag as str 32", [Raw(b"\xdb\x00\x00\x00\x05ready"), *READY[1:]]),
        ("a hash as bin 16", ["have", Raw(b"\xc5\x00\x20" + HASH), *HAVE[2:]]),
        ("a hash as bin 32", ["have", Raw(b"\xc6\x00\x00\x00\x20" + HASH), *HAVE[2:]]),
        ("an array as array 16", Raw(b"\xdc\x00\x04" + pack(READY)[1:])),
        ("an array as array 32", Raw(b"\xdd\x00\x00\x00\x04" + pack(READY)[1:])),
        ("an empty array as array 16", [*JOIN[:6], Raw(b"\xdc\x00\x00")]),
    ]
    bodies: list[tuple[str, Any]] = [
        ("-1 as int 8", act(b"\xd0\xff")),
        ("-1 as int 16", act(b"\xd1\xff\xff")),
        ("-1 as int 64", act(b"\xd3" + b"\xff" * 8)),
    ]
    refused = [_refuse(name, "canonical", message) for name, message in cases]
    return refused + [_refuse(name, "canonical", data, "lane-body") for name, data in bodies]
