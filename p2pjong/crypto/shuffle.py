"""The verifiable shuffle: re-encrypt and permute slots, and prove that nothing else happened.

Implements "Shuffle" of `protocol/shuffle.md`: Groth's argument (J. Cryptology 23, 2010) with the
single value product argument of Bayer and Groth (EUROCRYPT 2012, 5.3), made non-interactive. It
serves the deck under the joint key and a hand under its holder's key alike. Letters follow that
page; indices in the code count from 0, the committed places from 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from p2pjong.crypto.claims import Claim, verify_claims
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    BASE,
    IDENTITY,
    ORDER,
    Point,
    Scalar,
    Term,
    add,
    combine,
    decode_points,
    decode_scalars,
    encode_scalars,
    generators,
    multiply,
    multiply_base,
)
from p2pjong.crypto.invalid import InvalidProof, InvalidStatement
from p2pjong.crypto.masking import (
    CARDS_MAX,
    Ciphertext,
    check_lengths,
    check_size,
    encode_slots,
    nonces,
)
from p2pjong.crypto.transcript import Transcript

POINTS = 7


@dataclass(frozen=True, slots=True)
class Shuffled:
    """after[i] is before[permutation[i]] re-encrypted with masks[i]; only `after` is public."""

    after: tuple[Ciphertext, ...]
    permutation: tuple[int, ...] = field(repr=False)
    masks: tuple[Scalar, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """7 points and 3n + 1 scalars for n > 1 cards: 96n + 256 bytes."""

    places: Point  # c: commitment to the permutation
    blinds: Point  # c_d: commitment to the blinders d
    blinded: Ciphertext  # E_d: the output weighted with d
    product_blinds: Point  # c_g
    cross: Point  # c_delta
    steps: Point  # c_Delta
    f: tuple[Scalar, ...]
    z: Scalar
    values: tuple[Scalar, ...]  # a~: one for each card
    products: tuple[Scalar, ...]  # b~: all but the first and the last, which follow
    z_values: Scalar
    z_products: Scalar

    def encode(self) -> bytes:
        first = (self.places, self.blinds, self.blinded.a, self.blinded.b)
        points = (*first, self.product_blinds, self.cross, self.steps)
        scalars = (*self.f, self.z, *self.values, *self.products, self.z_values, self.z_products)
        return b"".join(points) + encode_scalars(scalars)

    @classmethod
    def decode(cls, encoding: bytes, cards: int) -> "ShuffleProof":
        if not 1 <= cards <= CARDS_MAX:
            raise InvalidStatement(f"a shuffle has 1 to {CARDS_MAX} cards, not {cards}")
        check_size(encoding, proof_bytes(cards))
        c, c_d, a, b, c_g, cross, steps = decode_points(encoding[: 32 * POINTS], POINTS)
        scalars = decode_scalars(encoding[32 * POINTS :], len(encoding) // 32 - POINTS)
        f, z, rest = scalars[:cards], scalars[cards], scalars[cards + 1 :]
        values, products = rest[:cards], rest[cards:-2]
        return cls(c, c_d, Ciphertext(a, b), c_g, cross, steps, f, z, values, products, *rest[-2:])


def proof_bytes(cards: int) -> int:
    """The exact size of a shuffle proof."""
    return 32 * (POINTS + 2 * cards + max(cards - 2, 0) + 3)


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


def _transcript(
    context: bytes, key: Point, before: Sequence[Ciphertext], after: Sequence[Ciphertext]
) -> Transcript:
    check_lengths(before, after)
    transcript = Transcript("p2pjong/v1/shuffle", context)
    transcript.absorb("key", key)
    transcript.absorb("before", encode_slots(before))
    transcript.absorb("after", encode_slots(after))
    return transcript


def prove_shuffle(
    context: bytes,
    key: Point,
    before: Sequence[Ciphertext],
    shuffled: Shuffled,
    entropy: Entropy,
) -> ShuffleProof:
    transcript = _transcript(context, key, before, shuffled.after)
    prover = _Prover(transcript, key, before, shuffled, entropy)
    prover.commit_places()
    t = transcript.challenges("t", len(before))
    prover.answer_weights(t)
    lam, x = transcript.challenges("lambda-x", 2)
    prover.commit_product(t, lam, x)
    return prover.answer_product(transcript.challenge("e"))


class _Prover:
    """The prover's side of the seven moves; each method is one of its messages."""

    def __init__(
        self,
        transcript: Transcript,
        key: Point,
        before: Sequence[Ciphertext],
        shuffled: Shuffled,
        entropy: Entropy,
    ) -> None:
        check_lengths(before, shuffled.permutation, shuffled.masks)
        self._transcript, self._entropy = transcript, entropy
        self._key, self._shuffled = key, shuffled
        self._sources = [before[place] for place in shuffled.permutation]
        self._size = len(before)
        self._witness = encode_scalars([*shuffled.permutation, *shuffled.masks])

    def _draw(self, count: int) -> list[Scalar]:
        return nonces(self._transcript, self._witness, self._entropy, count)

    def commit_places(self) -> None:
        *self._d, self._r_c, self._r_d, self._r_e = self._draw(self._size + 3)
        self._c = _commit_permutation(self._shuffled.permutation, self._r_c)
        self._c_d = _commit(self._d, self._r_d)
        self._e_d = self._blind_output()
        points = (self._c, self._c_d, self._e_d.a, self._e_d.b)
        self._transcript.absorb_points("places", points)

    def _blind_output(self) -> Ciphertext:
        # Taken over the inputs: the first deck's are few different points, and cost little.
        masks = self._shuffled.masks
        mask = self._r_e + sum(d * m for d, m in zip(self._d, masks, strict=True))
        a_terms = zip(self._d, (slot.a for slot in self._sources), strict=True)
        b_terms = zip(self._d, (slot.b for slot in self._sources), strict=True)
        return Ciphertext(combine([(mask, BASE), *a_terms]), combine([(mask, self._key), *b_terms]))

    def answer_weights(self, t: Sequence[Scalar]) -> None:
        placed = [t[place] for place in self._shuffled.permutation]
        self._f = tuple((w + d) % ORDER for w, d in zip(placed, self._d, strict=True))
        masks = self._shuffled.masks
        self._z = (sum(w * m for w, m in zip(placed, masks, strict=True)) - self._r_e) % ORDER
        self._transcript.absorb_scalars("f", self._f)
        self._transcript.absorb_scalars("z", [self._z])

    def commit_product(self, t: Sequence[Scalar], lam: Scalar, x: Scalar) -> None:
        n = self._size
        permutation = self._shuffled.permutation
        self._a = [(lam * (place + 1) + t[place] - x) % ORDER for place in permutation]
        self._b = list(accumulate(self._a, lambda product, a: product * a % ORDER))
        self._r_a = lam * self._r_c - self._r_d
        *drawn, self._r_g, self._r_cross, self._r_steps = self._draw(2 * n + 3)
        self._g, self._delta = drawn[:n], drawn[n:]
        self._delta[0], self._delta[-1] = self._g[0], 0
        if n == 1:
            self._g[0] = 0  # one card's place is no secret, and nothing blinds it
        self._c_g = _commit(self._g, self._r_g)
        self._c_cross = _commit(self._crosses(), self._r_cross)
        self._c_steps = _commit(self._steps(), self._r_steps)
        points = (self._c_g, self._c_cross, self._c_steps)
        self._transcript.absorb_points("product", points)

    def _crosses(self) -> list[Scalar]:
        return [-delta * g for delta, g in zip(self._delta, self._g[1:], strict=False)]

    def _steps(self) -> list[Scalar]:
        a, b, g, delta = self._a, self._b, self._g, self._delta
        return [delta[i + 1] - a[i + 1] * delta[i] - b[i] * g[i + 1] for i in range(self._size - 1)]

    def answer_product(self, e: Scalar) -> ShuffleProof:
        pairs = zip(self._b[1:-1], self._delta[1:-1], strict=True)
        return ShuffleProof(
            places=self._c,
            blinds=self._c_d,
            blinded=self._e_d,
            product_blinds=self._c_g,
            cross=self._c_cross,
            steps=self._c_steps,
            f=self._f,
            z=self._z,
            values=tuple((e * a + g) % ORDER for a, g in zip(self._a, self._g, strict=True)),
            products=tuple((e * b + delta) % ORDER for b, delta in pairs),
            z_values=(e * self._r_a + self._r_g) % ORDER,
            z_products=(e * self._r_steps + self._r_cross) % ORDER,
        )


def _commit(values: Sequence[Scalar], mask: Scalar) -> Point:
    return combine([(mask, BASE), *zip(values, generators(CARDS_MAX), strict=False)])


def _commit_permutation(permutation: Sequence[int], mask: Scalar) -> Point:
    # Sums of suffixes: place k counts its generator k + 1 times with two additions a card.
    inverse = sorted(range(len(permutation)), key=permutation.__getitem__)
    suffix, total = IDENTITY, multiply_base(mask)
    for index in reversed(inverse):
        suffix = add(suffix, generators(CARDS_MAX)[index])
        total = add(total, suffix)
    return total


def claim_shuffle(
    context: bytes,
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    proof: ShuffleProof,
) -> Claim:
    transcript = _transcript(context, key, before, after)
    n = len(before)
    check_lengths(before, proof.f, proof.values)
    if len(proof.products) != max(n - 2, 0):
        raise InvalidStatement("a shuffle proof for another number of cards")
    a, b = proof.blinded.a, proof.blinded.b
    transcript.absorb_points("places", (proof.places, proof.blinds, a, b))
    t = transcript.challenges("t", n)
    transcript.absorb_scalars("f", proof.f)
    transcript.absorb_scalars("z", [proof.z])
    lam, x = transcript.challenges("lambda-x", 2)
    transcript.absorb_points("product", (proof.product_blinds, proof.cross, proof.steps))
    e = transcript.challenge("e")
    transcript.absorb_scalars("values", proof.values)
    transcript.absorb_scalars("products", proof.products)
    transcript.absorb_scalars("z-product", (proof.z_values, proof.z_products))
    product = e
    for place, weight in enumerate(t, start=1):
        product = product * (lam * place + weight - x) % ORDER
    return Claim(
        transcript.seal(),
        (
            *_slot_equations(key, before, after, proof, t),
            _values_equation(proof, lam, x, e),
            _products_equation(proof, e, product),
        ),
    )


def _slot_equations(
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    proof: ShuffleProof,
    t: Sequence[Scalar],
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    a_terms: list[Term] = [(-1, proof.blinded.a), (-proof.z, BASE)]
    b_terms: list[Term] = [(-1, proof.blinded.b), (-proof.z, key)]
    for f, weight, old, new in zip(proof.f, t, before, after, strict=True):
        a_terms += (f, new.a), (-weight, old.a)
        b_terms += (f, new.b), (-weight, old.b)
    return tuple(a_terms), tuple(b_terms)


def _values_equation(proof: ShuffleProof, lam: Scalar, x: Scalar, e: Scalar) -> tuple[Term, ...]:
    weights = [e * (f - x) - value for f, value in zip(proof.f, proof.values, strict=True)]
    points = [
        (e * lam, proof.places),
        (-e, proof.blinds),
        (1, proof.product_blinds),
        (-proof.z_values, BASE),
    ]
    return (*points, *zip(weights, generators(CARDS_MAX), strict=False))


def _products_equation(proof: ShuffleProof, e: Scalar, product: Scalar) -> tuple[Term, ...]:
    chain = _chain(proof, product)
    pairs = zip(chain, chain[1:], proof.values[1:], strict=False)
    weights = [low * value - e * high for low, high, value in pairs]
    points = [(e, proof.steps), (1, proof.cross), (-proof.z_products, BASE)]
    return (*points, *zip(weights, generators(CARDS_MAX), strict=False))


def _chain(proof: ShuffleProof, product: Scalar) -> list[Scalar]:
    if len(proof.values) > 1:
        return [proof.values[0], *proof.products, product]
    if proof.values[0] != product:
        raise InvalidProof("the product of one card is not its value")
    return [product]


def verify_shuffle(
    context: bytes,
    key: Point,
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    proof: ShuffleProof,
) -> None:
    verify_claims([claim_shuffle(context, key, before, after, proof)])
