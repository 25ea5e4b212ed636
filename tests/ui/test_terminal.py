"""A person at a terminal: questions, answers, clocks, leaving, and a whole game."""

import asyncio
import re
from collections.abc import Coroutine
from dataclasses import replace
from random import Random
from typing import Any

import click
import pytest

from p2pjong.app.pace import patience_s
from p2pjong.bots import STRATEGIES
from p2pjong.games.game import Action, Event, Over
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Blame,
    Finished,
    Happened,
    Left,
    Progress,
    VotedOut,
)
from p2pjong.session.lobby_view import (
    Leave,
    LobbySeat,
    Remove,
    SetReady,
    Start,
    TableOffer,
)
from p2pjong.ui import endings, render, text
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.front import LEAVE, STAY, Clocks, Linked, Stuck, TimeUp
from p2pjong.ui.names import Names
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.teller import Teller
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import OpenTable, lobby_of
from tests.support.samurai_scene import Scene
from tests.support.virtual_clock import run_virtually
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
            assert prompts()[2:] == ["r: not ready after all, s: start, x SEAT: remove, q: leave:"]
            screen.type("s")
            await soon()
            assert "1 seat is free" in screen.lines[-1]
            screen.type("n")
            await soon()
            assert len(prompts()) == 4, "what another question came between is told again"
            command.cancel()

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
            front.show(Awaiting((0,), "to discard or go out", is_decision=True))
            assert screen.desk.status().startswith("your turn  ")
            front.show(Awaiting((0,), "to shuffle the deck"))
            assert screen.desk.status().startswith("your machine's turn to shuffle the deck")
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
    (Awaiting((1,), "to answer the discard", (), True, True), 3.0, "1 min 27 s of grace left"),
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


@pytest.mark.parametrize("is_cut", [True, False])
@pytest.mark.parametrize("is_answer", [True, False])
@pytest.mark.parametrize("clock_s", [0.0, 20.0])
def test_the_grace_on_the_screen_ends_when_a_vote_is_asked_for(
    is_cut: bool, is_answer: bool, clock_s: float
) -> None:
    clocks = Clocks(clock_s=clock_s, window_s=2, grace_s=30)
    awaiting = Awaiting((1,), "to answer", (1,), True, is_answer)
    ends_s = patience_s(clocks, is_decision=True, is_linked=not is_cut)
    names = Names(("Ada", "Ben"), 0)
    if ends_s is None:
        told = render.awaiting_text(awaiting, names, 1000.0, clocks, is_cut)
        assert "grace" not in told
        return
    before = render.awaiting_text(awaiting, names, ends_s - 1, clocks, is_cut)
    assert "1 s of grace left" in before
    assert "overdue" in render.awaiting_text(awaiting, names, ends_s + 1, clocks, is_cut)


def test_an_answer_of_another_seat_does_not_begin_the_wait_anew() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Clocks(60, 4, 60), 0.0)
    teller.lines(Awaiting((0, 1, 2), "to answer the discard", (), True, True), 0.0)
    teller.lines(Awaiting((1, 2), "to answer the discard", (), True, True), 1.0)
    assert teller.status(2.0) == "waiting for Ben and Cy to answer the discard, 2 s left"
    teller.lines(Awaiting((1,), "to discard", (), True), 3.0)
    assert teller.status(3.0) == "waiting for Ben to discard, 1 min 00 s left"


def test_who_left_is_told_with_what_becomes_of_the_game() -> None:
    def told(gone: tuple[int, ...], present: tuple[bool, ...] = (True, True, True)) -> str:
        teller = Teller()
        teller.seated(SEATS, 0)
        teller.view = replace(view_of(HAND), present=present)
        return click.unstyle(
            " ".join(line for seat in gone for line in teller.lines(Left(seat), 0))
        )

    assert told((1,)).endswith("until then choose as usual.")
    assert told((1, 2)).endswith("Cy has left the game. Too few are left to go on.")
    assert told((2,), (True, False, True)).endswith("Too few are left to go on.")
    assert told((0,)) == "", "the end tells it"


@pytest.mark.parametrize("is_told", [True, False])
def test_who_was_told_to_go_is_not_told_of_a_game_that_is_over(is_told: bool) -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    over = Finished(Over("abandoned", (0, 0, 0), (), 0), bytes(32))
    if is_told:
        teller.lines(Left(0), 0.0)
    told = click.unstyle(" ".join(teller.lines(over, 0.0)))
    assert ("You left the game." in told) == is_told
    assert ("the game is over" in told) != is_told
    teller.seated(SEATS, 0)
    assert teller.gone_by is None, "a game after this one is another thing"


def test_who_is_voted_absent_is_told_that_it_is_over_for_it_alone() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(VotedOut(0, (1, 2)))
            front.show(Finished(Over("abandoned", (0, 0, 0), (), 0), bytes(32)))
            assert "You are voted absent by Ben and Cy." in screen.text
            assert "For you the game is over. The others may go on." in screen.text
            assert "abandoned" not in screen.text
            assert await front.rematch() is False, "there is nobody to ask for another game"

    run(scene())


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
    lines = endings.stuck_lines(stuck, Names(("Ada", "Ben"), 0))
    told = click.unstyle(" ".join(lines))
    assert "Ben has been silent for 1 min 05 s." in told and why in told
    assert "You can wait" in told and "leave with q. Leaving costs all." in told


def test_a_vote_calls_the_hand_what_its_game_does() -> None:
    view = Scene({0: "spies", 1: "honda", 2: "roads"}).view(0)
    told = " ".join(endings.vote_lines(1, 65, Names(("Ada", "Ben", "Cy"), 0), view))
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
    monkeypatch.setattr("p2pjong.ui.asking.now_s", lambda: now[0])
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


# --- What a newcomer must be told ---------------------------------------------------------------


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
            assert "You voted Ben absent: with your vote 1 of the 2 that it takes." in screen.text

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
    assert "the other 2 play on. Who waits is asked again in 1 min 05 s." in told
    three = Scene({0: "spies", 1: "honda", 2: "roads"}).view(0)
    three = replace(three, game="not-your-mas-jong")
    told = " ".join(endings.vote_lines(1, 65, Names(("Ada", "Ben", "Cy"), 0), three))
    assert "the game is abandoned, for too few are left" in told


def test_who_may_come_back_depends_on_the_link() -> None:
    names = Names(("Ada", "Ben"), 0)
    linked = Stuck(1, 65, 2, False, "Leaving costs all.")
    assert "Ben may come back" in " ".join(endings.stuck_lines(linked, names))
    told = " ".join(endings.stuck_lines(replace(linked, is_linked=False), names))
    assert "may come back" not in told and "if its program still runs" in told


def test_a_seat_that_is_out_of_reach_is_told_at_once_and_its_grace_runs() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Clocks(60, 2, 30), 0.0)
    assert teller.lines(Linked((1,)), 0.0) == teller.lines(Linked((1, 2)), 0.0) == []
    teller.lines(Awaiting((1,), "to discard or go out", is_decision=True), 0.0)
    assert "59 s left" in teller.status(1.0)
    (told,) = teller.lines(Linked((2,)), 1.0)
    assert click.unstyle(told) == "Ben is not connected any more; trying again."
    assert teller.status(1.0).endswith("29 s of grace left, out of reach")
    assert teller.status(31.0).endswith("overdue")
    (told,) = teller.lines(Linked((1, 2)), 5.0)
    assert click.unstyle(told) == "Ben is connected again."
    assert "50 s left" in teller.status(10.0)


def test_who_left_in_order_is_not_told_to_be_out_of_reach_too() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Linked((1, 2)), 0.0)
    teller.lines(Left(1), 0.0)
    assert teller.lines(Linked((2,)), 0.0) == []


def test_a_claim_is_confirmed_at_once_while_the_window_runs() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        view = view_of(HAND, discards=[(1, "J")], turn=1)
        ask = claim_ask(view, ["J J"])
        async with TerminalFront(screen).opened() as front:
            front.seated(SEATS, 0)
            front.show(Clocks(60, 2, 60))
            front.show(Awaiting((0, 2), "to answer the discard", (), True, True))
            assert screen.desk and screen.desk.status().startswith("nothing for you to claim, ")
            claim = asyncio.create_task(front.choose(ask, 2.0))
            await soon()
            assert "nothing for you" not in screen.desk.status()
            screen.type("1")
            await claim
            assert "You claim J for a Formation; all answers are shown when" in screen.text
            assert screen.desk.status().startswith("your answer is given, ")
            screen.lines.clear()
            front.show(Clocks(60, 0, 60))
            claim = asyncio.create_task(front.choose(ask, 2.0))
            await soon()
            screen.type("1")
            await claim
            assert "You claim" not in screen.text, "without a window what follows tells"

    run(scene())


def test_what_the_machine_did_when_all_had_left_is_no_choice_of_its_person() -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    discard = Happened(Event("discarded", 0, ("J",)), view_of(HAND))
    assert "You discard J" in click.unstyle("\n".join(teller.lines(discard, 0.0)))
    teller.lines(Left(1), 0.0)
    assert teller.lines(discard, 0.0) != [], "two are enough"
    told = teller.lines(Left(2), 0.0)
    assert "Too few are left to go on." in click.unstyle("\n".join(told))
    assert teller.lines(discard, 0.0) == []


@pytest.mark.parametrize("second", [Left(2), VotedOut(2, (0, 1)), Blame(2, "rule", "broke it")])
def test_when_one_of_three_is_left_nothing_goes_on_however_the_others_went(second: Any) -> None:
    teller = Teller()
    teller.seated(SEATS, 0)
    teller.lines(Happened(Event("dealt", 0, number=12), view_of(HAND)), 0.0)
    teller.lines(second, 0.0)
    told = click.unstyle("\n".join(teller.lines(Left(1), 0.0)))
    assert "Too few are left to go on." in told and "choose as usual" not in told


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


def test_ctrl_z_is_answered_and_holds_nobody_up() -> None:
    async def scene() -> None:
        screen = FakeScreen()
        async with TerminalFront(screen).opened():
            assert screen.desk
            screen.desk.suspend()
            assert "Ctrl-Z is off" in screen.text

    run(scene())


def test_what_was_typed_is_echoed_as_it_was() -> None:
    with pytest.raises(NoAnswer, match="'I9 X' is no choice here"):
        Question("p", {"1": 1}).read(" I9   X")
