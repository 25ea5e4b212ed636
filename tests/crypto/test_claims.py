"""Checking proofs together refuses whatever checking them one by one refuses."""

from dataclasses import replace

import pytest

from p2pjong.crypto.claims import Claim, verify_claims
from p2pjong.crypto.group import BASE, ORDER, multiply_base
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import KeyPair, claim_key, prove_key
from tests.support.crypto_table import entropy_of, keys_of


def claims_of(keys: list[KeyPair]) -> list[Claim]:
    proofs = [prove_key(b"", key, entropy_of(seat)) for seat, key in enumerate(keys)]
    return [claim_key(b"", key.public, proof) for key, proof in zip(keys, proofs, strict=True)]


def test_good_claims_hold_together_in_any_number() -> None:
    claims = claims_of(keys_of(4))
    for count in range(5):
        verify_claims(claims[:count])
    verify_claims([claims[0], claims[0]])


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


def test_the_weights_depend_on_every_seal() -> None:
    # With fixed weights one could solve for an error that cancels; here each seal moves them all.
    point = multiply_base(5)
    good = Claim(b"seal", (((1, point), (-5, BASE)),))
    for seals in ((b"a", b"b"), (b"b", b"a")):
        off = [
            Claim(seal, (((1, point), (-5 + error, BASE)),))
            for seal, error in zip(seals, (1, -1), strict=True)
        ]
        verify_claims([good, good])
        with pytest.raises(InvalidProof):
            verify_claims([good, *off])
