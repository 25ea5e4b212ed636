"""The verifier's side of the verifiable shuffle, all that an auditor needs.

Implements "Shuffle" of `protocol/shuffle.md`: Groth's argument (J. Cryptology 23, 2010) with the
single value product argument of Bayer and Groth (EUROCRYPT 2012, 5.3), made non-interactive.
Letters follow that page; indices count from 0, the committed places from 1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2pjong.crypto.claims import Claim, verify_claims
from p2pjong.crypto.group import (
    BASE,
    ORDER,
    Point,
    Scalar,
    Term,
    decode_points,
    decode_scalars,
    encode_scalars,
    generators,
)
from p2pjong.crypto.invalid import InvalidProof, InvalidStatement
from p2pjong.crypto.masking import (
    CARDS_MAX,
    Ciphertext,
    check_lengths,
    check_size,
    encode_slots,
)
from p2pjong.crypto.transcript import Transcript

POINTS = 7


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """7 points and 3n + 1 scalars for n > 1 cards: 96n + 256 bytes."""

    places: Point  # C: commitment to the places that the cards came from
    blinders: Point  # D: commitment to the blinders d
    blinded: Ciphertext  # E: the new slots weighted with d, re-encrypted
    value_blinders: Point  # V
    crossings: Point  # U
    steps: Point  # W
    f: tuple[Scalar, ...]
    z: Scalar
    values: tuple[Scalar, ...]  # v: one a card
    products: tuple[Scalar, ...]  # p_2 .. p_(n-1): the first and the last one follow
    z_values: Scalar
    z_products: Scalar

    def encode(self) -> bytes:
        points = (*self.first_points(), *self.second_points())
        scalars = (*self.f, self.z, *self.values, *self.products, self.z_values, self.z_products)
        return b"".join(points) + encode_scalars(scalars)

    def first_points(self) -> tuple[Point, ...]:
        return self.places, self.blinders, self.blinded.a, self.blinded.b

    def second_points(self) -> tuple[Point, ...]:
        return self.value_blinders, self.crossings, self.steps

    @classmethod
    def decode(cls, encoding: bytes, cards: int) -> "ShuffleProof":
        """Strict: the one encoding of a proof for exactly this number of cards."""
        check_size(encoding, proof_bytes(cards))
        c, d, a, b, v, u, w = decode_points(encoding[: 32 * POINTS], POINTS)
        scalars = decode_scalars(encoding[32 * POINTS :], len(encoding) // 32 - POINTS)
        rest = scalars[cards + 1 :]
        return cls(
            *(c, d, Ciphertext(a, b), v, u, w),
            f=scalars[:cards],
            z=scalars[cards],
            values=rest[:cards],
            products=rest[cards:-2],
            z_values=rest[-2],
            z_products=rest[-1],
        )


def proof_bytes(cards: int) -> int:
    """The exact size of a shuffle proof."""
    if not 1 <= cards <= CARDS_MAX:
        raise InvalidStatement(f"a shuffle has 1 to {CARDS_MAX} cards, not {cards}")
    return 32 * (POINTS + 2 * cards + max(cards - 2, 0) + 3)


def shuffle_transcript(
    context: bytes, key: Point, before: Sequence[Ciphertext], after: Sequence[Ciphertext]
) -> Transcript:
    check_lengths(before, after)
    transcript = Transcript("p2pjong/v1/shuffle", context)
    transcript.absorb("key", key)
    transcript.absorb("before", encode_slots(before))
    transcript.absorb("after", encode_slots(after))
    return transcript


def claim_shuffle(
    context: bytes,
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    proof: ShuffleProof,
) -> Claim:
    transcript = shuffle_transcript(context, key, before, after)
    _check_shape(proof, len(before))
    transcript.absorb_points("places", proof.first_points())
    t = transcript.challenges("t", len(before))
    transcript.absorb_scalars("f", proof.f)
    transcript.absorb_scalars("z", [proof.z])
    y, x = transcript.challenges("y-x", 2)
    transcript.absorb_points("product", proof.second_points())
    e = transcript.challenge("e")
    transcript.absorb_scalars("values", proof.values)
    transcript.absorb_scalars("products", proof.products)
    transcript.absorb_scalars("z-product", (proof.z_values, proof.z_products))
    equations = (
        *_slot_equations(key, before, after, proof, t),
        _values_equation(proof, y, x, e),
        _products_equation(proof, e, _known_product(t, y, x)),
    )
    return Claim(transcript.seal(), equations)


def _check_shape(proof: ShuffleProof, cards: int) -> None:
    if (len(proof.f), len(proof.values)) != (cards, cards):
        raise InvalidStatement("a shuffle proof for another number of cards")
    if len(proof.products) != max(cards - 2, 0):
        raise InvalidStatement("a shuffle proof for another number of cards")


def _known_product(t: Iterable[Scalar], y: Scalar, x: Scalar) -> Scalar:
    product = 1
    for place, weight in enumerate(t, start=1):
        product = product * (y * place + weight - x) % ORDER
    return product


def _slot_equations(
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    proof: ShuffleProof,
    t: Sequence[Scalar],
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    of_a: list[Term] = [(-1, proof.blinded.a), (-proof.z, BASE)]
    of_b: list[Term] = [(-1, proof.blinded.b), (-proof.z, key)]
    for f, weight, new, old in zip(proof.f, t, after, before, strict=True):
        of_a += (f, new.a), (-weight, old.a)
        of_b += (f, new.b), (-weight, old.b)
    return tuple(of_a), tuple(of_b)


def _values_equation(proof: ShuffleProof, y: Scalar, x: Scalar, e: Scalar) -> tuple[Term, ...]:
    weights = [e * (f - x) - value for f, value in zip(proof.f, proof.values, strict=True)]
    points = [(e * y, proof.places), (-e, proof.blinders), (1, proof.value_blinders)]
    return (*points, (-proof.z_values, BASE), *_on_generators(weights))


def _products_equation(proof: ShuffleProof, e: Scalar, product: Scalar) -> tuple[Term, ...]:
    chain = _chain(proof, e * product % ORDER)
    pairs = zip(chain, chain[1:], proof.values[1:], strict=False)
    weights = [low * value - e * high for low, high, value in pairs]
    points = [(e, proof.steps), (1, proof.crossings)]
    return (*points, (-proof.z_products, BASE), *_on_generators(weights))


def _chain(proof: ShuffleProof, last: Scalar) -> list[Scalar]:
    if len(proof.values) > 1:
        return [proof.values[0], *proof.products, last]
    if proof.values[0] != last:
        raise InvalidProof("the product over one card is not that card's value")
    return [last]


def _on_generators(weights: Sequence[Scalar]) -> Iterable[Term]:
    return zip(weights, generators(CARDS_MAX)[: len(weights)], strict=True)


def verify_shuffle(
    context: bytes,
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    proof: ShuffleProof,
) -> None:
    verify_claims([claim_shuffle(context, key, before, after, proof)])
