"""The codec: one encoding of each message, and every other byte string refused for a reason."""

import time
from typing import Annotated, Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from p2pjong.wire.codec import (
    ELEMENTS_MAX,
    FRAME_BYTES_MAX,
    NESTING_MAX,
    DecodeError,
    Message,
    _check_elements,
    decode,
    encode,
)


class Inner(Message, frozen=True):
    """Without a tag, as a part of others."""

    number: Annotated[int, Meta(ge=-1, lt=1 << 32)]
    names: Annotated[tuple[str, ...], Meta(max_length=3)]


class Outer(Message, tag="outer", frozen=True):
    """With a tag."""

    content: Annotated[bytes, Meta(max_length=100)]
    is_so: bool
    inner: Inner


class Other(Message, tag="other", frozen=True):
    """Another message of the same union."""


MESSAGE = Outer(b"\x00\xff", True, Inner(7, ("a", "ä")))
PLAIN: list[Any] = ["outer", b"\x00\xff", True, [7, ["a", "ä"]]]
FRAME = msgpack.packb(PLAIN)


def refused(frame: bytes, kind: Any = Outer | Other) -> str:
    with pytest.raises(DecodeError) as error:
        decode(frame, kind)
    return str(error.value)


def test_a_message_is_an_array_that_begins_with_its_tag() -> None:
    assert encode(MESSAGE) == FRAME
    assert decode(FRAME, Outer | Other) == MESSAGE
    assert decode(FRAME, Outer) == MESSAGE
    assert encode(Other()) == msgpack.packb(["other"])


@given(
    st.binary(max_size=100),
    st.booleans(),
    st.integers(-1, 2**32 - 1),
    st.lists(st.text(max_size=20), max_size=3),
)
def test_what_is_encoded_is_decoded(
    content: bytes, is_so: bool, number: int, names: list[str]
) -> None:
    message = Outer(content, is_so, Inner(number, tuple(names)))
    assert decode(encode(message), Outer | Other) == message


def test_an_unknown_tag_or_another_kind_is_refused() -> None:
    assert "unknown tag" in refused(msgpack.packb(["third", 1]))
    assert "unknown tag" in refused(FRAME, Other)


def test_a_refusal_never_repeats_what_was_sent() -> None:
    for plain in (
        ["\x1b[2J" * 50_000],
        ["outer", "\x1b[2J", 1],
        [["\x1b[2J"]],
        ["outer", *[7] * 9],
    ):
        text = refused(msgpack.packb(plain))
        assert "\x1b" not in text
        assert "[2J" not in text
        assert len(text) < 200


@pytest.mark.parametrize(
    "plain",
    [
        [],
        None,
        7,
        "outer",
        b"outer",
        ["outer"],
        PLAIN[:-1],
        [*PLAIN, 0],
        ["outer", "text", True, [7, []]],
        ["outer", b"", 1, [7, []]],
        ["outer", b"", None, [7, []]],
        ["outer", b"", True, [7.0, []]],
        ["outer", b"", True, ["7", []]],
        ["outer", b"", True, [True, []]],
        ["outer", b"", True, [-2, []]],
        ["outer", b"", True, [2**32, []]],
        ["outer", b"", True, [7, [], 1]],
        ["outer", b"", True, [7, [b"a"]]],
        ["outer", b"", True, [7, ["a"] * 4]],
        ["outer", bytes(101), True, [7, []]],
        [b"outer", b"", True, [7, []]],
    ],
)
def test_wrong_types_numbers_and_sizes_are_refused(plain: Any) -> None:
    assert refused(msgpack.packb(plain))


@pytest.mark.parametrize(
    "plain",
    [
        {"outer": 1},
        ["outer", b"", True, {7: []}],
        ["outer", b"", True, [7, [{}]]],
        ["outer", b"", True, msgpack.ExtType(1, b"x")],
        ["outer", b"", True, msgpack.ExtType(1, b"")],
        ["outer", b"", True, msgpack.Timestamp(1)],
    ],
)
def test_maps_and_extensions_are_refused(plain: Any) -> None:
    assert refused(msgpack.packb(plain))


# Other encodings of what the frame says, one number or length written larger than it need be.
OTHER_ENCODINGS = {
    "an array of 16 bits of length": b"\xdc\x00\x04" + FRAME[1:],
    "an array of 32 bits of length": b"\xdd\x00\x00\x00\x04" + FRAME[1:],
    "a string of 8 bits of length": FRAME.replace(b"\xa5outer", b"\xd9\x05outer"),
    "a string of 32 bits of length": FRAME.replace(b"\xa5outer", b"\xdb\x00\x00\x00\x05outer"),
    "bytes of 16 bits of length": FRAME.replace(b"\xc4\x02", b"\xc5\x00\x02"),
    "bytes of 32 bits of length": FRAME.replace(b"\xc4\x02", b"\xc6\x00\x00\x00\x02"),
    "a number of 8 bits": FRAME.replace(b"\x92\x07", b"\x92\xcc\x07"),
    "a number of 64 bits": FRAME.replace(b"\x92\x07", b"\x92\xcf" + bytes(7) + b"\x07"),
    "a signed number": FRAME.replace(b"\x92\x07", b"\x92\xd0\x07"),
    "a broken number": FRAME.replace(b"\x92\x07", b"\x92\xca\x40\xe0\x00\x00"),
    "bytes behind it": FRAME + b"\xc0",
    "itself twice": FRAME + FRAME,
    "its last byte missing": FRAME[:-1],
}


@pytest.mark.parametrize("name", OTHER_ENCODINGS)
def test_no_other_bytes_mean_the_same_message(name: str) -> None:
    assert OTHER_ENCODINGS[name] != FRAME
    assert refused(OTHER_ENCODINGS[name])


def test_a_string_that_is_not_utf_8_is_refused() -> None:
    assert refused(FRAME.replace("ä".encode(), b"\xff\xfe"))
    surrogate = b"\xed\xa0\x80"
    assert refused(
        msgpack.packb(["outer", b"", True, [7, []]]).replace(b"\x90", b"\x91\xa3" + surrogate)
    )


def test_a_frame_over_the_limit_is_refused_unread() -> None:
    assert "more than" in refused(bytes(FRAME_BYTES_MAX + 1))
    with pytest.raises(DecodeError, match="30 bytes, more than 29"):
        decode(bytes(30), Outer, bytes_max=29)


# A frame may be a MiB, and each byte of it a value of its own.
MANY = FRAME_BYTES_MAX - 5
SWARMS = {
    "empty arrays": b"\xdd" + MANY.to_bytes(4, "big") + b"\x90" * MANY,
    "numbers": b"\xdd" + MANY.to_bytes(4, "big") + bytes(MANY),
    "arrays of fifteen": b"\xdc\xff\xff" + (b"\x9f" + bytes(15)) * 65_535,
    "one in the other": b"\xdc\x00\x40" * 300_000,
}


@pytest.mark.parametrize("name", SWARMS)
def test_a_swarm_of_values_is_refused_before_any_is_made(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(msgpack, "unpackb", lambda *_, **__: pytest.fail("built them all"))
    assert len(SWARMS[name]) <= FRAME_BYTES_MAX
    assert f"more than {ELEMENTS_MAX} elements" in refused(SWARMS[name])


def test_refusing_a_swarm_costs_next_to_nothing() -> None:
    """It took half a second of the event loop; a tenth of what making it takes is plenty."""

    def cost_s(call: Any) -> float:
        costs = []
        for _ in range(3):
            began_s = time.process_time()
            call()
            costs.append(time.process_time() - began_s)
        return min(costs)

    tenth = MANY // 10
    tenth_of_it = b"\xdd" + tenth.to_bytes(4, "big") + b"\x90" * tenth
    swarm = SWARMS["empty arrays"]
    assert cost_s(lambda: refused(swarm)) < cost_s(lambda: msgpack.unpackb(tenth_of_it))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.binary(max_size=300)
    | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=20),
)


def elements(value: Any) -> int:
    return len(value) + sum(map(elements, value)) if isinstance(value, list) else 0


@pytest.mark.slow
@settings(max_examples=50)
@given(VALUES)
def test_elements_are_counted_as_they_are_whatever_stands_between_them(value: Any) -> None:
    """As many more as there is room for pass beside it, one more does not."""
    room = ELEMENTS_MAX - 2 - elements(value)
    _check_elements(msgpack.packb([value, [0] * room]))
    with pytest.raises(DecodeError, match="elements"):
        _check_elements(msgpack.packb([value, [0] * (room + 1)]))


def nested(levels: int) -> bytes:
    return b"\x91" * levels + b"\x90"


def test_nesting_is_bounded() -> None:
    assert "deeper" in refused(nested(NESTING_MAX))
    assert "deeper" not in refused(nested(NESTING_MAX - 1))
    assert refused(nested(FRAME_BYTES_MAX - 1)), "however deep, without running out of stack"


@pytest.mark.parametrize(
    "header", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff"]
)
def test_a_length_that_lies_costs_nothing(header: bytes) -> None:
    assert refused(header + bytes(10))


@settings(max_examples=300)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_refused(frame: bytes) -> None:
    try:
        message = decode(frame, Outer | Other)
    except DecodeError:
        return
    assert encode(message) == frame


@settings(max_examples=300)
@given(place=st.integers(0, len(FRAME) - 1), byte=st.integers(0, 255))
def test_one_other_byte_is_another_message_or_none(place: int, byte: int) -> None:
    frame = FRAME[:place] + bytes([byte]) + FRAME[place + 1 :]
    try:
        message = decode(frame, Outer | Other)
    except DecodeError:
        return
    assert (message == MESSAGE) == (frame == FRAME)


def test_messages_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        MESSAGE.is_so = False  # type: ignore[misc]
    assert hash(MESSAGE) == hash(decode(FRAME, Outer))
