"""Guesses at the code of a private table: they are counted, and keep no friend out."""

import asyncio
from pathlib import Path

import pytest

from p2pjong.app import host as host_module
from p2pjong.app import private
from p2pjong.app.station import Station
from p2pjong.errors import Exit
from p2pjong.session.door import WRONG_MAX
from p2pjong.session.lobby_view import Remove
from p2pjong.wire.messages import CodeStart
from tests.support.private_table import CODE, ELEMENT, Table, at_a_table, send

pytestmark = pytest.mark.timeout(60)


# --- Guessing -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_after_ten_wrong_codes_the_host_shows_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "SHUT_S", 0.0)

    async def scene(table: Table) -> None:
        for seed in range(WRONG_MAX):
            assert table.code == CODE
            await table.guess(seed)
        await table.front.until(lambda: table.code != CODE)
        assert (await table.error(code=CODE)).code == Exit.WRONG_CODE
        async with table.guest(code=table.code):
            assert table.seated == ["host", "guest"]

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert "somebody may be guessing" in own.said[WRONG_MAX - 1]


@pytest.mark.slow
def test_parallel_guesses_are_counted_too_and_then_the_door_is_shut_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "SHUT_S", 0.5)
    monkeypatch.setattr(host_module, "WAITING_MAX", WRONG_MAX + 1)  # they all link before they ask
    doors: list[private.Doorway] = []
    make = private.Doorway.__init__

    def make_and_keep(door: private.Doorway, station: Station, code: str) -> None:
        doors.append(door)
        make(door, station, code)

    monkeypatch.setattr(private.Doorway, "__init__", make_and_keep)

    async def scene(table: Table) -> None:
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await asyncio.gather(*(table.guess(seed) for seed in range(WRONG_MAX)))
        await table.front.until(lambda: table.code != CODE)
        async with table.guest(code=table.code):
            (door,) = doors
            assert door._shut_until_s >= began_s + private.SHUT_S
            assert loop.time() >= door._shut_until_s - 0.01, "nobody is answered before that"
            assert table.seated == ["host", "guest"]

    asyncio.run(at_a_table(tmp_path, scene))


@pytest.mark.slow
def test_who_waits_at_the_shut_door_and_goes_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "SHUT_S", 3.0)  # long enough to come, wait and go on any machine

    async def scene(table: Table) -> None:
        for seed in range(WRONG_MAX):
            await table.guess(seed)
        await table.front.until(lambda: table.code != CODE)
        async with table.stranger(50) as peer:
            send(peer, CodeStart(ELEMENT))
        async with table.stranger(50) as again, table.guest(code=table.code):
            assert table.seated == ["host", "guest"]
            assert not again.frames, "what an earlier link asked is no question of this one"

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert "1 of 10" in own.said[0]
    assert len(own.said) == WRONG_MAX, "who waited was not answered, and made no guess"


def test_friends_are_not_locked_out_by_a_new_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "SHUT_S", 0.0)

    async def scene(table: Table) -> None:
        async with table.guest(code=CODE):
            pass
        await table.front.until(lambda: table.seated == ["host"])
        for seed in range(WRONG_MAX):
            await table.guess(seed)
        await table.front.until(lambda: table.code != CODE)
        for code in ("", CODE):
            async with table.guest(code=code):
                assert table.seated == ["host", "guest"]
            await table.front.until(lambda: table.seated == ["host"])

    asyncio.run(at_a_table(tmp_path, scene))


def test_who_is_sent_away_needs_the_new_code(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(code=CODE):
            table.front.commands.put_nowait(Remove(1))
            await table.front.until(lambda: table.code != CODE)
        assert table.seated == ["host"]
        assert (await table.error(code=CODE)).code == Exit.WRONG_CODE
        async with table.guest(code=table.code):
            assert table.seated == ["host", "guest"]

    asyncio.run(at_a_table(tmp_path, scene))
