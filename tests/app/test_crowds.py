"""Crowds at a host's door: who only links, or says what nobody asked for, keeps no friend out."""

import asyncio
from pathlib import Path

import pytest

from p2pjong.app import host as host_module
from p2pjong.app import private
from p2pjong.app.host import WAITING_MAX, who_gives_way
from p2pjong.app.peer import run_peer
from p2pjong.net.address import Address
from p2pjong.net.limits import LIMITS
from p2pjong.net.link_errors import LinkError
from p2pjong.session.code_check import Between, JoinerCheck
from p2pjong.session.draft import shown_hash
from p2pjong.session.lobby import REFUSALS, WORDS_MAX
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import CodeStart, Join, LobbyMessage, LobbyState, Ready, Refused
from tests.support.loopback import QUICK, Peer
from tests.support.peers import free_port, front, host_settings, join_settings, start_host

pytestmark = pytest.mark.timeout(60)


@pytest.fixture(autouse=True)
def long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is silent is not sent away for it while a test lasts: friends get in before that."""
    monkeypatch.setattr(host_module, "JOIN_WITHIN_S", 60.0)
    monkeypatch.setattr(private, "ANSWER_S", 60.0)


CROWD = LIMITS.links + 2  # in one go: the burst that one address may make
CODE = "417-amber-falcon"
ELEMENT = JoinerCheck("a", Between(bytes(32), bytes(32), bytes(32)), bytes).start().element
NONCES = (bytes([1]) * 32, bytes([2]) * 32)


async def crowd(port: int, count: int, first: int = 100) -> list[Peer]:
    """So many peers that link with the host and say nothing."""
    peers = [Peer(seed, QUICK) for seed in range(first, first + count)]
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
            await friend.until(lambda: friend.lobbies)
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
            await peer.until(lambda: bool(peer.frames))
            shown = shown_hash(decode(peer.frames[0][1], LobbyState))
            for number in range(WORDS_MAX + 50):
                peer.mesh.send(key, encode(Ready(bool(number % 2), NONCES[number % 2], shown)))
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
            peer.mesh.send(key, encode(Ready(True, NONCES[0], bytes(32))))
            await peer.until(lambda: not peer.mesh.linked())
            return len(host.lobbies) - before
        finally:
            await peer.mesh.close()
            hosting.cancel()
            await asyncio.gather(hosting, return_exceptions=True)

    assert asyncio.run(scene()) == 0, "and nobody was shown a changed table"


# --- A private table ------------------------------------------------------------------------------


def test_of_many_who_wait_one_of_the_busiest_address_gives_way() -> None:
    waiting = {b"a": "10.0.0.1", b"b": "10.0.0.2", b"c": "10.0.0.2", b"d": "10.0.0.1"}
    assert who_gives_way(waiting) == b"a", "of equally busy ones the longest waiting"
    assert who_gives_way({**waiting, b"e": "10.0.0.2"}) == b"b"
    assert who_gives_way({b"friend": "10.0.0.3", **waiting}) == b"a"


async def beginners(port: int, count: int) -> list[Peer]:
    """So many peers that each begin a check of the code, and never show that they know it."""
    peers = []
    for seed in range(100, 100 + count):
        (peer,) = await crowd(port, 1, seed)
        for key in peer.mesh.linked():
            peer.mesh.send(key, encode(CodeStart(ELEMENT)))
        await peer.until(lambda: bool(peer.frames))  # noqa: B023 (awaited at once)
        peers.append(peer)
    return peers


@pytest.mark.slow
def test_who_begins_checks_and_ends_none_keeps_no_friend_out(tmp_path: Path) -> None:
    """Not one who has passed, who comes back; and not one who comes for the first time."""

    async def scene() -> None:
        port = free_port()
        host, friend, other = (front(is_scripted=True) for _ in range(3))
        settings = host_settings(tmp_path, port=port, seats=3, is_private=True, code=CODE)
        hosting = await start_host(settings, host)
        joins = join_settings(tmp_path, port, code=CODE)
        joining = asyncio.create_task(run_peer(joins, friend))
        await friend.until(lambda: friend.lobbies)
        joining.cancel()
        await asyncio.gather(joining, return_exceptions=True)
        await host.until(lambda: len(host.lobbies[-1].seats) == 1)
        # As many as there are links. Each check that gives way is a wrong code, and with ten of
        # them the code would be another one, of which the newcomer cannot know.
        holders = await beginners(port, LIMITS.links)
        tasks = [hosting]
        try:
            again = front(is_scripted=True)
            tasks.append(asyncio.create_task(run_peer(joins, again)))
            await again.until(lambda: again.lobbies)
            newcomer = join_settings(tmp_path, port, name="newcomer", code=CODE)
            tasks.append(asyncio.create_task(run_peer(newcomer, other)))
            await other.until(lambda: other.lobbies)
            assert sum(bool(peer.mesh.linked()) for peer in holders) <= WAITING_MAX
        finally:
            for peer in holders:
                await peer.mesh.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(scene())
