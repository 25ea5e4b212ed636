"""A person at a terminal: questions, answers, clocks, leaving, and a whole game."""

import asyncio
import re
from collections.abc import Coroutine
from dataclasses import replace
from random import Random
from typing import Any

import click
import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.games.game import Action, Over
from p2pjong.session.effects import Ask, Awaiting, Blame, Finished, Left, Progress
from p2pjong.session.lobby_view import (
    Leave,
    LobbySeat,
    Remove,
    SetReady,
    Start,
    TableOffer,
)
from p2pjong.ui import render, text
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.front import LEAVE, STAY, Clocks, Stuck, TimeUp
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question
from p2pjong.ui.teller import Teller
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import OpenTable, lobby_of
from tests.support.samurai_scene import Scene
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
            assert "You may now: discard 1-13 (then Enter)" in screen.text
            assert "T Tactics (wild)" in screen.text and "q leave" in screen.text
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
            assert screen.desk.status().startswith("waiting for Ben and you to answer the discard")
            front.show(Awaiting((0,), "to discard"))
            assert screen.desk.status().startswith("your turn to discard")
            front.show(Awaiting((1,), "to shuffle the deck"))
            front.show(Progress("shuffling", 1, 4))
            assert screen.desk.status().startswith(
                "shuffling [#####---------------] 1/4 - waiting for Ben to shuffle the deck"
            )
            front.show(Progress("shuffling", 4, 4))
            assert screen.desk.status().startswith("waiting for Ben")

    run(scene())


WAITS = [
    (Awaiting((1,), "to discard", is_decision=True), 13.0, "47 s left"),
    (Awaiting((1,), "to discard", is_decision=True), 61.0, "29 s of grace left"),
    (Awaiting((1,), "to discard", is_decision=True), 91.0, "overdue"),
    (Awaiting((1,), "to answer the discard", (), True, True), 1.0, "1 s left"),
    (Awaiting((1,), "to shuffle the deck"), 1.0, ""),
    (Awaiting((1,), "to shuffle the deck"), 10.0, "20 s for its machine to answer"),
]


@pytest.mark.parametrize(("awaiting", "waited_s", "told"), WAITS)
def test_all_that_is_shown_of_time_counts_down(
    awaiting: Awaiting, waited_s: float, told: str
) -> None:
    clocks = Clocks(clock_s=60, window_s=2, grace_s=30)
    head = f"waiting for Ben {awaiting.reason}"
    names = Names(("Ada", "Ben"), 0)
    shown = render.awaiting_text(awaiting, names, waited_s, clocks)
    assert shown == (f"{head}, {told}" if told else head)
    without = Clocks(clock_s=0, window_s=0, grace_s=30)
    if awaiting.is_decision:
        assert render.awaiting_text(awaiting, names, waited_s, without) == f"{head}, no clock"


def test_an_answer_of_another_seat_does_not_begin_the_wait_anew() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Clocks(60, 4, 60), 0.0)
    teller.lines(Awaiting((0, 1, 2), "to answer the discard", (), True, True), 0.0)
    teller.lines(Awaiting((1, 2), "to answer the discard", (), True, True), 1.0)
    assert teller.status(2.0) == "waiting for Ben and Cy to answer the discard, 2 s left"
    teller.lines(Awaiting((1,), "to discard", (), True), 3.0)
    assert teller.status(3.0) == "waiting for Ben to discard, 1 min 00 s left"


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
    assert render.time_up_lines(TimeUp(forced, ask.default)) == []


def test_cards_that_a_clock_discarded_or_kept_are_told_in_samurai_warfare() -> None:
    scene = Scene({0: "spies honda", 1: "siege"}, seats=2, phase="strategy")
    slots = tuple(slot for slot, _ in scene.view(0).hand)
    ask = Ask(1, scene.view(0), scene.table.legal(0), scene.table.default(0), is_answer=False)
    told = render.time_up_lines(TimeUp(ask, Action(0, "discard", slots)))
    assert click.unstyle(told[0]) == "Time is up: Honda and Spies were discarded for you."
    kept = render.time_up_lines(TimeUp(ask, Action(0, "pass")))
    assert kept == ["Time is up: you kept all your cards."]


@pytest.mark.parametrize("game", sorted(render.GAME_WORDS))
def test_help_explains_the_screen_of_each_game_within_it(game: str) -> None:
    view = replace(view_of(HAND), game=game)
    asked: Question[str] = Question(
        "steal S1? w: to win, p: pass", {}, is_instant=True, help="w is a win. " * 20
    )
    for now, awaited in ((asked, ""), (None, "waiting for Ben to discard, 9 s left")):
        lines = [click.unstyle(line) for line in render.help_lines(view, now, awaited)]
        assert len(lines) <= 20 and max(map(len, lines)) <= text.COLUMNS
        assert "> whose" in " ".join(lines) and ("(one key)" in lines[1] or awaited in lines[1])


@pytest.mark.parametrize(
    ("stuck", "why"),
    [
        (Stuck(1, 65, 2, False, "Leaving costs all."), "Of two seats none can be voted absent"),
        (Stuck(1, 65, 4, True, "Leaving costs all."), "takes 3 of the 4 seats"),
        (Stuck(1, 65, 4, False, "Leaving costs all."), "cannot be voted absent now"),
    ],
)
def test_without_a_majority_the_screen_says_what_can_be_done(stuck: Stuck, why: str) -> None:
    lines = render.stuck_lines(stuck, Names(("Ada", "Ben"), 0))
    told = click.unstyle(" ".join(lines))
    assert "Ben has been silent for 1 min 05 s." in told and why in told
    assert "You can wait" in told and "leave with q. Leaving costs all." in told


def test_a_vote_calls_the_hand_what_its_game_does() -> None:
    view = Scene({0: "spies", 1: "honda", 2: "roads"}).view(0)
    told = " ".join(render.vote_lines(1, 65, Names(("Ada", "Ben", "Cy"), 0), view))
    assert "this turn is void" in told and "If 2 of the 3 seats do" in told


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
