"""The Diplomatic Solution's cards (W11)."""

from collections import Counter
from random import Random

from p2pjong.games.war_jhong.diplomacy import most_used_in_solution, solutions
from p2pjong.games.war_jhong.faces import DECK, pack
from tests.support.war_jhong_oracle import SOLUTIONS


def keys(solutions: list[Counter[str]]) -> set[tuple[tuple[str, int], ...]]:
    return {tuple(sorted(solution.items())) for solution in solutions}


def test_the_solutions_are_all_that_the_ruling_allows_w11() -> None:
    assert len(solutions()) == 216
    assert keys([Counter(solution) for solution in solutions()]) == keys(SOLUTIONS)


def test_as_many_cards_are_used_as_the_best_solution_uses() -> None:
    rng = Random(7)
    for _ in range(300):
        hand = rng.sample(DECK, 13)
        held = Counter(hand)
        best = max((held & solution).total() for solution in SOLUTIONS)
        assert most_used_in_solution(pack(hand)) == best, hand


def test_a_full_set_of_thirteen_uses_only_twelve_w11() -> None:
    hand = "I1 I4 I7 A2 A5 A8 C3 C6 C9 J J F F".split()
    assert most_used_in_solution(pack(hand)) == 12
