"""What is typed or piped before it is asked for, and several lines at once."""

import asyncio

import pytest

from p2pjong.session.lobby_view import Leave, Remove, SetReady, TableOffer
from p2pjong.ui.front import LEAVE
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import lobby_of
from tests.support.terminal import HAND, run, soon
from tests.support.virtual_clock import run_virtually
from tests.support.war_jhong_views import turn_ask, view_of


def test_a_paste_is_complained_about_once_and_in_short() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            before = len(screen.lines)
            for _ in range(50):
                screen.type("x" * 5000)
            assert len(screen.lines) == before + 1
            assert len(screen.lines[-1]) < 80
            assert screen.lines[-1].endswith("~' is no choice here: discard 1-13")
            screen.type("\x1b[31mred")
            assert "\x1b" not in screen.lines[-1]
            await asyncio.sleep(2)
            screen.type("\x1b[31mred")
            assert len(screen.lines) == before + 3, "later on it is told again"
            choice.cancel()

    run_virtually(scene())


def test_what_a_pipe_brings_early_answers_the_questions_to_come_in_order() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        offers = (TableOffer("A", "war-jhong", 4, 2), TableOffer("B", "war-jhong", 4, 1))
        async with TerminalFront(screen).opened() as front:
            for line in ("2", "", "nonsense", "r", "x 1"):
                screen.type(line)
            screen.end()
            assert await front.pick_table(offers) == offers[1]
            front.lobby(lobby_of(2, me=0))
            assert await front.command() == SetReady(True)
            assert "'nonsense' is no choice here" in screen.text
            assert await front.command() == Remove(1)
            assert await front.command() == Leave(), "the end of the pipe comes last"
            assert await front.confirm_leave("") == LEAVE

    run(scene())


def test_several_lines_of_a_pipe_at_once_are_none_lost_between_two_questions() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(2, me=0))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("r")
            screen.type("x 1")
            assert await command == SetReady(True)
            assert await front.command() == Remove(1)

    run(scene())


def test_at_a_keyboard_a_stray_line_does_not_answer_the_next_question() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        async with TerminalFront(screen).opened() as front:
            screen.type("1")
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            assert not choice.done()
            choice.cancel()

    run(scene())


def test_what_was_typed_is_echoed_as_it_was() -> None:
    with pytest.raises(NoAnswer, match="'I9 X' is no choice here"):
        Question("p", {"1": 1}).read(" I9   X")
