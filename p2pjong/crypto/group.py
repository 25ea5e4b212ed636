"""ristretto255 (RFC 9496) through libsodium: points as canonical bytes, scalars as integers.

Implements "The group" of `protocol/shuffle.md`. Every `Point` in the program was either decoded
here, which refuses all other encodings and the identity, or computed from such points.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from typing import NewType, TypeAlias

import rbcl

from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof

Point = NewType("Point", bytes)
Scalar: TypeAlias = int
Term: TypeAlias = tuple[Scalar, Point]

ORDER = 2**252 + 27742317777372353535851937790883648493
POINT_BYTES = 32
SCALAR_BYTES = 32
IDENTITY = Point(bytes(POINT_BYTES))


def frame(*parts: bytes) -> bytes:
    """One byte string for a list of byte strings, so that no two lists share it."""
    sized = [len(part).to_bytes(4, "big") + part for part in parts]
    return len(parts).to_bytes(4, "big") + b"".join(sized)


def encode_scalar(scalar: Scalar) -> bytes:
    return (scalar % ORDER).to_bytes(SCALAR_BYTES, "little")


def encode_scalars(scalars: Iterable[Scalar]) -> bytes:
    return b"".join(encode_scalar(scalar) for scalar in scalars)


def decode_scalar(encoding: bytes) -> Scalar:
    """Strict: 32 bytes, below the group order."""
    if len(encoding) != SCALAR_BYTES:
        raise InvalidEncoding(f"a scalar has 32 bytes, not {len(encoding)}")
    scalar = int.from_bytes(encoding, "little")
    if scalar >= ORDER:
        raise InvalidEncoding("scalar not below the group order")
    return scalar


def decode_point(encoding: bytes) -> Point:
    """Strict: the canonical encoding of a point that is not the identity."""
    if len(encoding) != POINT_BYTES:
        raise InvalidEncoding(f"a point has 32 bytes, not {len(encoding)}")
    if encoding == IDENTITY:
        raise InvalidEncoding("the identity is never sent")
    if not rbcl.crypto_core_ristretto255_is_valid_point(encoding):
        raise InvalidEncoding("not a canonical point")
    return Point(encoding)


def decode_points(encoding: bytes, count: int) -> tuple[Point, ...]:
    """Strict: exactly `count` points, one after the other."""
    return tuple(decode_point(item) for item in _split(encoding, count, POINT_BYTES))


def decode_scalars(encoding: bytes, count: int) -> tuple[Scalar, ...]:
    """Strict: exactly `count` scalars, one after the other."""
    return tuple(decode_scalar(item) for item in _split(encoding, count, SCALAR_BYTES))


def _split(encoding: bytes, count: int, size: int) -> list[bytes]:
    if len(encoding) != count * size:
        raise InvalidEncoding(f"expected {count * size} bytes, got {len(encoding)}")
    return [encoding[start : start + size] for start in range(0, len(encoding), size)]


def add(first: Point, second: Point) -> Point:
    return Point(rbcl.crypto_core_ristretto255_add(first, second))


def subtract(first: Point, second: Point) -> Point:
    return Point(rbcl.crypto_core_ristretto255_sub(first, second))


def multiply(scalar: Scalar, point: Point) -> Point:
    """Constant time in both; a result that is the identity is refused."""
    try:
        return Point(rbcl.crypto_scalarmult_ristretto255(encode_scalar(scalar), point))
    except RuntimeError as error:
        raise InvalidProof("a multiplication gave the identity") from error


def multiply_base(scalar: Scalar) -> Point:
    """The generator of RFC 9496 times a scalar, by libsodium's table, in constant time."""
    try:
        return Point(rbcl.crypto_scalarmult_ristretto255_base(encode_scalar(scalar)))
    except RuntimeError as error:
        raise InvalidProof("a multiplication gave the identity") from error


BASE = multiply_base(1)


def combine(terms: Iterable[Term]) -> Point:
    """The sum of scalar times point over all terms; it may be the identity.

    Equal points are multiplied once and the generator by its table. Which points are equal is
    public, so this gives nothing away about secret scalars.
    """
    merged: dict[Point, Scalar] = {}
    for scalar, point in terms:
        merged[point] = merged.get(point, 0) + scalar
    total = IDENTITY
    for point, scalar in merged.items():
        total = _accumulate(total, scalar % ORDER, point)
    return total


def _accumulate(total: Point, scalar: Scalar, point: Point) -> Point:
    if scalar == 0:
        return total
    if point == BASE:
        product = multiply_base(scalar)
    else:
        product = point if scalar == 1 else multiply(scalar, point)
    return product if total == IDENTITY else add(total, product)


def reduce_wide(digest: bytes) -> Scalar:
    """64 uniform bytes to a scalar whose distance from uniform is below 2^-250."""
    assert len(digest) == 64
    return int.from_bytes(digest, "little") % ORDER


def map_to_group(uniform: bytes) -> Point:
    """64 uniform bytes to a point (RFC 9496, 4.3.4)."""
    return Point(rbcl.crypto_core_ristretto255_from_hash(uniform))


def hash_to_group(*label: bytes) -> Point:
    """A point whose logarithm nobody knows."""
    return map_to_group(hashlib.sha512(frame(b"p2pjong/v1/hash-to-group", *label)).digest())


@cache
def generators(count: int) -> tuple[Point, ...]:
    """The commitment generators H_1 .. H_count, the same for everybody and for ever."""
    return tuple(hash_to_group(b"generator", index.to_bytes(4, "big")) for index in range(count))


@cache
def face_point(game: str, face: str) -> Point:
    """The point of a face: one a face, so that copies of a card cannot be told apart."""
    return hash_to_group(b"face", game.encode(), face.encode())
