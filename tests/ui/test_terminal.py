"""A person at a terminal: questions, answers, clocks, leaving, and a whole game."""

import asyncio
import re
from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.games.game import Over
from p2pjong.session.effects import Awaiting, Blame, Finished, Left, Progress
from p2pjong.session.lobby_view import LobbySeat, Remove, SetReady, TableOffer
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.front import LEAVE, STAY
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import OpenTable, lobby_of
from tests.support.war_jhong_views import claim_ask, turn_ask, view_of

HAND = "I1 I2 I3 A4 A5 A6 C7 C8 C9 J J F G"
SEATS = tuple(LobbySeat(name, name) for name in ("Ada", "Ben", "Cy"))


def bot(seed: int, strategy: str = "greedy") -> BotFront:
    return BotFront(STRATEGIES[strategy](), Random(seed), lambda lines: None)


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def careless(prompt: str) -> str | None:
    """A person who goes out when that is offered, claims what it can, else discards the first."""
    if prompt.startswith("discard"):
        return "g" if "g: go out" in prompt else "1"
    if prompt.startswith("claim"):
        return "g" if re.search(r"\bg\b", prompt) else "1"
    if prompt.startswith("r: ready"):
        return "r"
    return "s" if "s: start" in prompt else None


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize("is_live", [True, False])
def test_a_person_plays_a_whole_game_and_sees_how_it_ends(seed: str, is_live: bool) -> None:
    screen = FakeScreen(careless, is_live)
    overs: list[Over] = []

    async def scene() -> None:
        async with TerminalFront(screen).opened() as front:
            table = OpenTable([front, bot(1), bot(2)], seed)
            await table.gather()
            overs.append(await table.play())

    run(scene())
    (over,) = overs
    assert over.outcome == "finished"
    for part in ("Table words: acorn bamboo comet dragon", "go out", "total", "the game is over"):
        assert part in screen.text.replace("goes out", "go out")
    for name, points in zip(("Ada (you)", "Ben", "Cy"), over.scores, strict=True):
        assert re.search(rf"{re.escape(name)} +{points}\n", screen.text)
    assert "no choice here" not in screen.text


def test_what_answers_nothing_is_told_and_the_question_stays() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            screen.type("99")
            screen.type("   ")
            await soon()
            assert "'99' is no choice here: discard 1-13" in screen.text
            screen.type("13")
            assert (await choice).slots == (112,)
            assert screen.desk and screen.desk.prompt() == ""

    run(scene())


def test_the_table_the_events_and_help_are_one_key_away_at_any_time() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(2, me=0))
            screen.lines.clear()
            screen.type("t")
            assert "Ada's table" in screen.text
            front.seated(SEATS, 0)
            front.show(Left(1))
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            screen.lines.clear()
            screen.type("T")
            assert "your hand" in screen.text
            screen.type("?")
            assert "Now: discard 1-13" in screen.text
            screen.type("e")
            assert "Ben has left the game." in screen.text
            choice.cancel()

    run(scene())


def test_only_one_possible_answer_is_not_asked() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            ask = claim_ask(view_of(HAND, discards=[(1, "A1")], turn=1), [])
            assert (await front.choose(ask, 2.0)).verb == "pass"
            assert screen.lines == []

    run(scene())


def test_a_claim_shows_its_clock_and_is_withdrawn_when_it_is_over() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            view = view_of("I4 I6 I7 A1 A2 A3 C1 C2 C3 J J G", discards=[(1, "I5")], turn=1)
            choice = asyncio.create_task(front.choose(claim_ask(view, ["I4 I6"]), 2.0))
            await soon()
            assert screen.desk
            assert screen.desk.prompt() == "claim I5? 1, p (2 s)"
            assert {"1", "p"} <= screen.desk.instant_keys()
            choice.cancel()
            await soon()
            assert "Too late" in screen.text
            assert screen.desk.prompt() == "" and not screen.desk.instant_keys()

    run(scene())


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
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            listener = asyncio.create_task(front.interrupted())
            await soon()
            listener.cancel()
            screen.interrupt()
            await asyncio.sleep(0)
            screen.interrupt()
            await asyncio.sleep(1)

    with pytest.raises(asyncio.CancelledError):
        run(scene())


def test_the_end_of_input_leaves_without_asking() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            wish = asyncio.create_task(front.interrupted())
            await soon()
            screen.end()
            await wish
            assert await front.confirm_leave("all is lost") == LEAVE
            assert await front.rematch() is False

    run(scene())


def test_the_keys_of_the_lobby_follow_the_lobby() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.lobby(lobby_of(1, me=0))
            command = asyncio.create_task(front.command())
            await soon()
            screen.type("x 1")
            assert "is no choice here" in screen.text
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
        offers = (TableOffer("A", "war-jhong", 4, 2), TableOffer("B", "war-jhong", 4, 1))
        async with TerminalFront(screen).opened() as front:
            picked = asyncio.create_task(front.pick_table(offers))
            await soon()
            screen.type("2")
            assert await picked == offers[1]

    run(scene())


def test_the_status_names_who_is_awaited_and_shows_progress() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            assert screen.desk
            front.show(Awaiting((1, 0), "to answer the discard"))
            assert screen.desk.status().startswith(
                "waiting for Ben and you to answer the discard, 0 s"
            )
            front.show(Awaiting((0,), "to discard"))
            assert screen.desk.status().startswith("your turn to discard")
            front.show(Progress("shuffling", 1, 4))
            assert "shuffling [#####---------------] 1/4" in screen.desk.status()
            front.show(Progress("shuffling", 4, 4))
            assert "your turn" in screen.desk.status()

    run(scene())


def test_a_fault_is_told_in_plain_words_and_cannot_paint_the_screen() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            blame = Blame(1, "shuffle-proof", "the shuffle does not hold\x1b[2J")
            front.show(blame)
            front.show(Finished(Over("fault", (0, 0, 0), (), 1), b"\x01" * 32, blame))
            assert "Ben broke the rules: the shuffle does not hold" in screen.text
            assert "[shuffle-proof]" in screen.text and "A proven fault" in screen.text
            assert "\x1b[2J" not in "".join(screen.lines)

    run(scene())


def test_a_plain_screen_says_now_and_then_who_is_awaited(monkeypatch: Any) -> None:
    now = [0.0]
    monkeypatch.setattr("p2pjong.ui.terminal._now_s", lambda: now[0])
    screen = FakeScreen(is_live=False)

    async def scene() -> None:
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Awaiting((1,), "to discard"))
            seen = []
            for now[0] in (1.0, 11.0, 12.0, 31.0):
                seen.append(bool(front._murmurs()))
            assert seen == [False, True, False, True]
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), 60.0))
            await soon()
            for now[0] in (32.0, 85.0, 86.0):
                seen.append(bool(front._murmurs()))
            assert seen[4:] == [False, True, False]
            choice.cancel()

    run(scene())
