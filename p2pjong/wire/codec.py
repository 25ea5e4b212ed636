"""Bytes <-> typed messages: strict, bounded, and the same bytes for the same message.

Implements `protocol/messages.md`. A message is a msgpack array whose first element is its tag.
msgpack is not canonical (an integer has several encodings), so bytes that do not re-encode to
themselves are refused: two peers can never read one signature over two different messages.
"""

from typing import Any, TypeVar

import msgpack
import msgspec

T = TypeVar("T", bound=msgspec.Struct)

FRAME_BYTES_MAX = 1 << 20
NESTING_MAX = 8
# Of all arrays of a message together. The longest list, the addresses of eight seats, has 455.
ELEMENTS_MAX = 1024


class DecodeError(Exception):
    """Bytes that are no message of the expected type; the text says why, without quoting them."""


class Message(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all messages: a frozen struct encoded as an array, its tag first."""


def encode(message: msgspec.Struct) -> bytes:
    """The one encoding of a message."""
    packed: bytes = msgpack.packb(msgspec.to_builtins(message, builtin_types=(bytes,)))
    return packed


def decode(frame: bytes, kind: Any, bytes_max: int = FRAME_BYTES_MAX) -> Any:
    """The message of type `kind` (a Message class or a union of them) that `frame` encodes.

    Raises DecodeError on anything else: too long, over ELEMENTS_MAX, not msgpack, a map, an
    extension, deeper than NESTING_MAX, the wrong tag or types, values out of bounds, or another
    encoding of the same.
    """
    if len(frame) > bytes_max:
        raise DecodeError(f"{len(frame)} bytes, more than {bytes_max}")
    _check_elements(frame)
    plain = _unpack(frame)
    _check_nesting(plain, NESTING_MAX)
    try:
        message = msgspec.convert(plain, kind, strict=True, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise DecodeError(f"not a valid message: {_unquoted(error)}") from error
    if encode(message) != frame:
        raise DecodeError("not the canonical encoding")
    return message


def _unquoted(error: msgspec.ValidationError) -> str:
    """What is wrong. msgspec quotes a tag that it does not know, however long, and logs keep it."""
    text = str(error)
    return "an unknown tag" if text.startswith("Invalid") else text


def _headers() -> list[tuple[int, int, bool]]:
    """For each first byte of a value: how much follows (elements of an array, or bytes), or in how
    many bytes that is written; and whether it is an array."""
    past_any_end = (FRAME_BYTES_MAX, 0, False)
    headers = [(0, 0, False)] * 256  # numbers in themselves, nil, booleans
    headers[0x80:0x90] = [past_any_end] * 16  # maps: whoever unpacks refuses them
    headers[0x90:0xA0] = [(count, 0, True) for count in range(16)]
    headers[0xA0:0xC0] = [(count, 0, False) for count in range(32)]
    for first, widths in {0xC4: (1, 2, 4), 0xD9: (1, 2, 4)}.items():  # bytes, strings
        headers[first : first + 3] = [(0, width, False) for width in widths]
    headers[0xC7:0xCA] = [past_any_end] * 3  # extensions
    headers[0xD4:0xD9] = [past_any_end] * 5
    headers[0xCA:0xD4] = [(size, 0, False) for size in (4, 8, 1, 2, 4, 8, 1, 2, 4, 8)]
    headers[0xDC:0xE0] = [(0, 2, True), (0, 4, True), past_any_end, past_any_end]
    return headers


_HEADERS = _headers()


def _check_elements(frame: bytes) -> None:
    """Before anything is built of it: a MiB may announce a million values, and cost half a second.

    Goes from header to header; what is not well formed is left to who unpacks it.
    """
    awaited, announced, at = 1, 0, 0
    while awaited and at < len(frame):
        size, width, is_array = _HEADERS[frame[at]]
        at += 1 + width
        if width:
            size = int.from_bytes(frame[at - width : at], "big")
        awaited -= 1
        if is_array:
            awaited += size
            announced += size
            if announced > ELEMENTS_MAX:
                raise DecodeError(f"more than {ELEMENTS_MAX} elements")
        else:
            at += size


def _unpack(frame: bytes) -> Any:
    try:
        return msgpack.unpackb(
            frame, raw=False, use_list=True, strict_map_key=True, max_map_len=0, max_ext_len=0
        )
    except (ValueError, RecursionError) as error:
        # msgpack raises subclasses of ValueError for every malformed input.
        raise DecodeError("not well-formed msgpack within the limits") from error


def _check_nesting(value: Any, levels: int) -> None:
    if isinstance(value, list):
        if levels == 0:
            raise DecodeError(f"nested deeper than {NESTING_MAX} levels")
        for item in value:
            _check_nesting(item, levels - 1)
