"""Checking proofs together refuses whatever checking them one by one refuses."""

from dataclasses import replace

import pytest

from p2pjong.crypto.claims import Claim, verify_claims
from p2pjong.crypto.group import BASE, ORDER, multiply_base
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import KeyPair, claim_key, prove_key
from p2pjong.crypto.transcript import Transcript
from tests.support.crypto_table import entropy_of, keys_of


def claims_of(keys: list[KeyPair]) -> list[Claim]:
    proofs = [prove_key(b"", key, entropy_of(seat)) for seat, key in enumerate(keys)]
    return [claim_key(b"", key.public, proof) for key, proof in zip(keys, proofs, strict=True)]


def test_good_claims_hold_together_in_any_number() -> None:
    claims = claims_of(keys_of(4))
    for count in range(5):
        verify_claims(claims[:count])
    verify_claims([claims[0], claims[0]])
    with pytest.raises(InvalidProof):
        verify_claims([*claims, off_by(1, b"")])


@pytest.mark.parametrize("wrong", range(4))
def test_one_wrong_claim_among_good_ones_is_noticed(wrong: int) -> None:
    keys = keys_of(4)
    claims = claims_of(keys)
    proof = prove_key(b"", keys[wrong], entropy_of(wrong))
    bad = replace(proof, response=(proof.response + 1) % ORDER)
    claims[wrong] = claim_key(b"", keys[wrong].public, bad)
    with pytest.raises(InvalidProof):
        verify_claims(claims)


def test_two_wrong_proofs_cannot_cancel_each_other() -> None:
    # Added up without weights the two errors, +1 and -1, would vanish.
    keys = keys_of(2)
    proofs = [prove_key(b"", key, entropy_of(seat)) for seat, key in enumerate(keys)]
    errors = (1, -1)
    claims = [
        claim_key(b"", key.public, replace(proof, response=(proof.response + error) % ORDER))
        for key, proof, error in zip(keys, proofs, errors, strict=True)
    ]
    unweighted = [term for claim in claims for equation in claim.equations for term in equation]
    assert sum(scalar for scalar, point in unweighted if point == BASE) % ORDER == (
        -sum(proof.response for proof in proofs) % ORDER
    )
    with pytest.raises(InvalidProof):
        verify_claims(claims)


def off_by(error: int, seal: bytes) -> Claim:
    """A claim that does not hold: five times the base, less five times, and an error."""
    return Claim(seal, (((1, multiply_base(5)), (-5 + error, BASE)),))


def weight_of_the_second(*seals: bytes) -> int:
    transcript = Transcript("p2pjong/v1/claims", b"")
    for seal in seals:
        transcript.absorb("claim", seal)
    return transcript.challenge("weights")


def test_errors_cancel_only_for_who_knows_the_weights() -> None:
    # So the weights must hang on every seal, and every seal on the whole proof.
    weight = weight_of_the_second(b"a", b"b")
    verify_claims([off_by(weight, b"a"), off_by(-1, b"b")])
    for first, second in [(b"a", b"c"), (b"c", b"b"), (b"b", b"a")]:
        with pytest.raises(InvalidProof):
            verify_claims([off_by(weight, first), off_by(-1, second)])
    unsealed = weight_of_the_second()
    with pytest.raises(InvalidProof):
        verify_claims([off_by(unsealed, b"a"), off_by(-1, b"b")])
