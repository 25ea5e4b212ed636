"""How a person leaves a terminal: Ctrl-C, the end of input, and the question whether to."""

import asyncio

import pytest

from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.front import LEAVE, STAY
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.terminal import HAND, SEATS, run, soon
from tests.support.virtual_clock import run_virtually
from tests.support.war_jhong_views import turn_ask, view_of


def test_ctrl_c_asks_before_leaving_and_the_open_question_waits() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            wish = asyncio.create_task(front.interrupted())
            await soon()
            screen.interrupt()
            await wish
            answer = asyncio.create_task(front.confirm_leave("your hand is void."))
            await soon()
            assert "Leave? your hand is void." in screen.text
            screen.interrupt()  # a second one does not decide it
            screen.type("s")
            assert await answer == STAY
            assert screen.desk and screen.desk.prompt() == "discard 1-13"
            screen.type("q")  # as good as Ctrl-C; nobody listens at this moment, and it waits
            await front.interrupted()
            answer = asyncio.create_task(front.confirm_leave(""))
            await soon()
            screen.type("l")
            assert await answer == LEAVE
            choice.cancel()

    run(scene())


def test_when_nobody_would_ask_ctrl_c_ends_the_program() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened():
            screen.interrupt()
            await asyncio.sleep(1)

    with pytest.raises(asyncio.CancelledError):
        run(scene())


def test_ctrl_c_that_is_not_attended_to_ends_the_program_the_second_time() -> None:
    """But for one that comes with the first, as when a finger slips: leaving is asked about."""

    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            listener = asyncio.create_task(front.interrupted())
            await soon()
            listener.cancel()
            screen.interrupt()
            await asyncio.sleep(0.9)
            screen.interrupt()
            await asyncio.sleep(0.2)
            screen.interrupt()
            await asyncio.sleep(1)
            raise AssertionError("it went on")

    with pytest.raises(asyncio.CancelledError):
        run_virtually(scene())


def test_whether_to_leave_is_answered_first_whatever_is_asked_meanwhile() -> None:
    """A new hand, or a claim, must not take the place of the question that a person waits for."""

    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            wish = asyncio.create_task(front.interrupted())
            await soon()
            screen.interrupt()
            await wish
            leaving = asyncio.create_task(front.confirm_leave("all is lost"))
            await soon()
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            assert screen.desk and screen.desk.prompt() == "s: stay, l: leave"
            screen.interrupt()
            assert "s stays, l leaves" in screen.text
            screen.type("s")
            assert await leaving == STAY
            assert screen.desk.prompt() == "discard 1-13"
            choice.cancel()

    run(scene())


@pytest.mark.parametrize("key", ["s", "l"])
def test_who_leaves_is_not_shown_again_what_it_will_not_answer(key: str) -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        async with TerminalFront(screen).opened() as front:
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            leaving = asyncio.create_task(front.confirm_leave("all is lost"))
            await soon()
            screen.type(key)
            await leaving
            assert (screen.lines[-1] == "discard 1-13:") == (key == "s")
            choice.cancel()

    run(scene())


def test_when_the_input_ends_on_the_question_whether_to_leave_the_seat_leaves() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            leaving = asyncio.create_task(front.confirm_leave("all is lost"))
            await soon()
            screen.end()
            assert await leaving == LEAVE

    run(scene())


def test_the_end_of_input_leaves_without_asking() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            gone = asyncio.create_task(front.gone())
            await soon()
            assert not gone.done()
            screen.end()
            await gone
            assert await front.confirm_leave("all is lost") == LEAVE
            assert await front.rematch() is False

    run(scene())


@pytest.mark.parametrize("is_piped", [True, False])
@pytest.mark.parametrize("is_committed", [True, False])
def test_a_script_whose_input_ended_is_told_that_it_did_and_what_would_play_on(
    is_piped: bool, is_committed: bool
) -> None:
    """But not where it has said that it is ready, and plays on: then it left for another reason."""

    async def scene() -> None:
        screen = FakeScreen(is_live=False)
        screen.is_piped = is_piped
        async with TerminalFront(screen).opened() as front:
            if is_committed:
                front.seated(SEATS, 0)
            screen.end()
            raise Departure("you closed the table")

    with pytest.raises(P2PJongError) as error:
        run(scene())
    assert error.value.code == Exit.LEFT
    is_told = is_piped and not is_committed
    assert error.value.hint == ("--auto plays on without input" if is_told else "")


def test_ctrl_z_is_answered_and_holds_nobody_up() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened():
            assert screen.desk
            screen.desk.suspend()
            assert "Ctrl-Z is off" in screen.text

    run(scene())
