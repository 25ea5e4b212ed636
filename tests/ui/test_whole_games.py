"""A person plays whole games of each kind through the terminal, over the open dealer."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.games.game import Options, Over
from p2pjong.ui import text
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.terminal import TerminalFront
from tests.support.fake_screen import FakeScreen
from tests.support.not_your_mas_jong_views import call_ask, view_of
from tests.support.open_table import OpenTable
from tests.support.virtual_clock import run_virtually

Person = Callable[[str], str | None]


def bot(seed: int, strategy: str = "greedy") -> BotFront:
    return BotFront(STRATEGIES[strategy](), Random(seed), lambda lines: None)


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def play(
    person: Callable[[FakeScreen, Random], Person],
    game: str,
    seats: int,
    options: Options,
    seed: str,
    is_live: bool = True,
    may_err: bool = True,
) -> tuple[Over, FakeScreen]:
    """One game; every line of it fits the screen, and no answer was refused."""
    screen = FakeScreen(is_live=is_live)
    screen.person = person(screen, Random(seed))
    overs: list[Over] = []

    async def scene() -> None:
        async with TerminalFront(screen, may_err).opened() as front:
            bots = [bot(place) for place in range(1, seats)]
            table = OpenTable([front, *bots], seed, game=game, options=options)
            await table.gather()
            overs.append(await table.play())

    run(scene())
    assert max(map(text.width, screen.lines)) <= 80
    assert "no choice here" not in screen.text
    return overs[0], screen


def in_the_lobby(prompt: str) -> str | None:
    if prompt.startswith("Enter: "):
        return ""
    if prompt.startswith("r: ready"):
        return "r"
    return "s" if "s: start" in prompt else None


# --- Samurai Warfare ------------------------------------------------------------------------------


def samurai(screen: FakeScreen, rng: Random) -> Person:
    """Takes what examples and numbers a question shows; keeps or passes every other time."""

    def answer(prompt: str) -> str | None:
        prompt = re.sub(r" \(.*", "", prompt)
        if (keep := re.search(r", ([kp]): (keep all|pass)", prompt)) and rng.random() < 0.5:
            return str(keep[1])
        if example := re.search(r"like ([\d ]+)", prompt):
            return str(example[1])
        if prompt.startswith(("play", "take", "discard")):
            question = screen.text.rpartition("your hand --")[2]
            numbers = re.findall(r"\d+", prompt.partition(", k")[0].partition(", p")[0])
            aimed = re.findall(r"with a target, like (\d+[a-z]\d*)", question)
            return str((aimed if aimed and prompt.startswith("play") else numbers)[0])
        return in_the_lobby(prompt)

    return answer


@pytest.mark.parametrize(("seats", "seed"), [(2, "a"), (3, "b"), (4, "c"), (6, "d")])
def test_a_person_plays_samurai_warfare_to_its_end(seats: int, seed: str) -> None:
    over, screen = play(samurai, "samurai-warfare", seats, Options(target=2), seed)
    assert over.outcome == "finished" and max(over.scores) == 2
    for part in (
        "Table words: acorn bamboo comet dragon",
        "Strategy Phase: everyone may discard",
        "Tactics Phase: everyone may play one card",
        "Battle Phase: cards are played",
        "-- Victory Phase --",
        "Victory Tokens: ",
        "You must play a card if you can",
        "You draw ",
        "the game is over",
    ):
        assert part in screen.text
    assert re.search(r"after \d+ turns?$", screen.text, re.MULTILINE)


def test_samurai_warfare_on_plain_lines() -> None:
    over, screen = play(samurai, "samurai-warfare", 3, Options(target=1), "e", is_live=False)
    assert over.outcome == "finished"
    assert "play 1-" in screen.text and "k: keep all:" in screen.text


def test_hidden_cards_of_others_are_not_on_the_screen() -> None:
    """What is drawn, stolen or looked at by others never comes with a name (G3, S6)."""
    _, screen = play(samurai, "samurai-warfare", 4, Options(target=2), "f")
    others = "(Ben|Cy|Dee)"
    for line in screen.text.splitlines():
        if re.match(rf"{others} draws", line):
            assert re.fullmatch(rf"{others} draws \d+ cards?", line)
        if re.match(rf"{others} (steals|looks|takes)", line) and "your" not in line:
            what = r"(a card from \w+|the next (\d+ cards|card) of the deck|the \w+ of them)"
            what += "|the Shogun Sword."
            assert re.fullmatch(rf"{others} (steals|looks at|takes) ({what}|\w+'s hand)", line)


# --- Not Your Ma's Jong ---------------------------------------------------------------------------


def caller(screen: FakeScreen, rng: Random) -> Person:
    """Calls whatever comes to mind, right or wrong; shows what it can."""

    def answer(prompt: str) -> str | None:
        if prompt.startswith("discard"):
            return "g" if "g: go out" in prompt else str(rng.randint(1, 5))
        if prompt.startswith("steal"):
            return rng.choice([key for key in "wsp" if f"{key}: " in prompt])
        if prompt.startswith("show"):
            return prompt.removeprefix("show ").partition(",")[0]
        return in_the_lobby(prompt)

    return answer


@pytest.fixture(autouse=True)
def hears_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who answers in no time at all."""
    monkeypatch.setattr("p2pjong.ui.asking.DEAF_S", 0.0)


@pytest.mark.parametrize(("seats", "seed"), [(3, "a"), (4, "b"), (4, "c")])
def test_a_person_plays_not_your_mas_jong_to_its_end(seats: int, seed: str) -> None:
    over, screen = play(caller, "not-your-mas-jong", seats, Options(rounds=3), seed)
    assert over.outcome == "finished" and sum(over.scores) == 10 * seats
    for part in (
        "-- round 1 of 3 --",
        "Ma",
        "steal ",
        "You call steal on",
        "You were wrong to call steal, and will skip your next",
        "You skip a turn",
        "your hand:",
        "Tokens: ",
        "the game is over",
    ):
        assert part in screen.text
    assert re.search(r"after \d rounds?$", screen.text, re.MULTILINE)


def test_with_no_mistakes_no_call_is_ever_wrong() -> None:
    _, screen = play(caller, "not-your-mas-jong", 3, Options(rounds=3), "a", may_err=False)
    assert "You call steal on" in screen.text
    assert "You were wrong" not in screen.text


def test_a_call_that_nobody_makes_in_time_is_a_pass_without_a_word() -> None:
    screen = FakeScreen()

    async def scene() -> None:
        async with TerminalFront(screen).opened() as front:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.02):
                    await front.choose(call_ask(view_of("R1 R2"), 1, "R3"), 0.02)
            assert screen.desk and screen.desk.prompt() == ""

    run_virtually(scene())
    assert "Too late" not in screen.text


@pytest.mark.parametrize(("is_live", "heard"), [(True, ["s"]), (False, ["w", "s"])])
def test_a_key_that_came_too_late_for_one_call_does_not_answer_the_next(
    is_live: bool, heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong call costs a turn; on a live screen the first moment of a call hears nothing."""
    monkeypatch.setattr("p2pjong.ui.asking.DEAF_S", 0.05)

    async def scene() -> None:
        screen = FakeScreen(is_live=is_live)
        async with TerminalFront(screen).opened() as front:
            choice = asyncio.create_task(front.choose(call_ask(view_of("R1 R2"), 1, "R3"), 2.0))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert screen.desk and "steal R3? w: to win" in screen.desk.prompt()
            assert {"w", "s", "p"} <= screen.desk.instant_keys()
            screen.type("w")
            await asyncio.sleep(0.1)
            assert choice.done() != is_live
            screen.type("s")
            verbs = {"w": "call_win", "s": "call_set"}
            assert (await choice).verb == verbs[heard[0]]

    run_virtually(scene())
