"""A private table that gathers, and everybody who tries to sit down there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app.peer import run_peer
from p2pjong.errors import P2PJongError
from p2pjong.net.address import Address
from p2pjong.session.lobby_view import Leave
from p2pjong.settings import PeerSettings
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import CodeProof, CodeStart, LobbyMessage
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

CODE = "417-amber-falcon"
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
