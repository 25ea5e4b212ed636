"""Private tables over real links: who comes in, who does not, and what the host sees of it."""

import asyncio
import io
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app import host as host_module
from p2pjong.app import private
from p2pjong.app.host import Host
from p2pjong.app.peer import run_peer
from p2pjong.app.station import Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address
from p2pjong.net.identity import load_identity
from p2pjong.net.known_peers import KnownPeers
from p2pjong.session.door import WRONG_MAX, Door
from p2pjong.session.lobby_view import Leave, Remove, SetReady
from p2pjong.session.table_code import check_form
from p2pjong.settings import Outcome, PeerSettings
from p2pjong.ui.event_log import EventLog
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    CodeAnswer,
    CodePassed,
    CodeProof,
    CodeStart,
    Join,
    LobbyMessage,
    Ready,
    Refused,
)
from tests.support.between import man_in_the_middle
from tests.support.loopback import Peer
from tests.support.peers import (
    BIND,
    ScriptedFront,
    free_port,
    front,
    host_settings,
    join_settings,
    start_host,
)

pytestmark = pytest.mark.timeout(60)

CODE = "417-amber-falcon"
WRONG = "418-amber-falcon"
ELEMENT = bytes.fromhex("58" + "66" * 31)


class Table:
    """A private table that gathers; everybody who tries to sit down there."""

    def __init__(self, home: Path, port: int, own: ScriptedFront) -> None:
        self.home, self.port, self.front = home, port, own

    @property
    def code(self) -> str:
        """What the host's person is shown."""
        return self.front.lobbies[-1].code

    @property
    def seated(self) -> list[str]:
        """Who sits at the table, as the host is shown."""
        return [seat.name for seat in self.front.lobbies[-1].seats]

    def settings(self, name: str = "guest", code: str = "", **rest: Any) -> PeerSettings:
        return join_settings(self.home, self.port, name, code=code, **rest)

    async def error(self, own: ScriptedFront | None = None, **given: Any) -> P2PJongError:
        """Why this joiner gets no seat."""
        with pytest.raises(P2PJongError) as caught:
            await run_peer(self.settings(**given), own or front())
        return caught.value

    @asynccontextmanager
    async def guest(self, **given: Any) -> AsyncIterator[ScriptedFront]:
        """Somebody who sits at the table."""
        own = given.pop("own", None) or front(is_scripted=True)
        task = asyncio.create_task(run_peer(self.settings(**given), own))
        waiting = asyncio.create_task(own.until(lambda: own.lobbies))
        try:
            await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()
            yield own
        finally:
            for each in (task, waiting):
                each.cancel()
            await asyncio.gather(task, waiting, return_exceptions=True)

    @asynccontextmanager
    async def stranger(self, seed: int = 9) -> AsyncIterator[Peer]:
        """A bare link with the host, by a client that is not ours."""
        peer = Peer(seed)
        peer.mesh.start()
        try:
            await peer.mesh.connect([Address(BIND, self.port)])
            yield peer
        finally:
            await peer.mesh.close()

    async def guess(self, seed: int) -> None:
        """A wrong code, as cheaply as it can be given."""
        async with self.stranger(seed) as peer:
            send(peer, CodeStart(ELEMENT))
            await peer.until(lambda: bool(peer.frames))
            send(peer, CodeProof(bytes(32)))
            await peer.until(lambda: len(peer.frames) == 2)
            assert heard(peer)[-1].reason == "code-wrong"
            await peer.until(lambda: not peer.mesh.linked())


def send(peer: Peer, message: LobbyMessage) -> None:
    (host,) = peer.mesh.linked()
    peer.mesh.send(host, encode(message))


def heard(peer: Peer) -> list[Any]:
    return [decode(frame, LobbyMessage) for _, frame in peer.frames]


async def is_let_go(peer: Peer) -> list[Any]:
    """What the peer hears until its link ends."""
    await peer.until(lambda: not peer.mesh.linked())
    return heard(peer)


def at_a_table(
    home: Path, scene: Callable[[Table], Awaitable[None]], **rest: Any
) -> Coroutine[Any, Any, ScriptedFront]:
    """Opens a private table of four, plays the scene at it, and closes it."""

    async def opened() -> ScriptedFront:
        port, own = free_port(), front(is_scripted=True)
        options = {"seats": 4, "is_private": True, "code": CODE} | rest
        hosting = await start_host(host_settings(home, port=port, **options), own)
        try:
            await scene(Table(home, port, own))
        finally:
            own.commands.put_nowait(Leave())
            with pytest.raises(P2PJongError):
                await hosting
        return own

    return opened()


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
    assert own.said == ["somebody gave a wrong code: 1 of 10"]
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


# --- Guessing -----------------------------------------------------------------------------------


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
    assert "somebody is guessing" in own.said[WRONG_MAX - 1]


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


# --- Clients that are not ours --------------------------------------------------------------------


JOIN = Join(1, "stranger", False, False, 4711, ())


def test_a_join_before_the_check_is_refused(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.stranger() as peer:
            send(peer, JOIN)
            (refused,) = await is_let_go(peer)
            assert refused.reason == "code"
        # Nor in the midst of it, nor after an answer was got.
        async with table.stranger(10) as peer:
            send(peer, CodeStart(ELEMENT))
            send(peer, JOIN)
            answer, refused = await is_let_go(peer)
            assert isinstance(answer, CodeAnswer) and refused.reason == "code"

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert all(len(lobby.seats) == 1 for lobby in own.lobbies)


@pytest.mark.parametrize(
    "messages",
    [(), (Ready(True, bytes(32)),), (CodeStart(ELEMENT),)],
    ids=["silence", "ready", "half a check"],
)
def test_who_does_not_go_on_is_sent_away_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, messages: tuple[LobbyMessage, ...]
) -> None:
    monkeypatch.setattr(host_module, "JOIN_WITHIN_S", 0.3)

    async def scene(table: Table) -> None:
        async with table.stranger() as peer:
            for message in messages:
                send(peer, message)
            told = await is_let_go(peer)
            assert not any(isinstance(message, Refused) for message in told)

    asyncio.run(at_a_table(tmp_path, scene))


@pytest.mark.parametrize(
    "message",
    [CodeProof(bytes(32)), CodePassed(bytes(32)), CodeAnswer(ELEMENT), CodeStart(bytes(32))],
    ids=lambda message: type(message).__name__,
)
def test_what_no_joiner_sends_does_not_bring_it_in(tmp_path: Path, message: LobbyMessage) -> None:
    async def scene(table: Table) -> None:
        async with table.stranger() as peer:
            send(peer, message)
            send(peer, JOIN)
            told = await is_let_go(peer)
            assert all(isinstance(each, Refused) for each in told)

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert all(len(lobby.seats) == 1 for lobby in own.lobbies)


class FakeHost(Peer):
    """Poses as a host, and answers what it is sent as `answers` say."""

    def __init__(self, answers: dict[type, LobbyMessage]) -> None:
        super().__init__(3)
        self.answers = answers

    def _on_frame(self, key: bytes, frame: bytes) -> None:
        super()._on_frame(key, frame)
        answer = self.answers.get(type(decode(frame, LobbyMessage)))
        if answer is not None:
            self.mesh.send(key, encode(answer))


IMPOSTORS: dict[str, tuple[dict[type, LobbyMessage], Exit]] = {
    "takes every code": (
        {CodeStart: CodeAnswer(ELEMENT), CodeProof: CodePassed(bytes(32))},
        Exit.FAULT,
    ),
    "answers with no element": ({CodeStart: CodeAnswer(bytes(32))}, Exit.FAULT),
    "skips the check": ({CodeStart: CodePassed(bytes(32))}, Exit.FAULT),
    "says that it is open": ({CodeStart: Refused("code-none", "")}, Exit.WRONG_CODE),
    "answers with a lie": ({CodeStart: Refused("nonsense", "trust me")}, Exit.NO_CONNECTION),
}


@pytest.mark.parametrize(("answers", "code"), IMPOSTORS.values(), ids=IMPOSTORS)
def test_who_poses_as_the_host_without_the_code_is_found_out(
    tmp_path: Path, answers: dict[type, LobbyMessage], code: Exit
) -> None:
    async def scene() -> P2PJongError:
        impostor = FakeHost(answers)
        impostor.mesh.start()
        try:
            settings = join_settings(tmp_path, impostor.address.port, code=CODE)
            with pytest.raises(P2PJongError) as caught:
                await run_peer(settings, front())
            assert not any(
                isinstance(decode(frame, LobbyMessage), Join) for _, frame in impostor.frames
            ), "it learns nothing of us"
            return caught.value
        finally:
            await impostor.mesh.close()

    error = asyncio.run(scene())
    assert error.code == code and error.message and error.hint
    assert "trust me" not in error.message


# --- Somebody in between ------------------------------------------------------------------------


def test_through_a_terminating_proxy_the_check_does_not_even_begin(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with man_in_the_middle(Address(BIND, table.port)) as between:
            through = join_settings(
                tmp_path, between.port, code=CODE, connect=f"{BIND}:{between.port}"
            )
            with pytest.raises(P2PJongError) as caught:
                await run_peer(through, front())
        assert caught.value.code != Exit.WRONG_CODE
        assert "in between" in caught.value.message + caught.value.hint
        assert table.seated == ["host"]

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert not own.said, "and it was no guess"


def test_a_relay_with_an_identity_of_its_own_cannot_use_a_friends_answers(tmp_path: Path) -> None:
    """It makes a proper link with either end, and passes on every message of the check."""

    async def scene(table: Table) -> None:
        relay = Peer(5)
        relay.mesh.start()
        host = await relay.mesh.connect([Address(BIND, table.port)])

        async def pass_on() -> None:
            passed = 0
            while True:
                await relay.until(lambda: len(relay.frames) > passed)  # noqa: B023 - as it is now
                key, frame = relay.frames[passed]
                passed += 1
                ends = [end for end in relay.mesh.linked() if end != key]
                for end in ends if key == host else [host]:
                    relay.mesh.send(end, frame)

        passing = asyncio.create_task(pass_on())
        settings = join_settings(tmp_path, relay.address.port, code=CODE)
        try:
            with pytest.raises(P2PJongError) as caught:
                await run_peer(settings, front())
        finally:
            passing.cancel()
            await asyncio.gather(passing, return_exceptions=True)
            await relay.mesh.close()
        sent = [type(decode(frame, LobbyMessage)) for _, frame in relay.frames]
        assert sent == [CodeStart, CodeAnswer, CodeProof, Refused]
        assert caught.value.code == Exit.WRONG_CODE
        assert table.seated == ["host"]

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert own.said == ["somebody gave a wrong code: 1 of 10"]


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
    for part in CODE.split("-"):
        assert part not in written


def test_settings_show_no_code_when_they_are_printed(tmp_path: Path) -> None:
    assert CODE not in repr(host_settings(tmp_path, is_private=True, code=CODE))


def test_a_known_name_with_another_key_is_a_warning_at_the_table(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.guest(name="Ada", code=CODE) as guest:
            await table.front.until(lambda: len(table.seated) == 2)
            (warning,) = table.front.lobbies[-1].warnings
            assert "Ada has another key" in warning and "2024-05-01" in warning
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
