"""Every challenge hashes everything before it, and every seal the whole proof.

A proof whose challenge leaves out one element of its statement can be forged although each
changed element is refused by the equations; so here the hashes themselves are looked at.
"""

from collections.abc import Iterator, Sequence

from p2pjong.crypto.claims import Claim
from p2pjong.crypto.group import ORDER, Scalar
from p2pjong.crypto.masking import (
    Ciphertext,
    KeyProof,
    SharesProof,
    claim_key,
    claim_shares,
    make_shares,
    prove_key,
    prove_shares,
)
from p2pjong.crypto.membership import _transcript as membership_transcript
from p2pjong.crypto.shuffle import ShuffleProof, claim_shuffle, prove_shuffle, shuffle_slots
from p2pjong.crypto.switch import Switch, SwitchProof, claim_switch, prove_switch
from tests.support.crypto_table import (
    CONTEXT,
    FACES,
    OTHER_CONTEXTS,
    entropy_of,
    hand_of,
    keys_of,
    moved,
    moved_each,
    moved_points,
    moved_scalars,
    moved_slots,
)

KEY, OWNER = keys_of(2)
SLOTS = hand_of(KEY.public, FACES[:3]).after
CONTEXTS = tuple(OTHER_CONTEXTS.values())


def all_differ(claims: Sequence[Claim]) -> bool:
    return len({claim.seal for claim in claims}) == len(claims)


def coefficients(claim: Claim, equation: int) -> list[Scalar]:
    return [scalar % ORDER for scalar, _ in claim.equations[equation]]


# --- Keys ---------------------------------------------------------------------------------------


def test_the_challenge_of_a_key_proof_binds_context_key_and_commitment() -> None:
    proof = prove_key(CONTEXT, KEY, entropy_of(0))
    encoding = proof.encode()
    claims = [claim_key(CONTEXT, KEY.public, proof)]
    claims += [claim_key(context, KEY.public, proof) for context in CONTEXTS]
    claims.append(claim_key(CONTEXT, moved(KEY.public), proof))
    claims += [
        claim_key(CONTEXT, KEY.public, KeyProof.decode(changed))
        for changed in moved_points(encoding, 1)
    ]
    assert len({coefficients(claim, 0)[1] for claim in claims}) == len(claims)
    responses = [KeyProof.decode(changed) for changed in moved_scalars(encoding, 1)]
    claims += [claim_key(CONTEXT, KEY.public, changed) for changed in responses]
    assert all_differ(claims)


# --- Shares -------------------------------------------------------------------------------------


def test_weights_and_challenge_of_a_shares_proof_bind_the_whole_statement() -> None:
    shares = make_shares(KEY, SLOTS)
    proof = prove_shares(CONTEXT, KEY, SLOTS, shares, entropy_of(0))
    encoding = proof.encode()
    claims = [claim_shares(CONTEXT, KEY.public, SLOTS, shares, proof)]
    claims += [claim_shares(context, KEY.public, SLOTS, shares, proof) for context in CONTEXTS]
    claims.append(claim_shares(CONTEXT, moved(KEY.public), SLOTS, shares, proof))
    claims += [claim_shares(CONTEXT, KEY.public, s, shares, proof) for s in moved_slots(SLOTS)]
    claims += [claim_shares(CONTEXT, KEY.public, SLOTS, s, proof) for s in moved_each(shares)]
    weights = [coefficients(c, 1)[3] * pow(coefficients(c, 1)[1], -1, ORDER) for c in claims]
    assert len({weight % ORDER for weight in weights}) == len(claims)
    claims += [
        claim_shares(CONTEXT, KEY.public, SLOTS, shares, SharesProof.decode(changed))
        for changed in moved_points(encoding, 2)
    ]
    assert len({coefficients(claim, 0)[1] for claim in claims}) == len(claims)
    claims += [
        claim_shares(CONTEXT, KEY.public, SLOTS, shares, SharesProof.decode(changed))
        for changed in moved_scalars(encoding, 2)
    ]
    assert all_differ(claims)


# --- Switch -------------------------------------------------------------------------------------


def changed_switches(switch: Switch) -> Iterator[Switch]:
    yield Switch(moved(switch.holder), switch.owner, switch.before, switch.after)
    yield Switch(switch.holder, moved(switch.owner), switch.before, switch.after)
    for before in moved_slots(switch.before):
        yield Switch(switch.holder, switch.owner, before, switch.after)
    for after in moved_slots(switch.after):
        yield Switch(switch.holder, switch.owner, switch.before, after)


def test_weights_and_challenge_of_a_switch_proof_bind_the_whole_statement() -> None:
    after, proof = prove_switch(CONTEXT, KEY, OWNER.public, SLOTS, entropy_of(0))
    switch = Switch(KEY.public, OWNER.public, SLOTS, after)
    encoding = proof.encode()
    claims = [claim_switch(CONTEXT, switch, proof)]
    claims += [claim_switch(context, switch, proof) for context in CONTEXTS]
    claims += [claim_switch(CONTEXT, changed, proof) for changed in changed_switches(switch)]
    weights = [coefficients(c, 1)[3] * pow(coefficients(c, 1)[2], -1, ORDER) for c in claims]
    assert len({weight % ORDER for weight in weights}) == len(claims)
    claims += [
        claim_switch(CONTEXT, switch, SwitchProof.decode(changed))
        for changed in moved_points(encoding, 3)
    ]
    assert len({coefficients(claim, 0)[1] for claim in claims}) == len(claims)
    claims += [
        claim_switch(CONTEXT, switch, SwitchProof.decode(changed))
        for changed in moved_scalars(encoding, 3)
    ]
    assert all_differ(claims)


# --- Membership ---------------------------------------------------------------------------------


def test_the_challenge_of_a_membership_proof_binds_the_whole_statement() -> None:
    faces = FACES[:3]
    transcripts = [membership_transcript(CONTEXT, KEY.public, SLOTS, faces)]
    transcripts += [membership_transcript(c, KEY.public, SLOTS, faces) for c in CONTEXTS]
    transcripts.append(membership_transcript(CONTEXT, moved(KEY.public), SLOTS, faces))
    transcripts += [
        membership_transcript(CONTEXT, KEY.public, slots, faces) for slots in moved_slots(SLOTS)
    ]
    transcripts += [
        membership_transcript(CONTEXT, KEY.public, SLOTS, changed) for changed in moved_each(faces)
    ]
    assert len({transcript.seal() for transcript in transcripts}) == len(transcripts)


# --- Shuffle ------------------------------------------------------------------------------------


def shuffle_challenges(claim: Claim) -> tuple[Scalar, Scalar, Scalar]:
    """t_1, y and e, read off the claim's equations."""
    minus_t = claim.equations[0][3][0]
    e_times_y, minus_e = coefficients(claim, 2)[:2]
    e = -minus_e % ORDER
    return -minus_t % ORDER, e_times_y * pow(e, -1, ORDER) % ORDER, e


def test_every_challenge_of_a_shuffle_proof_binds_all_that_came_before_it() -> None:
    shuffled = shuffle_slots(CONTEXT, KEY.public, SLOTS, entropy_of(0))
    after = shuffled.after
    proof = prove_shuffle(CONTEXT, KEY.public, SLOTS, shuffled, entropy_of(0))
    encoding = proof.encode()

    def claim(
        before: tuple[Ciphertext, ...] = SLOTS,
        after: tuple[Ciphertext, ...] = after,
        encoding: bytes = encoding,
    ) -> Claim:
        changed = ShuffleProof.decode(encoding, len(SLOTS))
        return claim_shuffle(CONTEXT, KEY.public, before, after, changed)

    claims = [claim()]
    claims += [claim_shuffle(c, KEY.public, SLOTS, after, proof) for c in CONTEXTS]
    claims.append(claim_shuffle(CONTEXT, moved(KEY.public), SLOTS, after, proof))
    claims += [claim(before=changed) for changed in moved_slots(SLOTS)]
    claims += [claim(after=changed) for changed in moved_slots(after)]
    points = [claim(encoding=changed) for changed in moved_points(encoding, 7)]
    first_move, third_move = points[:4], points[4:]
    scalars = [claim(encoding=changed) for changed in moved_scalars(encoding, 7)]
    second_move, last_move = scalars[: len(SLOTS) + 1], scalars[len(SLOTS) + 1 :]

    claims += first_move
    assert len({shuffle_challenges(one)[0] for one in claims}) == len(claims)
    claims += second_move
    assert len({shuffle_challenges(one)[1] for one in claims}) == len(claims)
    claims += third_move
    assert len({shuffle_challenges(one)[2] for one in claims}) == len(claims)
    claims += last_move
    assert all_differ(claims)


def test_the_two_challenges_of_one_move_are_not_the_same() -> None:
    # y and x come of one hash; a cheat that knew them equal could choose its values for it.
    shuffled = shuffle_slots(CONTEXT, KEY.public, SLOTS, entropy_of(0))
    proof = prove_shuffle(CONTEXT, KEY.public, SLOTS, shuffled, entropy_of(0))
    claim = claim_shuffle(CONTEXT, KEY.public, SLOTS, shuffled.after, proof)
    _, y, e = shuffle_challenges(claim)
    on_first_generator = coefficients(claim, 2)[4]
    x = (proof.f[0] - (on_first_generator + proof.values[0]) * pow(e, -1, ORDER)) % ORDER
    assert len({x, y, e, *(-scalar % ORDER for scalar in coefficients(claim, 0)[3::2])}) == 6
