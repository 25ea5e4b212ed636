"""The switch keeps the face and changes the owner, and a false one is refused."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto.group import BASE, ORDER, Point, add, multiply, multiply_base, subtract
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement
from p2pjong.crypto.masking import CARDS_MAX, Ciphertext, KeyPair, make_shares, open_slot, read_slot
from p2pjong.crypto.switch import Switch, SwitchProof, _prove, prove_switch, verify_switch
from tests.support.crypto_table import (
    CONTEXT,
    FACES,
    OTHER_CONTEXTS,
    entropy_of,
    hand_of,
    keys_of,
    malformed,
    moved,
    moved_points,
    moved_scalars,
    moved_slots,
)

HOLDER, OWNER, THIRD = keys_of(3)
BEFORE = hand_of(HOLDER.public, FACES[:3]).after
AFTER, PROOF = prove_switch(CONTEXT, HOLDER, OWNER.public, BEFORE, entropy_of(0))
SWITCH = Switch(HOLDER.public, OWNER.public, BEFORE, AFTER)


def by_hand(secret: int, masks: list[int], owner: Point = OWNER.public) -> tuple[Ciphertext, ...]:
    """The new slots for given secrets, right or wrong."""
    return tuple(
        Ciphertext(
            multiply_base(mask),
            add(subtract(slot.b, multiply(secret, slot.a)), multiply(mask, owner)),
        )
        for slot, mask in zip(BEFORE, masks, strict=True)
    )


def refused(switch: Switch, proof: SwitchProof = PROOF, context: bytes = CONTEXT) -> None:
    with pytest.raises(InvalidProof):
        verify_switch(context, switch, proof)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=5), st.binary(max_size=4))
def test_a_switch_keeps_every_face_and_gives_it_to_the_owner_alone(
    faces: list[Point], context: bytes
) -> None:
    before = hand_of(HOLDER.public, faces).after
    after, proof = prove_switch(context, HOLDER, OWNER.public, before, entropy_of(0))
    verify_switch(context, Switch(HOLDER.public, OWNER.public, before, after), proof)
    held = [read_slot(slot, HOLDER) for slot in before]
    assert [read_slot(slot, OWNER) for slot in after] == held
    assert sorted(held) == sorted(faces)
    assert not {read_slot(slot, HOLDER) for slot in after} & set(FACES)
    shares = make_shares(OWNER, after)
    assert [open_slot(s, [share]) for s, share in zip(after, shares, strict=True)] == held


def test_a_card_can_be_switched_on_and_back() -> None:
    slots = BEFORE
    for giver, taker in [(HOLDER, OWNER), (OWNER, THIRD), (THIRD, HOLDER)]:
        after, proof = prove_switch(CONTEXT, giver, taker.public, slots, entropy_of(1))
        verify_switch(CONTEXT, Switch(giver.public, taker.public, slots, after), proof)
        slots = after
    assert [read_slot(slot, HOLDER) for slot in slots] == [read_slot(s, HOLDER) for s in BEFORE]
    assert slots != BEFORE


def test_a_switch_proof_has_160_bytes_and_survives_its_encoding() -> None:
    encoding = PROOF.encode()
    assert len(encoding) == 160
    assert SwitchProof.decode(encoding) == PROOF
    for bad in malformed(encoding, points=3):
        with pytest.raises(InvalidEncoding):
            SwitchProof.decode(bad)


@pytest.mark.parametrize("context", OTHER_CONTEXTS.values(), ids=OTHER_CONTEXTS)
def test_a_switch_proof_of_another_seat_hand_table_or_step_is_refused(context: bytes) -> None:
    refused(SWITCH, context=context)


def test_each_changed_element_of_a_switch_statement_is_refused() -> None:
    verify_switch(CONTEXT, SWITCH, PROOF)
    for public in (THIRD.public, moved(HOLDER.public)):
        refused(replace(SWITCH, holder=public))
        refused(replace(SWITCH, owner=public))
    for before in moved_slots(BEFORE):
        refused(replace(SWITCH, before=before))
    for after in moved_slots(AFTER):
        refused(replace(SWITCH, after=after))


def test_each_changed_field_of_a_switch_proof_is_refused() -> None:
    encoding = PROOF.encode()
    for changed in [*moved_points(encoding, 3), *moved_scalars(encoding, 3)]:
        refused(SWITCH, SwitchProof.decode(changed))


def test_a_switched_face_is_refused_whatever_the_holder_proves() -> None:
    masks = [11, 12, 13]
    good = by_hand(HOLDER.secret, masks)
    honest = replace(SWITCH, after=good)
    verify_switch(CONTEXT, honest, _prove(CONTEXT, honest, HOLDER.secret, masks, entropy_of(0)))
    for index, slot in enumerate(good):
        forged = Ciphertext(slot.a, add(slot.b, subtract(FACES[4], FACES[0])))
        switch = replace(SWITCH, after=(*good[:index], forged, *good[index + 1 :]))
        refused(switch, _prove(CONTEXT, switch, HOLDER.secret, masks, entropy_of(0)))


def test_errors_that_add_up_to_nothing_are_refused() -> None:
    masks = [11, 12, 13]
    first, second, third = by_hand(HOLDER.secret, masks)
    after = (
        Ciphertext(first.a, add(first.b, BASE)),
        Ciphertext(second.a, subtract(second.b, BASE)),
        third,
    )
    switch = replace(SWITCH, after=after)
    refused(switch, _prove(CONTEXT, switch, HOLDER.secret, masks, entropy_of(0)))


def test_cards_exchanged_on_the_way_are_refused() -> None:
    refused(replace(SWITCH, after=(AFTER[1], AFTER[0], AFTER[2])))


@pytest.mark.parametrize(("secret", "mask"), [(1, 0), (0, 1)], ids=["secret", "mask"])
def test_a_wrong_witness_gives_no_proof(secret: int, mask: int) -> None:
    masks = [11, 12, 13]
    switch = replace(SWITCH, after=by_hand(HOLDER.secret, masks))
    wrong = [masks[0] + mask, *masks[1:]]
    refused(switch, _prove(CONTEXT, switch, HOLDER.secret + secret, wrong, entropy_of(0)))


def test_a_switch_with_another_secret_than_the_keys_is_refused() -> None:
    masks = [11, 12, 13]
    switch = replace(SWITCH, after=by_hand(THIRD.secret, masks))
    for secret in (HOLDER.secret, THIRD.secret):
        refused(switch, _prove(CONTEXT, switch, secret, masks, entropy_of(0)))


def test_a_switch_to_another_key_than_claimed_is_refused() -> None:
    masks = [11, 12, 13]
    switch = replace(SWITCH, after=by_hand(HOLDER.secret, masks, THIRD.public))
    refused(switch, _prove(CONTEXT, switch, HOLDER.secret, masks, entropy_of(0)))


def test_a_new_slot_whose_masks_differ_between_its_halves_is_refused() -> None:
    # The owner could not read such a card; only the equation of the masks fails.
    masks = [11, 12, 13]
    good = by_hand(HOLDER.secret, masks)
    switch = replace(SWITCH, after=(Ciphertext(moved(good[0].a), good[0].b), *good[1:]))
    refused(switch, _prove(CONTEXT, switch, HOLDER.secret, masks, entropy_of(0)))


def test_switches_of_nothing_of_unequal_lengths_and_to_oneself_are_refused() -> None:
    many = BEFORE[:1] * (CARDS_MAX + 1)
    for before, after in [((), ()), (BEFORE, AFTER[:-1]), (BEFORE[:-1], AFTER), (many, many)]:
        with pytest.raises(InvalidStatement):
            verify_switch(CONTEXT, replace(SWITCH, before=before, after=after), PROOF)
    with pytest.raises(InvalidStatement):
        verify_switch(CONTEXT, replace(SWITCH, owner=HOLDER.public), PROOF)
    with pytest.raises(InvalidStatement):
        prove_switch(CONTEXT, HOLDER, HOLDER.public, BEFORE, entropy_of(0))
    with pytest.raises(InvalidStatement):
        prove_switch(CONTEXT, HOLDER, OWNER.public, (), entropy_of(0))


def test_a_proof_for_fewer_slots_is_refused() -> None:
    refused(replace(SWITCH, before=BEFORE[:-1], after=AFTER[:-1]))


def test_a_switch_made_again_is_the_same_and_elsewhere_has_other_masks_and_nonces() -> None:
    assert prove_switch(CONTEXT, HOLDER, OWNER.public, BEFORE, entropy_of(0)) == (AFTER, PROOF)
    others = [
        prove_switch(OTHER_CONTEXTS["step"], HOLDER, OWNER.public, BEFORE, entropy_of(0)),
        prove_switch(CONTEXT, HOLDER, THIRD.public, BEFORE, entropy_of(0)),
        prove_switch(CONTEXT, HOLDER, OWNER.public, BEFORE[:2], entropy_of(0)),
        prove_switch(CONTEXT, KeyPair(5, multiply_base(5)), OWNER.public, BEFORE, entropy_of(0)),
    ]
    assert len({after[0].a for after, _ in [(AFTER, PROOF), *others]}) == 5
    assert len({proof.commitments for _, proof in [(AFTER, PROOF), *others]}) == 5
    assert all(0 <= response < ORDER for response in PROOF.responses)
