"""Private tables from end to end: who comes in by the code, what is written, and who is who."""

import asyncio
import io
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app.host import Host
from p2pjong.app.peer import run_peer
from p2pjong.app.station import Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.identity import load_identity
from p2pjong.net.known_peers import KnownPeers
from p2pjong.session.door import Door
from p2pjong.session.lobby_view import Leave, SetReady
from p2pjong.session.table_code import check_form
from p2pjong.settings import Outcome
from p2pjong.ui.event_log import EventLog
from tests.support.peers import (
    ScriptedFront,
    free_port,
    front,
    host_settings,
    join_settings,
    start_host,
)
from tests.support.private_table import CODE, Table, at_a_table

pytestmark = pytest.mark.timeout(60)

WRONG = "418-amber-falcon"


# --- Coming in ----------------------------------------------------------------------------------


def test_who_gives_the_code_sits_down_and_the_host_is_shown_it(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        assert table.code == CODE
        async with table.guest(code=CODE) as guest:
            assert guest.lobbies[0].code == ""
            assert table.seated == ["host", "guest"]

    asyncio.run(at_a_table(tmp_path, scene))


def test_without_a_code_of_its_own_a_private_table_has_a_random_one(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        check_form(table.code)
        codes.append(table.code)
        async with table.guest(code=table.code):
            pass

    codes: list[str] = []
    for number in range(2):
        asyncio.run(at_a_table(tmp_path / str(number), scene, code=""))
    assert codes[0] != codes[1]


@pytest.mark.slow
def test_a_private_table_plays_and_its_rematch_asks_nobody_again(tmp_path: Path) -> None:
    class Again:
        """Wants one rematch."""

        def __init__(self) -> None:
            self.left = 1

        async def rematch(self) -> bool:
            self.left -= 1
            return self.left >= 0

    async def scene() -> list[Outcome]:
        port, own, guest = free_port(), front(1), front(2)
        for each in (own, guest):
            each.rematch = Again().rematch  # type: ignore[method-assign]
        hosting = await start_host(host_settings(tmp_path, port=port, is_private=True), own)
        code = own.lobbies[-1].code
        joining = run_peer(join_settings(tmp_path, port, code=code), guest)
        results = list(await asyncio.gather(hosting, joining))
        assert own.lobbies[-1].code == code, "shown again for those who are missing"
        return results

    hosted, joined = asyncio.run(scene())
    assert hosted.as_json() == joined.as_json() and hosted.outcome == "finished"
    assert len(list((tmp_path / "host" / "tables").glob("*.sqlite"))) == 2


class Asked(ScriptedFront):
    """Somebody at a terminal, who is asked for the code."""

    answer: str | None = CODE

    async def table_code(self) -> str | None:
        self.said.append("asked for the code")
        return self.answer


def asked(answer: str | None) -> Asked:
    plain = front(is_scripted=True)
    own = Asked(plain.strategy, plain.rng, plain.write, is_scripted=True)
    own.answer = answer
    return own


def test_who_has_no_code_is_asked_and_comes_in(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(own=asked(CODE)) as guest:
            assert guest.said == ["asked for the code"]
            assert table.seated == ["host", "guest"]

    asyncio.run(at_a_table(tmp_path, scene))


def test_who_is_asked_and_gives_up_or_errs_is_told(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        assert (await table.error(asked(None))).code == Exit.LEFT
        wrong = asked(WRONG)
        error = await table.error(wrong)
        assert error.code == Exit.WRONG_CODE
        assert wrong.said.count("asked for the code") == 3, "more guesses are another call"
        assert wrong.said.count("the code is wrong, or no longer the one of this table") == 2
        assert table.seated == ["host"]


def test_who_errs_is_asked_again_and_comes_in(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        errs = asked(WRONG)
        answers = iter((WRONG, CODE))

        async def table_code() -> str | None:
            return next(answers)

        errs.table_code = table_code  # type: ignore[method-assign]
        async with table.guest(own=errs):
            assert table.seated == ["host", "guest"]

    asyncio.run(at_a_table(tmp_path, scene))


def test_a_bot_without_a_code_is_a_usage_error(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        error = await table.error()
        assert error.code == Exit.USAGE
        assert "private" in error.message and "--code" in error.hint
        assert table.seated == ["host"]

    asyncio.run(at_a_table(tmp_path, scene))


def test_a_wrong_code_is_exit_code_5_and_the_next_one_may_be_right(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        error = await table.error(code=WRONG)
        assert int(error.code) == 5
        assert "code is wrong" in error.message and error.hint
        async with table.guest(code=CODE):
            assert table.seated == ["host", "guest"]

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert own.said == ["somebody tried a wrong code (1 of 10, then the code changes)"]
    assert [seat.name for lobby in own.lobbies for seat in lobby.seats].count("guest") == 1


def test_a_code_at_an_open_table_is_refused_as_it_may_be_the_wrong_table(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        assert table.code == ""
        error = await table.error(code=CODE)
        assert error.code == Exit.WRONG_CODE and "is open" in error.message
        async with table.guest():
            assert table.seated == ["host", "guest"]

    asyncio.run(at_a_table(tmp_path, scene, is_private=False, code=""))


def test_a_private_table_announces_itself_as_one(tmp_path: Path) -> None:
    async def scene(is_private: bool) -> bool:
        settings = host_settings(tmp_path, port=free_port(), is_private=is_private)
        async with Station(settings) as station:
            return Host(station, front())._announcement().code_needed

    assert asyncio.run(scene(True)) is True
    assert asyncio.run(scene(False)) is False


def test_the_arithmetic_is_done_off_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    receive = Door.receive

    def watched(door: Door, *what: Any) -> Any:
        threads.append(threading.current_thread())
        return receive(door, *what)

    async def scene(table: Table) -> None:
        async with table.guest(code=CODE):
            assert len(threads) == 2
            assert threading.main_thread() not in threads

    monkeypatch.setattr(Door, "receive", watched)
    asyncio.run(at_a_table(tmp_path, scene))


@pytest.mark.slow
def test_a_code_comes_too_late_for_a_game_that_has_begun(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(code=CODE) as guest:
            guest.is_free = table.front.is_free
            for each in (guest, table.front):
                each.commands.put_nowait(SetReady(True))
            await table.front.until(lambda: table.front.shown)
            for code in (CODE, WRONG, ""):
                error = await table.error(name="late", code=code)
                assert error.message.endswith("is already playing")

    port = free_port()
    own = front(is_scripted=True)

    async def begun() -> None:
        own.is_free = asyncio.Event()  # never set: the game must not be over too soon
        settings = host_settings(tmp_path, port=port, is_private=True, code=CODE)
        hosting = await start_host(settings, own)
        await scene(Table(tmp_path, port, own))
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)

    asyncio.run(begun())


def test_a_full_private_table_says_so_to_who_knows_the_code_alone(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(code=CODE):
            told = (await table.error(name="one", code=CODE)).message
            assert told.endswith("is full: every seat is taken")
            assert (await table.error(name="two", code=WRONG)).code == Exit.WRONG_CODE

    asyncio.run(at_a_table(tmp_path, scene, seats=2))


# --- What is written, and who is who --------------------------------------------------------------


def test_an_event_file_holds_no_code(tmp_path: Path) -> None:
    async def scene() -> str:
        file, own = io.StringIO(), front(is_scripted=True)
        settings = host_settings(tmp_path, port=free_port(), is_private=True, code=CODE)
        hosting = asyncio.create_task(run_peer(settings, EventLog(own, file, lambda: 0)))
        await own.until(lambda: own.lobbies)
        assert own.lobbies[0].code == CODE
        own.commands.put_nowait(Leave())
        with pytest.raises(P2PJongError):
            await hosting
        return file.getvalue()

    written = asyncio.run(scene())
    assert '"kind": "lobby"' in written
    number, *words = CODE.split("-")  # the number alone may stand in any key or hash
    for part in (f"{number}-", *words):
        assert part not in written


def test_settings_show_no_code_when_they_are_printed(tmp_path: Path) -> None:
    assert CODE not in repr(host_settings(tmp_path, is_private=True, code=CODE))


def test_a_known_name_with_another_key_is_a_warning_at_the_table(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(name="Ada", code=CODE) as guest:
            await table.front.until(lambda: len(table.seated) == 2)
            (warning,) = table.front.lobbies[-1].warnings
            assert "Ada does not have the key" in warning and "2024-05-01" in warning
            assert guest.lobbies[-1].warnings == ()
            guest.commands.put_nowait(SetReady(True))
            await table.front.until(lambda: table.front.lobbies[-1].seats[1].is_ready)

    KnownPeers(tmp_path / "host").remember("Ada", b"\x01" * 32, False, "2024-05-01")
    # These guests are bots but for their settings. That one says so makes no difference.
    asyncio.run(at_a_table(tmp_path, as_person(scene)))
    asyncio.run(at_a_table(tmp_path, scene))


def as_person(scene: Callable[[Table], Awaitable[None]]) -> Callable[[Table], Awaitable[None]]:
    async def with_people(table: Table) -> None:
        settings = table.settings
        table.settings = lambda *args, **given: settings(  # type: ignore[method-assign]
            *args, strategy="", **given
        )
        await scene(table)

    return with_people


def test_a_bot_under_a_bots_name_and_the_friend_itself_warn_nobody(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(name="Ada", code=CODE):
            await table.front.until(lambda: len(table.seated) == 2)
            assert table.front.lobbies[-1].warnings == ()

    known = KnownPeers(tmp_path / "host")
    known.remember("Ada", b"\x01" * 32, True, "2024-05-01")
    asyncio.run(at_a_table(tmp_path, scene))
    known.remember("Ada", b"\x01" * 32, False, "2024-05-01")
    known.remember("Ada", load_identity(tmp_path / "Ada").key, False, "2024-05-02")
    asyncio.run(at_a_table(tmp_path, as_person(scene)))
