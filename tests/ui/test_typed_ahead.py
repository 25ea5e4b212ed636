"""What is typed or piped before it is asked for, and several lines at once."""

import asyncio
from dataclasses import replace

import pytest

from p2pjong.front import LEAVE
from p2pjong.session.lobby_view import Leave, Remove, SetReady, TableOffer
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import lobby_of
from tests.support.terminal import HAND, SEATS, run, soon
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
            assert screen.lines[-1].endswith("~' is not an option here (discard 1-13)")
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
        offers = (
            TableOffer("A", "war-jhong", 4, 2, number=1),
            TableOffer("B", "war-jhong", 4, 1, number=2),
        )
        async with TerminalFront(screen).opened() as front:
            for line in ("2", "", "nonsense", "x 1", "x 2"):
                screen.type(line)
            screen.end()
            assert await front.pick_table(offers) == offers[1]
            front.lobby(lobby_of(3, me=0))
            assert await front.command() == Remove(1)
            assert "'nonsense' is not an option here" in screen.text
            assert await front.command() == Remove(2)
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
    with pytest.raises(NoAnswer, match="'I9 X' is not an option here"):
        Question("p", {"1": 1}).read(" I9   X")


def test_once_ready_a_script_keeps_its_lines_for_the_game() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            for line in ("r", "2", "g"):
                screen.type(line)
            screen.end()
            front.lobby(lobby_of(1, me=0))
            assert await front.command() == SetReady(True)
            gathering = asyncio.create_task(front.command())
            await soon()
            front.lobby(lobby_of(2, me=0, ready=(0,)))
            await soon()
            assert not gathering.done() and "no choice" not in screen.text
            gathering.cancel()
            front.seated(SEATS, 0)
            ask = turn_ask(view_of(HAND))
            assert await front.choose(ask, None) == ask.actions[1]
            assert "no choice" not in screen.text

    run(scene())


@pytest.mark.parametrize("has_ended", [True, False])
def test_a_script_that_was_ready_says_so_again_for_whoever_comes(has_ended: bool) -> None:
    """It cannot see who comes and goes, and said one r: a table must not wait for it for ever."""

    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            screen.type("r")
            if has_ended:
                screen.end()
            front.lobby(replace(lobby_of(2, me=1), shown="two"))
            assert await front.command() == SetReady(True, "two")
            command = asyncio.create_task(front.command())
            front.lobby(replace(lobby_of(2, me=1, ready=(1,)), shown="two"))
            await soon()
            assert not command.done()
            front.lobby(replace(lobby_of(3, me=1), shown="three"))
            assert await command == SetReady(True, "three")
            front.lobby(replace(lobby_of(2, me=1), shown="two"))
            assert await front.command() == SetReady(True, "two"), "also between two commands"

    run(scene())


def test_a_person_who_was_ready_is_not_made_ready_for_others() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(replace(lobby_of(2, me=1), shown="two"))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("r")
            assert await command == SetReady(True, "two")
            command = asyncio.create_task(front.command())
            front.lobby(replace(lobby_of(3, me=1), shown="three"))
            await soon()
            assert not command.done()
            command.cancel()

    run(scene())


def test_what_only_a_lobby_understands_is_heard_there_once_it_can_be() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            for line in ("r", "x 1", "?", "q"):
                screen.type(line)
            front.lobby(lobby_of(1, me=0))
            assert await front.command() == SetReady(True)
            command = asyncio.create_task(front.command())
            await soon()
            assert not command.done(), "nobody sits there yet"
            front.lobby(lobby_of(2, me=0, ready=(0,)))
            assert await command == Remove(1)
            assert await front.command() == Leave()
            assert "help" in screen.text

    run(scene())


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_script_that_ends_once_ready_plays_on_by_defaults(is_asked: bool) -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(2, me=0))
            screen.type("r")
            assert await front.command() == SetReady(True)
            gathering = asyncio.create_task(front.command())
            breaking = asyncio.create_task(front.interrupted())
            await soon()
            if not is_asked:
                screen.end()
            await soon()
            assert not gathering.done(), "the table stays open"
            gathering.cancel()
            front.seated(SEATS, 0)
            ask = turn_ask(view_of(HAND))
            choice = asyncio.create_task(front.choose(ask, None))
            await soon()
            if is_asked:
                assert not choice.done()
                screen.end()
            assert await choice == ask.default
            assert "No more input: " in screen.text and "was discarded for you" in screen.text
            assert await front.choose(ask, None) == ask.default
            assert not breaking.done(), "it did not leave"
            assert await front.vote_absent(1, 60) is False
            assert await front.rematch() is False
            screen.interrupt()
            await breaking
            assert await front.confirm_leave("") == LEAVE, "nobody could answer"

    run(scene())


def test_whose_lines_nobody_reads_any_more_leaves_the_game() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            gone = asyncio.create_task(front.gone())
            await soon()
            assert screen.desk
            screen.desk.unread()
            await gone
            assert await front.confirm_leave("") == LEAVE

    run(scene())
