"""Whole peers in one event loop, over real sockets on loopback, with scripted fronts."""

import asyncio
import itertools
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from p2pjong.app.peer import run_peer
from p2pjong.bots import STRATEGIES
from p2pjong.front import LEAVE, STAY, Shown
from p2pjong.games.game import Action
from p2pjong.session.effects import Ask, Finished
from p2pjong.session.lobby_view import LobbyCommand, LobbyView
from p2pjong.settings import Outcome, PeerSettings
from p2pjong.ui.bot_front import BotFront

BIND = "127.0.0.1"
GOING_OUT = {"go_out", "claim_go_out"}
# Below those that the system gives to whoever asks for any.
PORTS = range(20_000, 32_000)


@dataclass
class ScriptedFront(BotFront):
    """A bot front that keeps what it was shown, and obeys commands put into `commands`."""

    said: list[str] = field(default_factory=list)
    costs: list[str] = field(default_factory=list)  # of leaving, as it was told each time
    stays: int = 0  # how often it thinks better of leaving
    lobbies: list[LobbyView] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    commands: asyncio.Queue[LobbyCommand] = field(default_factory=asyncio.Queue)
    is_scripted: bool = False  # commands come from `commands` alone
    leaves_after: int = -1  # the number of its choices after which it leaves
    asked: int = 0
    has_seen_the_end: bool = False
    # Decks follow no seed, and a game to one point may end before all have had a choice: with
    # company nobody goes out before everybody in it has been asked.
    company: Sequence["ScriptedFront"] = ()
    is_free: asyncio.Event | None = None  # until then it thinks
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    _break: asyncio.Event = field(default_factory=asyncio.Event)

    def say(self, text: str) -> None:
        self.said.append(text)
        self.changed.set()

    def lobby(self, lobby: LobbyView) -> None:
        super().lobby(lobby)
        self.lobbies.append(lobby)
        self.changed.set()

    def show(self, effect: Shown) -> None:
        self.shown.append(effect)
        self.has_seen_the_end |= isinstance(effect, Finished)
        self.changed.set()

    def is_again_in_a_lobby(self) -> bool:
        """Whether a lobby was shown after the end of a game."""
        return self.has_seen_the_end and self._teller.lobby is not None

    async def command(self) -> LobbyCommand:
        return await (self.commands.get() if self.is_scripted else super().command())

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        self.asked += 1
        if self.asked == self.leaves_after:
            self._break.set()
            await asyncio.get_running_loop().create_future()
        if self.is_free is not None:
            await self.is_free.wait()
        if not all(other.asked for other in self.company):
            ask = replace(ask, actions=tuple(a for a in ask.actions if a.verb not in GOING_OUT))
        return await super().choose(ask, timeout_s)

    async def interrupted(self) -> None:
        await self._break.wait()
        self._break.clear()

    async def confirm_leave(self, cost: str) -> str:
        self.costs.append(cost)
        self.changed.set()
        self.stays -= 1
        return STAY if self.stays >= 0 else LEAVE

    async def until(self, is_so: Any, within_s: float = 30.0) -> None:
        """Wait until the front has seen what makes `is_so()` true."""
        async with asyncio.timeout(within_s):
            while not is_so():
                self.changed.clear()
                await self.changed.wait()


def front(seed: int = 0, **rest: Any) -> ScriptedFront:
    """A front that really plays, so that games are short; `seed` breaks its ties."""
    return ScriptedFront(
        strategy=STRATEGIES["greedy"](), rng=Random(seed), write=lambda lines: None, **rest
    )


def host_settings(home: Path, **rest: Any) -> PeerSettings:
    """A host on loopback, fast and small."""
    defaults: dict[str, Any] = {
        "role": "host",
        "name": "host",
        "home": home / "host",
        "game": "war-jhong",
        "table": "a table",
        "seats": 2,
        "target": 1,
        "clock_s": 0.0,
        "window_s": 0.0,
        "bind": BIND,
        "strategy": "random",
        "is_debug": True,
    }
    return PeerSettings(**{**defaults, **rest})


def join_settings(home: Path, port: int, name: str = "guest", **rest: Any) -> PeerSettings:
    """A joiner that goes straight to the host's port."""
    defaults: dict[str, Any] = {
        "role": "join",
        "name": name,
        "home": home / name,
        "connect": f"{BIND}:{port}",
        "bind": BIND,
        "strategy": "random",
        "is_debug": True,
    }
    return PeerSettings(**{**defaults, **rest})


_ports = itertools.cycle(PORTS)


def free_port() -> int:
    """A TCP port of loopback that nobody listens on, and that no other test process gets either:
    the UDP port of the same number is held, as a sign, until this process ends."""
    if not _held:
        for _ in range(os.getpid() * 97 % len(PORTS)):
            next(_ports)
    for port in itertools.islice(_ports, len(PORTS)):
        if _is_free(port):
            return port
    raise AssertionError("no free port")


_held: list[int] = []


def _is_free(port: int) -> bool:
    sign = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sign.bind((BIND, port))
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("", port))
    except OSError:
        sign.close()
        return False
    _held.append(sign.detach())
    return True


async def start_host(settings: PeerSettings, own: ScriptedFront) -> asyncio.Task[Outcome]:
    """Run a host; returns once its lobby is open."""
    task = asyncio.create_task(run_peer(settings, own))
    waiting = asyncio.create_task(own.until(lambda: own.lobbies))
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    await waiting
    return task


async def play(
    home: Path, fronts: Sequence[ScriptedFront], **table: Any
) -> list[Outcome | BaseException]:
    """A whole game of a host and joiners; what became of each, the host first."""
    port = free_port()
    for one in fronts:
        one.company = fronts
    settings = host_settings(home, port=port, seats=len(fronts), **table)
    tasks = [await start_host(settings, fronts[0])]
    for number, guest in enumerate(fronts[1:], 1):
        record = home / f"{number}.rec"
        own = join_settings(home, port, name=f"guest {number}", record=record)
        tasks.append(asyncio.create_task(run_peer(own, guest)))
    return await asyncio.gather(*tasks, return_exceptions=True)
