"""Proofs as linear equations over the group, checked many at a time.

Implements "Checking together" of `protocol/shuffle.md`. A claim holds, but for a chance below
2^-240, exactly if the proof that it was made from does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2pjong.crypto.group import IDENTITY, Scalar, Term, combine
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Claim:
    """Sums that must each be the identity, and a seal over context, statement and whole proof."""

    seal: bytes
    equations: tuple[tuple[Term, ...], ...]


def verify_claims(claims: Sequence[Claim]) -> None:
    """Raise `InvalidProof` unless all hold; check them one by one to learn which does not."""
    equations = [equation for claim in claims for equation in claim.equations]
    if equations and combine(_weighted(equations, _weights(claims, len(equations)))) != IDENTITY:
        raise InvalidProof("a proof does not hold")


def _weights(claims: Sequence[Claim], count: int) -> Sequence[Scalar]:
    # Weights are hashed from everything they weigh: nobody can make two wrong proofs cancel.
    transcript = Transcript("p2pjong/v1/claims", b"")
    for claim in claims:
        transcript.absorb("claim", claim.seal)
    return (1, *transcript.challenges("weights", count - 1))


def _weighted(equations: Sequence[Sequence[Term]], weights: Sequence[Scalar]) -> Iterator[Term]:
    for weight, equation in zip(weights, equations, strict=True):
        for scalar, point in equation:
            yield weight * scalar, point
