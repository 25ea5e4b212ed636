"""The search's short cuts: nothing that could be best, or first of equals, is passed over."""

from itertools import combinations_with_replacement
from random import Random

import pytest

from p2pjong.games.war_jhong.chart import points
from p2pjong.games.war_jhong.faces import pack
from p2pjong.games.war_jhong.formations import PATTERNS, RUSE
from p2pjong.games.war_jhong.search import best_patterns, complete, hand_plans


@pytest.mark.slow
@pytest.mark.parametrize("free", [1, 2])
def test_free_formations_are_completed_as_well_as_trying_all_patterns(free: int) -> None:
    rng = Random(free)
    for _ in range(60):
        fixed = tuple(sorted(rng.choices(PATTERNS[:RUSE], k=4 - free)))
        tried = [
            tuple(sorted(fixed + added)) for added in combinations_with_replacement(PATTERNS, free)
        ]
        expected = min(tried, key=lambda patterns: (-points(patterns), patterns))
        found = min(complete((fixed, free)), key=lambda four: (-points(four), four))
        assert found == expected, fixed


def test_plans_use_all_cards_but_the_one_to_spare() -> None:
    packed = pack("I1 I2 I3 I4 J J J F F F C9 C9 C9".split())
    assert {plan[0] for plan in hand_plans(packed, 4, 1)} == {(0, 47, 48, 49), (1, 47, 48, 49)}
    assert hand_plans(packed, 4, 0) == set()


def test_a_fourth_junk_is_left_over_or_begins_another_formation() -> None:
    packed = pack("J J J J T T".split())
    assert hand_plans(packed, 2, 1) == {((48,), 1), ((48, 48), 0)}
    assert hand_plans(packed, 2, 0) == {((48, 48), 0)}


def test_a_hand_without_four_formations_has_no_best_patterns() -> None:
    assert best_patterns(pack("I1 I2 I4 A1 A2 A4 C1 C2 C4 J J F F".split()), (), 1) is None
