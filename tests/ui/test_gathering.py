"""A terminal before the game and after it: picking a table, the lobby's keys, a rematch."""

import asyncio
from dataclasses import replace

import pytest

from p2pjong.games.game import Over
from p2pjong.session.effects import Finished, VotedOut
from p2pjong.session.lobby_view import Remove, SetReady, Start, TableOffer
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import lobby_of
from tests.support.terminal import SEATS, run, soon


def test_the_lobby_of_a_plain_screen_prints_its_question_only_when_it_is_another() -> None:
    async def scene() -> None:
        screen = FakeScreen(is_live=False)

        def prompts() -> list[str]:
            return [line for line in screen.lines if line.startswith("r: ")]

        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(1, me=0))
            command = asyncio.create_task(front.command())
            await soon()
            assert prompts() == ["r: ready, q: leave:"]
            front.lobby(lobby_of(2, me=0))
            front.lobby(lobby_of(3, me=0))
            other = "r: ready, s: start, x SEAT: remove, q: leave:"
            assert prompts()[1:] == [other], "told when there is more to choose, and once"
            screen.type("r")
            assert await command == SetReady(True)
            command = asyncio.create_task(front.command())
            await soon()
            assert len(prompts()) == 2, "the lobby has not changed yet"
            front.lobby(lobby_of(3, me=0, ready=(0,)))
            assert prompts()[2:] == ["r: take back ready, s: start, x SEAT: remove, q: leave:"]
            screen.type("s")
            await soon()
            assert "1 seat is free" in screen.lines[-1]
            screen.type("n")
            await soon()
            assert len(prompts()) == 4, "what another question came between is told again"
            command.cancel()

    run(scene())


def test_the_keys_of_the_lobby_follow_the_lobby() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(1, me=0))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("x 1")
            assert "seat 1 is free" in screen.text
            front.lobby(lobby_of(2, me=0))
            screen.type("x 1")
            assert await command == Remove(1)
            front.lobby(lobby_of(1, me=0))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("r")
            assert await command == SetReady(True)

    run(scene())


@pytest.mark.parametrize("typed", ["y", "n", "Ctrl-C"])
def test_a_rematch_is_asked_for_and_ctrl_c_declines_it(typed: str) -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            again = asyncio.create_task(front.rematch())
            await soon()
            assert screen.desk and screen.desk.instant_keys() >= {"y", "n"}
            screen.interrupt() if typed == "Ctrl-C" else screen.type(typed)
            assert await again is (typed == "y")

    run(scene())


def test_of_several_tables_the_person_picks_one() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        offers = (
            TableOffer("A", "war-jhong", 4, 2, number=1),
            TableOffer("B", "war-jhong", 4, 1, number=2),
        )
        async with TerminalFront(screen).opened() as front:
            picked = asyncio.create_task(front.pick_table(offers))
            await soon()
            screen.type("2")
            assert await picked == offers[1]

    run(scene())


def test_the_choice_follows_the_tables_and_a_closed_one_is_not_joined() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        one, two = (
            TableOffer(name, "war-jhong", 4, 2, number=n) for n, name in ((1, "A"), (2, "B"))
        )
        async with TerminalFront(screen).opened() as front:
            picked = asyncio.create_task(front.pick_table((one,)))
            await soon()
            front.offers((one, two))
            front.offers((replace(one, is_gone=True), two))
            assert screen.desk and screen.desk.prompt().startswith("join 2,")
            assert "1  A: closed now" in screen.text
            screen.type("1")
            await soon()
            assert not picked.done() and "A has closed: choose another one" in screen.text
            screen.type("b")
            assert await picked == two

    run(scene())


def test_a_host_is_asked_once_before_it_starts_with_free_seats() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(2, me=0, ready=(1,)))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("s")
            await soon()
            assert screen.desk and "2 seats are free: start with 2" in screen.desk.prompt()
            screen.type("n")
            await soon()
            assert not command.done() and screen.desk.prompt().startswith("r: ready")
            screen.type("s")
            await soon()
            front.lobby(lobby_of(3, me=0, ready=(1, 2)))  # the question follows the lobby
            assert "1 seat is free: start with 3" in screen.desk.prompt()
            screen.type("y")
            assert await command == Start()
            front.lobby(lobby_of(4, me=0, ready=(1, 2, 3)))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("s")
            assert await command == Start()

    run(scene())


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_rematch_speaks_of_the_same_seats_only_while_all_are_there(is_whole: bool) -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            if not is_whole:
                front.show(VotedOut(2, (0, 1)))
            front.show(Finished(Over("finished", (1, 0, 0), (0,), 1), bytes(32)))
            again = asyncio.create_task(front.rematch())
            await soon()
            assert ("with the same seats?" in screen.text) is is_whole
            assert screen.desk and screen.desk.status().startswith("the game is over")
            screen.type("n")
            assert await again is False

    run(scene())


def test_whom_the_host_sends_away_is_told_as_its_own_doing() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(3, me=0))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("x 2")
            assert await command == Remove(2)
            front.lobby(lobby_of(2, me=0))
            assert "You removed Cy" in screen.text and "leaves the table" not in screen.text
            front.lobby(lobby_of(3, me=0))
            front.lobby(lobby_of(2, me=0))
            assert "Cy leaves the table" in screen.text, "the next time it went by itself"

    run(scene())
