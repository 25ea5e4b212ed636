"""Commitments open only to what they were made to, and a toss is fair and the same for all."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto.commitment import combine_toss, commit, open_commitment
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement

NONCE = bytes(range(32))


@settings(deadline=None)
@given(st.binary(), st.binary(), st.binary(min_size=32, max_size=32))
def test_a_commitment_opens_to_what_it_was_made_to(
    context: bytes, content: bytes, nonce: bytes
) -> None:
    made = commit(context, content, nonce)
    open_commitment(context, made, content, nonce)
    with pytest.raises(InvalidProof):
        open_commitment(context, made, content + b"!", nonce)


@pytest.mark.parametrize(
    ("context", "content", "nonce"),
    [
        (b"seat 1", b"content", NONCE),
        (b"seat 0", b"Content", NONCE),
        (b"seat 0", b"", NONCE),
        (b"seat 0", b"content", NONCE[::-1]),
        (b"seat 0content", b"", NONCE),
    ],
)
def test_a_commitment_opens_to_nothing_else(context: bytes, content: bytes, nonce: bytes) -> None:
    with pytest.raises(InvalidProof):
        open_commitment(context, commit(b"seat 0", b"content", NONCE), content, nonce)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_nonce_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(InvalidEncoding):
        commit(b"", b"", bytes(size))
    with pytest.raises(InvalidEncoding):
        open_commitment(b"", bytes(32), b"", bytes(size))


@pytest.mark.parametrize("commitment", [b"", bytes(31), bytes(32), bytes(33)])
def test_another_or_a_shortened_commitment_is_refused(commitment: bytes) -> None:
    with pytest.raises(InvalidProof):
        open_commitment(b"", commitment, b"content", NONCE)
    with pytest.raises(InvalidProof):
        open_commitment(b"", commit(b"", b"content", NONCE)[:-1], b"content", NONCE)


def test_every_contribution_its_order_and_the_place_matter_to_a_toss() -> None:
    parts = [bytes([seat]) * 32 for seat in range(4)]
    bound = 2**32
    tosses = [
        combine_toss(b"step 1", parts, bound),
        combine_toss(b"step 2", parts, bound),
        combine_toss(b"step 1", parts[::-1], bound),
        combine_toss(b"step 1", parts[:3], bound),
        *(
            combine_toss(b"step 1", [*parts[:at], b"\x09" * 32, *parts[at + 1 :]], bound)
            for at in range(4)
        ),
    ]
    assert len(set(tosses)) == len(tosses)
    assert combine_toss(b"step 1", parts, bound) == tosses[0]


def test_one_free_contribution_makes_every_outcome_equally_likely() -> None:
    rounds, bound = 6000, 6
    fixed = [b"\xff" * 32, bytes(32)]
    outcomes = Counter(
        combine_toss(b"", [*fixed, number.to_bytes(32, "big")], bound) for number in range(rounds)
    )
    chi_squared = sum((outcomes[n] - 1000) ** 2 / 1000 for n in range(bound))
    assert set(outcomes) == set(range(bound))
    assert chi_squared < 20.5


@pytest.mark.parametrize("bound", [1, 2, 120, 2**32])
def test_a_toss_is_below_its_bound(bound: int) -> None:
    assert all(0 <= combine_toss(b"", [bytes([n])], bound) < bound for n in range(20))


@pytest.mark.parametrize(
    ("parts", "bound"), [([], 6), ([bytes(32)], 0), ([bytes(32)], -1), ([bytes(32)], 2**32 + 1)]
)
def test_a_toss_without_contributions_or_with_a_senseless_bound_is_refused(
    parts: list[bytes], bound: int
) -> None:
    with pytest.raises(InvalidStatement):
        combine_toss(b"", parts, bound)
