"""Keys, slots and shares: what they open to, and every proof that has to be refused."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto.group import BASE, IDENTITY, multiply_base, subtract
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement
from p2pjong.crypto.masking import (
    CARDS_MAX,
    KeyPair,
    KeyProof,
    SharesProof,
    decode_slots,
    encode_slots,
    joint_key,
    make_key,
    make_shares,
    open_slot,
    prove_key,
    prove_shares,
    read_slot,
    unmask,
    veil_faces,
    verify_key,
    verify_shares,
)
from tests.support.crypto_table import (
    CONTEXT,
    FACES,
    OTHER_CONTEXTS,
    entropy_of,
    hand_of,
    keys_of,
    malformed,
    moved,
    moved_each,
    moved_points,
    moved_scalars,
    moved_slots,
)

KEY, OTHER = keys_of(2)
KEY_PROOF = prove_key(CONTEXT, KEY, entropy_of(0))
SLOTS = hand_of(KEY.public).after
SHARES = make_shares(KEY, SLOTS)
PROOF = prove_shares(CONTEXT, KEY, SLOTS, SHARES, entropy_of(0))


# --- Keys ---------------------------------------------------------------------------------------


def test_a_key_proof_holds_and_survives_its_encoding() -> None:
    verify_key(CONTEXT, KEY.public, KEY_PROOF)
    assert len(KEY_PROOF.encode()) == 64
    assert KeyProof.decode(KEY_PROOF.encode()) == KEY_PROOF


@pytest.mark.parametrize("context", OTHER_CONTEXTS.values(), ids=OTHER_CONTEXTS)
def test_a_key_proof_of_another_seat_hand_table_or_step_is_refused(context: bytes) -> None:
    with pytest.raises(InvalidProof):
        verify_key(context, KEY.public, KEY_PROOF)


def test_a_key_proof_for_another_key_is_refused() -> None:
    for public in (OTHER.public, moved(KEY.public), BASE):
        with pytest.raises(InvalidProof):
            verify_key(CONTEXT, public, KEY_PROOF)


def test_a_key_proof_without_the_secret_is_refused() -> None:
    # A rogue key, made from another's so that their sum is known, comes without its secret.
    rogue = KeyPair(1234, subtract(multiply_base(1234), KEY.public))
    with pytest.raises(InvalidProof):
        verify_key(CONTEXT, rogue.public, prove_key(CONTEXT, rogue, entropy_of(1)))


def test_each_changed_field_of_a_key_proof_is_refused() -> None:
    encoding = KEY_PROOF.encode()
    for changed in [*moved_points(encoding, 1), *moved_scalars(encoding, 1)]:
        with pytest.raises(InvalidProof):
            verify_key(CONTEXT, KEY.public, KeyProof.decode(changed))


def test_malformed_key_proofs_are_not_decoded() -> None:
    for encoding in malformed(KEY_PROOF.encode(), points=1):
        with pytest.raises(InvalidEncoding):
            KeyProof.decode(encoding)


def test_keys_differ_between_epochs_and_seats_and_hide_their_secret_from_logs() -> None:
    secrets = {
        make_key(epoch, entropy_of(seat)).secret for epoch in (b"1", b"2") for seat in (0, 1)
    }
    assert len(secrets) == 4
    assert str(KEY.secret) not in repr(KEY)


def test_a_joint_key_is_the_sum_of_its_shares_and_never_the_identity() -> None:
    keys = keys_of(3)
    joint = joint_key([key.public for key in keys])
    assert joint == multiply_base(sum(key.secret for key in keys))
    with pytest.raises(InvalidProof):
        joint_key([KEY.public, multiply_base(-KEY.secret)])
    with pytest.raises(InvalidStatement):
        joint_key([])


# --- Slots --------------------------------------------------------------------------------------


def test_slots_survive_their_encoding_and_only_that() -> None:
    encoding = encode_slots(SLOTS)
    assert decode_slots(encoding, len(SLOTS)) == SLOTS
    for bad in malformed(encoding, points=2 * len(SLOTS)):
        with pytest.raises(InvalidEncoding):
            decode_slots(bad, len(SLOTS))
    for count in (0, len(SLOTS) - 1, len(SLOTS) + 1):
        with pytest.raises(InvalidEncoding):
            decode_slots(encoding, count)


def test_a_veiled_deck_is_the_same_for_all_and_opens_to_its_faces_in_order() -> None:
    deck = veil_faces(FACES, KEY.public)
    assert deck == veil_faces(FACES, KEY.public)
    assert [read_slot(slot, KEY) for slot in deck] == list(FACES)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 5), st.data())
def test_shares_of_all_seats_in_any_order_open_a_slot(seats: int, data: st.DataObject) -> None:
    keys = keys_of(seats)
    joint = joint_key([key.public for key in keys])
    slot = hand_of(joint, FACES[:1]).after[0]
    order = data.draw(st.permutations(keys))
    shares = [make_shares(key, [slot])[0] for key in order]
    assert open_slot(slot, shares) == FACES[0]


def test_all_shares_but_one_leave_a_slot_under_the_last_key() -> None:
    for *givers, holder in permutations(keys_of(3)):
        joint = joint_key([key.public for key in (*givers, holder)])
        slot = hand_of(joint, FACES[:1]).after[0]
        left = unmask(slot, [make_shares(key, [slot])[0] for key in givers])
        assert read_slot(left, holder) == FACES[0]
        assert all(read_slot(left, key) != FACES[0] for key in givers)
        assert open_slot(left, make_shares(holder, [left])) == FACES[0]


def test_a_missing_share_opens_to_no_face() -> None:
    keys = keys_of(3)
    slot = hand_of(joint_key([key.public for key in keys]), FACES[:1]).after[0]
    shares = [make_shares(key, [slot])[0] for key in keys[:2]]
    assert open_slot(slot, shares) not in FACES


# --- Shares -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_shares_proof_holds_and_survives_its_encoding(count: int) -> None:
    slots, shares = SLOTS[:count], SHARES[:count]
    proof = prove_shares(CONTEXT, KEY, slots, shares, entropy_of(0))
    verify_shares(CONTEXT, KEY.public, slots, shares, proof)
    assert len(proof.encode()) == 96
    assert SharesProof.decode(proof.encode()) == proof


@pytest.mark.parametrize("context", OTHER_CONTEXTS.values(), ids=OTHER_CONTEXTS)
def test_a_shares_proof_of_another_seat_hand_table_or_step_is_refused(context: bytes) -> None:
    with pytest.raises(InvalidProof):
        verify_shares(context, KEY.public, SLOTS, SHARES, PROOF)


def test_each_changed_element_of_a_shares_statement_is_refused() -> None:
    statements = [(OTHER.public, SLOTS, SHARES), (moved(KEY.public), SLOTS, SHARES)]
    statements += [(KEY.public, slots, SHARES) for slots in moved_slots(SLOTS)]
    statements += [(KEY.public, SLOTS, shares) for shares in moved_each(SHARES)]
    for public, slots, shares in statements:
        with pytest.raises(InvalidProof):
            verify_shares(CONTEXT, public, slots, shares, PROOF)


def test_each_changed_field_of_a_shares_proof_is_refused() -> None:
    encoding = PROOF.encode()
    for changed in [*moved_points(encoding, 2), *moved_scalars(encoding, 2)]:
        with pytest.raises(InvalidProof):
            verify_shares(CONTEXT, KEY.public, SLOTS, SHARES, SharesProof.decode(changed))


def test_swapped_shares_are_refused() -> None:
    shares = (SHARES[1], SHARES[0], *SHARES[2:])
    proof = prove_shares(CONTEXT, KEY, SLOTS, shares, entropy_of(0))
    for tried in (PROOF, proof):
        with pytest.raises(InvalidProof):
            verify_shares(CONTEXT, KEY.public, SLOTS, shares, tried)


def test_one_wrong_share_among_good_ones_is_refused_whatever_the_prover_does() -> None:
    for shares in moved_each(SHARES):
        proof = prove_shares(CONTEXT, KEY, SLOTS, shares, entropy_of(0))
        with pytest.raises(InvalidProof):
            verify_shares(CONTEXT, KEY.public, SLOTS, shares, proof)


def test_errors_that_add_up_to_nothing_are_refused() -> None:
    # Without weights of their own, two shares off by +G and -G would pass a batched proof.
    shares = (moved(SHARES[0]), subtract(SHARES[1], BASE), *SHARES[2:])
    proof = prove_shares(CONTEXT, KEY, SLOTS, shares, entropy_of(0))
    with pytest.raises(InvalidProof):
        verify_shares(CONTEXT, KEY.public, SLOTS, shares, proof)


def test_shares_made_with_another_secret_are_refused() -> None:
    shares = make_shares(OTHER, SLOTS)
    for secret in (KEY.secret, OTHER.secret):
        liar = KeyPair(secret, KEY.public)
        proof = prove_shares(CONTEXT, liar, SLOTS, shares, entropy_of(0))
        with pytest.raises(InvalidProof):
            verify_shares(CONTEXT, KEY.public, SLOTS, shares, proof)


def test_the_equation_of_the_key_counts() -> None:
    # The shares and the proof are those of another secret: only the key's equation fails.
    shares = make_shares(OTHER, SLOTS)
    liar = KeyPair(OTHER.secret, KEY.public)
    proof = prove_shares(CONTEXT, liar, SLOTS, shares, entropy_of(0))
    with pytest.raises(InvalidProof):
        verify_shares(CONTEXT, KEY.public, SLOTS, shares, proof)


def test_shares_of_nothing_of_too_much_or_of_unequal_lengths_are_refused() -> None:
    many = SLOTS[:1] * (CARDS_MAX + 1), SHARES[:1] * (CARDS_MAX + 1)
    for slots, shares in [((), ()), (SLOTS, SHARES[:-1]), (SLOTS[:-1], SHARES), (SLOTS, ()), many]:
        with pytest.raises(InvalidStatement):
            verify_shares(CONTEXT, KEY.public, slots, shares, PROOF)
        with pytest.raises(InvalidStatement):
            prove_shares(CONTEXT, KEY, slots, shares, entropy_of(0))


def test_a_proof_for_fewer_or_more_slots_is_refused() -> None:
    with pytest.raises(InvalidProof):
        verify_shares(CONTEXT, KEY.public, SLOTS[:-1], SHARES[:-1], PROOF)
    with pytest.raises(InvalidProof):
        verify_shares(CONTEXT, KEY.public, SLOTS + SLOTS[:1], SHARES + SHARES[:1], PROOF)


def test_the_same_slot_twice_is_no_fault_of_the_sharer() -> None:
    # A dishonest switch can give two slots one mask; the honest owner must still open both.
    slots, shares = (SLOTS[0], SLOTS[0]), (SHARES[0], SHARES[0])
    proof = prove_shares(CONTEXT, KEY, slots, shares, entropy_of(0))
    verify_shares(CONTEXT, KEY.public, slots, shares, proof)
    with pytest.raises(InvalidProof):
        verify_shares(CONTEXT, KEY.public, slots, SHARES[:2], proof)


def test_malformed_shares_proofs_are_not_decoded() -> None:
    for encoding in malformed(PROOF.encode(), points=2):
        with pytest.raises(InvalidEncoding):
            SharesProof.decode(encoding)


def test_a_share_that_is_the_identity_does_not_come_through() -> None:
    shares = (IDENTITY, *SHARES[1:])
    with pytest.raises(InvalidProof):
        verify_shares(CONTEXT, KEY.public, SLOTS, shares, PROOF)


def test_no_nonce_serves_two_statements() -> None:
    same = prove_shares(CONTEXT, KEY, SLOTS, SHARES, entropy_of(0))
    assert same == PROOF
    others = [
        prove_shares(OTHER_CONTEXTS["step"], KEY, SLOTS, SHARES, entropy_of(0)),
        prove_shares(CONTEXT, KEY, SLOTS[:3], SHARES[:3], entropy_of(0)),
        prove_shares(CONTEXT, KEY, SLOTS[::-1], SHARES[::-1], entropy_of(0)),
        prove_shares(CONTEXT, KeyPair(KEY.secret + 1, KEY.public), SLOTS, SHARES, entropy_of(0)),
        prove_shares(CONTEXT, KEY, SLOTS, SHARES, entropy_of(1)),
    ]
    assert len({proof.base_commitment for proof in (PROOF, *others)}) == 6
