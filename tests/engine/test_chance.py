"""Chance from a seed: stable for ever, and fair enough for a card table."""

from collections import Counter

import pytest

from p2pjong.engine.chance import Chance


def test_numbers_of_a_seed_stay_the_same_in_all_versions() -> None:
    chance = Chance("vector")
    assert [chance.below(1000) for _ in range(6)] == [556, 471, 28, 615, 369, 855]
    assert "".join(Chance("vector").shuffled("ABCDEFGH")) == "FHCBGADE"


def test_seeds_differ() -> None:
    assert Chance("a").shuffled(range(50)) != Chance("b").shuffled(range(50))


@pytest.mark.parametrize("sides", [1, 2, 3, 7, 120])
def test_numbers_are_below_the_sides_and_even(sides: int) -> None:
    chance, rolls = Chance("even"), 3000
    counts = Counter(chance.below(sides) for _ in range(rolls))
    assert set(counts) == set(range(sides))
    # Chi square with sides - 1 degrees of freedom; far beyond its 99.99 % point would be a bug.
    chi = sum((counts[side] - rolls / sides) ** 2 * sides / rolls for side in range(sides))
    assert chi < 2 * sides + 20


def test_shuffles_keep_all_items_and_reach_all_orders() -> None:
    chance = Chance("orders")
    items = ["a", "b", "c"]
    orders = Counter(tuple(chance.shuffled(items)) for _ in range(1200))
    assert items == ["a", "b", "c"]
    assert len(orders) == 6
    assert min(orders.values()) > 150
    assert all(sorted(order) == items for order in orders)


def test_the_stream_goes_on_beyond_one_block() -> None:
    chance = Chance("long")
    numbers = [chance.below(2**64) for _ in range(1100)]
    assert len(set(numbers)) == len(numbers)
