"""When too few are left to go on: no choice is asked that could come to nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from p2pjong.games.game import Action, Seat
from p2pjong.session import conduct
from p2pjong.session.closing import ends_game
from p2pjong.session.effects import Ask, Finished, Left, Withdraw
from tests.support.marks import first_quick
from tests.support.mas_jong_scene import Scene
from tests.support.sim import SimTable, choose_default, make_draft, tiny_draft

WATCHED: Seat = 0


def is_on_turn(table: SimTable) -> bool:
    """Whether the watched seat is asked what to discard, and holds no pair to show."""
    ask = table.peers[WATCHED].asked
    return ask is not None and {one.verb for one in ask.actions} == {"discard"}


def is_about_to_win(table: SimTable) -> bool:
    ask = table.peers[WATCHED].asked
    return ask is not None and "show" in {one.verb for one in ask.actions}


def is_answering(table: SimTable) -> bool:
    ask = table.peers[WATCHED].asked
    return ask is not None and ask.is_answer and len(ask.actions) > 1


def table_at(reached: Callable[[SimTable], bool], seats: int, target: int = 1) -> SimTable:
    """A table in progress at which the watched seat is asked, as `reached` says."""
    for seed in range(40):
        draft = tiny_draft(seats, target)
        table = SimTable(seats, seed, draft=draft, choose=choose_default).start()
        if table.run_until(reached):
            return table
    raise AssertionError("no such table among these")


def all_others_leave(table: SimTable) -> None:
    """They go, and all that they said arrives; nobody chooses anything meanwhile."""
    for seat in range(1, len(table.peers)):
        table.at(seat, lambda session: session.leave())
    while wires := [wire for wire, frames in table.wires.items() if frames]:
        table.deliver(*wires[0])


@pytest.mark.parametrize("reached", [is_on_turn, is_answering])
@pytest.mark.parametrize("seats", first_quick([3, 2, 4]))
def test_the_game_ends_at_once_when_the_last_of_the_others_has_left(
    reached: Callable[[SimTable], bool], seats: int
) -> None:
    table = table_at(reached, seats, target=5)
    watched = table.peers[WATCHED]
    asked, chosen = watched.asked, len(watched.chosen)
    all_others_leave(table)
    assert asked is not None and watched.asked is None
    assert Withdraw(asked.question) in watched.seen
    assert len(watched.chosen) == chosen, "its person chose nothing more"
    assert watched.finished is not None
    assert watched.finished.over.outcome == "abandoned"
    kinds = [type(one) for one in watched.seen]
    assert Ask not in kinds[kinds.index(Left) :], "nor was it asked anything more"
    assert kinds.index(Left) < kinds.index(Finished)
    table.finish()
    assert {verdict.is_valid for verdict in table.audits()} == {True}
    assert table.faults() == []


def test_while_enough_are_left_the_choice_stays_open() -> None:
    table = table_at(is_on_turn, 4)
    asked = table.peers[WATCHED].asked
    for seat in (1, 2):
        table.at(seat, lambda session: session.leave())
    while wires := [wire for wire, frames in table.wires.items() if frames]:
        table.deliver(*wires[0])
    assert table.peers[WATCHED].asked == asked


def test_who_can_win_the_game_with_this_very_choice_still_may() -> None:
    """Leaving at the last moment takes nothing from who is about to win."""
    table = table_at(is_about_to_win, 3)
    watched = table.peers[WATCHED]
    asked = watched.asked
    all_others_leave(table)
    assert watched.asked == asked is not None and watched.finished is None
    show = next(one for one in asked.actions if one.verb == "show")
    table.at(WATCHED, lambda session: session.answer(asked.question, show))
    assert watched.finished is not None
    assert (watched.finished.over.outcome, watched.finished.over.winners) == ("finished", (0,))


def test_who_could_but_win_a_hand_of_a_longer_game_is_not_asked() -> None:
    table = table_at(is_about_to_win, 3, target=5)
    all_others_leave(table)
    watched = table.peers[WATCHED]
    assert watched.finished is not None and watched.finished.over.outcome == "abandoned"


def test_what_ends_a_game_is_found_by_the_rules_alone() -> None:
    table = table_at(is_about_to_win, 3)
    session = table.peers[WATCHED].session
    known, asked = session.dealer.known(WATCHED), table.peers[WATCHED].asked
    assert asked is not None
    ends = {
        action.verb: ends_game(table.game, session.play.state, (action,), WATCHED, known)
        for action in asked.actions
    }
    assert ends == {"discard": False, "show": True}
    show = next(one for one in asked.actions if one.verb == "show")
    shown = ends_game(table.game, session.play.state, (show,), WATCHED, {})
    assert not shown, "of unknown cards nothing is"


# --- A race: the others have answered in the open, and then left --------------------------------

CALLER: Seat = 1


def last_round_at_a_call() -> Scene:
    """Seat 1 could win the last round with what seat 0 has just discarded."""
    scene = Scene({0: "S4", 1: "R1 R2 R3 B1 B2 B3 G1 G2 G3 S4"}, rounds=1)
    scene.discard("S4")
    return scene


def test_a_call_that_wins_the_last_round_ends_the_game_whoever_has_left() -> None:
    scene = last_round_at_a_call()
    known = scene.table.dealer.known(CALLER)
    others = [Action(seat, "pass") for seat in scene.table.awaited() if seat != CALLER]
    for verb, does_end in (("call_win", True), ("call_set", False), ("pass", False)):
        mine = Action(CALLER, verb)
        actions = sorted(
            (*others, mine), key=lambda action: scene.table.awaited().index(action.seat)
        )
        ends = ends_game(scene.table.game, scene.state, tuple(actions), CALLER, known)
        assert ends is does_end, verb


@pytest.mark.parametrize("have_they_answered", [True, False])
def test_in_a_race_who_could_win_is_asked_if_the_others_have_answered_before_they_left(
    monkeypatch: pytest.MonkeyPatch, have_they_answered: bool
) -> None:
    draft = make_draft(3, "not-your-mas-jong")
    table = SimTable(3, 1, draft=draft, choose=choose_default).start()
    assert table.run_until(lambda table: all_are_asked_to_call(table))
    asking = [seat for seat, peer in enumerate(table.peers) if peer.asked]
    watched, other = asking
    weighed: list[tuple[Action, ...]] = []

    def could_win(game: Any, state: Any, actions: tuple[Action, ...], *_: Any) -> bool:
        weighed.append(actions)
        return True

    monkeypatch.setattr(conduct, "ends_game", could_win)
    if have_they_answered:
        ask = table.peers[other].asked
        assert ask is not None
        table.at(other, lambda session: session.answer(ask.question, ask.default))
        deliver_all(table)
    for seat in {0, 1, 2} - {watched}:
        table.at(seat, lambda session: session.leave())
    deliver_all(table)
    assert (table.peers[watched].asked is not None) is have_they_answered
    assert all(len(actions) == 2 for actions in weighed) and bool(weighed) is have_they_answered


def all_are_asked_to_call(table: SimTable) -> bool:
    return sum(peer.asked is not None and peer.asked.is_race for peer in table.peers) == 2


def deliver_all(table: SimTable) -> None:
    while wires := [wire for wire, frames in table.wires.items() if frames]:
        table.deliver(*wires[0])
