"""The shuffle proof: it holds for every honest shuffle, and for nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto import shuffle as shuffle_module
from p2pjong.crypto.claims import verify_claims
from p2pjong.crypto.group import BASE, ORDER, Point, add, multiply_base, subtract
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement
from p2pjong.crypto.masking import (
    CARDS_MAX,
    Ciphertext,
    KeyPair,
    joint_key,
    make_shares,
    open_slot,
    read_slot,
    veil_faces,
)
from p2pjong.crypto.shuffle import (
    Shuffled,
    ShuffleProof,
    claim_shuffle,
    proof_bytes,
    prove_shuffle,
    shuffle_slots,
    verify_shuffle,
)
from p2pjong.crypto.transcript import Transcript
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

KEY, OTHER = keys_of(2)
BEFORE = hand_of(KEY.public).after
SHUFFLED = shuffle_slots(CONTEXT, KEY.public, BEFORE, entropy_of(0))
AFTER = SHUFFLED.after
PROOF = prove_shuffle(CONTEXT, KEY.public, BEFORE, SHUFFLED, entropy_of(0))


def prove(shuffled: Shuffled, before: Sequence[Ciphertext] = BEFORE) -> ShuffleProof:
    return prove_shuffle(CONTEXT, KEY.public, before, shuffled, entropy_of(0))


def check(
    after: Sequence[Ciphertext], proof: ShuffleProof, before: Sequence[Ciphertext] = BEFORE
) -> None:
    verify_shuffle(CONTEXT, KEY.public, before, after, proof)


def reencrypted(sources: Sequence[int], before: Sequence[Ciphertext] = BEFORE) -> Shuffled:
    """A "shuffle" that takes its cards from any places, also twice from one."""
    masks = tuple(range(7, 7 + len(sources)))
    after = tuple(
        Ciphertext(
            add(before[place].a, multiply_base(mask)),
            add(before[place].b, multiply_base(mask * KEY.secret)),
        )
        for place, mask in zip(sources, masks, strict=True)
    )
    return Shuffled(after, tuple(sources), masks)


# --- What holds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5, 13])
def test_an_honest_shuffle_verifies_and_its_proof_survives_its_encoding(cards: int) -> None:
    before = veil_faces([FACES[card % 5] for card in range(cards)], KEY.public)
    for _ in range(2):  # the first deck has special points, the second none
        shuffled = shuffle_slots(CONTEXT, KEY.public, before, entropy_of(0))
        proof = prove(shuffled, before)
        check(shuffled.after, proof, before)
        encoding = proof.encode()
        assert len(encoding) == proof_bytes(cards)
        assert ShuffleProof.decode(encoding, cards) == proof
        before = shuffled.after


def test_a_proof_has_the_size_that_the_protocol_page_gives() -> None:
    assert [proof_bytes(cards) for cards in (1, 2, 13, 120, 256)] == [384, 448, 1504, 11776, 24832]


def test_the_messages_of_a_whole_deck_stay_within_their_bounds() -> None:
    def message_bytes(cards: int, seats: int) -> int:
        keys = 32 + (32 + 64 + 32)  # a commitment, then key, proof and nonce
        shuffled = 64 * cards + proof_bytes(cards)
        return seats * (keys + shuffled + 32 * cards + 96)

    assert message_bytes(120, 4) == 94_208 < 125_000
    assert message_bytes(75, 4) == 59_648 < 80_000
    assert 64 * 256 + proof_bytes(256) < 65_536


@pytest.mark.slow
def test_the_longest_deck_can_be_shuffled() -> None:
    before = veil_faces([FACES[card % 5] for card in range(CARDS_MAX)], KEY.public)
    shuffled = shuffle_slots(CONTEXT, KEY.public, before, entropy_of(0))
    proof = prove(shuffled, before)
    check(shuffled.after, proof, before)
    *most, last_but_one, last = shuffled.after
    with pytest.raises(InvalidProof):
        check([*most, last, last_but_one], proof, before)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.sampled_from(FACES), min_size=1, max_size=6),
    st.integers(1, 3),
    st.binary(max_size=4),
)
def test_a_shuffle_of_shuffles_opens_to_the_same_faces(
    faces: list[Point], seats: int, context: bytes
) -> None:
    keys = keys_of(seats)
    joint = joint_key([key.public for key in keys])
    deck = veil_faces(faces, joint)
    for seat in range(seats):
        shuffled = shuffle_slots(context, joint, deck, entropy_of(seat))
        proof = prove_shuffle(context, joint, deck, shuffled, entropy_of(seat))
        verify_shuffle(context, joint, deck, shuffled.after, proof)
        deck = shuffled.after
    shares = [make_shares(key, deck) for key in keys]
    opened = [open_slot(slot, column) for slot, *column in zip(deck, *shares, strict=True)]
    assert sorted(opened) == sorted(faces)


def test_the_permutation_says_where_each_card_came_from() -> None:
    faces = [read_slot(slot, KEY) for slot in BEFORE]
    moved_faces = [read_slot(slot, KEY) for slot in AFTER]
    assert moved_faces == [faces[place] for place in SHUFFLED.permutation]


def test_a_deck_returned_unshuffled_is_allowed() -> None:
    same = Shuffled(tuple(BEFORE), tuple(range(len(BEFORE))), (0,) * len(BEFORE))
    check(BEFORE, prove(same))
    with pytest.raises(InvalidProof):
        check(AFTER, prove(same))


def test_a_shuffle_is_the_same_when_it_is_made_again_and_another_elsewhere() -> None:
    again = shuffle_slots(CONTEXT, KEY.public, BEFORE, entropy_of(0))
    assert again == SHUFFLED
    assert prove(again).encode() == PROOF.encode()
    for context, key, before, seat in [
        (OTHER_CONTEXTS["step"], KEY.public, BEFORE, 0),
        (CONTEXT, OTHER.public, BEFORE, 0),
        (CONTEXT, KEY.public, BEFORE[::-1], 0),
        (CONTEXT, KEY.public, BEFORE, 1),
    ]:
        other = shuffle_slots(context, key, before, entropy_of(seat))
        assert not set(other.masks) & set(SHUFFLED.masks)


def test_no_nonce_serves_two_proofs() -> None:
    other = shuffle_slots(OTHER_CONTEXTS["step"], KEY.public, BEFORE, entropy_of(0))
    proofs = [
        PROOF,
        prove(other),
        prove(replace(SHUFFLED, masks=(*SHUFFLED.masks[:-1], 5))),
        prove_shuffle(OTHER_CONTEXTS["hand"], KEY.public, BEFORE, SHUFFLED, entropy_of(0)),
        prove_shuffle(CONTEXT, KEY.public, BEFORE, SHUFFLED, entropy_of(1)),
    ]
    assert len({proof.blinders for proof in proofs}) == len(proofs)
    assert len({proof.value_blinders for proof in proofs}) == len(proofs)


def test_secrets_stay_out_of_logs() -> None:
    assert str(SHUFFLED.masks[0]) not in repr(SHUFFLED)
    assert "permutation" not in repr(SHUFFLED)


# --- Statements and proofs changed --------------------------------------------------------------


@pytest.mark.parametrize("context", OTHER_CONTEXTS.values(), ids=OTHER_CONTEXTS)
def test_a_shuffle_proof_of_another_seat_hand_table_or_step_is_refused(context: bytes) -> None:
    with pytest.raises(InvalidProof):
        verify_shuffle(context, KEY.public, BEFORE, AFTER, PROOF)


@pytest.mark.parametrize("public", [OTHER.public, moved(KEY.public), BASE])
def test_a_shuffle_proof_for_another_key_is_refused(public: Point) -> None:
    with pytest.raises(InvalidProof):
        verify_shuffle(CONTEXT, public, BEFORE, AFTER, PROOF)


def test_each_changed_element_of_a_shuffle_statement_is_refused() -> None:
    for before in moved_slots(BEFORE):
        with pytest.raises(InvalidProof):
            check(AFTER, PROOF, before)
    for after in moved_slots(AFTER):
        with pytest.raises(InvalidProof):
            check(after, PROOF)


@pytest.mark.parametrize("cards", [1, 2, 4])
def test_each_changed_field_of_a_shuffle_proof_is_refused(cards: int) -> None:
    before = BEFORE[:cards]
    shuffled = shuffle_slots(CONTEXT, KEY.public, before, entropy_of(0))
    encoding = prove(shuffled, before).encode()
    for changed in [*moved_points(encoding, 7), *moved_scalars(encoding, 7)]:
        with pytest.raises(InvalidProof):
            check(shuffled.after, ShuffleProof.decode(changed, cards), before)


def test_malformed_shuffle_proofs_are_not_decoded() -> None:
    for encoding in malformed(PROOF.encode(), points=7):
        with pytest.raises(InvalidEncoding):
            ShuffleProof.decode(encoding, len(BEFORE))
    for cards in (3, 5):
        with pytest.raises(InvalidEncoding):
            ShuffleProof.decode(PROOF.encode(), cards)
    for cards in (-1, 0, CARDS_MAX + 1):
        with pytest.raises(InvalidStatement):
            ShuffleProof.decode(PROOF.encode(), cards)


def test_the_order_of_the_new_slots_is_part_of_the_statement() -> None:
    with pytest.raises(InvalidProof):
        check((AFTER[1], AFTER[0], *AFTER[2:]), PROOF)
    with pytest.raises(InvalidProof):
        check(AFTER, PROOF, (BEFORE[1], BEFORE[0], *BEFORE[2:]))


# --- Dishonest shuffles, with the best proof that their maker can compute ------------------------


@pytest.mark.parametrize(
    "sources", [(0, 0, 2, 3), (0, 1, 2, 2), (3, 3, 3, 3), (1, 1, 0, 0)], ids=str
)
def test_a_duplicated_card_is_refused(sources: tuple[int, ...]) -> None:
    cheat = reencrypted(sources)
    with pytest.raises(InvalidProof):
        check(cheat.after, prove(cheat))
    # Nor with a proof that claims a permutation which these cards do not follow.
    for claimed in [(0, 1, 2, 3), (3, 2, 1, 0)]:
        with pytest.raises(InvalidProof):
            check(cheat.after, prove(replace(cheat, permutation=claimed)))


def test_a_card_that_was_not_in_the_deck_is_refused() -> None:
    honest = reencrypted((2, 0, 3, 1))
    check(honest.after, prove(honest))
    for index, slot in enumerate(honest.after):
        forged = Ciphertext(slot.a, add(subtract(slot.b, FACES[0]), FACES[4]))
        after = (*honest.after[:index], forged, *honest.after[index + 1 :])
        with pytest.raises(InvalidProof):
            check(after, prove(replace(honest, after=after)))


def test_two_cards_swapped_after_the_proof_was_made_are_refused() -> None:
    swapped = replace(SHUFFLED, after=(AFTER[1], AFTER[0], *AFTER[2:]))
    with pytest.raises(InvalidProof):
        check(swapped.after, prove(swapped))


def test_two_faces_exchanged_for_their_sum_are_refused() -> None:
    # Errors that add up to nothing over the deck: caught by the weights t.
    first, second, *rest = AFTER
    after = (
        Ciphertext(first.a, add(first.b, BASE)),
        Ciphertext(second.a, subtract(second.b, BASE)),
        *rest,
    )
    with pytest.raises(InvalidProof):
        check(after, prove(replace(SHUFFLED, after=after)))


def test_dropped_and_added_cards_are_refused() -> None:
    for after in (AFTER[:-1], (*AFTER, AFTER[0]), ()):
        with pytest.raises(InvalidStatement):
            check(after, PROOF)
    with pytest.raises(InvalidStatement):
        check(AFTER[:-1], PROOF, BEFORE[:-1])
    with pytest.raises(InvalidStatement):
        check((), PROOF, ())


def test_more_cards_than_the_limit_are_refused() -> None:
    many = BEFORE[:1] * (CARDS_MAX + 1)
    with pytest.raises(InvalidStatement):
        check(many, PROOF, many)
    with pytest.raises(InvalidStatement):
        shuffle_slots(CONTEXT, KEY.public, many, entropy_of(0))
    with pytest.raises(InvalidStatement):
        shuffle_slots(CONTEXT, KEY.public, (), entropy_of(0))


def test_wrong_masks_give_no_proof() -> None:
    for index in range(len(BEFORE)):
        masks = list(SHUFFLED.masks)
        masks[index] += 1
        with pytest.raises(InvalidProof):
            check(AFTER, prove(replace(SHUFFLED, masks=tuple(masks))))


def test_a_wrong_permutation_gives_no_proof() -> None:
    first, second, *rest = SHUFFLED.permutation
    wrong = (second, first, *rest)
    with pytest.raises(InvalidProof):
        check(AFTER, prove(replace(SHUFFLED, permutation=wrong)))


def test_a_shuffle_under_another_key_than_claimed_is_refused() -> None:
    shuffled = shuffle_slots(CONTEXT, OTHER.public, BEFORE, entropy_of(0))
    with pytest.raises(InvalidProof):
        check(shuffled.after, prove(shuffled))


def test_proofs_with_vectors_of_the_wrong_length_are_refused() -> None:
    f, values, products = PROOF.f, PROOF.values, PROOF.products
    for wrong in (
        *(replace(PROOF, f=vector) for vector in (f[:-1], (*f, 1), ())),
        *(replace(PROOF, values=vector) for vector in (values[:-1], (*values, 1), ())),
        *(replace(PROOF, products=vector) for vector in (products[:-1], (*products, 1), ())),
    ):
        with pytest.raises(InvalidStatement):
            check(AFTER, wrong)


# --- Each equation on its own -------------------------------------------------------------------
# The cheat below satisfies all equations of the claim but one; each must be checked.


def failing(after: Sequence[Ciphertext], proof: ShuffleProof) -> list[int]:
    """Which of the claim's equations do not hold, checked one at a time."""
    claim = claim_shuffle(CONTEXT, KEY.public, BEFORE, after, proof)
    failed = []
    for index, equation in enumerate(claim.equations):
        try:
            verify_claims([replace(claim, equations=(equation,))])
        except InvalidProof:
            failed.append(index)
    return failed


def test_an_honest_proof_satisfies_the_four_equations() -> None:
    assert failing(AFTER, PROOF) == []


@pytest.mark.parametrize("equation", [0, 1])
def test_the_equation_of_each_component_counts(equation: int) -> None:
    slot = AFTER[0]
    forged = [Ciphertext(moved(slot.a), slot.b), Ciphertext(slot.a, moved(slot.b))][equation]
    after = (forged, *AFTER[1:])
    proof = prove(replace(SHUFFLED, after=after))
    assert failing(after, proof) == [equation]
    with pytest.raises(InvalidProof):
        check(after, proof)


def test_the_equation_of_the_committed_places_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    # A prover that commits to one permutation and goes on with another would be free to choose
    # the latter when it knows the weights.
    honest = shuffle_module._commit_permutation
    monkeypatch.setattr(
        shuffle_module, "_commit_permutation", lambda places, mask: honest(places[::-1], mask)
    )
    proof = prove(SHUFFLED)
    assert failing(AFTER, proof) == [2]
    with pytest.raises(InvalidProof):
        check(AFTER, proof)


def test_the_equation_of_the_product_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    # A cheat doubles a slot, face and all, and weighs it by half: whatever is linear holds, and
    # only the product over the places tells that its weights are no permutation of the true ones.
    honest = reencrypted((0, 1, 2, 3))
    doubled = Ciphertext(add(honest.after[0].a, BEFORE[0].a), add(honest.after[0].b, BEFORE[0].b))
    cheat = replace(honest, after=(doubled, *honest.after[1:]))
    proof = prove_with_half_a_weight(cheat, BEFORE, monkeypatch)
    assert failing(cheat.after, proof) == [3]
    with pytest.raises(InvalidProof):
        check(cheat.after, proof)


def test_the_product_over_a_single_card_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = BEFORE[:1]
    honest = reencrypted((0,), before)
    after = (Ciphertext(add(honest.after[0].a, before[0].a), add(honest.after[0].b, before[0].b)),)
    proof = prove_with_half_a_weight(replace(honest, after=after), before, monkeypatch)
    with pytest.raises(InvalidProof):
        check(after, proof, before)


def prove_with_half_a_weight(
    cheat: Shuffled, before: Sequence[Ciphertext], monkeypatch: pytest.MonkeyPatch
) -> ShuffleProof:
    """Lets the honest prover run, with (t - d) / 2 slipped in for its first weight t."""
    blinders: list[int] = []
    half = pow(2, -1, ORDER)

    def commit_places(*given: Any) -> Any:
        places = _commit_places(*given)
        blinders.extend(places.blinders)
        return places

    def challenges(transcript: Transcript, name: str, count: int) -> tuple[int, ...]:
        first, *rest = honest_challenges(transcript, name, count)
        return ((first - blinders[0]) * half % ORDER if name == "t" else first, *rest)

    _commit_places, honest_challenges = shuffle_module._commit_places, Transcript.challenges
    with monkeypatch.context() as patch:
        patch.setattr(shuffle_module, "_commit_places", commit_places)
        patch.setattr(Transcript, "challenges", challenges)
        return prove(cheat, before)


# --- Checked together ---------------------------------------------------------------------------


def chain(keys: list[KeyPair], cards: int) -> list[tuple[tuple[Ciphertext, ...], ShuffleProof]]:
    joint = joint_key([key.public for key in keys])
    deck = veil_faces([FACES[card % 5] for card in range(cards)], joint)
    links: list[tuple[tuple[Ciphertext, ...], ShuffleProof]] = [(deck, PROOF)]
    for seat in range(len(keys)):
        shuffled = shuffle_slots(CONTEXT, joint, deck, entropy_of(seat))
        links.append(
            (shuffled.after, prove_shuffle(CONTEXT, joint, deck, shuffled, entropy_of(seat)))
        )
        deck = shuffled.after
    return links


def test_a_chain_of_shuffles_is_checked_together() -> None:
    keys = keys_of(3)
    joint = joint_key([key.public for key in keys])
    links = chain(keys, 6)
    claims = [
        claim_shuffle(CONTEXT, joint, before, after, proof)
        for (before, _), (after, proof) in pairwise(links)
    ]
    verify_claims(claims)
    for wrong, claim in enumerate(claims):
        after, proof = links[wrong + 1]
        changed = replace(proof, z=(proof.z + 1) % ORDER)
        bad = claim_shuffle(CONTEXT, joint, links[wrong][0], after, changed)
        with pytest.raises(InvalidProof):
            verify_claims([*claims[:wrong], bad, *claims[wrong + 1 :]])
        assert claim.seal != bad.seal
