"""The pass: true ones verify and hide which face it is, false ones cannot be made."""

from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto import membership
from p2pjong.crypto.group import ORDER, Point
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement
from p2pjong.crypto.masking import CARDS_MAX, Ciphertext, KeyPair, read_slot
from p2pjong.crypto.membership import (
    Branch,
    MembershipProof,
    prove_membership,
    verify_membership,
)
from tests.support.crypto_table import (
    CONTEXT,
    FACES,
    OTHER_CONTEXTS,
    entropy_of,
    hand_of,
    keys_of,
    malformed,
    masked,
    moved,
    moved_each,
    moved_scalars,
    moved_slots,
)

KEY, OTHER = keys_of(2)
ALLOWED = FACES[:3]
HAND = hand_of(KEY.public, (FACES[0], FACES[2], FACES[2])).after
PROOF = prove_membership(CONTEXT, KEY, HAND, ALLOWED, entropy_of(0))


def refused(
    hand: tuple[Ciphertext, ...] = HAND,
    allowed: tuple[Point, ...] = ALLOWED,
    proof: MembershipProof = PROOF,
    public: Point = KEY.public,
    context: bytes = CONTEXT,
) -> None:
    with pytest.raises(InvalidProof):
        verify_membership(context, public, hand, allowed, proof)


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.sampled_from(FACES), min_size=1, max_size=3),
    st.lists(st.sampled_from(FACES), min_size=1, unique=True),
)
def test_a_pass_can_be_proven_exactly_when_it_is_true(
    held: list[Point], allowed: list[Point]
) -> None:
    hand = hand_of(KEY.public, held).after
    if set(held) <= set(allowed):
        proof = prove_membership(CONTEXT, KEY, hand, allowed, entropy_of(0))
        verify_membership(CONTEXT, KEY.public, hand, allowed, proof)
    else:
        with pytest.raises(InvalidProof):
            prove_membership(CONTEXT, KEY, hand, allowed, entropy_of(0))


def test_a_false_pass_of_a_modified_client_is_refused() -> None:
    # The prover's own check is taken out: it then claims each of the allowed faces in turn.
    hand = (masked(FACES[4], 77, KEY.public), *HAND[1:])
    for claimed in ALLOWED:
        with patch.object(
            membership,
            "read_slot",
            lambda slot, key, claimed=claimed: claimed if slot is hand[0] else read_slot(slot, key),
        ):
            proof = prove_membership(CONTEXT, KEY, hand, ALLOWED, entropy_of(0))
        refused(hand, proof=proof)


def test_a_pass_of_all_branches_simulated_is_refused() -> None:
    # Every branch taken at random satisfies its equations; only their sum gives the lie away.
    rows = tuple(
        tuple(Branch(7 * slot + face + 1, 5) for face in range(len(ALLOWED)))
        for slot in range(len(HAND))
    )
    refused(proof=MembershipProof(rows))


def test_one_false_row_among_true_ones_is_refused() -> None:
    # The false slot's branches are all simulated, so that everything holds but its row's sum.
    hand = (masked(FACES[4], 77, KEY.public), *HAND[1:])

    class Cheat(membership._Draft):
        def __init__(self, key: KeyPair, slot: Ciphertext, faces: Sequence[Point]) -> None:
            self._is_false = slot is hand[0]
            super().__init__(key, HAND[0] if self._is_false else slot, faces)
            if self._is_false:
                self._slot, self._true = slot, -1

        def respond(self, challenge: int) -> tuple[Branch, ...]:
            return tuple(self._branches) if self._is_false else super().respond(challenge)

    with patch.object(membership, "_Draft", Cheat):
        proof = prove_membership(CONTEXT, KEY, hand, ALLOWED, entropy_of(0))
    refused(hand, proof=proof)


def test_a_membership_proof_survives_its_encoding() -> None:
    encoding = PROOF.encode()
    assert len(encoding) == 64 * len(HAND) * len(ALLOWED)
    decoded = MembershipProof.decode(encoding, len(HAND), len(ALLOWED))
    assert decoded == PROOF
    verify_membership(CONTEXT, KEY.public, HAND, ALLOWED, decoded)
    for bad in malformed(encoding, points=0):
        with pytest.raises(InvalidEncoding):
            MembershipProof.decode(bad, len(HAND), len(ALLOWED))


@pytest.mark.parametrize("context", OTHER_CONTEXTS.values(), ids=OTHER_CONTEXTS)
def test_a_pass_of_another_seat_hand_table_or_step_is_refused(context: bytes) -> None:
    refused(context=context)


def test_each_changed_element_of_a_membership_statement_is_refused() -> None:
    for public in (OTHER.public, moved(KEY.public)):
        refused(public=public)
    for hand in moved_slots(HAND):
        refused(hand)
    for allowed in moved_each(ALLOWED):
        refused(allowed=allowed)
    refused(allowed=ALLOWED[::-1])
    refused((HAND[1], HAND[0], HAND[2]))


def test_each_changed_scalar_of_a_membership_proof_is_refused() -> None:
    for changed in moved_scalars(PROOF.encode(), 0):
        refused(proof=MembershipProof.decode(changed, len(HAND), len(ALLOWED)))


def test_challenges_shifted_between_branches_are_refused() -> None:
    # Each row still adds up; the commitments do not come back.
    for row in range(len(HAND)):
        first, second, *rest = PROOF.rows[row]
        shifted = (
            Branch((first.challenge + 1) % ORDER, first.response),
            Branch((second.challenge - 1) % ORDER, second.response),
            *rest,
        )
        refused(proof=MembershipProof((*PROOF.rows[:row], shifted, *PROOF.rows[row + 1 :])))


def test_a_zero_challenge_or_response_is_refused() -> None:
    for zero in (Branch(0, 1), Branch(1, 0)):
        row = (zero, *PROOF.rows[0][1:])
        refused(proof=MembershipProof((row, *PROOF.rows[1:])))


def test_another_secret_than_the_keys_proves_nothing() -> None:
    liar = KeyPair(OTHER.secret, KEY.public)
    hand = hand_of(OTHER.public, ALLOWED).after
    proof = prove_membership(CONTEXT, liar, hand, ALLOWED, entropy_of(0))
    refused(hand, proof=proof)
    refused(hand, proof=proof, public=OTHER.public)


def test_statements_that_are_empty_uneven_repeated_or_too_long_are_refused() -> None:
    twice = (*ALLOWED, ALLOWED[0])
    many = HAND[:1] * (CARDS_MAX + 1)
    for hand, allowed in [((), ALLOWED), (HAND, ()), (HAND, twice), (many, ALLOWED)]:
        with pytest.raises(InvalidStatement):
            prove_membership(CONTEXT, KEY, hand, allowed, entropy_of(0))
        with pytest.raises(InvalidStatement):
            verify_membership(CONTEXT, KEY.public, hand, allowed, PROOF)
    for hand, allowed in [(HAND[:-1], ALLOWED), (HAND, ALLOWED[:-1]), (HAND, FACES[:4])]:
        with pytest.raises(InvalidStatement):
            verify_membership(CONTEXT, KEY.public, hand, allowed, PROOF)
    short = replace(PROOF, rows=(PROOF.rows[0][:-1], *PROOF.rows[1:]))
    with pytest.raises(InvalidStatement):
        verify_membership(CONTEXT, KEY.public, HAND, ALLOWED, short)
    with pytest.raises(InvalidStatement):
        verify_membership(CONTEXT, KEY.public, HAND, ALLOWED, MembershipProof(()))


def test_a_decoded_proof_of_no_faces_proves_nothing() -> None:
    for slots, faces in [(0, 3), (3, 0), (0, 0)]:
        empty = MembershipProof.decode(b"", slots, faces)
        with pytest.raises(InvalidProof):
            verify_membership(CONTEXT, KEY.public, HAND, ALLOWED, empty)


def test_a_pass_made_again_is_the_same_and_elsewhere_has_other_nonces() -> None:
    assert prove_membership(CONTEXT, KEY, HAND, ALLOWED, entropy_of(0)) == PROOF
    others = [
        prove_membership(OTHER_CONTEXTS["step"], KEY, HAND, ALLOWED, entropy_of(0)),
        prove_membership(CONTEXT, KEY, HAND, FACES, entropy_of(0)),
        prove_membership(CONTEXT, KEY, HAND[::-1], ALLOWED, entropy_of(0)),
    ]
    scalars = [
        scalar
        for proof in (PROOF, *others)
        for row in proof.rows
        for branch in row
        for scalar in (branch.challenge, branch.response)
    ]
    assert len(set(scalars)) == len(scalars)
