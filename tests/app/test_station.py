"""The inbox of a peer: what it takes in, and whom it sends away without reading a word."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from p2pjong.app import station as module
from p2pjong.app.host import Host
from p2pjong.app.station import Heard, Station, Up
from p2pjong.net.address import Address
from p2pjong.session.lobby import REFUSALS, Begun
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Have, Join, LobbyMessage, Refused
from tests.support.loopback import Peer
from tests.support.peers import free_port, front, host_settings, start_host
from tests.support.sim import tiny_draft

TOLD = Refused("started", REFUSALS["started"])
JOIN = Join(1, "stranger", False, False, 4711, ())


@asynccontextmanager
async def linked(home: Path) -> AsyncIterator[tuple[Station, Peer]]:
    """A station that lets everybody link, and a stranger that has done so."""
    async with Station(host_settings(home, port=free_port())) as own:
        own.may_link = lambda key: True
        stranger = Peer(7)
        stranger.mesh.start()
        try:
            await stranger.mesh.connect([_address(own)])
            assert isinstance(await own.inbox.get(), Up)
            yield own, stranger
        finally:
            await stranger.mesh.close()


def _address(own: Station) -> Address:
    return Address("127.0.0.1", own.listener.port)


@pytest.mark.parametrize("frame", [encode(JOIN), b"\xc1", b"\x90" * 100_000], ids=len)
def test_to_whom_nobody_listens_is_told_why_and_nothing_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frame: bytes
) -> None:
    async def scene() -> list[LobbyMessage]:
        async with linked(tmp_path) as (own, stranger):
            own.answer_unheard = lambda key: encode(TOLD)
            monkeypatch.setattr(module, "decode", lambda *_: pytest.fail("it was read"))
            for _ in range(3):
                stranger.mesh.send(own.key, frame)
            await stranger.until(lambda: stranger.mesh.link(own.key) is None)
            assert own.mesh.link(stranger.key) is None
            assert not any(isinstance(event, Heard) for event in _drained(own))
            return [decode(told, LobbyMessage) for _, told in stranger.frames]

    assert asyncio.run(scene()) == [TOLD]


def _drained(own: Station) -> list[object]:
    events: list[object] = []
    while not own.inbox.empty():
        events.append(own.inbox.get_nowait())
    return events


def test_whom_we_listen_to_is_heard_while_others_are_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with linked(tmp_path) as (own, friend):
            own.answer_unheard = lambda key: None if key == friend.key else encode(TOLD)
            friend.mesh.send(own.key, encode(JOIN))
            assert await own.inbox.get() == Heard(friend.key, JOIN)

    asyncio.run(scene())


def test_a_malformed_frame_ends_the_link(tmp_path: Path) -> None:
    async def scene() -> None:
        async with linked(tmp_path) as (own, stranger):
            stranger.mesh.send(own.key, b"\xc1")
            await stranger.until(lambda: stranger.mesh.link(own.key) is None)
            assert not any(isinstance(event, Heard) for event in _drained(own))

    asyncio.run(scene())


# --- Who says too much ----------------------------------------------------------------------------

FLOODER, FRIEND = bytes([1]) * 32, bytes([2]) * 32
HAVE = encode(Have(bytes(32), (0, 0), 0))


class Door(Station):
    """A station that notes whose link it closes."""

    def __init__(self, home: Path) -> None:
        super().__init__(host_settings(home, port=free_port()))
        self.refused: list[bytes] = []

    def refuse(self, key: bytes, reason: str) -> None:
        self.refused.append(key)

    def hear(self, key: bytes, frame: bytes, count: int = 1) -> None:
        for _ in range(count):
            self._on_frame(key, frame)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    made = Door(tmp_path)
    yield made
    made.listener.close()


@pytest.mark.parametrize("is_gathering", [True, False])
def test_who_floods_pays_for_it_and_nobody_else_does(door: Door, is_gathering: bool) -> None:
    door.is_gathering = is_gathering
    waiting_max = module.LOBBY_WAITING_MAX if is_gathering else module.WAITING_MAX
    door.hear(FLOODER, encode(JOIN), waiting_max + 10)
    door.hear(FRIEND, encode(JOIN))
    assert door.refused == [FLOODER] * 10
    assert [event.key for event in _drained(door)[:3]] == [FLOODER, FRIEND, FLOODER]  # type: ignore[attr-defined]


def test_what_waits_of_one_peer_is_bounded_in_bytes_too(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAITING_BYTES_MAX", 3 * len(HAVE))
    door.hear(FLOODER, HAVE, 4)
    door.hear(FRIEND, HAVE)
    assert door.refused == [FLOODER]
    heard = [event.key for event in _drained(door)]  # type: ignore[attr-defined]
    assert heard == [FLOODER, FRIEND, FLOODER, FLOODER]


def test_before_play_words_of_a_table_are_for_nobody(door: Door) -> None:
    door.is_gathering = True
    door.hear(FLOODER, HAVE, module.PASSED_OVER_MAX)
    assert door.inbox.empty() and door.refused == []
    door.hear(FLOODER, HAVE)
    door.hear(FRIEND, HAVE)
    assert door.refused == [FLOODER]
    door._on_down(FLOODER, "lost")
    assert not door._passed_over[FLOODER], "and nothing of it stays"


def test_a_host_hears_words_of_a_table_from_the_beginning_of_play_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with linked(tmp_path) as (own, _):
            host = Host(own, front())
            own.is_gathering = True
            host._carry_out([Begun(tiny_draft(2), ((), ()))])
            assert not own.is_gathering
            host._lobby.reopen = lambda table, keys: []  # type: ignore[method-assign]
            host._regather(())
            assert own.is_gathering

    asyncio.run(scene())


def test_a_host_that_gathers_sends_away_who_only_talks_of_a_table(tmp_path: Path) -> None:
    async def scene() -> None:
        port = free_port()
        hosting = await start_host(host_settings(tmp_path, port=port), front(is_scripted=True))
        peer = Peer(7)
        peer.mesh.start()
        try:
            host = await peer.mesh.connect([Address("127.0.0.1", port)])
            for _ in range(module.PASSED_OVER_MAX + 1):
                peer.mesh.send(host, HAVE)
            await peer.until(lambda: not peer.mesh.linked())
            assert peer.happened[-1] == ("down: malformed", host)
        finally:
            await peer.mesh.close()
            hosting.cancel()
            await asyncio.gather(hosting, return_exceptions=True)

    asyncio.run(scene())
