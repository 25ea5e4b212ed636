"""A second verifier, written from `protocol/shuffle.md` alone: no code of ours, no shortcuts.

It checks equation by equation, so it also holds the combined checks of `p2pjong.crypto` to account.
"""

import hashlib
from collections.abc import Sequence

import rbcl

ORDER = 2**252 + 27742317777372353535851937790883648493
ZERO = bytes(32)
Slot = tuple[bytes, bytes]


class Refused(Exception):
    """With the failure class as its only argument."""


def need(holds: bool, failure: str) -> None:
    if not holds:
        raise Refused(failure)


# --- The group ----------------------------------------------------------------------------------


def little(scalar: int) -> bytes:
    return (scalar % ORDER).to_bytes(32, "little")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def times(scalar: int, point: bytes) -> bytes:
    if scalar % ORDER == 0 or point == ZERO:
        return ZERO
    return bytes(rbcl.crypto_scalarmult_ristretto255(little(scalar), point))


def plus(*points: bytes) -> bytes:
    total = ZERO
    for point in points:
        total = rbcl.crypto_core_ristretto255_add(total, point)
    return total


def minus(first: bytes, second: bytes) -> bytes:
    return bytes(rbcl.crypto_core_ristretto255_sub(first, second))


def total(scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
    return plus(*(times(s, p) for s, p in zip(scalars, points, strict=True)))


def frame(*parts: bytes) -> bytes:
    return u32(len(parts)) + b"".join(u32(len(part)) + part for part in parts)


def generator(index: int) -> bytes:
    label = frame(b"p2pjong/v1/hash-to-group", b"generator", u32(index - 1))
    return bytes(rbcl.crypto_core_ristretto255_from_hash(hashlib.sha512(label).digest()))


G = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")


def com(values: Sequence[int], mask: int) -> bytes:
    named = [times(value, generator(i)) for i, value in enumerate(values, 1)]
    return plus(times(mask, G), *named)


def points_of(encoding: bytes) -> list[bytes]:
    need(len(encoding) % 32 == 0, "encoding")
    points = [encoding[i : i + 32] for i in range(0, len(encoding), 32)]
    for point in points:
        need(point != ZERO, "encoding")
        need(bool(rbcl.crypto_core_ristretto255_is_valid_point(point)), "encoding")
    return points


def point_of(encoding: bytes) -> bytes:
    need(len(encoding) == 32, "encoding")
    return points_of(encoding)[0]


def slots_of(encoding: bytes) -> list[Slot]:
    need(len(encoding) % 64 == 0, "encoding")
    points = points_of(encoding)
    return list(zip(points[::2], points[1::2], strict=True))


def scalars_of(encoding: bytes) -> list[int]:
    scalars = [int.from_bytes(encoding[i : i + 32], "little") for i in range(0, len(encoding), 32)]
    need(all(scalar < ORDER for scalar in scalars), "encoding")
    return scalars


def proof_of(encoding: bytes, points: int, scalars: int) -> tuple[list[bytes], list[int]]:
    need(len(encoding) == 32 * (points + scalars), "encoding")
    return points_of(encoding[: 32 * points]), scalars_of(encoding[32 * points :])


class Transcript:
    def __init__(self, label: str, context: bytes) -> None:
        self.fed = frame(label.encode(), context)

    def absorb(self, name: str, content: bytes) -> None:
        self.fed += frame(name.encode(), content)

    def draw(self, name: str, count: int) -> list[int]:
        self.fed += frame(name.encode(), u32(count))
        seed = hashlib.sha512(self.fed).digest()
        blocks = [frame(b"p2pjong/v1/challenge", seed, u32(i)) for i in range(count)]
        return [
            int.from_bytes(hashlib.sha512(block).digest(), "little") % ORDER for block in blocks
        ]


def lengths(*lists: Sequence[object]) -> None:
    need(len({len(one) for one in lists}) == 1 and 1 <= len(lists[0]) <= 256, "statement")


# --- The proofs, in the order of the page -------------------------------------------------------


def commitments(context: bytes, commitment: bytes, content: bytes, nonce: bytes) -> None:
    need(len(nonce) == 32, "encoding")
    made = hashlib.sha512(frame(b"p2pjong/v1/commitment", context, content, nonce)).digest()
    need(commitment == made[:32], "proof")


def keys(context: bytes, key: bytes, proof: bytes) -> None:
    x_point, ((r_point,), (z,)) = point_of(key), proof_of(proof, 1, 1)
    transcript = Transcript("p2pjong/v1/key", context)
    transcript.absorb("key", x_point)
    transcript.absorb("commitment", r_point)
    (c,) = transcript.draw("challenge", 1)
    need(times(z, G) == plus(r_point, times(c, x_point)), "proof")


def shares(context: bytes, key: bytes, slots: bytes, shares: bytes, proof: bytes) -> None:
    x_point, listed, given = point_of(key), slots_of(slots), points_of(shares)
    (s_point, t_point), (z,) = proof_of(proof, 2, 1)
    lengths(listed, given)
    transcript = Transcript("p2pjong/v1/shares", context)
    transcript.absorb("key", x_point)
    transcript.absorb("slots", slots)
    transcript.absorb("shares", shares)
    weights = [1, *transcript.draw("weights", len(listed) - 1)]
    transcript.absorb("commitments", s_point + t_point)
    (c,) = transcript.draw("challenge", 1)
    need(times(z, G) == plus(s_point, times(c, x_point)), "proof")
    left = times(z, total(weights, [a for a, _ in listed]))
    need(left == plus(t_point, times(c, total(weights, given))), "proof")


def shuffles(context: bytes, key: bytes, before: bytes, after: bytes, proof: bytes) -> None:
    k_point, old, new = point_of(key), slots_of(before), slots_of(after)
    n = len(old)
    lengths(old)
    (c, d, e_a, e_b, v, u, w), answers = proof_of(proof, 7, 2 * n + max(n - 2, 0) + 3)
    lengths(old, new)
    f, z, values = answers[:n], answers[n], answers[n + 1 : 2 * n + 1]
    *middle, z_v, z_p = answers[2 * n + 1 :]
    transcript = Transcript("p2pjong/v1/shuffle", context)
    transcript.absorb("key", k_point)
    transcript.absorb("before", before)
    transcript.absorb("after", after)
    transcript.absorb("places", c + d + e_a + e_b)
    t = transcript.draw("t", n)
    transcript.absorb("f", b"".join(map(little, f)))
    transcript.absorb("z", little(z))
    y, x = transcript.draw("y-x", 2)
    transcript.absorb("product", v + u + w)
    (e,) = transcript.draw("e", 1)
    last = e
    for j in range(1, n + 1):
        last = last * (y * j + t[j - 1] - x) % ORDER
    need(n > 1 or values[0] == last, "proof")
    p = [values[0], *middle, last] if n > 1 else [last]
    for component, (blinded, base) in enumerate([(e_a, G), (e_b, k_point)]):
        weighed_new = total(f, [slot[component] for slot in new])
        weighed_old = total(t, [slot[component] for slot in old])
        need(minus(weighed_new, weighed_old) == plus(blinded, times(z, base)), "proof")
    named = com([e * (fi - x) for fi in f], 0)
    need(plus(times(e, minus(times(y, c), d)), v, named) == com(values, z_v), "proof")
    steps = [e * p[i + 1] - p[i] * values[i + 1] for i in range(n - 1)]
    need(plus(times(e, w), u) == com(steps, z_p), "proof")


def switches(
    context: bytes, holder: bytes, owner: bytes, before: bytes, after: bytes, proof: bytes
) -> None:
    old, new, x_point, y_point = (
        slots_of(before),
        slots_of(after),
        point_of(holder),
        point_of(owner),
    )
    (r, s, t), (z_x, z_s) = proof_of(proof, 3, 2)
    lengths(old, new)
    need(x_point != y_point, "statement")
    transcript = Transcript("p2pjong/v1/switch", context)
    transcript.absorb("keys", x_point + y_point)
    transcript.absorb("before", before)
    transcript.absorb("after", after)
    weights = [1, *transcript.draw("weights", len(old) - 1)]
    transcript.absorb("commitments", r + s + t)
    (c,) = transcript.draw("challenge", 1)
    need(times(z_x, G) == plus(r, times(c, x_point)), "proof")
    need(times(z_s, G) == plus(s, times(c, total(weights, [a for a, _ in new]))), "proof")
    left = minus(times(z_s, y_point), times(z_x, total(weights, [a for a, _ in old])))
    change = [minus(b_new, b_old) for (_, b_new), (_, b_old) in zip(new, old, strict=True)]
    need(left == plus(t, times(c, total(weights, change))), "proof")


def membership(context: bytes, key: bytes, slots: bytes, faces: bytes, proof: bytes) -> None:
    x_point, listed, allowed = point_of(key), slots_of(slots), points_of(faces)
    count = 2 * len(listed) * len(allowed)
    _, answers = proof_of(proof, 0, count)
    lengths(listed)
    lengths(allowed)
    need(len(set(allowed)) == len(allowed), "statement")
    transcript = Transcript("p2pjong/v1/membership", context)
    transcript.absorb("key", x_point)
    transcript.absorb("slots", slots)
    transcript.absorb("faces", faces)
    pairs = iter(zip(answers[::2], answers[1::2], strict=True))
    sums = []
    for a, b in listed:
        row = [next(pairs) for _ in allowed]
        content = b""
        for (c, z), face in zip(row, allowed, strict=True):
            need(c != 0 and z != 0 and b != face, "proof")
            content += minus(times(z, G), times(c, x_point))
            content += minus(times(z, a), times(c, minus(b, face)))
        transcript.absorb("commitments", content)
        sums.append(sum(c for c, _ in row) % ORDER)
    (challenge,) = transcript.draw("challenge", 1)
    need(all(one == challenge for one in sums), "proof")
