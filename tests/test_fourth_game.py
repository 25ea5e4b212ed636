"""A game that one entry adds: played, refused, scored and verified with no other file touched."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from p2pjong.games import ENTRIES, GAMES, register
from p2pjong.games.game import Action
from p2pjong.score import answer, hand_question
from p2pjong.session.effects import Ask, Effect
from p2pjong.session.session import Session
from p2pjong.ui.rule_words import breach_text
from tests.support.hostile import hostile
from tests.support.misdeeds import MISDEEDS
from tests.support.sim import SimTable, make_draft

ROOT = Path(__file__).parents[1]
NAME = "low-card"
CHEAT = 1


@pytest.fixture(autouse=True)
def low_card() -> Iterator[None]:
    from tests.fourth_game import ENTRY

    register(ENTRY)
    yield
    del ENTRIES[NAME]


def by_bots(ask: Ask, rng: Random) -> Action:
    from tests.fourth_game.greedy import choose

    return choose(ask.view, ask.actions, rng)


def played(makers: dict[int, type[Session]] | None = None, seed: int = 1) -> SimTable:
    draft = make_draft(3, NAME)
    return (
        SimTable(3, seed, draft=draft, choose=by_bots, makers=dict(makers or {})).start().finish()
    )


def test_bots_play_it_to_its_end_and_all_but_the_loser_win() -> None:
    for seed in range(5):
        table = played(seed=seed)
        (over,), (_,) = table.outcomes(), table.digests()
        assert over.outcome == "finished" and over.hands == 3 and sum(over.scores) == 3
        most = max(over.scores)
        assert over.winners == tuple(s for s in range(3) if over.scores[s] < most)
        assert all(verdict.is_valid for verdict in table.audits())


class Liar(Session):
    """Shows its whole hand, though it is not all equal."""

    def prepare(self, question: int, action: Action) -> list[Effect]:
        step = self.course.current
        assert step is not None and step.answer is not None
        self._prepared = action, step.answer(Action(self.me, "show_all"))
        return []


def test_who_shows_what_its_cards_belie_is_named_in_the_games_own_words() -> None:
    table = played({CHEAT: Liar})
    assert table.faults() == [(CHEAT, "not-all-equal")]
    told = breach_text("not-all-equal", "", "Ben")
    assert told == "Ben showed a whole hand that was not all equal"
    for verdict in table.audits():
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (CHEAT, "not-all-equal")


@pytest.mark.parametrize("name", ["opens another answer", "doubles a card in the deck"])
def test_a_hostile_client_is_found_out_in_it(name: str) -> None:
    misdeed = next(one for one in MISDEEDS if one.name == name)
    table = SimTable(
        3, 1, draft=make_draft(3, NAME), choose=by_bots, makers={CHEAT: hostile(misdeed)}
    )
    assert table.start().finish().faults() == [(CHEAT, misdeed.rule)]


def test_nobody_sees_a_choice_before_all_have_made_theirs() -> None:
    table = SimTable(3, 2, draft=make_draft(3, NAME), choose=by_bots).start()
    table.run_until(lambda table: any(peer.asked for peer in table.peers))
    step = next(peer for peer in table.peers if peer.asked).session.course.current
    assert step is not None and step.kind.__name__ == "ActCommit"
    assert not step.is_answer and not step.is_race, "it has the clock of a turn, and no window"


def test_its_hands_are_scored() -> None:
    assert answer(NAME, hand_question(NAME, ["2", "4", "1"])) == {"is_safe": False, "best": "4"}


# --- By the command line ------------------------------------------------------------------------


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "tests.fourth_game", *args]


def run(*args: str, code: int = 0) -> str:
    done = subprocess.run(
        command(*args), capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout


def test_the_command_line_offers_explains_scores_and_simulates_it() -> None:
    assert NAME in run("host", "--help").replace("\n", " ")
    assert "rounds in Low Card" in " ".join(run("host", "--help").split())
    assert "gets a strike" in run("rules", "low")
    assert "a safe hand" in run("score", NAME, "2", "2", "2")
    assert "strikes per hand" in run("arena", NAME, "--bots", "greedy,random", "--games", "3")


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_person_plays_it_and_its_record_verifies(tmp_path: Path) -> None:
    asyncio.run(_plays(tmp_path))
    told = run("verify", str(tmp_path / "record"))
    assert "Low Card" in told and "finished" in told


async def _plays(folder: Path) -> None:
    async def start(*args: str) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            *command(*args),
            "--bind",
            "127.0.0.1",
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=ROOT,
            env={**os.environ, "P2PJONG_HOME": str(folder / args[0])},
        )

    record = ("--record", str(folder / "record"))
    host = await start("host", "--game", NAME, "--seats", "2", "--plain", *record)
    assert host.stdin is not None and host.stdout is not None
    shown = ""

    async def until(text: str) -> str:
        nonlocal shown
        assert host.stdout is not None
        async with asyncio.timeout(30):
            while text not in (line := (await host.stdout.readline()).decode()):
                assert line, shown
                shown += line
        return line

    where = await until("join --connect")
    bot = await start("bot", "--connect", where.split("--connect ")[1].strip())
    await until("sits down")
    host.stdin.write(b"r\n" + b"1\n" * 3)
    await until("strike")
    rest, _ = await host.communicate(b"\n" * 3 + b"n\n")
    assert host.returncode == 0, (shown, rest)
    assert b"wins" in rest or b"win" in rest
    await bot.wait()


def test_it_is_gone_when_its_entry_is() -> None:
    assert NAME in GAMES and len(GAMES) == 4
