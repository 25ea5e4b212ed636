"""A bot in a peer's front seat."""

import asyncio
from random import Random

import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.errors import Exit, P2PJongError
from p2pjong.games.game import Options
from p2pjong.session.lobby_view import SetReady, Start, TableOffer
from p2pjong.ui.bot_front import BotFront
from tests.support.open_table import OpenTable, lobby_of
from tests.support.virtual_clock import run_virtually
from tests.support.war_jhong_views import turn_ask, view_of

HAND = "I1 I2 I3 A4 A5 A6 C7 C8 C9 J J F G"


def make_bot(lines: list[str] | None = None, strategy: str = "greedy") -> BotFront:
    kept = [] if lines is None else lines
    return BotFront(STRATEGIES[strategy](), Random(1), kept.extend)


def test_a_bot_is_ready_at_once_and_a_host_bot_starts_a_full_table() -> None:
    async def scene() -> None:
        bot = make_bot()
        waiting = asyncio.create_task(bot.command())
        await asyncio.sleep(0)
        bot.lobby(lobby_of(1, me=0))
        assert await waiting == SetReady(True)
        waiting = asyncio.create_task(bot.command())
        for ready in ((0,), (0, 1), (0, 1, 2)):
            bot.lobby(lobby_of(3, me=0, ready=ready, total=3))
            await asyncio.sleep(0)
        assert await waiting == Start()

    asyncio.run(scene())


def test_a_joined_bot_never_starts_anything() -> None:
    async def scene() -> None:
        bot = make_bot()
        bot.lobby(lobby_of(2, me=1, ready=(0, 1), total=2))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await bot.command()

    asyncio.run(scene())


def test_a_bot_chooses_at_once_for_the_driver_gives_it_its_time() -> None:
    ask = turn_ask(view_of(HAND))

    async def scene() -> float:
        assert await make_bot().choose(ask, 1.0) in ask.actions
        return asyncio.get_running_loop().time()

    assert run_virtually(scene()) == 0


def test_of_several_tables_a_bot_does_not_guess() -> None:
    offers = (TableOffer("A", "war-jhong", 4, 2), TableOffer("B", "war-jhong", 4, 1))
    with pytest.raises(P2PJongError) as refused:
        asyncio.run(make_bot().pick_table(offers))
    assert refused.value.code == Exit.USAGE
    assert 'name one of them: "A", "B"' in refused.value.hint


@pytest.mark.parametrize("may_err", [True, False])
def test_no_mistakes_holds_for_bots_too(may_err: bool) -> None:
    """N5: the random bot calls whatever comes to it."""
    lines: list[str] = []
    fronts = [make_bot(lines, "random"), make_bot(strategy="random"), make_bot(strategy="random")]
    for front in fronts:
        front.may_err = may_err

    async def scene() -> None:
        options = Options(rounds=1)
        table = OpenTable(fronts, "calls", game="not-your-mas-jong", options=options)
        await table.gather()
        await table.play()

    asyncio.run(scene())
    assert ("wrong to call steal" in "\n".join(lines)) == may_err


def test_bots_play_a_whole_game_and_tell_it() -> None:
    lines: list[str] = []
    fronts = [make_bot(lines), make_bot(strategy="random"), make_bot()]

    async def scene() -> None:
        table = OpenTable(fronts, "bots", options=Options(target=5))
        await table.gather()
        assert (await table.play()).outcome == "finished"

    asyncio.run(scene())
    told = "\n".join(lines)
    assert "Table words" in told and "the game is over" in told
