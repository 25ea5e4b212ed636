"""The one canonical encoding of a game state, and its digest.

Every value has exactly one encoding, and no encoding is the beginning of another's, so that equal
bytes mean equal values. With ASCII letters and decimal numbers without leading zeros:

    None      n
    booleans  f, t
    integers  i <number> e
    strings   <length of the UTF-8 in bytes> : <UTF-8>
    tuples    ( <items> )
    records   { <class name as a string> <fields in the order of their declaration> }

A record is a frozen dataclass; fields that do not count in comparisons (`compare=False`) are no
part of its value. Nothing else can be encoded: no floats, maps, sets or lists, whose order or form
could differ between peers.
"""

import hashlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

STATE_LABEL = b"p2pjong/v1/state\n"


def encode(value: object) -> bytes:
    """The canonical encoding; TypeError on a value that has none."""
    parts: list[str] = []
    _append(value, parts.append)
    return "".join(parts).encode()


def digest(state: object) -> bytes:
    """32 bytes that stand for the state: SHA-256 over a label and the canonical encoding."""
    return hashlib.sha256(STATE_LABEL + encode(state)).digest()


Append = Callable[[str], None]


def _append(value: object, append: Append) -> None:
    encoder = _ENCODERS.get(type(value)) or _learn(type(value))
    encoder(value, append)


def _append_str(value: str, append: Append) -> None:
    size = len(value) if value.isascii() else len(value.encode())
    append(f"{size}:{value}")


def _append_tuple(value: tuple[object, ...], append: Append) -> None:
    append("(")
    for item in value:
        kind = type(item)
        if kind is int:
            append(f"i{item}e")
        else:
            (_ENCODERS.get(kind) or _learn(kind))(item, append)
    append(")")


_ENCODERS: dict[type, Callable[[Any, Append], None]] = {
    type(None): lambda value, append: append("n"),
    bool: lambda value, append: append("t" if value else "f"),
    int: lambda value, append: append(f"i{value}e"),
    str: _append_str,
    tuple: _append_tuple,
}


def _learn(kind: type) -> Callable[[Any, Append], None]:
    """The encoder of a class of records, made on first sight."""
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise TypeError(f"a {kind.__name__} has no canonical encoding")
    names = [field.name for field in fields(kind) if field.compare]
    opening = "{" + f"{len(kind.__name__.encode())}:{kind.__name__}"

    def append_record(value: object, append: Append) -> None:
        append(opening)
        for name in names:
            _append(getattr(value, name), append)
        append("}")

    _ENCODERS[kind] = append_record
    return append_record
