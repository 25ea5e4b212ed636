"""Who pays what, to the letter: the cases, the table of the text, and conservation."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.games.not_your_mas_jong.payments import owed, pay

CASES = json.loads(
    (Path(__file__).parents[2] / "data" / "not_your_mas_jong_payments.json").read_text()
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_cases(case: dict[str, Any]) -> None:
    tokens = case["tokens"]
    after = pay(tokens, [True] * len(tokens), case["winner"], case["ma"], case["by"] == "steal")
    assert list(after) == case["after"]


@pytest.mark.parametrize(
    ("winner", "is_steal", "from_ma", "from_others"),
    [(0, True, None, 2), (0, False, None, 4), (1, True, 2, 1), (1, False, 4, 2)],
)
def test_the_table_of_the_text(
    winner: int, is_steal: bool, from_ma: int | None, from_others: int
) -> None:
    ma = 0
    if from_ma is not None:
        assert owed(ma, winner, ma, is_steal) == from_ma
    assert owed(2, winner, ma, is_steal) == owed(3, winner, ma, is_steal) == from_others


def test_n11_who_owes_more_than_it_has_pays_all_it_has() -> None:
    assert pay([0, 3, 10, 1], [True] * 4, 2, 1, is_steal=False) == (0, 0, 14, 0)


def test_n11_a_seat_that_is_out_neither_pays_nor_is_paid() -> None:
    assert pay([10, 10, 10, 7], [True, True, True, False], 0, 1, is_steal=False) == (16, 6, 8, 7)


@given(st.data())
def test_no_token_is_made_or_lost_and_none_is_owed_by_the_winner(data: st.DataObject) -> None:
    seats = data.draw(st.integers(3, 4))
    tokens = data.draw(st.lists(st.integers(0, 40), min_size=seats, max_size=seats))
    winner, ma = (data.draw(st.integers(0, seats - 1)) for _ in range(2))
    is_steal = data.draw(st.booleans())
    after = pay(tokens, [True] * seats, winner, ma, is_steal)
    assert sum(after) == sum(tokens)
    assert min(after) >= 0
    assert all(after[seat] <= tokens[seat] for seat in range(seats) if seat != winner)
