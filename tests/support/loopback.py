"""Peers that link over real loopback sockets, and waits for what happens to them."""

import asyncio
import dataclasses
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

from p2pjong.net.address import Address
from p2pjong.net.identity import Identity
from p2pjong.net.limits import LIMITS, Limits
from p2pjong.net.listener import Listener
from p2pjong.net.mesh import Callbacks, Mesh

T = TypeVar("T")
WAIT_S = 15.0
QUICK = dataclasses.replace(
    LIMITS,
    connect_s=8.0,
    handshake_s=8.0,
    closing_s=2.0,
    pong_s=0.01,
    redial_min_s=0.02,
    redial_max_s=0.2,
    stagger_s=0.05,
    probe_s=15.0,
)


def run(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Runs a scene in an event loop of its own; a task or failure that it leaves behind fails."""

    async def watched() -> T:
        complaints: list[dict[str, Any]] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.append(context))
        result = await scene()
        leaked = asyncio.all_tasks() - {asyncio.current_task()}
        assert not leaked, f"left behind: {leaked}"
        assert not complaints, complaints
        return result

    return asyncio.run(watched())


class Peer:
    """A mesh that records what it is told. `until` waits for a state of affairs, not for a time."""

    def __init__(
        self, seed: int, limits: Limits = QUICK, *, identity: Identity | None = None
    ) -> None:
        self.identity = identity or Identity.from_seed(bytes([seed]) * 32)
        self.key = self.identity.key
        self.happened: list[tuple[str, bytes]] = []  # ("up", key) and ("down: reason", key)
        self.frames: list[tuple[bytes, bytes]] = []
        self.lets_in: Callable[[bytes, Address], bool] = lambda key, address: True
        self._changed = asyncio.Event()
        self._listener = Listener.open(limits=limits, bind="127.0.0.1")
        self.address = Address("127.0.0.1", self._listener.port)
        callbacks = Callbacks(
            on_frame=self._on_frame,
            on_up=lambda key: self._on_change("up", key),
            on_down=lambda key, reason: self._on_change(f"down: {reason}", key),
            may_link=lambda key, address: self.lets_in(key, address),
        )
        self.mesh = Mesh(self.identity, self._listener, callbacks, limits)

    def _on_frame(self, key: bytes, frame: bytes) -> None:
        self.frames.append((key, frame))
        self._changed.set()

    def _on_change(self, what: str, key: bytes) -> None:
        self.happened.append((what, key))
        self._changed.set()

    def told(self, other: "Peer") -> list[str]:
        """What happened to the link with `other`, in order."""
        return [what for what, key in self.happened if key == other.key]

    def is_linked(self, *others: "Peer") -> bool:
        """Whether there is an open link with each of the others."""
        return {other.key for other in others} <= self.mesh.linked()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something that this peer is told makes `holds` true."""
        async with asyncio.timeout(WAIT_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()


@contextmanager
def nobody_at() -> Iterator[Address]:
    """An address of loopback that refuses connections: the port is held, and nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield Address("127.0.0.1", held.getsockname()[1])


@asynccontextmanager
async def peers(count: int, limits: Limits = QUICK) -> AsyncIterator[list[Peer]]:
    """So many peers, accepting; sorted by key, so that the first is the one that decides."""
    made = sorted((Peer(seed, limits) for seed in range(1, count + 1)), key=lambda peer: peer.key)
    try:
        for peer in made:
            peer.mesh.start()
        yield made
    finally:
        for peer in made:
            await peer.mesh.close()
