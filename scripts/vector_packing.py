"""msgpack for the vectors: any bytes in any place, which no codec would write."""

from dataclasses import dataclass
from typing import Any

import msgpack


@dataclass(frozen=True)
class Raw:
    """Bytes that stand for themselves within a message."""

    encoding: bytes


def pack(value: Any) -> bytes:
    """The shortest encoding of a value, with `Raw` parts as they are."""
    if isinstance(value, Raw):
        return value.encoding
    if isinstance(value, list):
        head: bytes = msgpack.Packer().pack_array_header(len(value))
        return head + b"".join(map(pack, value))
    packed: bytes = msgpack.packb(value)
    return packed


def unpack(data: bytes) -> Any:
    """The plain value of a message."""
    return msgpack.unpackb(data)


def to_json(value: Any) -> Any:
    """A message as the vectors write it: byte strings become {"hex": ..}."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [to_json(item) for item in value] if isinstance(value, list) else value
