"""The verifiable shuffle: re-encrypt and permute slots, and prove that nothing else happened.

Implements "Shuffle" of `protocol/shuffle.md`, the prover's side; it serves the deck under the
joint key and a hand under its holder's key alike. Letters follow that page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate

from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    BASE,
    IDENTITY,
    ORDER,
    Point,
    Scalar,
    add,
    combine,
    encode_scalars,
    generators,
    multiply,
    multiply_base,
)
from p2pjong.crypto.masking import CARDS_MAX, Ciphertext, check_lengths, encode_slots, nonces
from p2pjong.crypto.shuffle_check import (
    ShuffleProof,
    claim_shuffle,
    proof_bytes,
    shuffle_transcript,
    verify_shuffle,
)
from p2pjong.crypto.transcript import Transcript

__all__ = [
    "ShuffleProof",
    "Shuffled",
    "claim_shuffle",
    "proof_bytes",
    "prove_shuffle",
    "shuffle_slots",
    "verify_shuffle",
]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """after[i] is before[permutation[i]] re-encrypted with masks[i]; only `after` is public."""

    after: tuple[Ciphertext, ...]
    permutation: tuple[int, ...] = field(repr=False)
    masks: tuple[Scalar, ...] = field(repr=False)


def shuffle_slots(
    context: bytes, key: Point, before: Sequence[Ciphertext], entropy: Entropy
) -> Shuffled:
    """Permute and re-encrypt, as a function of the seed and of everything given."""
    check_lengths(before)
    statement = Transcript("p2pjong/v1/shuffle-secrets", context)
    statement.absorb("key", key)
    statement.absorb("before", encode_slots(before))
    permutation = entropy.permutation("permutation", statement.seal(), len(before))
    masks = entropy.scalars("masks", statement.seal(), len(before))
    sources = [before[place] for place in permutation]
    after = tuple(_masked(slot, mask, key) for slot, mask in zip(sources, masks, strict=True))
    return Shuffled(after, permutation, masks)


def _masked(slot: Ciphertext, mask: Scalar, key: Point) -> Ciphertext:
    return Ciphertext(add(slot.a, multiply_base(mask)), add(slot.b, multiply(mask, key)))


def prove_shuffle(
    context: bytes,
    key: Point,
    before: Sequence[Ciphertext],
    shuffled: Shuffled,
    entropy: Entropy,
) -> ShuffleProof:
    """Move by move as on the protocol page: each block is one message and its challenge."""
    transcript = shuffle_transcript(context, key, before, shuffled.after)
    witness = encode_scalars([*shuffled.permutation, *shuffled.masks])
    draw = partial(nonces, transcript, witness, entropy)

    places = _commit_places(key, before, shuffled, draw)
    transcript.absorb_points("places", (places.c, places.d, places.e.a, places.e.b))
    t = transcript.challenges("t", len(before))

    f, z = _answer_weights(places, shuffled, t)
    transcript.absorb_scalars("f", f)
    transcript.absorb_scalars("z", [z])
    y, x = transcript.challenges("y-x", 2)

    values = [(y * (i + 1) + t[i] - x) % ORDER for i in shuffled.permutation]
    product = _commit_product(values, draw)
    transcript.absorb_points("product", (product.v, product.u, product.w))
    e = transcript.challenge("e")

    mask = y * places.mask_c - places.mask_d
    return ShuffleProof(
        *(places.c, places.d, places.e, product.v, product.u, product.w, f, z),
        values=_respond(e, values, product.blinders),
        products=_respond(e, product.partial[1:-1], product.deltas[1:-1]),
        z_values=(e * mask + product.mask_v) % ORDER,
        z_products=(e * product.mask_w + product.mask_u) % ORDER,
    )


def _respond(
    e: Scalar, secrets: Sequence[Scalar], blinders: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    return tuple((e * s + b) % ORDER for s, b in zip(secrets, blinders, strict=True))


@dataclass(frozen=True, slots=True)
class _Places:
    """First move: the commitments C, D and E, with what opens them."""

    c: Point
    d: Point
    e: Ciphertext
    blinders: Sequence[Scalar]
    mask_c: Scalar
    mask_d: Scalar
    mask_e: Scalar


def _commit_places(
    key: Point,
    before: Sequence[Ciphertext],
    shuffled: Shuffled,
    draw: Callable[[int], Sequence[Scalar]],
) -> _Places:
    *blinders, mask_c, mask_d, mask_e = draw(len(before) + 3)
    sources = [before[place] for place in shuffled.permutation]
    pairs = zip(blinders, shuffled.masks, strict=True)
    # E is taken over the old slots: those of a first deck are few different points.
    mask = mask_e + sum(blinder * mask for blinder, mask in pairs)
    e = Ciphertext(
        combine([(mask, BASE), *zip(blinders, (slot.a for slot in sources), strict=True)]),
        combine([(mask, key), *zip(blinders, (slot.b for slot in sources), strict=True)]),
    )
    c, d = _commit_permutation(shuffled.permutation, mask_c), _commit(blinders, mask_d)
    return _Places(c, d, e, blinders, mask_c, mask_d, mask_e)


def _answer_weights(
    places: _Places, shuffled: Shuffled, t: Sequence[Scalar]
) -> tuple[tuple[Scalar, ...], Scalar]:
    moved = [t[place] for place in shuffled.permutation]
    f = tuple((w + d) % ORDER for w, d in zip(moved, places.blinders, strict=True))
    mask = sum(w * m for w, m in zip(moved, shuffled.masks, strict=True))
    return f, (mask - places.mask_e) % ORDER


@dataclass(frozen=True, slots=True)
class _Product:
    """Third move: the commitments V, U and W of the product argument, with what opens them."""

    v: Point
    u: Point
    w: Point
    partial: Sequence[Scalar]
    blinders: Sequence[Scalar]
    deltas: Sequence[Scalar]
    mask_v: Scalar
    mask_u: Scalar
    mask_w: Scalar


def _commit_product(values: Sequence[Scalar], draw: Callable[[int], Sequence[Scalar]]) -> _Product:
    n = len(values)
    partial_products = list(accumulate(values, lambda product, value: product * value % ORDER))
    *drawn, mask_v, mask_u, mask_w = draw(2 * n + 3)
    # The first product is the first value, and the last one is public: their blinders follow.
    blinders, deltas = drawn[:n], [drawn[0], *drawn[n + 1 : -1], 0]
    if n == 1:
        blinders, deltas = [0], [0]
    crossings = [-delta * g for delta, g in zip(deltas, blinders[1:], strict=False)]
    steps = [
        deltas[i] - values[i] * deltas[i - 1] - partial_products[i - 1] * blinders[i]
        for i in range(1, n)
    ]
    v, u, w = _commit(blinders, mask_v), _commit(crossings, mask_u), _commit(steps, mask_w)
    return _Product(v, u, w, partial_products, blinders, deltas, mask_v, mask_u, mask_w)


def _commit(values: Sequence[Scalar], mask: Scalar) -> Point:
    return combine([(mask, BASE), *zip(values, generators(CARDS_MAX), strict=False)])


def _commit_permutation(permutation: Sequence[int], mask: Scalar) -> Point:
    # Two additions a card: the sum over all suffixes, in the order of the places, counts each
    # generator as often as its place says.
    inverse = sorted(range(len(permutation)), key=permutation.__getitem__)
    suffix, total = IDENTITY, multiply_base(mask)
    for index in reversed(inverse):
        suffix = add(suffix, generators(CARDS_MAX)[index])
        total = add(total, suffix)
    return total
