"""No tells: when an answer leaves is a function of what all can see, in every game.

On a virtual clock, with all decisions of games on the open dealer: real hands of every kind.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from p2pjong.app.pace import STEADY_S, Pace, pace_of
from p2pjong.bots import STRATEGIES
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games import GAMES
from p2pjong.games.game import Decide, Options, Over, Settle
from p2pjong.session.effects import Ask
from p2pjong.settings import PeerSettings
from p2pjong.ui.bot_front import BotFront
from p2pjong.ui.terminal import TerminalFront
from tests.app.test_driver import STEADY, WINDOW_S, answered_after, thinker
from tests.support.fake_screen import FakeScreen
from tests.support.open_table import asked
from tests.support.virtual_clock import run_virtually

THINKS_S = 3.0
SLOW_S = 0.5  # what `answered_after` lets a question take to be asked


def decisions(game: str, seed: str) -> Iterator[Ask]:
    """All questions of a game between random bots."""
    rules, seats = GAMES[game], 4
    options = Options(rounds=2) if game == "not-your-mas-jong" else Options(target=1)
    table = Table(rules, rules.start(seats, options), OpenDealer(seats, Chance(seed)))
    rng = Random(seed)
    while not isinstance(pending := table.pending, Over):
        if isinstance(pending, Settle):
            table.settle()
        elif isinstance(pending, Decide):
            for seat in table.awaited():
                yield (ask := asked(table, seat))
                table.choose(rng.choice(ask.actions))
        table.advance()


@pytest.fixture(scope="module", params=sorted(GAMES))
def questions(request: pytest.FixtureRequest) -> list[Ask]:
    """Some hundred decisions of one game; those with a single choice among them."""
    found = [ask for seed in "abc" for ask in decisions(request.param, seed)]
    return [ask for place, ask in enumerate(found) if len(ask.actions) == 1 or place % 5 == 0]


def public(ask: Ask) -> tuple[bool, bool]:
    """All that the instant may depend on, beside the clocks of the table."""
    return ask.is_answer, ask.is_obvious


def test_a_person_is_asked_wherever_others_cannot_know_that_there_was_one_choice(
    questions: list[Ask],
) -> None:
    left_s: dict[tuple[bool, bool], set[float]] = {}
    for ask in questions:
        person = thinker(thinks_s=THINKS_S, pick=lambda ask: ask.default)
        instant_s, _ = answered_after(ask, person)
        left_s.setdefault(public(ask), set()).add(instant_s)
    assert left_s.pop((False, False)) == {SLOW_S + THINKS_S}
    for (is_answer, _), instants_s in left_s.items():
        assert instants_s == {WINDOW_S if is_answer else SLOW_S}


def test_a_bot_answers_at_a_steady_instant_whatever_it_holds(questions: list[Ask]) -> None:
    bot_s = STEADY_S
    for ask in questions:
        bot = BotFront(STRATEGIES["random"](), Random(1), lambda lines: None)
        instant_s, action = answered_after(ask, bot, pace=Pace(bot_s))
        is_call = ask.is_race and action.verb != "pass"
        steps = 2  # it was asked late, and takes as long again
        assert bot_s < SLOW_S < steps * bot_s
        is_windowed = ask.is_answer and not is_call
        assert instant_s == (WINDOW_S if is_windowed else pytest.approx(steps * bot_s))


def test_bots_think_for_as_long_as_they_are_told_and_a_moment_in_company(tmp_path: Path) -> None:
    def bot_s(delay_ms: int, people: int) -> float:
        settings = PeerSettings("bot", "b", tmp_path, strategy="random", delay_ms=delay_ms)
        return pace_of(settings, STEADY, people).bot_s

    assert bot_s(0, people=1) == 0, "with one person and bots nobody waits"
    assert bot_s(0, people=2) == STEADY_S
    assert bot_s(1500, people=1) == bot_s(1500, people=2) == 1.5


@pytest.mark.parametrize(("wanted_s", "pause_s"), [(20.0, 20.0), (0.0, 0.0), (300.0, 30.0)])
def test_a_pause_never_makes_a_seat_look_absent(
    wanted_s: float, pause_s: float, tmp_path: Path
) -> None:
    assert STEADY.grace_s == 60
    person = PeerSettings("join", "p", tmp_path, pause_s=wanted_s)
    assert pace_of(person, STEADY, 2) == Pace(pause_s=pause_s)
    assert pace_of(replace(person, strategy="random"), STEADY, 1).pause_s == 0, "bots are at once"


@pytest.mark.parametrize("may_err", [True, False])
def test_on_the_screen_an_only_choice_waits_for_enter(questions: list[Ask], may_err: bool) -> None:
    """With --no-mistakes, too."""
    only = [ask for ask in questions if len(ask.actions) == 1 and not ask.is_answer]
    for ask in only:
        waited, screen = waits_for_enter(ask, may_err)
        assert waited != ask.is_obvious
        assert ask.is_obvious or "Enter: " in screen


def waits_for_enter(ask: Ask, may_err: bool) -> tuple[bool, str]:
    """Whether the question stands until the person presses Enter, and what is shown of it."""

    async def scene() -> tuple[bool, str]:
        screen = FakeScreen()
        async with TerminalFront(screen, may_err).opened() as front:
            choosing = asyncio.create_task(front.choose(ask, None))
            await asyncio.sleep(5)
            waited, prompt = not choosing.done(), screen.desk.prompt() if screen.desk else ""
            if waited:
                screen.type("")
            assert await choosing == ask.actions[0]
            return waited, prompt

    return run_virtually(scene())


def test_there_are_such_questions() -> None:
    """Or the tests above would look at nothing."""
    only = [ask for ask in decisions("samurai-warfare", "a") if len(ask.actions) == 1]
    assert {ask.is_obvious for ask in only} >= {False}
    claims = [ask for ask in decisions("war-jhong", "a") if ask.is_answer]
    assert {len(ask.actions) > 1 for ask in claims} == {True, False}
