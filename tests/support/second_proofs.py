"""Group, commitments and proofs for the second verifier: written from `protocol/shuffle.md` alone.

Imports nothing of the project. Every equation is checked by itself, none of them together. Letters
are those of the page.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

import rbcl

Point: TypeAlias = bytes
Slot: TypeAlias = tuple[Point, Point]

ORDER = (1 << 252) + 27742317777372353535851937790883648493
IDENTITY = bytes(32)


class Refused(Exception):
    """A proof, point, scalar or opening that is refused; the text is the failure class."""


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def frame(*parts: bytes) -> bytes:
    return u32(len(parts)) + b"".join(u32(len(part)) + part for part in parts)


def sha512(*parts: bytes) -> bytes:
    return hashlib.sha512(frame(*parts)).digest()


def is_secret_of(encoding: bytes, public: Point) -> bool:
    """Whether this is the one encoding of the secret key of a public key."""
    secret = int.from_bytes(encoding, "little")
    return 0 < secret < ORDER and times(secret, G) == public


# --- The group ----------------------------------------------------------------------------------


def times(scalar: int, point: Point) -> Point:
    """A multiple, which may be the identity."""
    scalar %= ORDER
    if scalar == 0 or point == IDENTITY:
        return IDENTITY
    product: bytes = rbcl.crypto_scalarmult_ristretto255(scalar.to_bytes(32, "little"), point)
    return product


def plus(one: Point, other: Point) -> Point:
    total: bytes = rbcl.crypto_core_ristretto255_add(one, other)
    return total


def minus(one: Point, other: Point) -> Point:
    difference: bytes = rbcl.crypto_core_ristretto255_sub(one, other)
    return difference


G: Point = rbcl.crypto_scalarmult_ristretto255_base((1).to_bytes(32, "little"))


def total(terms: Sequence[tuple[int, Point]]) -> Point:
    """The sum of multiples."""
    result = IDENTITY
    for scalar, point in terms:
        result = plus(result, times(scalar, point))
    return result


@cache
def hash_to_group(*parts: bytes) -> Point:
    point: bytes = rbcl.crypto_core_ristretto255_from_hash(
        sha512(b"p2pjong/v1/hash-to-group", *parts)
    )
    return point


def generators(count: int) -> list[Point]:
    return [hash_to_group(b"generator", u32(index)) for index in range(count)]


def face_point(game: str, face: str) -> Point:
    return hash_to_group(b"face", game.encode(), face.encode())


def points(data: bytes, count: int) -> list[Point]:
    """Exactly so many points."""
    if len(data) != 32 * count:
        raise Refused("encoding")
    found = [data[32 * i : 32 * i + 32] for i in range(count)]
    for point in found:
        if point == IDENTITY or not rbcl.crypto_core_ristretto255_is_valid_point(point):
            raise Refused("encoding")
    return found


def scalars(data: bytes, count: int) -> list[int]:
    """Exactly so many scalars."""
    if len(data) != 32 * count:
        raise Refused("encoding")
    found = [int.from_bytes(data[32 * i : 32 * i + 32], "little") for i in range(count)]
    if any(scalar >= ORDER for scalar in found):
        raise Refused("encoding")
    return found


def slots(data: bytes, count: int) -> list[Slot]:
    """Exactly so many slots."""
    found = points(data, 2 * count)
    return list(zip(found[::2], found[1::2], strict=True))


def scalar_bytes(values: Sequence[int]) -> bytes:
    return b"".join((value % ORDER).to_bytes(32, "little") for value in values)


def slot_bytes(values: Sequence[Slot]) -> bytes:
    return b"".join(a + b for a, b in values)


def require(holds: bool, failure: str = "proof") -> None:
    if not holds:
        raise Refused(failure)


# --- Transcripts --------------------------------------------------------------------------------


class Transcript:
    """A SHA-512 that is fed frames."""

    def __init__(self, label: str, context: bytes) -> None:
        self.fed = frame(label.encode(), context)

    def absorb(self, name: str, content: bytes) -> None:
        self.fed += frame(name.encode(), content)

    def draw(self, name: str, count: int) -> list[int]:
        self.absorb(name, u32(count))
        seal = hashlib.sha512(self.fed).digest()
        blocks = [sha512(b"p2pjong/v1/challenge", seal, u32(index)) for index in range(count)]
        return [int.from_bytes(block, "little") % ORDER for block in blocks]


# --- Commitments and tosses ---------------------------------------------------------------------


def check_opening(context: bytes, commitment: bytes, content: bytes, nonce: bytes) -> None:
    require(len(nonce) == 32, "encoding")
    made = sha512(b"p2pjong/v1/commitment", context, content, nonce)[:32]
    require(made == commitment)


def toss(context: bytes, parts: Sequence[bytes], bound: int) -> int:
    seed = sha512(b"p2pjong/v1/toss", context, *parts)
    limit, index = (1 << 64) - (1 << 64) % bound, 0
    while True:
        word = int.from_bytes(sha512(b"p2pjong/v1/toss-word", seed, u32(index))[:8], "big")
        if word < limit:
            return word % bound
        index += 1


# --- Proofs -------------------------------------------------------------------------------------


def check_key(context: bytes, key: bytes, proof: bytes) -> None:
    (public,) = points(key, 1)
    require(len(proof) == 64, "encoding")
    (commitment,), (response,) = points(proof[:32], 1), scalars(proof[32:], 1)
    transcript = Transcript("p2pjong/v1/key", context)
    transcript.absorb("key", public)
    transcript.absorb("commitment", commitment)
    (challenge,) = transcript.draw("challenge", 1)
    require(times(response, G) == plus(commitment, times(challenge, public)))


def check_shares(
    context: bytes, public: Point, asked: Sequence[Slot], data: bytes, proof: bytes
) -> list[Point]:
    """The shares in `data`, one of each slot asked for."""
    shares = points(data, len(asked))
    require(len(proof) == 96, "encoding")
    (s, t), (z,) = points(proof[:64], 2), scalars(proof[64:], 1)
    transcript = Transcript("p2pjong/v1/shares", context)
    transcript.absorb("key", public)
    transcript.absorb("slots", slot_bytes(asked))
    transcript.absorb("shares", data)
    weights = [1, *transcript.draw("weights", len(asked) - 1)]
    transcript.absorb("commitments", s + t)
    (c,) = transcript.draw("challenge", 1)
    require(times(z, G) == plus(s, times(c, public)))
    of_slots = total([(weight, a) for weight, (a, _) in zip(weights, asked, strict=True)])
    of_shares = total(list(zip(weights, shares, strict=True)))
    require(times(z, of_slots) == plus(t, times(c, of_shares)))
    return shares


def check_shuffle(
    context: bytes, key: Point, before: Sequence[Slot], data: bytes, proof: bytes
) -> list[Slot]:
    """The slots in `data`, which must be those before, shuffled under the key."""
    n = len(before)
    after = slots(data, n)
    require(len(proof) == (96 * n + 256 if n > 1 else 384), "encoding")
    c, d, e_a, e_b, big_v, big_u, big_w = points(proof[:224], 7)
    numbers = scalars(proof[224:], len(proof) // 32 - 7)
    f, z, v, p = numbers[:n], numbers[n], numbers[n + 1 : 2 * n + 1], numbers[2 * n + 1 : -2]
    z_v, z_p = numbers[-2:]

    transcript = Transcript("p2pjong/v1/shuffle", context)
    transcript.absorb("key", key)
    transcript.absorb("before", slot_bytes(before))
    transcript.absorb("after", data)
    transcript.absorb("places", c + d + e_a + e_b)
    t = transcript.draw("t", n)
    transcript.absorb("f", scalar_bytes(f))
    transcript.absorb("z", scalar_bytes([z]))
    y, x = transcript.draw("y-x", 2)
    transcript.absorb("product", big_v + big_u + big_w)
    (e,) = transcript.draw("e", 1)

    product = e
    for j in range(1, n + 1):
        product = product * (y * j + t[j - 1] - x) % ORDER
    chain = [v[0], *p, product] if n > 1 else [product]
    require(v[0] == chain[0])
    steps = [(e * chain[i] - chain[i - 1] * v[i]) % ORDER for i in range(1, n)]

    def sides(part: Callable[[Slot], Point]) -> list[tuple[int, Point]]:
        new = [(scalar, part(slot)) for scalar, slot in zip(f, after, strict=True)]
        return new + [(-scalar, part(slot)) for scalar, slot in zip(t, before, strict=True)]

    h = generators(n)
    require(total(sides(lambda slot: slot[0])) == plus(e_a, times(z, G)))
    require(total(sides(lambda slot: slot[1])) == plus(e_b, times(z, key)))
    left = [(e * y, c), (-e, d), (1, big_v)]
    left += [(e * (f[i] - x), h[i]) for i in range(n)]
    require(total(left) == total([(z_v, G), *zip(v, h, strict=True)]))
    right = [(z_p, G), *zip(steps, h, strict=False)]
    require(plus(times(e, big_w), big_u) == total(right))
    return after


def check_switch(
    context: bytes, keys: tuple[Point, Point], before: Sequence[Slot], data: bytes, proof: bytes
) -> list[Slot]:
    """The slots in `data`, which must be those before, brought from the first key to the second."""
    after = slots(data, len(before))
    require(len(proof) == 160, "encoding")
    r, s, t = points(proof[:96], 3)
    z_x, z_s = scalars(proof[96:], 2)
    x, y = keys
    require(x != y, "statement")
    transcript = Transcript("p2pjong/v1/switch", context)
    transcript.absorb("keys", x + y)
    transcript.absorb("before", slot_bytes(before))
    transcript.absorb("after", slot_bytes(after))
    weights = [1, *transcript.draw("weights", len(before) - 1)]
    transcript.absorb("commitments", proof[:96])
    (c,) = transcript.draw("challenge", 1)
    old_a = total([(w, a) for w, (a, _) in zip(weights, before, strict=True)])
    new_a = total([(w, a) for w, (a, _) in zip(weights, after, strict=True)])
    moved = total([(w, minus(n[1], o[1])) for w, o, n in zip(weights, before, after, strict=True)])
    require(times(z_x, G) == plus(r, times(c, x)))
    require(times(z_s, G) == plus(s, times(c, new_a)))
    require(minus(times(z_s, y), times(z_x, old_a)) == plus(t, times(c, moved)))
    return after


def check_membership(
    context: bytes, public: Point, held: Sequence[Slot], faces: Sequence[Point], proof: bytes
) -> None:
    """Each slot, under the key, bears one of the faces."""
    n, k = len(held), len(faces)
    require(len(proof) == 64 * n * k, "encoding")
    numbers = scalars(proof, 2 * n * k)
    require(n > 0 and k > 0 and len(set(faces)) == k, "statement")
    transcript = Transcript("p2pjong/v1/membership", context)
    transcript.absorb("key", public)
    transcript.absorb("slots", slot_bytes(held))
    transcript.absorb("faces", b"".join(faces))
    sums = []
    for i, (a, b) in enumerate(held):
        row = numbers[2 * k * i : 2 * k * (i + 1)]
        commitments = b""
        for m, c, z in zip(faces, row[::2], row[1::2], strict=True):
            require(c != 0 and z != 0 and b != m)
            commitments += minus(times(z, G), times(c, public))
            commitments += minus(times(z, a), times(c, minus(b, m)))
        transcript.absorb("commitments", commitments)
        sums.append(sum(row[::2]) % ORDER)
    (challenge,) = transcript.draw("challenge", 1)
    require(all(one == challenge for one in sums))
