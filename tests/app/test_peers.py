"""Whole peers over real links on loopback: lobby, game, leaving, rematch, and unwanted guests."""

import asyncio
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app.game_table import is_out
from p2pjong.app.joiner import Joiner
from p2pjong.app.new_file import check_new, unused
from p2pjong.app.peer import run_peer
from p2pjong.app.station import Station
from p2pjong.app.verify import verify_record
from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.session.lobby_view import Leave, Remove, SetReady, Start
from p2pjong.settings import Outcome
from p2pjong.store.history import past_games
from p2pjong.store.journal import Journal
from tests.support.marks import first_quick
from tests.support.peers import (
    BIND,
    ScriptedFront,
    free_port,
    front,
    host_settings,
    join_settings,
    play,
    start_host,
)
from tests.support.sim import make_session, tiny_draft

pytestmark = pytest.mark.timeout(60)


def outcomes(results: list[Any]) -> list[Outcome]:
    """The outcomes, all of which must be ones."""
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def test_a_game_ends_with_equal_outcomes_and_records_that_verify(tmp_path: Path) -> None:
    fronts = [front(seed) for seed in range(3)]
    results = outcomes(asyncio.run(play(tmp_path, fronts, record=tmp_path / "0.rec")))
    assert [result.as_json() for result in results] == [results[0].as_json()] * 3
    assert results[0].outcome == "finished"
    for number in range(3):
        verdict = verify_record(tmp_path / f"{number}.rec")
        assert verdict.is_valid, verdict.problem
        assert verdict.digest.hex() == results[0].digest
        assert verdict.winners == results[0].winners


@pytest.mark.slow
def test_the_seed_is_erased_when_the_game_is_over(tmp_path: Path) -> None:
    outcomes(asyncio.run(play(tmp_path, [front(1), front(2)])))
    (path,) = (tmp_path / "host" / "tables").glob("*.sqlite")
    journal = Journal(path)
    assert journal.seed() is None
    assert len(journal.frames()) > 20
    journal.close()
    (past,) = past_games(tmp_path / "host")
    assert past["game"] == "war-jhong" and past["seat"] == 0 and past["winners"]


@pytest.mark.slow
def test_a_bot_keeps_nothing_of_a_game_that_is_over(tmp_path: Path) -> None:
    port = free_port()

    async def scene() -> None:
        host = asyncio.create_task(run_peer(host_settings(tmp_path, port=port), front(1)))
        await run_peer(join_settings(tmp_path, port, name="bot", role="bot"), front(2))
        await host

    asyncio.run(scene())
    assert list((tmp_path / "bot" / "tables").iterdir()) == []
    assert past_games(tmp_path / "bot") == []


@pytest.mark.slow
def test_who_leaves_costs_the_others_only_the_hand(tmp_path: Path) -> None:
    # Decks are shuffled by all and follow no seed: who leaves must do so at its first choice, which
    # `play` lets everybody have. A game to one point can be over before there is a second one.
    fronts = [front(3), front(4), front(5, leaves_after=1)]
    results = outcomes(asyncio.run(play(tmp_path, fronts)))
    assert "this hand is void" in fronts[2].costs[0]
    assert [result.as_json() for result in results[:2]] == [results[0].as_json()] * 2
    assert results[0].outcome == "finished"
    assert results[0].winners and 2 not in results[0].winners
    assert results[2].code == Exit.LEFT
    assert 2 not in results[2].winners


@pytest.mark.slow
def test_with_two_seats_leaving_abandons_the_game_without_a_winner(tmp_path: Path) -> None:
    results = outcomes(asyncio.run(play(tmp_path, [front(6), front(7, leaves_after=1)])))
    assert [result.outcome for result in results] == ["abandoned", "abandoned"]
    assert results[0].winners == ()
    assert results[0].digest == results[1].digest


@pytest.mark.slow
def test_a_full_table_and_a_begun_one_say_so(tmp_path: Path) -> None:
    async def scene() -> list[str]:
        port = free_port()
        # The game must not be over before somebody comes too late for it.
        free = asyncio.Event()
        host, guest = (front(is_scripted=True, is_free=free) for _ in range(2))
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        await guest.until(lambda: guest.lobbies)
        refusals = [await refusal(port, "late 1")]
        host.commands.put_nowait(SetReady(True))
        guest.commands.put_nowait(SetReady(True))
        await host.until(lambda: host.shown)
        refusals.append(await refusal(port, "late 2"))
        free.set()
        await asyncio.gather(hosting, joining)
        return refusals

    async def refusal(port: int, name: str) -> str:
        with pytest.raises(P2PJongError) as caught:
            await run_peer(join_settings(tmp_path, port, name=name), front())
        return caught.value.message

    full, begun = asyncio.run(scene())
    assert re.fullmatch(r"the table at 127.0.0.1:\d+ is full: every seat is taken", full)
    assert re.fullmatch(r"the table at 127.0.0.1:\d+ is already playing", begun)


@pytest.mark.slow
def test_the_host_removes_a_joiner_and_starts_with_fewer(tmp_path: Path) -> None:
    async def scene() -> list[Any]:
        port = free_port()
        host = front(is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port, seats=4), host)
        first, second = front(is_scripted=True), front()
        removed = asyncio.create_task(run_peer(join_settings(tmp_path, port, "one"), first))
        await first.until(lambda: first.lobbies)
        host.commands.put_nowait(Start())
        await host.until(lambda: host.said)
        host.commands.put_nowait(Remove(1))
        stays = asyncio.create_task(run_peer(join_settings(tmp_path, port, "two"), second))
        await host.until(
            lambda: (
                [seat.name for seat in host.lobbies[-1].seats] == ["host", "two"]
                and host.lobbies[-1].seats[1].is_ready
            )
        )
        host.commands.put_nowait(Start())
        results = await asyncio.gather(hosting, removed, stays, return_exceptions=True)
        return [*results, host]

    hosted, removed, stayed, host = asyncio.run(scene())
    assert host.said == ["not ready yet: one"]
    assert isinstance(removed, Departure), "no error, and told as none"
    assert removed.message == "the host removed you from a table"
    assert removed.code == Exit.LEFT
    assert hosted.as_json() == stayed.as_json()
    assert len(hosted.seats) == 2


def test_a_joiner_that_leaves_the_lobby_frees_its_seat(tmp_path: Path) -> None:
    async def scene() -> Exit:
        port = free_port()
        host, guest = front(is_scripted=True), front(is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        await guest.until(lambda: guest.lobbies)
        guest.commands.put_nowait(Leave())
        await host.until(lambda: len(host.lobbies) > 1 and len(host.lobbies[-1].seats) == 1)
        with pytest.raises(P2PJongError) as caught:
            await joining
        host.commands.put_nowait(Leave())
        with pytest.raises(P2PJongError):
            await hosting
        return caught.value.code

    assert asyncio.run(scene()) == Exit.LEFT


def test_leaving_the_lobby_is_asked_about_and_says_what_it_costs(tmp_path: Path) -> None:
    async def scene() -> None:
        port = free_port()
        host, guest = front(is_scripted=True, stays=1), front(is_scripted=True, stays=1)
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port, strategy=""), guest))
        await host.until(lambda: len(host.lobbies[-1].seats) == 2)
        for one in (host, guest):
            one.commands.put_nowait(Leave())
            await one.until(lambda one=one: one.costs)
        assert host.costs == ["The table closes for 1 waiting person."]
        assert guest.costs == ["Nothing is lost: play has not begun."]
        assert not joining.done() and not hosting.done(), "both thought better of it"
        host.commands.put_nowait(Leave())
        ends = await asyncio.gather(hosting, joining, return_exceptions=True)
        assert [type(end) for end in ends] == [Departure, Departure]
        assert [end.message for end in ends] == [  # type: ignore[union-attr]
            "you closed a table",
            "the host closed a table before the game",
        ]

    asyncio.run(scene())


@pytest.mark.slow
@pytest.mark.parametrize("who", ["host", "guest"])
def test_a_rematch_that_does_not_come_about_costs_nobody_the_game_played(
    who: str, tmp_path: Path
) -> None:
    """And whoever waits is told why there is no other one."""

    async def scene() -> tuple[list[Any], ScriptedFront]:
        port = free_port()
        host, guest = (front(seed, is_scripted=True, wants_rematch=True) for seed in (8, 9))
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        await guest.until(lambda: guest.lobbies)
        for one in (host, guest):
            one.commands.put_nowait(SetReady(True))
        for one in (host, guest):
            await one.until(lambda one=one: one.is_again_in_a_lobby(), 40)
        host.commands.put_nowait(Leave() if who == "host" else Remove(1))
        if who == "guest":
            await guest.until(lambda: any("removed" in said for said in guest.said))
            host.commands.put_nowait(Leave())
        return list(await asyncio.gather(hosting, joining, return_exceptions=True)), guest

    results, guest = asyncio.run(scene())
    assert [result.code for result in outcomes(results)] == [Exit.OK, Exit.OK]
    told = {
        "host": "the host closed a table before the game",
        "guest": "the host removed you from a",
    }
    assert told[who] in guest.said[-1]


PLAYS_AGAIN = "The host is playing again, and the table is open."


@pytest.mark.slow
def test_a_host_that_wants_no_rematch_is_not_waited_for(tmp_path: Path) -> None:
    guest = front(9, wants_rematch=True)
    results = outcomes(asyncio.run(play(tmp_path, [front(8), guest])))
    assert results[1].code == Exit.OK
    assert "no other game" in guest.said[-1]


@pytest.mark.slow
@pytest.mark.parametrize("how", first_quick(["declines", "breaks off"]))
def test_who_is_asked_for_another_game_hears_at_once_that_the_host_is_gone(
    how: str, tmp_path: Path
) -> None:
    """The question is taken back; nobody has to answer it first."""

    async def scene() -> tuple[list[Any], ScriptedFront]:
        port = free_port()
        host, guest = front(8), front(9)
        asked, answered = asyncio.Event(), asyncio.Event()

        async def thinks_about_it() -> bool:
            asked.set()
            await asyncio.get_running_loop().create_future()
            raise AssertionError

        async def goes_when_the_guest_is_asked() -> bool:
            await asked.wait()
            answered.set()
            if how == "breaks off":
                hosting.cancel()
                await asyncio.sleep(0)
            return False

        guest.rematch = thinks_about_it  # type: ignore[method-assign]
        host.rematch = goes_when_the_guest_is_asked  # type: ignore[method-assign]
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        ends = await asyncio.gather(hosting, joining, return_exceptions=True)
        assert answered.is_set()
        return list(ends), guest

    (_, joined), guest = asyncio.run(scene())
    assert joined.code == Exit.OK
    assert guest.said[-1] == "The host has left a table: there will be no other game."


@pytest.mark.parametrize("how", ["out of the game", "out of reach"])
def test_without_its_host_nobody_is_asked_for_another_game(tmp_path: Path, how: str) -> None:
    """Nor waits for one: a host that was killed, or voted out, opens no table again."""
    person = front(wants_rematch=True)
    asked: list[bool] = []

    async def rematch() -> bool:
        asked.append(True)
        return True

    person.rematch = rematch  # type: ignore[method-assign]

    async def scene() -> bool:
        async with Station(join_settings(tmp_path, 4242)) as station:
            joiner = Joiner(station, person)
            joiner._host = b"h" * 32
            links = {joiner._host: object()} if how == "out of the game" else {}
            station.mesh.link = links.get  # type: ignore[method-assign,assignment]
            return await joiner._is_another_wanted(
                {joiner._host} if how == "out of the game" else set()
            )

    assert asyncio.run(scene()) is False
    assert asked == []
    assert "there will be no other game" in person.said[-1]


def test_who_is_out_of_a_game_is_none_to_play_again_with() -> None:
    session = make_session(tiny_draft(3), 0)
    assert not any(is_out(session, seat) for seat in range(3))
    session.turning.out |= {2}
    assert [is_out(session, seat) for seat in range(3)] == [False, False, True]


def test_a_record_that_is_there_is_refused_before_there_is_a_network(tmp_path: Path) -> None:
    record = tmp_path / "kept"
    record.write_bytes(b"the game of a lifetime")
    with pytest.raises(P2PJongError, match="already exists") as caught:
        asyncio.run(run_peer(host_settings(tmp_path, record=record), front()))
    assert caught.value.code == Exit.STORAGE and "another name" in caught.value.hint
    assert record.read_bytes() == b"the game of a lifetime"
    assert not (tmp_path / "host").exists()


def test_a_record_whose_name_was_taken_meanwhile_gets_another_one(tmp_path: Path) -> None:
    path = tmp_path / "game.p2pjong"
    assert unused(path) == path
    path.touch()
    assert unused(path) == path, "an empty file, as mktemp makes one, holds nothing"
    path.write_bytes(b"x")
    (tmp_path / "game-2.p2pjong").write_bytes(b"x")
    assert unused(path) == tmp_path / "game-3.p2pjong"
    check_new(Path("/dev/null"), "--events")


@pytest.mark.slow
def test_a_rematch_is_a_new_table_with_the_same_seats(tmp_path: Path) -> None:
    class Again:
        """Wants one rematch."""

        def __init__(self) -> None:
            self.left = 1

        async def rematch(self) -> bool:
            self.left -= 1
            return self.left >= 0

    host, guest = front(8), front(9)
    for one in (host, guest):
        one.rematch = Again().rematch  # type: ignore[method-assign]
    results = outcomes(asyncio.run(play(tmp_path, [host, guest])))
    assert results[0].as_json() == results[1].as_json()
    paths = list((tmp_path / "host" / "tables").glob("*.sqlite"))
    assert len(paths) == 2


@pytest.mark.slow
def test_who_is_asked_for_another_game_hears_that_the_host_wants_one(tmp_path: Path) -> None:
    """Once, however often the lobby changes while it thinks."""

    async def scene() -> tuple[list[str], list[str]]:
        port, lobbies = free_port(), 0
        host, guest = front(8), front(9)

        async def waits_to_hear() -> bool:
            await guest.until(lambda: guest.said[-1:] == [PLAYS_AGAIN])
            host.commands.put_nowait(SetReady(True))
            host.commands.put_nowait(SetReady(False))
            await host.until(lambda: len(host.lobbies) >= lobbies + 3)
            host.commands.put_nowait(Leave())
            await asyncio.get_running_loop().create_future()
            raise AssertionError

        async def wants_another() -> bool:
            nonlocal lobbies
            lobbies, host.is_scripted = len(host.lobbies), True
            return True

        guest.rematch = waits_to_hear  # type: ignore[method-assign]
        host.rematch = wants_another  # type: ignore[method-assign]
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        person = join_settings(tmp_path, port, strategy="")
        joining = asyncio.create_task(run_peer(person, guest))
        await asyncio.gather(hosting, joining, return_exceptions=True)
        return host.said, guest.said

    host_said, guest_said = asyncio.run(scene())
    assert guest_said.count(PLAYS_AGAIN) == 1
    assert "guest plays again" not in host_said, "it has not answered"


@pytest.mark.slow
@pytest.mark.parametrize("is_person", [True, False])
def test_a_host_hears_which_people_play_again(is_person: bool, tmp_path: Path) -> None:
    async def scene() -> list[str]:
        port = free_port()
        host, guest = (front(seed, is_scripted=True, wants_rematch=True) for seed in (8, 9))
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        settings = join_settings(tmp_path, port, **({"strategy": ""} if is_person else {}))
        joining = asyncio.create_task(run_peer(settings, guest))
        await guest.until(lambda: guest.lobbies)
        for one in (host, guest):
            one.commands.put_nowait(SetReady(True))
        await guest.until(guest.is_again_in_a_lobby, 40)
        guest.commands.put_nowait(SetReady(True))
        await host.until(lambda: host.lobbies[-1].seats[1].is_ready and host.is_again_in_a_lobby())
        host.commands.put_nowait(Leave())
        await asyncio.gather(hosting, joining, return_exceptions=True)
        return host.said

    assert asyncio.run(scene()).count("guest plays again") == is_person


@pytest.mark.slow
def test_a_port_scanner_and_garbage_do_not_disturb_a_game(tmp_path: Path) -> None:
    async def scene() -> list[Any]:
        port = free_port()
        host, guest = front(10), front(11, is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port), host)
        silent = socket.create_connection((BIND, port))
        noisy = socket.create_connection((BIND, port))
        noisy.sendall(b"GET / HTTP/1.1\r\n\r\n" * 100)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        await guest.until(lambda: guest.lobbies)
        guest.commands.put_nowait(SetReady(True))
        try:
            return list(await asyncio.gather(hosting, joining))
        finally:
            silent.close()
            noisy.close()

    results = outcomes(asyncio.run(scene()))
    assert results[0].as_json() == results[1].as_json()


def test_nobody_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(P2PJongError) as caught:
        asyncio.run(run_peer(join_settings(tmp_path, free_port()), front()))
    assert caught.value.code == Exit.NO_CONNECTION
    assert caught.value.message.endswith("cannot be reached: Connection refused")
    assert caught.value.hint


@pytest.mark.slow
def test_a_peer_that_dies_is_voted_absent_and_the_others_play_on(tmp_path: Path) -> None:
    async def scene() -> list[Any]:
        port = free_port()
        host, *guests = (front(seed) for seed in (21, 22, 23, 24))
        for one in (host, *guests):
            one.company = (host, *guests)
        settings = host_settings(tmp_path, port=port, seats=4, grace_s=5.0, target=2)
        tasks = [await start_host(settings, host)]
        for number, guest in enumerate(guests, 1):
            own = join_settings(tmp_path, port, name=f"guest {number}", delay_ms=50)
            tasks.append(asyncio.create_task(run_peer(own, guest)))
        dying = guests[2]
        await dying.until(lambda: dying.asked, 30)
        tasks.pop().cancel()
        return list(await asyncio.gather(*tasks))

    results = outcomes(asyncio.run(scene()))
    assert [result.as_json() for result in results] == [results[0].as_json()] * 3
    assert results[0].outcome == "finished" and results[0].fault is None
    dead = next(seat for seat, own in enumerate(results[0].seats) if own.name == "guest 3")
    assert dead not in results[0].winners
