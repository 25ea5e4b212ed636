"""What a terminal shows of waiting: who is awaited, clocks, grace, seats out of reach."""

import asyncio
from dataclasses import replace
from typing import Any

import click
import pytest

from p2pjong.app.pace import patience_s
from p2pjong.front import Clocks, Linked, Stuck, TimeUp
from p2pjong.games.game import Action, Over
from p2pjong.session.effects import Ask, Awaiting, Finished, Progress
from p2pjong.ui import endings, render
from p2pjong.ui.names import Names
from p2pjong.ui.purposes import purpose_text
from p2pjong.ui.teller import Teller
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import lobby_of
from tests.support.samurai_scene import Scene
from tests.support.terminal import HAND, SEATS, run, soon
from tests.support.war_jhong_views import claim_ask, turn_ask, view_of


def test_the_status_names_who_is_awaited_and_shows_progress() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(2, me=0))
            front.seated(SEATS, 0)
            assert screen.desk
            front.show(Awaiting((1, 0), "answer-discard"))
            assert screen.desk.status().startswith("waiting for Ben and you to answer the discard")
            front.show(Awaiting((0,), "discard", is_decision=True))
            assert screen.desk.status().startswith("your turn  ")
            front.show(Awaiting((0,), "shuffle-deck"))
            assert screen.desk.status().startswith("your machine's turn to shuffle the deck")
            front.show(Awaiting((1,), "shuffle-deck"))
            front.show(Progress("shuffling", 1, 4))
            assert screen.desk.status().startswith(
                "shuffling [#####---------------] 1/4 - waiting for Ben to shuffle the deck"
            )
            front.show(Progress("shuffling", 4, 4))
            assert screen.desk.status().startswith("waiting for Ben")

    run(scene())


def test_the_status_tells_a_turn_from_being_asked_in_that_of_another() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Awaiting((0,), "discard", is_decision=True))
            own = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            assert screen.desk
            assert screen.desk.status().startswith("your turn")
            leaving = asyncio.create_task(front.confirm_leave("all is lost"))
            await soon()
            assert screen.desk.status().startswith("you are asked whether to leave")
            screen.type("s")
            await leaving
            assert screen.desk.status().startswith("your turn")
            own.cancel()
            view = view_of("I4 I6 I7 A1 A2 A3 C1 C2 C3 J J G", discards=[(1, "I5")], turn=1)
            front.show(Awaiting((0,), "answer-discard", (), True, True))
            claim = asyncio.create_task(front.choose(claim_ask(view, ["I4 I6"]), 2.0))
            await soon()
            assert screen.desk.status().startswith("you are asked")
            front.show(Awaiting((0, 2), "answer-discard", (), True, True))
            assert screen.desk.status().startswith("waiting for Cy and you")
            claim.cancel()

    run(scene())


WAITS = [
    (Awaiting((1,), "discard", is_decision=True), 13.0, "47 s left"),
    (Awaiting((1,), "discard", is_decision=True), 61.0, "29 s of grace left"),
    (Awaiting((1,), "discard", is_decision=True), 91.0, "overdue"),
    (Awaiting((1,), "answer-discard", (), True, True), 1.0, "1 s left"),
    (Awaiting((1,), "answer-discard", (), True, True), 3.0, "1 min 27 s of grace left"),
    (Awaiting((1,), "shuffle-deck"), 1.0, ""),
    (Awaiting((1,), "shuffle-deck"), 10.0, "20 s for its machine to answer"),
]


@pytest.mark.parametrize(("awaiting", "waited_s", "told"), WAITS)
def test_all_that_is_shown_of_time_counts_down(
    awaiting: Awaiting, waited_s: float, told: str
) -> None:
    clocks = Clocks(clock_s=60, window_s=2, grace_s=30)
    purpose = purpose_text(awaiting.reason, "war-jhong")
    head = f"waiting for Ben {purpose}"
    names = Names(("Ada", "Ben"), 0)
    shown = render.awaiting_text(awaiting, purpose, names, waited_s, clocks)
    assert shown == (f"{head}, {told}" if told else head)
    without = Clocks(clock_s=0, window_s=0, grace_s=30)
    if awaiting.is_decision:
        assert (
            render.awaiting_text(awaiting, purpose, names, waited_s, without) == f"{head}, no clock"
        )


@pytest.mark.parametrize("is_cut", [True, False])
@pytest.mark.parametrize("is_answer", [True, False])
@pytest.mark.parametrize("clock_s", [0.0, 20.0])
def test_the_grace_on_the_screen_ends_when_a_vote_is_asked_for(
    is_cut: bool, is_answer: bool, clock_s: float
) -> None:
    clocks = Clocks(clock_s=clock_s, window_s=2, grace_s=30)
    awaiting = Awaiting((1,), "answer", (1,), True, is_answer)
    ends_s = patience_s(clocks, is_decision=True, is_linked=not is_cut)
    names = Names(("Ada", "Ben"), 0)
    if ends_s is None:
        told = render.awaiting_text(awaiting, "", names, 1000.0, clocks, is_cut)
        assert "grace" not in told
        return
    before = render.awaiting_text(awaiting, "", names, ends_s - 1, clocks, is_cut)
    assert "1 s of grace left" in before
    assert "overdue" in render.awaiting_text(awaiting, "", names, ends_s + 1, clocks, is_cut)


def test_an_answer_of_another_seat_does_not_begin_the_wait_anew() -> None:
    teller = Teller()
    teller.lobby_lines(lobby_of(3, me=0))
    teller.seated(SEATS, 0)
    teller.lines(Clocks(60, 4, 60), 0.0)
    teller.lines(Awaiting((0, 1, 2), "answer-discard", (), True, True), 0.0)
    teller.lines(Awaiting((1, 2), "answer-discard", (), True, True), 1.0)
    assert teller.status(2.0) == "waiting for Ben and Cy to answer the discard, 2 s left"
    teller.lines(Awaiting((1,), "discard", (), True), 3.0)
    assert teller.status(3.0) == "waiting for Ben to discard or go out, 1 min 00 s left"


def test_when_the_game_is_over_nobody_is_awaited_on_the_table() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.view = replace(view_of(HAND), awaited=(1,))
    teller.lines(Finished(Over("finished", (0, 0, 0), (0,), 1), bytes(32)), 0.0)
    assert teller.view is not None and teller.view.awaited == ()


def test_a_clock_that_has_run_out_says_what_was_done() -> None:
    view = view_of(HAND)
    discard = Action(0, "discard", (view.hand[0][0],))
    ask = turn_ask(view)
    told = render.time_up_lines(TimeUp(ask, discard))
    assert click.unstyle("".join(told)) == "Time is up: I1 was discarded for you."
    claims = view_of("I4 I6 I7 A1 A2 A3 C1 C2 C3 J J G", discards=[(1, "I5")], turn=1)
    ask = claim_ask(claims, ["I4 I6"])
    assert render.time_up_lines(TimeUp(ask, ask.default)) == ["Time is up: you passed."]
    forced = replace(ask, actions=(ask.default,))
    assert render.time_up_lines(TimeUp(forced, ask.default)) == ["Time is up: you passed."]


def test_cards_that_a_clock_discarded_or_kept_are_told_in_samurai_warfare() -> None:
    scene = Scene({0: "spies honda", 1: "siege"}, seats=2, phase="strategy")
    slots = tuple(slot for slot, _ in scene.view(0).hand)
    ask = Ask(1, scene.view(0), scene.table.legal(0), scene.table.default(0), is_answer=False)
    told = render.time_up_lines(TimeUp(ask, Action(0, "discard", slots)))
    assert click.unstyle(told[0]) == "Time is up: Honda and Spies were discarded for you."
    kept = render.time_up_lines(TimeUp(ask, Action(0, "pass")))
    assert kept == ["Time is up: you kept all your cards."]


def test_a_plain_screen_says_now_and_then_who_is_awaited(monkeypatch: Any) -> None:
    now = [0.0]
    monkeypatch.setattr("p2pjong.ui.asking.now_s", lambda: now[0])
    screen = FakeScreen(is_live=False)

    async def scene() -> None:
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Awaiting((1,), "discard"))
            seen = []
            for now[0] in (1.0, 3.0, 4.0, 11.0, 12.0, 31.0):
                seen.append(bool(front._murmurs()))
            assert seen == [False, True, False, True, False, True]
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), 60.0))
            await soon()
            told: list[str] = []
            for now[0] in (32.0, 81.0, 82.0, 88.0, 90.0, 90.5):
                told += front._murmurs()
            left = [f"{left} left - discard 1-13:" for left in ("10 s", "3 s", "1 s")]
            assert told == left
            choice.cancel()

    run(scene())


def test_who_may_come_back_depends_on_the_link() -> None:
    names = Names(("Ada", "Ben"), 0)
    linked = Stuck(1, 65, 2, False, "Leaving costs all.")
    assert "Ben may come back" in " ".join(endings.stuck_lines(linked, names))
    told = click.unstyle(" ".join(endings.stuck_lines(replace(linked, is_linked=False), names)))
    assert "Ben may come back" not in told and "if their program is still running" in told


def test_a_seat_that_is_out_of_reach_is_told_at_once_and_its_grace_runs() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Clocks(60, 2, 30), 0.0)
    assert teller.lines(Linked((1,)), 0.0) == teller.lines(Linked((1, 2)), 0.0) == []
    teller.lines(Awaiting((1,), "discard", is_decision=True), 0.0)
    assert "59 s left" in teller.status(1.0)
    (told,) = teller.lines(Linked((2,)), 1.0)
    assert click.unstyle(told) == "Ben is not connected any more; trying again."
    assert teller.status(1.0).endswith("29 s of grace left, out of reach")
    assert teller.status(31.0).endswith("overdue")
    (told,) = teller.lines(Linked((1, 2)), 5.0)
    assert click.unstyle(told) == "Ben is connected again."
    assert "50 s left" in teller.status(10.0)


def test_the_status_line_says_what_is_asked_where_nothing_else_goes_on() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            code = asyncio.create_task(front.table_code())
            await soon()
            assert screen.desk and screen.desk.status().startswith("the host's screen shows")
            screen.type("q")
            assert await code is None

    run(scene())
