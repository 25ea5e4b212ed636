"""A bot in front of a peer: ready at once, chooses at once, never leaves."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from p2pjong.errors import Exit, P2PJongError
from p2pjong.front import STAY, Shown
from p2pjong.games.game import Action, Seat, View
from p2pjong.session.effects import Ask
from p2pjong.session.lobby_view import (
    LobbyCommand,
    LobbySeat,
    LobbyView,
    SetReady,
    Start,
    TableOffer,
)
from p2pjong.ui import render
from p2pjong.ui.lobby import found_line, several_tables
from p2pjong.ui.teller import Teller

Strategy: TypeAlias = Callable[[View, tuple[Action, ...], Random], Action]


@dataclass
class BotFront:
    """The `Front` of a strategy. `write` takes the lines that tell how the game goes."""

    strategy: Strategy
    rng: Random
    write: Callable[[Sequence[str]], None]
    wants_rematch: bool = False
    may_err: bool = True
    _teller: Teller = field(default_factory=Teller)
    _lobby_changed: asyncio.Event = field(default_factory=asyncio.Event)

    def say(self, text: str) -> None:
        self.write([text])

    def lobby(self, lobby: LobbyView) -> None:
        self.write(self._teller.lobby_lines(lobby))
        self._lobby_changed.set()

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        self._teller.seated(seats, me)

    def show(self, effect: Shown) -> None:
        self.write(self._teller.lines(effect, now_s=0.0))

    def found(self, offer: TableOffer) -> None:
        self.say(found_line(offer))

    async def pick_table(self, offers: tuple[TableOffer, ...]) -> TableOffer | None:
        raise several_tables(offers)

    def offers(self, offers: tuple[TableOffer, ...]) -> None:
        """It chooses from none."""

    async def table_code(self) -> str | None:
        hint = (
            "give the code from the host's screen: --code CODE, or P2PJONG_CODE in the environment"
        )
        raise P2PJongError(
            "the table is private, and a bot cannot be asked for the code", hint, Exit.USAGE
        )

    async def command(self) -> LobbyCommand:
        # One command for each change: until the host has answered there is nothing new to ask.
        while True:
            await self._lobby_changed.wait()
            self._lobby_changed.clear()
            command = _next_command(self._teller.lobby)
            if command is not None:
                return command

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        if not self.may_err:
            ask = render.without_mistakes(ask)
        return self.strategy(ask.view, ask.actions, self.rng)

    async def reconsider(self, ask: Ask, action: Action) -> Action:
        never: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        return await never

    async def next_hand(self, timeout_s: float) -> None:
        return

    async def interrupted(self) -> None:
        await asyncio.get_running_loop().create_future()

    async def gone(self) -> None:
        await asyncio.get_running_loop().create_future()

    async def confirm_leave(self, cost: str) -> str:
        return STAY

    async def vote_absent(self, seat: Seat, waited_s: float) -> bool:
        return True

    async def rematch(self) -> bool:
        return self.wants_rematch


def _next_command(lobby: LobbyView | None) -> LobbyCommand | None:
    """Ready as soon as seated; a host begins when all seats are taken and ready."""
    if lobby is None or lobby.me is None:
        return None
    if not lobby.seats[lobby.me].is_ready:
        return SetReady(True)
    if lobby.am_host and lobby.is_full and all(seat.is_ready for seat in lobby.seats):
        return Start()
    return None
