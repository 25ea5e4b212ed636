"""Identity keys: those under which anyone may sign, and second spellings of one, are refused."""

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.wire.codec import DecodeError, encode
from p2pjong.wire.handshake import Hello, Role, decode_hello
from p2pjong.wire.keys import FIELD, SMALL_ORDER_Y, check_identity_key

# The curve by its equation (RFC 8032, 5.1), to hold the table to account.
D = -121665 * pow(121666, -1, FIELD) % FIELD
ORDER = 2**252 + 27742317777372353535851937790883648493
SIGN = 1 << 255
Point = tuple[int, int]


def add(first: Point, second: Point) -> Point:
    (x1, y1), (x2, y2) = first, second
    cross = D * x1 * x2 * y1 * y2 % FIELD
    x = (x1 * y2 + x2 * y1) * pow(1 + cross, -1, FIELD) % FIELD
    y = (y1 * y2 + x1 * x2) * pow(1 - cross, -1, FIELD) % FIELD
    return x, y


def times(scalar: int, point: Point) -> Point:
    total = (0, 1)
    for bit in bin(scalar)[2:]:
        total = add(total, total)
        total = add(total, point) if bit == "1" else total
    return total


def on_curve(y: int) -> Point | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    return (x, y) if x * x % FIELD == square else None


def torsion() -> set[Point]:
    """All points whose order divides 8: the multiples of one of order 8, and that of any point."""
    found: set[Point] = set()
    for y in range(2, 40):
        point = on_curve(y)
        if point is not None:
            small = times(ORDER, point)
            found |= {times(count, small) for count in range(8)}
    return found


def test_the_table_has_every_point_of_small_order_and_no_other() -> None:
    points = torsion()
    assert len(points) == 8
    assert {y for _, y in points} == SMALL_ORDER_Y


def encodings() -> list[bytes]:
    """Of all points of small order, the one encoding and all others that fit into 32 bytes."""
    ys = [y + more for y in SMALL_ORDER_Y for more in (0, FIELD) if y + more < SIGN]
    return [(y + sign).to_bytes(32, "little") for y in sorted(ys) for sign in (0, SIGN)]


@pytest.mark.parametrize("key", encodings(), ids=lambda key: key.hex()[:8] + key.hex()[-2:])
def test_no_key_of_small_order_passes_in_any_encoding(key: bytes) -> None:
    with pytest.raises(DecodeError):
        check_identity_key(key)
    with pytest.raises(DecodeError):
        decode_hello(encode(Hello(1, Role.DIALLER, key, bytes(16), bytes(32))))


def test_under_a_key_of_small_order_one_signature_is_good_for_anything() -> None:
    """Why they are refused: the library that verifies our signatures takes them."""
    neutral = (1).to_bytes(32, "little")
    forged = neutral + bytes(32)  # R the neutral element, S = 0
    for statement in (b"one", b"another"):
        Ed25519PublicKey.from_public_bytes(neutral).verify(forged, statement)
        with pytest.raises(InvalidSignature):
            Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().verify(forged, statement)


@pytest.mark.parametrize("y", [2, 3, 4, 18])
@pytest.mark.parametrize("sign", [0, SIGN])
def test_a_second_encoding_of_a_point_is_no_second_identity(y: int, sign: int) -> None:
    check_identity_key((y + sign).to_bytes(32, "little"))
    with pytest.raises(DecodeError, match="another encoding"):
        check_identity_key((y + FIELD + sign).to_bytes(32, "little"))


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_has_32_bytes(size: int) -> None:
    with pytest.raises(DecodeError, match="32 bytes"):
        check_identity_key(bytes([9]) * size)


@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_a_program_makes_passes(seed: bytes) -> None:
    check_identity_key(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())


def test_a_signature_has_one_form_alone() -> None:
    """S + L would verify in the plain equation (RFC 8032, 5.1.7): what was signed once must not
    have two signatures, so the library must refuse it. So it does, at R, too."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public, statement = private.public_key(), b"p2pjong"
    signature = private.sign(statement)
    public.verify(signature, statement)
    s = int.from_bytes(signature[32:], "little")
    over = [s + count * ORDER for count in range(1, 16) if s + count * ORDER < 1 << 256]
    assert over
    for other in over:
        with pytest.raises(InvalidSignature):
            public.verify(signature[:32] + other.to_bytes(32, "little"), statement)
    r = int.from_bytes(signature[:32], "little")
    with pytest.raises(InvalidSignature):
        public.verify((r ^ SIGN).to_bytes(32, "little") + signature[32:], statement)
