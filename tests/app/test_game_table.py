"""One game on a station's links: who is waited for before it begins, and who counts as a person."""

import asyncio
import errno
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from p2pjong.app import driver, game_table, host
from p2pjong.app.game_table import GameTable, dialable, people_near
from p2pjong.app.peer import run_peer
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address, Dialable
from p2pjong.session.draft import shown_hash
from p2pjong.session.lobby_view import SetReady
from p2pjong.settings import Outcome
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    Begin,
    Bye,
    Draft,
    Join,
    LobbyMessage,
    LobbyState,
    PeerAddress,
    Ready,
    TableMessage,
)
from tests.support.loopback import Peer
from tests.support.peers import (
    ScriptedFront,
    free_port,
    front,
    host_settings,
    join_settings,
    start_host,
)
from tests.support.sim import make_draft

pytestmark = pytest.mark.timeout(60)

NO_SUCH_FILE = os.strerror(errno.ENOENT)

# --- People ---------------------------------------------------------------------------------------


def draft(*bots: bool) -> Draft:
    made = make_draft(len(bots))
    seats = [replace(one, is_bot=is_bot) for one, is_bot in zip(made.seats, bots, strict=True)]
    return replace(made, seats=tuple(seats))


def test_with_bots_of_its_own_alone_a_person_is_the_only_one() -> None:
    made = draft(False, True, True)
    ours = frozenset(entry.key for entry in made.seats[1:])
    assert people_near(made, 0, ours) == 1


@pytest.mark.parametrize("me", [0, 1])
def test_a_seat_that_says_it_is_a_bot_may_be_a_person_to_who_has_not_started_it(me: int) -> None:
    """Or else a person who says so would see when the other one has to think."""
    made = draft(False, False, True)
    assert people_near(made, me, frozenset()) == 3
    made = draft(False, True)
    assert people_near(made, 0, frozenset()) == 2
    assert people_near(made, 0, frozenset({made.seats[1].key})) == 1


def test_a_bot_waits_where_two_people_say_that_they_are() -> None:
    assert people_near(draft(False, True, True), 1, frozenset()) == 1
    assert people_near(draft(False, True, False), 1, frozenset()) == 2


# --- Where seats are ------------------------------------------------------------------------------

LITERALS = ["192.0.2.7", "2001:db8::7", "fe80::1", "fe80::1%eth0", "fe80::1%12"]


def test_only_what_is_an_address_is_dialled_and_without_a_zone_of_others() -> None:
    told = [PeerAddress(host, 4711) for host in ("a.example", "224.0.0.251", *LITERALS)]
    assert [one.host for one in dialable(told, Dialable())] == [
        "192.0.2.7",
        "2001:db8::7",
        "fe80::1",
        "fe80::1",
        "fe80::1",
    ]


def test_this_machines_loopback_is_dialled_only_for_who_is_met_on_it() -> None:
    told = [PeerAddress(host, 6379) for host in ("127.0.0.1", "::1")]
    assert dialable(told, Dialable()) == []
    met_within = dialable(told, Dialable(is_over_loopback=True))
    assert [one.host for one in met_within] == ["127.0.0.1", "::1"]


# --- Before the charter ---------------------------------------------------------------------------


async def join_and(after_begin: Callable[[Peer, bytes], None], port: int) -> Peer:
    """A joiner of another make: sits down, gets ready, and then does as it likes."""
    peer = Peer(5)
    peer.mesh.start()
    host = await peer.mesh.connect([Address("127.0.0.1", port)])
    peer.mesh.send(host, encode(Join(1, "shy", False, False, peer.address.port, ())))

    def begins() -> bool:
        told = [decode(frame, LobbyMessage | TableMessage) for _, frame in peer.frames]
        ready_for = {decode(sent, Ready).shown for sent in said}
        for state in told:
            if isinstance(state, LobbyState) and (shown := shown_hash(state)) not in ready_for:
                said.append(encode(Ready(True, bytes([7]) * 32, shown)))
                peer.mesh.send(host, said[-1])
                ready_for |= {shown}
        return any(isinstance(message, Begin) for message in told)

    said: list[bytes] = []
    await peer.until(begins)
    after_begin(peer, host)
    return peer


def stays_silent(peer: Peer, host: bytes) -> None:
    """It has begun, and signs nothing."""


def says_goodbye(peer: Peer, host: bytes) -> None:
    peer.mesh.send(host, encode(Bye()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("after_begin", "charter_s", "bye_s"), [(stays_silent, 0.5, 60), (says_goodbye, 60, 0.1)]
)
def test_who_does_not_sign_the_charter_ends_nothing_for_those_who_do(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    after_begin: Callable[[Peer, bytes], None],
    charter_s: float,
    bye_s: float,
) -> None:
    """They are back in the lobby without it, and play as soon as somebody takes its seat."""
    monkeypatch.setattr(game_table, "CHARTER_MIN_S", charter_s)
    monkeypatch.setattr(game_table, "BYE_S", bye_s)
    monkeypatch.setattr(driver, "LEAVE_S", 0.1)  # nobody here says that it has heard who leaves

    async def scene() -> list[Outcome | BaseException]:
        port = free_port()
        own, other = front(1), front(2)
        settings = host_settings(tmp_path, port=port, seats=3, grace_s=5.0)
        hosting = await start_host(settings, own)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), other))
        await other.until(lambda: other.lobbies)
        shy = await join_and(after_begin, port)
        try:
            for one in (own, other):
                await one.until(
                    lambda one=one: any("shy did not answer" in text for text in one.said)
                )
                await one.until(lambda one=one: len(one.lobbies[-1].seats) == 2)
        finally:
            await shy.mesh.close()
        third = run_peer(join_settings(tmp_path, port, name="third"), front(3))
        return list(await asyncio.gather(hosting, joining, third, return_exceptions=True))

    results = asyncio.run(scene())
    assert all(isinstance(result, Outcome) for result in results), results
    assert {result.outcome for result in results if isinstance(result, Outcome)} == {"finished"}
    assert len(list((tmp_path / "host" / "tables").glob("*.sqlite"))) == 1, "of the one game"


def test_whose_machine_sleeps_is_not_begun_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has said ready, its link seems up, and it answers nothing."""
    monkeypatch.setattr(host, "ANSWER_WITHIN_S", 0.2)

    async def scene() -> list[str]:
        port = free_port()
        own, asleep = front(1, is_scripted=True), Peer(5)
        hosting = await start_host(host_settings(tmp_path, port=port), own)
        asleep.mesh.start()
        key = await asleep.mesh.connect([Address("127.0.0.1", port)])
        asleep.mesh.send(key, encode(Join(1, "sleepy", False, False, asleep.address.port, ())))
        await asleep.until(lambda: bool(asleep.frames))
        shown = shown_hash(decode(asleep.frames[-1][1], LobbyState))
        asleep.mesh.send(key, encode(Ready(True, bytes(32), shown)))
        await own.until(lambda: own.lobbies[-1].seats[-1].is_ready)
        link = asleep.mesh.link(key)
        assert link is not None
        monkeypatch.setattr(link, "_upkeep", lambda message: None)
        own.commands.put_nowait(SetReady(True))
        await own.until(lambda: any("did not answer" in text for text in own.said))
        assert [seat.name for seat in own.lobbies[-1].seats] == ["host"]
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)
        await asleep.mesh.close()
        return own.said

    assert any("sleepy did not answer" in text for text in asyncio.run(scene()))


@pytest.mark.slow
def test_a_slow_charter_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A goodbye is no end of the table if all have signed by then."""
    monkeypatch.setattr(game_table, "CHARTER_MIN_S", 20.0)

    async def scene() -> list[Outcome | BaseException]:
        port = free_port()
        own, other = front(1, is_scripted=True), front(2, is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port), own)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), other))
        await other.until(lambda: other.lobbies)
        for one in (own, other):
            one.commands.put_nowait(SetReady(True))
        return list(await asyncio.gather(hosting, joining, return_exceptions=True))

    assert not any(isinstance(result, BaseException) for result in asyncio.run(scene()))


# --- The disk ---------------------------------------------------------------------------------


class Wires:
    """A mesh that keeps what was sent; two other seats are linked."""

    def __init__(self, others: list[bytes]) -> None:
        self.others = others
        self.sent: list[tuple[bytes, bytes]] = []

    def linked(self) -> list[bytes]:
        return self.others

    def send(self, key: bytes, frame: bytes) -> None:
        self.sent.append((key, frame))


class Forgetful:
    """A memory of names on a full disk."""

    def remember(self, *_: object) -> None:
        raise P2PJongError("known_peers.json: No space left on device", "", Exit.STORAGE)


def table_at(home: Path) -> tuple[GameTable, Wires, ScriptedFront]:
    made, person = draft(False, False, True), front()
    keys = [entry.key for entry in made.seats]
    wires = Wires(keys[1:])
    station: Any = SimpleNamespace(
        mesh=wires, key=keys[0], settings=SimpleNamespace(home=home), known=Forgetful()
    )
    return GameTable(station, person, made, [(), (), ()], lambda event: None), wires, person


def test_who_cannot_keep_a_game_says_goodbye_before_it_begins(tmp_path: Path) -> None:
    """Or the others would wait for its signature."""
    home = tmp_path / "home"
    home.write_text("no folder")
    table, wires, _ = table_at(home)
    with pytest.raises(P2PJongError) as error:
        asyncio.run(table.play(None))
    assert error.value.code == Exit.STORAGE
    assert wires.sent == [(key, encode(Bye())) for key in wires.others]


def test_a_record_that_cannot_be_written_is_told_with_what_writes_it_later(
    tmp_path: Path,
) -> None:
    table, _, person = table_at(tmp_path)
    journal: Any = SimpleNamespace(frames=list)
    record = tmp_path / "none" / "game"
    failure = table._write_record(record, journal)
    assert failure is not None and failure.code == Exit.STORAGE
    assert failure.hint.endswith("it can be written later: p2pjong record 00000000 FILE")
    assert person.said == [f"The record could not be written to {record}: {NO_SUCH_FILE}"]
    record.parent.mkdir()
    assert table._write_record(record, journal) is None and record.exists()


def test_a_memory_of_names_that_finds_no_room_costs_no_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, *_ = table_at(tmp_path)
    table._remember()
    assert "No space left on device" in caplog.text
