"""Derivations: the same input gives the same bytes, every other input unrelated ones."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import ORDER

SEED = bytes(range(32))


@given(st.binary(min_size=32, max_size=32), st.binary(), st.text(max_size=8), st.binary())
@settings(max_examples=30, deadline=None)
def test_the_same_input_gives_the_same_bytes(
    seed: bytes, context: bytes, label: str, statement: bytes
) -> None:
    first, second = Entropy(seed, context), Entropy(seed, context)
    assert first.take(label, statement, 96) == second.take(label, statement, 96)
    assert first.scalars(label, statement, 3) == second.scalars(label, statement, 3)
    assert first.permutation(label, statement, 9) == second.permutation(label, statement, 9)


def test_every_part_of_the_input_matters() -> None:
    variants = [
        Entropy(SEED, b"table").take("nonce", b"statement", 32),
        Entropy(SEED[::-1], b"table").take("nonce", b"statement", 32),
        Entropy(SEED, b"other").take("nonce", b"statement", 32),
        Entropy(SEED, b"table").take("masks", b"statement", 32),
        Entropy(SEED, b"table").take("nonce", b"Statement", 32),
        Entropy(SEED, b"tablenonce").take("", b"statement", 32),
        Entropy(SEED, b"table").take("noncestatement", b"", 32),
    ]
    assert len(set(variants)) == len(variants)


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 200])
def test_taken_bytes_have_the_asked_length_and_continue_shorter_ones(length: int) -> None:
    entropy = Entropy(SEED, b"")
    taken = entropy.take("bytes", b"", length)
    assert len(taken) == length
    assert entropy.take("bytes", b"", 256).startswith(taken)


def test_scalars_are_distinct_and_never_zero() -> None:
    scalars = Entropy(SEED, b"").scalars("many", b"", 500)
    assert len(set(scalars)) == 500
    assert all(0 < scalar < ORDER for scalar in scalars)
    assert 150 < sum(scalar > ORDER // 2 for scalar in scalars) < 350
    assert 150 < sum(scalar % 2 for scalar in scalars) < 350
    assert Entropy(SEED, b"").scalar("many", b"") == scalars[0]


@pytest.mark.parametrize("count", [0, 1, 2, 13, 120, 256])
def test_a_permutation_has_every_place_once(count: int) -> None:
    permutation = Entropy(SEED, b"").permutation("order", b"", count)
    assert sorted(permutation) == list(range(count))


def test_all_permutations_come_equally_often() -> None:
    entropy = Entropy(SEED, b"")
    orders = Counter(entropy.permutation("o", n.to_bytes(4, "big"), 3) for n in range(6000))
    expected = 1000
    chi_squared = sum((count - expected) ** 2 / expected for count in orders.values())
    assert len(orders) == 6
    assert chi_squared < 20.5  # 5 degrees of freedom: one seed in a thousand would exceed it


def test_each_card_comes_to_each_place_equally_often() -> None:
    entropy, size, rounds = Entropy(SEED, b""), 13, 2600
    counts = [Counter[int]() for _ in range(size)]
    for round_number in range(rounds):
        for place, card in enumerate(
            entropy.permutation("o", bytes([*divmod(round_number, 256)]), size)
        ):
            counts[place][card] += 1
    expected = rounds / size
    chi_squared = sum((c[card] - expected) ** 2 / expected for c in counts for card in range(size))
    assert chi_squared < 210  # 144 degrees of freedom


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_a_mistake_of_ours(size: int) -> None:
    # HMAC pads a short key with zeros, so seeds of several sizes could mean the same.
    with pytest.raises(AssertionError):
        Entropy(bytes(size), b"")
