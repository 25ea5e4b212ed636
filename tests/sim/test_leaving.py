"""Leaving, at every step: nobody is blamed, all others agree, and what was settled stands."""

from random import Random
from typing import Any

import pytest

from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask, Left
from p2pjong.wire.messages import Leave, Settled
from tests.support.marks import EACH_TIME
from tests.support.sim import SimTable, choose_default, tiny_draft

LEAVER = 1


# How many steps a game has in which everyone does the default, by the number of seats.
STEPS = {2: 32, 3: 33, 5: 35}


def play_until_left(seats: int, step: int, seed: int = 0, target: int = 1) -> SimTable:
    """A game in which one seat leaves when it gets to this step."""
    table = SimTable(seats, seed, draft=tiny_draft(seats, target), choose=choose_default).start()
    table.run_until(lambda table: table.peers[LEAVER].session.course.step >= step)
    table.at(LEAVER, lambda session: session.leave())
    return table.finish()


def check_left(table: SimTable, *leavers: Seat) -> None:
    """What must be true after some left, whenever that was."""
    stayed = [peer for seat, peer in enumerate(table.peers) if seat not in leavers]
    assert all(peer.finished for peer in stayed)
    assert table.faults() == []
    (over,) = {peer.finished.over for peer in stayed if peer.finished}
    (_,) = {peer.finished.digest for peer in stayed if peer.finished}
    session = stayed[0].session
    present, settled = session.view().present, session.play.results
    assert over.scores == (settled[-1].scores if settled else (0,) * len(table.peers))
    for leaver in leavers:
        assert not present[leaver] or over.outcome == "finished" or session.charter is None
    if sum(present) < 2:
        assert (over.outcome, over.winners) == ("abandoned", ())
    for peer in stayed:
        left = {one.seat for one in peer.seen if isinstance(one, Left)}
        assert left <= set(leavers)
    for verdict, peer in zip(table.audits(), table.peers, strict=True):
        assert verdict.is_valid
        assert verdict.fault is None
        if peer in stayed:
            assert (verdict.scores, verdict.digest) == (over.scores, session.play.public_digest())


def every_step(seats: int, quick: int) -> list[Any]:
    """Every step of a game; all but each so many-th one is for the slow tests."""
    steps = range(STEPS[seats])
    return [
        step if step % quick == 0 else pytest.param(step, marks=pytest.mark.slow) for step in steps
    ]


@pytest.mark.parametrize("seats", STEPS)
def test_every_step_of_a_game_is_there_to_leave_at(seats: int) -> None:
    table = SimTable(seats, draft=tiny_draft(seats), choose=choose_default).start().finish()
    assert table.peers[0].session.course.step == STEPS[seats]


@pytest.mark.parametrize("step", every_step(3, quick=4))
def test_two_go_on_when_one_of_three_leaves(step: int) -> None:
    table = play_until_left(3, step)
    check_left(table, LEAVER)
    (over,) = table.outcomes()
    is_in_charter = table.peers[0].session.charter is None
    assert over.outcome == ("abandoned" if is_in_charter else "finished")


@pytest.mark.parametrize("step", every_step(2, quick=5))
def test_a_game_of_two_ends_without_a_winner_when_one_leaves(step: int) -> None:
    table = play_until_left(2, step)
    check_left(table, LEAVER)
    (over,) = table.outcomes()
    is_settled = bool(table.peers[0].session.play.results)
    assert over.outcome == ("finished" if is_settled else "abandoned")


@pytest.mark.slow
@pytest.mark.parametrize("step", range(STEPS[5]))
def test_four_go_on_when_one_of_five_leaves(step: int) -> None:
    check_left(play_until_left(5, step, seed=step), LEAVER)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("step", range(STEPS[3]))
def test_two_go_on_in_any_order_of_arrival(step: int, seed: int) -> None:
    check_left(play_until_left(3, step, seed, target=2), LEAVER)


@pytest.mark.parametrize("step", [4, 9, pytest.param(20, marks=pytest.mark.slow)])
def test_two_may_leave_at_once(step: int) -> None:
    table = SimTable(4, step, draft=tiny_draft(4), choose=choose_default).start()
    table.run_until(lambda table: table.peers[LEAVER].session.course.step >= step)
    for seat in (LEAVER, 2):
        table.at(seat, lambda session: session.leave())
    check_left(table.finish(), LEAVER, 2)


def is_at_result(table: SimTable) -> bool:
    """Whether the leaver is about to sign, or has just signed, the last result."""
    lane = table.peers[LEAVER].session.lanes.accepted[LEAVER]
    return bool(lane) and isinstance(lane[-1].body.payload, Settled)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_who_leaves_right_after_signing_undoes_nothing(seats: int, seed: int) -> None:
    table = SimTable(seats, seed, draft=tiny_draft(seats)).start()
    assert table.run_until(is_at_result)
    table.at(LEAVER, lambda session: session.leave())
    table.finish()
    (over,) = table.outcomes()
    assert over.outcome == "finished"
    check_left(table, LEAVER)


def choose_to_show(ask: Ask, rng: Random) -> Action:
    """Show a pair as soon as there is one."""
    return next((one for one in ask.actions if one.verb == "show"), ask.default)


@pytest.mark.parametrize("seats", [pytest.param(2, marks=EACH_TIME), 3])
def test_who_leaves_in_place_of_signing_undoes_nothing(seats: int) -> None:
    """The winner is about to show its pair: whoever leaves now is awaited next at the result."""

    def is_about_to_lose(table: SimTable) -> bool:
        state = table.peers[LEAVER].session.play.state
        winner = state.chosen.seat if state.phase == "open" else LEAVER
        return winner != LEAVER and state.chosen.verb == "show"

    for seed in range(20):
        draft = tiny_draft(seats, target=2)
        table = SimTable(seats, seed, draft=draft, choose=choose_to_show).start()
        if table.run_until(is_about_to_lose):
            break
    before = len(table.peers[LEAVER].session.play.results)
    table.at(LEAVER, lambda session: session.leave())
    table.finish()
    check_left(table, LEAVER)
    settled = table.peers[0].session.play.results
    assert len(settled) > before
    assert settled[before].result.kind == "won"


def test_who_has_left_follows_the_game_without_a_word() -> None:
    table = play_until_left(3, 12)
    leaver = table.peers[LEAVER]
    assert leaver.finished == table.peers[0].finished
    lane = leaver.session.lanes.accepted[LEAVER]
    assert isinstance(lane[-1].body.payload, Leave)


def test_a_voided_hand_begins_with_the_same_seat_or_the_next_and_costs_nobody_a_point() -> None:
    """G6: same first seat, or the next one if that is out; scores as before the deal."""
    for seed in range(2):
        table = SimTable(3, seed, draft=tiny_draft(3, target=2)).start()
        assert table.run_until(lambda table: table.peers[0].session.play.results != [])
        table.run_until(lambda table: any(peer.asked for peer in table.peers))
        first = table.peers[0].session.play.state.first
        scores = table.peers[0].session.play.results[0].scores
        table.at(LEAVER, lambda session: session.leave())
        seen: set[Seat] = set()
        while table.step():
            state = table.peers[0].session.play.state
            if not state.present[LEAVER] and len(table.peers[0].session.play.results) == 1:
                seen.add(state.first)
                assert state.scores == scores
        assert seen <= {2 if first == LEAVER else first}
        check_left(table, LEAVER)
