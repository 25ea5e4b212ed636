"""Games written a second time, from the pages alone, held against the vectors of the games."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tests.support import second_mas_jong as mas_jong
from tests.support import second_samurai as samurai
from tests.support import second_war_jhong as war_jhong
from tests.support.second_points import best_combos
from tests.support.second_war_jhong import Foul, State, canonical, digest
from tests.support.vectors import load

SECOND: dict[str, Any] = {
    "war_jhong": war_jhong,
    "not_your_mas_jong": mas_jong,
    "samurai_warfare": samurai,
}
FILES = {name: load(f"{name}.json") for name in SECOND}
STORIES = [(name, place) for name, told in FILES.items() for place in range(len(told["games"]))]


def start(name: str, story: dict[str, Any]) -> State:
    options = (story["target"], story["rounds"], story["oldest"])
    state: State = SECOND[name].start(story["seats"], *options)
    return state


@cache
def states_of(name: str, place: int) -> list[State]:
    """The state before each step, for all who only look at them."""
    story = FILES[name]["games"][place]
    states = [start(name, story)]
    for _, what, how, _ in story["steps"]:
        states.append(deepcopy(states[-1]))
        SECOND[name].move(states[-1], what, how)
    return states


@pytest.mark.parametrize(("name", "place"), STORIES)
def test_games_wait_and_go_on_as_told(name: str, place: int) -> None:
    story = FILES[name]["games"][place]
    state = start(name, story)
    assert digest(state).hex() == story["start"]
    for waits, what, how, told in story["steps"]:
        assert SECOND[name].waits(state) == waits
        SECOND[name].move(state, what, how)
        assert digest(state).hex()[:16] == told, what
    *_, last = story["states"].values()
    assert canonical(("State", *state.values())).decode() == last


@pytest.mark.parametrize(("name", "place"), STORIES)
def test_actions_are_legal_as_told(name: str, place: int) -> None:
    story = FILES[name]["games"][place]
    states = states_of(name, place)
    for case in story["decisions"]:
        state, seat = states[case["at"]], case["seat"]
        is_legal = SECOND[name].is_legal
        possible = [one for one in candidates(state, seat) if is_legal(state, *one)]
        assert len(possible) == case["possible"]
        assert all(is_legal(state, *action) for action in [*case["offered"], case["default"]])
        assert not any(is_legal(state, *action) for action in case["refused"])


CALLS = ("call_set", "call_win", "show_win", "claim_go_out")


def candidates(state: State, seat: int) -> Iterator[tuple[int, str, list[int], int]]:
    """Everything that could be an action of the seat, as far as its form goes."""
    hand = state["hands"][seat]
    for verb in (*CALLS, "pass", "wrong", "go_out"):
        yield seat, verb, [], -1
    for slot in [*hand, *state.get("peeked", [])]:
        yield seat, "take", [slot], -1
    for count in range(1, 4):
        for slots in combinations(hand, count):
            yield seat, "discard", list(slots), -1
            yield seat, "show_set", list(slots), -1
            yield seat, "claim_formation", list(slots), -1
    in_play = [card[1] for cards in state.get("in_play", []) for card in cards]
    for slot in hand:
        for target in range(-1, state["seats"]):
            for aimed in ([], *([card] for card in in_play)):
                yield seat, "play", [slot, *aimed], target


@pytest.mark.parametrize(("name", "place"), STORIES)
def test_cards_that_contradict_a_claim_are_a_foul(name: str, place: int) -> None:
    story = FILES[name]["games"][place]
    states = states_of(name, place)
    for case in story["fouls"]:
        with pytest.raises(Foul) as foul:
            SECOND[name].move(deepcopy(states[case["at"]]), "opened", case["opened"])
        assert (foul.value.seat, str(foul.value)) == (case["seat"], case["rule"])


@pytest.mark.parametrize("case", FILES["war_jhong"]["hands"])
def test_hands_of_war_jhong_score_as_told(case: dict[str, Any]) -> None:
    combos = best_combos(case["hand"], case["melds"], None, case["generals"])
    assert (None if combos is None else [list(one) for one in combos]) == case["combos"]


def test_sets_hands_and_payments_are_as_told() -> None:
    told = FILES["not_your_mas_jong"]
    assert [mas_jong.is_set(cards) for cards, _ in told["sets"]] == [one for _, one in told["sets"]]
    for case in told["hands"]:
        assert mas_jong.goes_out(case["hand"], len(case["melds"])) == case["goes_out"]
    for case in told["payments"]:
        won = (case["winner"], case["ma"], case["by"])
        assert mas_jong.pay(case["tokens"], case["present"], *won) == case["after"]


@pytest.mark.parametrize("case", FILES["samurai_warfare"]["lines"])
def test_lines_have_their_totals(case: dict[str, Any]) -> None:
    line = case["in_play"], case["fallen"]
    assert samurai.total(*line) == case["total"]
    assert samurai.open_types_of(*line) == case["open_types"]
