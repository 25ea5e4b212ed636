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

    Raises DecodeError on anything else: too long, not msgpack, a map, an extension, deeper than
    NESTING_MAX, the wrong tag or types, values out of bounds, or another encoding of the same.
    """
    if len(frame) > bytes_max:
        raise DecodeError(f"{len(frame)} bytes, more than {bytes_max}")
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
