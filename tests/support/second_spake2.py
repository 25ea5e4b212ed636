"""The check of a table's code a second time, from `protocol/code.md` alone. Slow and plain.

Imports nothing of the project and no package for SPAKE2: the curve's arithmetic is written out.
"""

import hashlib
import hmac
from typing import TypeAlias

Point: TypeAlias = tuple[int, int]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
NEUTRAL: Point = (0, 1)


class Malformed(Exception):
    """No element of the group, or not in its one encoding."""


# --- edwards25519, as in RFC 8032 ----------------------------------------------------------------


def x_of(y: int, is_odd: bool) -> int | None:
    """The x of that parity at y; None where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square or (x == 0 and is_odd):
        return None
    return x if x % 2 == is_odd else P - x


def added(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + y1 * x2) * pow(1 + product, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P)
    return x % P, y % P


def times(scalar: int, point: Point) -> Point:
    total = NEUTRAL
    while scalar:
        if scalar & 1:
            total = added(total, point)
        point = added(point, point)
        scalar >>= 1
    return total


def minus(point: Point) -> Point:
    return (-point[0] % P, point[1])


def encoded(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decoded(element: bytes) -> Point:
    """The element of the group; raises Malformed."""
    value = int.from_bytes(element, "little")
    y, is_odd = value % 2**255, value >= 2**255
    x = x_of(y, is_odd) if y < P else None
    if x is None or (x, y) == NEUTRAL or times(L, (x, y)) != NEUTRAL:
        raise Malformed
    return x, y


# --- SPAKE2 --------------------------------------------------------------------------------------


def hkdf(secret: bytes, info: bytes) -> int:
    """HKDF-SHA256 without salt (RFC 5869): 48 bytes, as an integer."""
    extracted = hmac.digest(bytes(32), secret, "sha256")
    first = hmac.digest(extracted, info + b"\x01", "sha256")
    second = hmac.digest(extracted, first + info + b"\x02", "sha256")
    return int.from_bytes((first + second)[:48])


def constant(name: bytes) -> Point:
    """M or N."""
    y = hkdf(name, b"SPAKE2 arbitrary element") % P
    while (x := x_of(y, is_odd=False)) is None:
        y = (y + 1) % P
    return times(8, (x, y))


BASE: Point = (x_of(4 * pow(5, -1, P) % P, is_odd=False) or 0, 4 * pow(5, -1, P) % P)
M, N = constant(b"M"), constant(b"N")


class Check:
    """All that follows from what both ends know, if they know the same."""

    def __init__(
        self, code: str, joiner: bytes, host: bytes, transcript: bytes, entropy: tuple[bytes, bytes]
    ) -> None:
        secret = code.encode()
        w = hkdf(secret, b"SPAKE2 pw") % L
        x, y = (int.from_bytes(random) % L for random in entropy)
        self.joiner_element = encoded(added(times(x, BASE), times(w, M)))
        self.host_element = encoded(added(times(y, BASE), times(w, N)))
        shared = times(y, added(decoded(self.joiner_element), minus(times(w, M))))
        assert shared == times(x, added(decoded(self.host_element), minus(times(w, N))))
        elements = self.joiner_element + self.host_element
        hashes = b"".join(hashlib.sha256(part).digest() for part in (secret, joiner, host))
        self.key = hashlib.sha256(hashes + elements + encoded(shared)).digest()
        confirmation = hmac.digest(self.key, b"p2pjong/v1/code-key\0", "sha256")
        bound = transcript + joiner + host + elements
        self.joiner_mac = hmac.digest(confirmation, b"p2pjong/v1/code-joiner\0" + bound, "sha256")
        self.host_mac = hmac.digest(confirmation, b"p2pjong/v1/code-host\0" + bound, "sha256")
