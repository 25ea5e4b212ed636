"""A small table's keys, deck and hands for the tests of `p2pjong.crypto`, and its vandals."""

from collections.abc import Iterator, Sequence

from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    BASE,
    ORDER,
    Point,
    add,
    decode_scalar,
    encode_scalar,
    face_point,
    multiply,
)
from p2pjong.crypto.masking import Ciphertext, KeyPair, make_key, veil_faces
from p2pjong.crypto.shuffle import Shuffled, shuffle_slots

CONTEXT = b"charter/epoch 1/step 7/seat 0"
# Every way in which a proof can turn up at a place that it was not made for.
OTHER_CONTEXTS = {
    "seat": b"charter/epoch 1/step 7/seat 1",
    "hand": b"charter/epoch 2/step 7/seat 0",
    "table": b"another/epoch 1/step 7/seat 0",
    "step": b"charter/epoch 1/step 8/seat 0",
    "nothing": b"",
}
FACES = tuple(face_point("test", face) for face in ("A", "B", "C", "D", "E"))

IDENTITY_BYTES = bytes(32)
NOT_A_POINT = bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371")
NEGATIVE_POINT = bytes.fromhex("0100000000000000000000000000000000000000000000000000000000000000")
BAD_POINTS = (IDENTITY_BYTES, NOT_A_POINT, NEGATIVE_POINT)
BAD_SCALARS = (ORDER.to_bytes(32, "little"), (2**255 - 1).to_bytes(32, "little"), b"\xff" * 32)


def entropy_of(seat: int) -> Entropy:
    return Entropy(bytes([seat + 1]) * 32, b"charter")


def keys_of(seats: int) -> list[KeyPair]:
    return [make_key(b"epoch 1", entropy_of(seat)) for seat in range(seats)]


def hand_of(key: Point, faces: Sequence[Point] = FACES[:4], seat: int = 0) -> Shuffled:
    """Freshly shuffled slots under one key, with the secrets of the shuffle."""
    start = veil_faces(faces, key)
    return shuffle_slots(b"deal", key, start, entropy_of(seat))


def moved(point: Point) -> Point:
    """Another point."""
    return add(point, BASE)


def words(encoding: bytes) -> list[bytes]:
    return [encoding[start : start + 32] for start in range(0, len(encoding), 32)]


def with_word(encoding: bytes, index: int, word: bytes) -> bytes:
    return encoding[: 32 * index] + word + encoding[32 * (index + 1) :]


def moved_points(encoding: bytes, count: int) -> Iterator[bytes]:
    """The encoding with each of its first `count` points in turn replaced by another."""
    for index, word in enumerate(words(encoding)[:count]):
        yield with_word(encoding, index, moved(Point(word)))


def moved_scalars(encoding: bytes, start: int) -> Iterator[bytes]:
    """The encoding with each scalar from word `start` on in turn replaced by another."""
    for index, word in enumerate(words(encoding)[start:], start):
        yield with_word(encoding, index, encode_scalar(decode_scalar(word) + 1))


def malformed(encoding: bytes, points: int) -> Iterator[bytes]:
    """Encodings of the wrong size, and those with a bad point or scalar at each place."""
    yield from (b"", encoding[:-1], encoding[1:], encoding + b"\0", encoding + encoding[-32:])
    for index in range(len(encoding) // 32):
        for bad in BAD_POINTS if index < points else BAD_SCALARS:
            yield with_word(encoding, index, bad)


def moved_slots(slots: Sequence[Ciphertext]) -> Iterator[tuple[Ciphertext, ...]]:
    """The slots with one component of one slot in turn replaced by another point."""
    for index, slot in enumerate(slots):
        for other in (Ciphertext(moved(slot.a), slot.b), Ciphertext(slot.a, moved(slot.b))):
            yield (*slots[:index], other, *slots[index + 1 :])


def moved_each(points: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    for index, point in enumerate(points):
        yield (*points[:index], moved(point), *points[index + 1 :])


def masked(face: Point, mask: int, key: Point) -> Ciphertext:
    """A slot made by hand."""
    return Ciphertext(multiply(mask, BASE), add(face, multiply(mask, key)))
