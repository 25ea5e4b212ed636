"""The switch: a slot passes from under one seat's key to under another's, its face unchanged.

Implements "Switch" of `protocol/shuffle.md`. The holder publishes, for each slot (a, b),
a' = sG and b' = b - x·a + s·Y, where X = xG is its own key and Y the new owner's, and one proof
for all slots of the message, batched over hashed weights as the shares are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pjong.crypto.claims import Claim, verify_claims
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    BASE,
    ORDER,
    Point,
    Scalar,
    Term,
    combine,
    decode_points,
    decode_scalars,
    encode_scalar,
    encode_scalars,
    multiply_base,
)
from p2pjong.crypto.invalid import InvalidStatement
from p2pjong.crypto.masking import (
    Ciphertext,
    KeyPair,
    check_lengths,
    check_size,
    encode_slots,
    nonces,
)
from p2pjong.crypto.transcript import Transcript


@dataclass(frozen=True, slots=True)
class SwitchProof:
    """Knowledge of the holder's secret and of the new masks, consistent over all slots."""

    commitments: tuple[Point, Point, Point]
    responses: tuple[Scalar, Scalar]

    def encode(self) -> bytes:
        return b"".join(self.commitments) + encode_scalars(self.responses)

    @classmethod
    def decode(cls, encoding: bytes) -> "SwitchProof":
        check_size(encoding, 160)
        key, mask, slots = decode_points(encoding[:96], 3)
        of_secret, of_masks = decode_scalars(encoding[96:], 2)
        return cls((key, mask, slots), (of_secret, of_masks))


@dataclass(frozen=True, slots=True)
class Switch:
    """The public statement: whose slots, to whom, what they were and what they became."""

    holder: Point
    owner: Point
    before: Sequence[Ciphertext]
    after: Sequence[Ciphertext]


def _transcript(context: bytes, switch: Switch) -> tuple[Transcript, Sequence[Scalar]]:
    check_lengths(switch.before, switch.after)
    if switch.holder == switch.owner:
        raise InvalidStatement("a switch from a seat to itself")
    transcript = Transcript("p2pjong/v1/switch", context)
    transcript.absorb_points("keys", (switch.holder, switch.owner))
    transcript.absorb("before", encode_slots(switch.before))
    transcript.absorb("after", encode_slots(switch.after))
    return transcript, (1, *transcript.challenges("weights", len(switch.before) - 1))


def prove_switch(
    context: bytes,
    holder: KeyPair,
    owner: Point,
    before: Sequence[Ciphertext],
    entropy: Entropy,
) -> tuple[tuple[Ciphertext, ...], SwitchProof]:
    """Make the new slots, and the proof that they hold the old faces."""
    masks = _masks(context, holder, owner, before, entropy)
    after = tuple(
        _switched(holder.secret, owner, slot, mask)
        for slot, mask in zip(before, masks, strict=True)
    )
    switch = Switch(holder.public, owner, before, after)
    return after, _prove(context, switch, holder.secret, masks, entropy)


def _masks(
    context: bytes,
    holder: KeyPair,
    owner: Point,
    before: Sequence[Ciphertext],
    entropy: Entropy,
) -> tuple[Scalar, ...]:
    statement = Transcript("p2pjong/v1/switch-masks", context)
    statement.absorb_points("keys", (holder.public, owner))
    statement.absorb("before", encode_slots(before))
    return entropy.scalars("masks", statement.seal(), len(before))


def _switched(secret: Scalar, owner: Point, slot: Ciphertext, mask: Scalar) -> Ciphertext:
    b = combine([(1, slot.b), (-secret, slot.a), (mask, owner)])
    return Ciphertext(multiply_base(mask), b)


def _prove(
    context: bytes, switch: Switch, secret: Scalar, masks: Sequence[Scalar], entropy: Entropy
) -> SwitchProof:
    transcript, weights = _transcript(context, switch)
    witness = encode_scalar(secret) + encode_scalars(masks)
    for_secret, for_masks = nonces(transcript, witness, entropy, 2)
    slots: list[Term] = [(for_masks, switch.owner)]
    slots += [(-for_secret * w, slot.a) for w, slot in zip(weights, switch.before, strict=True)]
    commitments = multiply_base(for_secret), multiply_base(for_masks), combine(slots)
    transcript.absorb_points("commitments", commitments)
    challenge = transcript.challenge("challenge")
    mask = sum(weight * mask for weight, mask in zip(weights, masks, strict=True))
    of_secret = (for_secret + challenge * secret) % ORDER
    return SwitchProof(commitments, (of_secret, (for_masks + challenge * mask) % ORDER))


def claim_switch(context: bytes, switch: Switch, proof: SwitchProof) -> Claim:
    transcript, weights = _transcript(context, switch)
    transcript.absorb_points("commitments", proof.commitments)
    challenge = transcript.challenge("challenge")
    transcript.absorb_scalars("responses", proof.responses)
    of_secret, of_masks = proof.responses
    keys: list[Term] = [(1, proof.commitments[0]), (challenge, switch.holder), (-of_secret, BASE)]
    masks: list[Term] = [(1, proof.commitments[1]), (-of_masks, BASE)]
    slots: list[Term] = [(1, proof.commitments[2]), (-of_masks, switch.owner)]
    for weight, old, new in zip(weights, switch.before, switch.after, strict=True):
        masks.append((challenge * weight, new.a))
        slots += (challenge * weight, new.b), (-challenge * weight, old.b)
        slots.append((of_secret * weight, old.a))
    return Claim(transcript.seal(), (tuple(keys), tuple(masks), tuple(slots)))


def verify_switch(context: bytes, switch: Switch, proof: SwitchProof) -> None:
    verify_claims([claim_switch(context, switch, proof)])
