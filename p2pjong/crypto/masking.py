"""Slots as ciphertexts, keys, and the shares that take a key off a slot.

Implements "Slots", "Keys" and "Shares" of `protocol/shuffle.md`. A slot (a, b) under a key X = xG
with face point M satisfies b - M = x·a. Every proof binds the caller's context and the whole
statement; the caller's context names charter, epoch, step and seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

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
    decode_point,
    decode_points,
    decode_scalar,
    encode_scalar,
    multiply,
    multiply_base,
    subtract,
)
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement
from p2pjong.crypto.transcript import Transcript

CARDS_MAX = 256


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """One slot: an ElGamal encryption of a face point."""

    a: Point
    b: Point

    def encode(self) -> bytes:
        return self.a + self.b


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A seat's key share of one epoch."""

    secret: Scalar = field(repr=False)
    public: Point


def encode_slots(slots: Sequence[Ciphertext]) -> bytes:
    return b"".join(slot.encode() for slot in slots)


def decode_slots(encoding: bytes, count: int) -> tuple[Ciphertext, ...]:
    """Strict: exactly `count` slots, no point of which is the identity."""
    points = decode_points(encoding, 2 * count)
    return tuple(map(Ciphertext, points[::2], points[1::2]))


def check_lengths(*vectors: Sequence[object]) -> None:
    """Refuse vectors that are empty, too long, or not all of one length."""
    lengths = {len(vector) for vector in vectors}
    if len(lengths) != 1:
        raise InvalidStatement(f"vectors of unequal lengths {sorted(lengths)}")
    if not 1 <= min(lengths) <= CARDS_MAX:
        raise InvalidStatement(f"a vector has 1 to {CARDS_MAX} elements, not {min(lengths)}")


def veil_faces(faces: Sequence[Point], key: Point) -> tuple[Ciphertext, ...]:
    """The deck that everybody can compute, still in the order of its faces."""
    return tuple(Ciphertext(BASE, add(face, key)) for face in faces)


def make_key(context: bytes, entropy: Entropy) -> KeyPair:
    secret = entropy.scalar("key", context)
    return KeyPair(secret, multiply_base(secret))


def joint_key(publics: Sequence[Point]) -> Point:
    """The key whose secret is the sum of all shares; only for shares whose proofs were checked."""
    check_lengths(publics)
    key = combine((1, public) for public in publics)
    if key == IDENTITY:
        raise InvalidProof("the joint key is the identity")
    return key


@dataclass(frozen=True, slots=True)
class KeyProof:
    """Knowledge of the secret of a public key (Schnorr)."""

    commitment: Point
    response: Scalar

    def encode(self) -> bytes:
        return self.commitment + encode_scalar(self.response)

    @classmethod
    def decode(cls, encoding: bytes) -> "KeyProof":
        check_size(encoding, 64)
        return cls(decode_point(encoding[:32]), decode_scalar(encoding[32:]))


def check_size(encoding: bytes, size: int) -> None:
    if len(encoding) != size:
        raise InvalidEncoding(f"expected {size} bytes, got {len(encoding)}")


def nonces(transcript: Transcript, secret: bytes, entropy: Entropy, count: int) -> list[Scalar]:
    """Nonces that depend on the whole statement and, hedged, on the witness itself."""
    return list(entropy.scalars("nonce", transcript.seal() + secret, count))


def _key_transcript(context: bytes, public: Point) -> Transcript:
    transcript = Transcript("p2pjong/v1/key", context)
    transcript.absorb("key", public)
    return transcript


def prove_key(context: bytes, key: KeyPair, entropy: Entropy) -> KeyProof:
    transcript = _key_transcript(context, key.public)
    (nonce,) = nonces(transcript, encode_scalar(key.secret), entropy, 1)
    commitment = multiply_base(nonce)
    transcript.absorb("commitment", commitment)
    challenge = transcript.challenge("challenge")
    return KeyProof(commitment, (nonce + challenge * key.secret) % ORDER)


def claim_key(context: bytes, public: Point, proof: KeyProof) -> Claim:
    transcript = _key_transcript(context, public)
    transcript.absorb("commitment", proof.commitment)
    challenge = transcript.challenge("challenge")
    transcript.absorb_scalars("response", [proof.response])
    equation = ((1, proof.commitment), (challenge, public), (-proof.response, BASE))
    return Claim(transcript.seal(), (equation,))


def verify_key(context: bytes, public: Point, proof: KeyProof) -> None:
    verify_claims([claim_key(context, public, proof)])


@dataclass(frozen=True, slots=True)
class SharesProof:
    """One proof for all shares of a message: each has to its slot the logarithm of the key."""

    base_commitment: Point
    slots_commitment: Point
    response: Scalar

    def encode(self) -> bytes:
        return self.base_commitment + self.slots_commitment + encode_scalar(self.response)

    @classmethod
    def decode(cls, encoding: bytes) -> "SharesProof":
        check_size(encoding, 96)
        base, slots = decode_points(encoding[:64], 2)
        return cls(base, slots, decode_scalar(encoding[64:]))


def _shares_transcript(
    context: bytes, public: Point, slots: Sequence[Ciphertext], shares: Sequence[Point]
) -> tuple[Transcript, Sequence[Scalar]]:
    check_lengths(slots, shares)
    transcript = Transcript("p2pjong/v1/shares", context)
    transcript.absorb("key", public)
    transcript.absorb("slots", encode_slots(slots))
    transcript.absorb_points("shares", shares)
    return transcript, (1, *transcript.challenges("weights", len(slots) - 1))


def make_shares(key: KeyPair, slots: Sequence[Ciphertext]) -> tuple[Point, ...]:
    return tuple(multiply(key.secret, slot.a) for slot in slots)


def prove_shares(
    context: bytes,
    key: KeyPair,
    slots: Sequence[Ciphertext],
    shares: Sequence[Point],
    entropy: Entropy,
) -> SharesProof:
    """Prove that each share is the key's secret times its slot's `a` (RFC 9497, 2.2, batched)."""
    transcript, weights = _shares_transcript(context, key.public, slots, shares)
    (nonce,) = nonces(transcript, encode_scalar(key.secret), entropy, 1)
    weighted = combine((weight, slot.a) for weight, slot in zip(weights, slots, strict=True))
    commitments = multiply_base(nonce), multiply(nonce, weighted)
    transcript.absorb_points("commitments", commitments)
    challenge = transcript.challenge("challenge")
    return SharesProof(*commitments, (nonce + challenge * key.secret) % ORDER)


def claim_shares(
    context: bytes,
    public: Point,
    slots: Sequence[Ciphertext],
    shares: Sequence[Point],
    proof: SharesProof,
) -> Claim:
    transcript, weights = _shares_transcript(context, public, slots, shares)
    transcript.absorb_points("commitments", (proof.base_commitment, proof.slots_commitment))
    challenge = transcript.challenge("challenge")
    transcript.absorb_scalars("response", [proof.response])
    keys: list[Term] = [(challenge, public), (-proof.response, BASE)]
    logs: list[Term] = [(1, proof.slots_commitment)]
    for weight, slot, share in zip(weights, slots, shares, strict=True):
        logs += (challenge * weight, share), (-proof.response * weight, slot.a)
    return Claim(transcript.seal(), (((1, proof.base_commitment), *keys), tuple(logs)))


def verify_shares(
    context: bytes,
    public: Point,
    slots: Sequence[Ciphertext],
    shares: Sequence[Point],
    proof: SharesProof,
) -> None:
    verify_claims([claim_shares(context, public, slots, shares, proof)])


def unmask(slot: Ciphertext, shares: Sequence[Point]) -> Ciphertext:
    """The slot with the keys of these shares taken off."""
    b = slot.b
    for share in shares:
        b = subtract(b, share)
    return Ciphertext(slot.a, b)


def open_slot(slot: Ciphertext, shares: Sequence[Point]) -> Point:
    """The face point of a slot, given the shares of all whose keys are on it."""
    return unmask(slot, shares).b


def read_slot(slot: Ciphertext, key: KeyPair) -> Point:
    """The face point of a slot that is under this seat's key alone."""
    return open_slot(slot, make_shares(key, [slot]))
