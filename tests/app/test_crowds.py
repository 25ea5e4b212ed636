"""Crowds at a host's door: who only links, or says what nobody asked for, keeps no friend out."""

import asyncio
from pathlib import Path

import pytest

from p2pjong.app.host import WAITING_MAX
from p2pjong.app.peer import run_peer
from p2pjong.net.address import Address
from p2pjong.net.limits import LIMITS
from p2pjong.net.link_errors import LinkError
from p2pjong.session.lobby import REFUSALS, WORDS_MAX
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Join, LobbyMessage, LobbyState, Ready, Refused
from tests.support.loopback import QUICK, Peer
from tests.support.peers import free_port, front, host_settings, join_settings, start_host

pytestmark = pytest.mark.timeout(60)

CROWD = LIMITS.links + 2  # in one go: the burst that one address may make
NONCES = (bytes([1]) * 32, bytes([2]) * 32)


async def crowd(port: int, count: int) -> list[Peer]:
    """So many peers that link with the host and say nothing."""
    peers = [Peer(seed, QUICK) for seed in range(100, 100 + count)]
    for peer in peers:
        peer.mesh.start()
        try:
            await peer.mesh.connect([Address("127.0.0.1", port)])
        except LinkError:
            continue  # every link is taken
    return peers


def test_who_only_links_keeps_no_friend_out(tmp_path: Path) -> None:
    assert WAITING_MAX + 7 < LIMITS.links, "a full table and a crowd leave a link"

    async def scene() -> None:
        port = free_port()
        host, friend = front(is_scripted=True), front(is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port, seats=3), host)
        silent = await crowd(port, CROWD)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), friend))
        try:
            await friend.until(lambda: friend.lobbies, within_s=8)
            assert sum(bool(peer.mesh.linked()) for peer in silent) <= WAITING_MAX
        finally:
            for peer in silent:
                await peer.mesh.close()
            for task in (hosting, joining):
                task.cancel()
            await asyncio.gather(hosting, joining, return_exceptions=True)

    asyncio.run(scene())


def test_who_changes_its_mind_without_end_loses_its_seat_and_its_link(tmp_path: Path) -> None:
    async def scene() -> list[LobbyMessage]:
        port = free_port()
        host = front(is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port, seats=3), host)
        peer = Peer(9)
        peer.mesh.start()
        try:
            key = await peer.mesh.connect([Address("127.0.0.1", port)])
            peer.mesh.send(key, encode(Join(1, "spam", False, False, 4711, ())))
            for number in range(WORDS_MAX + 50):
                peer.mesh.send(key, encode(Ready(bool(number % 2), NONCES[number % 2])))
            await peer.until(lambda: not peer.mesh.linked())
            await host.until(lambda: len(host.lobbies[-1].seats) == 1)
            return [decode(frame, LobbyMessage) for _, frame in peer.frames]
        finally:
            await peer.mesh.close()
            hosting.cancel()
            await asyncio.gather(hosting, return_exceptions=True)

    told = asyncio.run(scene())
    assert told[-1] == Refused("flood", REFUSALS["flood"])
    assert sum(isinstance(message, LobbyState) for message in told) <= WORDS_MAX + 1


def test_who_says_it_is_ready_without_a_seat_is_sent_away(tmp_path: Path) -> None:
    async def scene() -> int:
        port = free_port()
        host = front(is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port, seats=3), host)
        before = len(host.lobbies)
        peer = Peer(9)
        peer.mesh.start()
        try:
            key = await peer.mesh.connect([Address("127.0.0.1", port)])
            peer.mesh.send(key, encode(Ready(True, NONCES[0])))
            await peer.until(lambda: not peer.mesh.linked())
            return len(host.lobbies) - before
        finally:
            await peer.mesh.close()
            hosting.cancel()
            await asyncio.gather(hosting, return_exceptions=True)

    assert asyncio.run(scene()) == 0, "and nobody was shown a changed table"
