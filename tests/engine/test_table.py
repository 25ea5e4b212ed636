"""The table: operations, choices, results, and the checks on every state."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from p2pjong.engine.canonical import digest
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table, check_state
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    IllegalAction,
    Operation,
    Options,
    Over,
    Settle,
    Toss,
)
from p2pjong.games.war_jhong import WarJhong
from p2pjong.games.war_jhong.state import State
from tests.support.scene import GAME, Scene
from tests.support.tables import choose_any, make_table, steps


class SlowDealer(OpenDealer):
    """A dealer that needs to be asked several times, as one does that waits for the network."""

    def __init__(self, seats: int, chance: Chance) -> None:
        super().__init__(seats, chance)
        self.begun: list[Operation] = []
        self.patience = 0

    def begin(self, operation: Operation) -> None:
        super().begin(operation)
        self.begun.append(operation)
        self.patience = 2

    def facts(self) -> Facts | None:
        self.patience -= 1
        return None if self.patience > 0 else super().facts()


def test_a_table_waits_for_a_dealer_that_needs_time_and_begins_each_operation_once() -> None:
    dealer = SlowDealer(2, Chance("slow"))
    table = Table(GAME, GAME.start(2, Options()), dealer)
    assert table.advance() == ()
    assert table.pending == Toss(2)
    assert [event.verb for event in table.advance()] == ["first_seat"]
    while not table.awaited():
        table.advance()
    assert [type(each).__name__ for each in dealer.begun] == "Toss Shuffle Draw Draw Reveil".split()


def test_a_table_on_a_slow_dealer_plays_the_same_game() -> None:
    tables = [
        Table(GAME, GAME.start(2, Options(target=2)), make(2, Chance("same")))
        for make in (OpenDealer, SlowDealer)
    ]
    seen = [[event for events in steps(table) for event in events] for table in tables]
    assert seen[0] == seen[1]
    assert tables[0].digest() == tables[1].digest()


def test_choices_are_collected_until_all_have_answered() -> None:
    scene = Scene({0: "J"}, seats=4)
    scene.discard("J")
    before = scene.state
    assert scene.table.awaited() == (1, 2, 3)
    assert scene.table.choose(Action(2, "pass")) == ()
    assert scene.table.awaited() == (1, 3)
    assert scene.table.legal(2) == ()
    assert scene.state is before
    scene.table.choose(Action(3, "pass"))
    events = scene.table.choose(Action(1, "pass"))
    assert [event.verb for event in events] == ["unclaimed"]
    assert scene.state.turn == 1


def test_a_choice_counts_once_and_is_not_taken_back() -> None:
    scene = Scene({0: "J", 1: "J J"}, seats=3)
    scene.discard("J")
    scene.table.choose(Action(1, "pass"))
    for action in (Action(1, "pass"), scene.table.game.legal(scene.state, 1, {})[0]):
        with pytest.raises(IllegalAction):
            scene.table.choose(action)


def test_an_own_claim_that_the_hand_does_not_bear_out_is_refused_at_once() -> None:
    scene = Scene({0: "J", 1: "I1 A9"}, seats=2)
    scene.discard("J")
    slots = tuple(sorted(slot for slot, face in scene.view(1).hand if face in ("I1", "A9")))[:2]
    with pytest.raises(IllegalAction, match="seat 1 may not claim_formation"):
        scene.table.choose(Action(1, "claim_formation", slots))
    assert scene.table.awaited() == (1,)


def test_nothing_is_awaited_of_seats_while_the_machines_work() -> None:
    table = make_table(GAME, 2)
    assert table.awaited() == ()
    assert table.legal(0) == ()
    with pytest.raises(IllegalAction):
        table.choose(Action(0, "pass"))


def test_the_digest_is_that_of_the_state() -> None:
    table = make_table(GAME, 2)
    before = table.digest()
    assert before == digest(table.state)
    table.step()
    assert table.digest() == digest(table.state) != before


def test_a_result_waits_to_be_settled() -> None:
    table = make_table(GAME, 2, seed=4)
    rounds = steps(table, 4)
    while not isinstance(table.pending, Settle):
        next(rounds)
    assert table.advance() == ()
    hands = table.state.hands_ended
    assert table.settle()[0].verb == "settled"
    assert table.state.hands_ended == hands + 1


def test_a_void_drops_choices_that_were_already_made() -> None:
    scene = Scene({0: "J"}, seats=3)
    scene.discard("J")
    scene.table.choose(Action(1, "pass"))
    assert [event.verb for event in scene.table.void(())] == ["hand_void"]
    scene.table.advance()
    assert scene.pending == Decide((0,), "discard")


def test_an_ended_table_has_nothing_to_do() -> None:
    table = make_table(GAME, 2, seed=5, target=1)
    for _ in steps(table, 5):
        pass
    assert table.is_over
    assert isinstance(table.pending, Over)
    assert table.advance() == ()
    assert table.view(NOBODY).awaited == ()


# --- Checks that every state must pass ----------------------------------------------------------


class Broken(WarJhong):
    """War Jhong with one promise of a game broken."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def zones(self, state: State) -> Mapping[str, tuple[int, ...]]:
        zones = dict(super().zones(state))
        if zones and self.fault == "lost":
            zones["deck"] = zones["deck"][1:]
        if zones and self.fault == "doubled":
            zones["deck"] = (*zones["deck"][1:], zones["hand:0"][0], zones["hand:1"][0])
            zones["melds:0"] = (9999,)
        return zones

    def legal(self, state: State, seat: int, known: Any) -> tuple[Action, ...]:
        return () if self.fault == "stuck" else super().legal(state, seat, known)


@pytest.mark.parametrize(
    ("fault", "message"),
    [("lost", "lost or made"), ("doubled", "two zones"), ("stuck", "stuck")],
)
def test_a_broken_game_is_found_out(fault: str, message: str) -> None:
    state = Scene({}).state
    check_state(GAME, state)
    with pytest.raises(AssertionError, match=message):
        check_state(Broken(fault), state)


def test_a_seat_that_is_out_must_not_be_awaited() -> None:
    state = replace(Scene({}).state, present=(False, True, True))
    with pytest.raises(AssertionError, match="stuck"):
        check_state(GAME, state)


def test_a_checked_table_checks_each_state() -> None:
    game = Broken("lost")
    dealer = OpenDealer(2, Chance("checked"))
    with pytest.raises(AssertionError, match="lost or made"):
        Table(game, game.start(2, Options()), dealer, is_checked=True).advance()
    assert Table(game, game.start(2, Options()), dealer).advance()


def test_an_unchecked_table_plays_like_a_checked_one() -> None:
    checked = make_table(GAME, 2, seed=6, target=2)
    dealer = OpenDealer(2, Chance("test/6"))
    plain = Table(GAME, GAME.start(2, Options(target=2)), dealer)
    for one, other in zip(steps(checked, 6, choose_any), steps(plain, 6, choose_any), strict=True):
        assert one == other
