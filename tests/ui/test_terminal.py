"""A person at a terminal: questions and answers, claims, votes, help, and a whole game."""

import asyncio
import re
from dataclasses import replace
from random import Random

import click
import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.front import LEAVE, STAY, Clocks
from p2pjong.games import GAMES
from p2pjong.games.game import Event, Over
from p2pjong.session.effects import Awaiting, Books, Happened, Left
from p2pjong.ui import endings, render, text
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question
from p2pjong.ui.terminal import TerminalFront
from p2pjong.ui.text import dim
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import OpenTable, lobby_of
from tests.support.samurai_scene import Scene
from tests.support.terminal import HAND, SEATS, run, soon
from tests.support.virtual_clock import run_virtually
from tests.support.war_jhong_views import claim_ask, turn_ask, view_of


def bot(seed: int, strategy: str = "greedy") -> BotFront:
    return BotFront(STRATEGIES[strategy](), Random(seed), lambda lines: None)


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
            assert "'99' is not an option here (discard 1-13)" in screen.text
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
            screen.type("?")
            assert "t this table" in screen.text and "hand" not in screen.text
            screen.type("e")
            assert screen.lines[-1:] == [dim("nothing has happened in a game yet")]
            front.seated(SEATS, 0)
            front.show(Left(1))
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            screen.lines.clear()
            screen.type("T")
            assert "your hand" in screen.text
            screen.type("?")
            assert "You may now: discard 1-13 (then Enter)" in screen.text
            assert "T Tactics (wild)" in screen.text and "q leave" in screen.text
            assert "t table and hand" in screen.text
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
            before = screen.text
            choice.cancel()
            await soon()
            assert screen.text == before, "nothing is said: the table tells what happened"
            assert screen.desk.prompt() == "" and not screen.desk.instant_keys()

    run(scene())


@pytest.mark.parametrize("game", sorted(GAMES))
def test_help_explains_the_screen_of_each_game_within_it(game: str) -> None:
    view = replace(view_of(HAND), game=game)
    asked: Question[str] = Question(
        "steal S1? w: to win, p: pass", {}, is_instant=True, help="w is a win. " * 20
    )
    for now, awaited in ((asked, ""), (None, "waiting for Ben to discard, 9 s left")):
        lines = [click.unstyle(line) for line in render.help_lines(view, now, awaited, game)]
        assert len(lines) <= 20 and max(map(len, lines)) <= text.COLUMNS
        asked_last = " ".join(lines[-5:])  # below all else, where it stays in sight
        assert "> whose" in " ".join(lines)
        assert ("(one key)" in asked_last) if now else (awaited in lines[-1])


def test_a_vote_calls_the_hand_what_its_game_does() -> None:
    view = Scene({0: "spies", 1: "honda", 2: "roads"}).view(0)
    told = " ".join(endings.vote_lines(1, 65, Names(("Ada", "Ben", "Cy"), 0), view))
    assert "this turn is void" in told and "If 2 of the 3 players do" in told


def test_ones_own_question_goes_before_a_vote_that_comes_later() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            choice = asyncio.create_task(front.choose(turn_ask(view_of(HAND)), None))
            await soon()
            vote = asyncio.create_task(front.vote_absent(1, 65))
            await soon()
            assert screen.desk and screen.desk.prompt().startswith("discard 1-13")
            screen.type("1")
            assert (await choice).slots == (100,)
            await soon()
            assert screen.desk.prompt() == "v: vote, w: wait"
            screen.type("v")
            assert await vote is True
            assert "You voted to remove Ben. That takes 2 votes; yours is counted." in screen.text

    run(scene())


@pytest.mark.parametrize(("typed", "is_wanted"), [("y", True), ("n", False)])
def test_yes_and_no_answer_what_can_be_answered_so(typed: str, is_wanted: bool) -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            vote = asyncio.create_task(front.vote_absent(1, 65))
            await soon()
            screen.type(typed)
            assert await vote is is_wanted
            leaving = asyncio.create_task(front.confirm_leave("It costs all."))
            await soon()
            screen.type(typed)
            assert await leaving == (LEAVE if is_wanted else STAY)

    run(scene())


def test_a_vote_says_what_follows_and_when_it_is_asked_again() -> None:
    view = view_of(HAND)
    told = " ".join(endings.vote_lines(1, 65, Names(("Ada", "Ben", "Cy"), 0), view))
    assert "the other 2 play on. If you wait, you are asked again in 1 min 05 s." in told
    three = Scene({0: "spies", 1: "honda", 2: "roads"}).view(0)
    three = replace(three, game="not-your-mas-jong")
    told = " ".join(endings.vote_lines(1, 65, Names(("Ada", "Ben", "Cy"), 0), three))
    assert "the game is abandoned, because too few are left" in told


def test_a_claim_is_confirmed_at_once_while_the_window_runs() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        view = view_of(HAND, discards=[(1, "J")], turn=1)
        ask = claim_ask(view, ["J J"])
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Clocks(60, 2, 60))
            front.show(Awaiting((0, 2), "answer-discard", (), True, True))
            assert screen.desk and screen.desk.status().startswith("nothing for you to claim, ")
            claim = asyncio.create_task(front.choose(ask, 2.0))
            await soon()
            assert "nothing for you" not in screen.desk.status()
            screen.type("1")
            await claim
            assert "You claim J for a Formation. You can change that until" in screen.text
            assert screen.desk.status().startswith("your answer is given, ")
            screen.lines.clear()
            front.show(Clocks(60, 0, 60))
            claim = asyncio.create_task(front.choose(ask, 2.0))
            await soon()
            screen.type("1")
            await claim
            assert screen.text.endswith("You claim J for a Formation."), "it has left"

    run(scene())


def test_until_the_window_closes_another_key_changes_the_answer() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        ask = claim_ask(view_of(HAND, discards=[(1, "J")], turn=1), ["J J"])
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Clocks(60, 2, 60))
            answer = asyncio.create_task(front.choose(ask, 2.0))
            await soon()
            screen.type("p")
            passed = await answer
            assert passed.verb == "pass" and "You pass. You can change" in screen.text
            again = asyncio.create_task(front.reconsider(ask, passed))
            await asyncio.sleep(1)
            assert screen.desk and screen.desk.prompt() == "or else claim J? 1, p (1 s)"
            screen.type("p")
            await soon()
            assert not again.done(), "the same again changes nothing"
            screen.type("1")  # at once: whoever sees that the key was wrong is quick
            assert (await again).verb == "claim_formation"
            assert "You claim J for a Formation. You can change" in screen.text

    run_virtually(scene())


def test_the_end_of_a_hand_stays_until_enter_and_can_be_seen_again() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Clocks(60, 0, 60))
            screen.type("h")
            assert screen.lines[-1] == click.style("no hand has ended yet", dim=True)
            view = view_of(HAND)
            front.show(Happened(Event("discarded", 1, ("C9",)), view))
            front.show(Happened(Event("washed_out", number=1), view, is_end=True))
            front.show(Happened(Event("settled"), view, is_end=True))
            end = "\n".join(screen.text.splitlines()[-2:])
            assert end.startswith("The deck is empty")
            front.show(Awaiting((0, 2), "commit-key"))
            reading = asyncio.create_task(front.next_hand(20.0))
            await soon()
            assert screen.desk and screen.desk.prompt() == "Enter: next hand (20 s)"
            assert screen.desk.status().startswith("waiting for Cy: the next hand")
            front.show(Awaiting((0,), "commit-key"))
            assert screen.desk.status().startswith("all others are ready for the next hand")
            screen.type("x")
            await soon()
            assert not reading.done()
            screen.type("")
            await reading
            front.show(Happened(Event("hand_began", 0, number=2), view))
            screen.lines.clear()
            screen.type("h")
            assert screen.text == end

    run_virtually(scene())


def test_what_books_show_belongs_to_the_end_of_their_hand() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            view = view_of(HAND)
            front.show(Happened(Event("washed_out", number=1), view, is_end=True))
            front.show(Books(1, ((1, ("C9", "F")),), ("A1",)))
            end = screen.text
            assert "Ben still held" in end
            front.show(Happened(Event("hand_began", 0, number=2), view))
            screen.lines.clear()
            screen.type("h")
            assert screen.text == end

    run_virtually(scene())


def test_a_script_reads_no_end_of_a_hand() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        screen.is_piped = True
        async with TerminalFront(screen).opened() as front:
            await front.next_hand(20.0)
            assert asyncio.get_running_loop().time() == 0

    run_virtually(scene())
