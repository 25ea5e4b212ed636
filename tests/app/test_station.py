"""The inbox of a peer: what it takes in, and whom it sends away without reading a word."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from p2pjong.app import station as module
from p2pjong.app.station import Heard, Station, Up
from p2pjong.net.address import Address
from p2pjong.session.lobby import REFUSALS
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Join, LobbyMessage, Refused
from tests.support.loopback import Peer
from tests.support.peers import free_port, host_settings

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
