"""The waiting room before a game: what host and joiners do there alike."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from p2pjong.app.station import NetEvent, Station
from p2pjong.front import LEAVE, Front
from p2pjong.net.identity import fingerprint
from p2pjong.session.draft import shown_hash
from p2pjong.session.lobby_view import Leave, LobbyCommand, LobbySeat, LobbyView, Terms
from p2pjong.wire.messages import LobbyState, TableOptions
from p2pjong.wire.names import clean_name

RoomEvent: TypeAlias = NetEvent | LobbyCommand


class Room:
    """One stream of events: what the network brings and what our person asks. Closes its tasks.

    `cost` says what leaving now costs; a person who wants to is asked, and the lobby goes on.
    """

    def __init__(self, station: Station, front: Front, cost: Callable[[], str]) -> None:
        self._station = station
        self._front = front
        self._cost = cost
        self._confirming = asyncio.Lock()
        # Of one place: a command is asked for only when the one before has been dealt with.
        self._events: asyncio.Queue[RoomEvent] = asyncio.Queue(maxsize=1)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Room":
        self._tasks = [
            asyncio.create_task(self._pump(self._station.inbox.get)),
            asyncio.create_task(self._pump(self._command)),
            asyncio.create_task(self._pump(self._break_off)),
            asyncio.create_task(self._pump(self._told_to_go)),
        ]
        return self

    async def __aexit__(self, *reason: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._events.empty():
            self._give_back(self._events.get_nowait())

    async def _pump(self, source: Callable[[], Awaitable[RoomEvent]]) -> None:
        while True:
            event = await source()
            try:
                await self._events.put(event)
            except asyncio.CancelledError:
                self._give_back(event)
                raise

    def _give_back(self, event: RoomEvent) -> None:
        """What came in after the last event is for whoever reads the inbox next."""
        if isinstance(event, NetEvent):
            self._station.inbox.put_nowait(event)

    async def _command(self) -> LobbyCommand:
        while True:
            command = await self._front.command()
            if not isinstance(command, Leave) or await self._is_sure():
                return command

    async def _break_off(self) -> LobbyCommand:
        while True:
            await self._front.interrupted()
            if await self._is_sure():
                return Leave()

    async def _is_sure(self) -> bool:
        async with self._confirming:
            return await self._front.confirm_leave(self._cost()) == LEAVE

    async def _told_to_go(self) -> LobbyCommand:
        await self._station.going.told()
        return Leave()

    async def next(self, timeout_s: float | None = None) -> RoomEvent:
        """The next event; raises TimeoutError."""
        # Not `wait_for`: on Python 3.11 that can lose a cancellation.
        async with asyncio.timeout(timeout_s):
            return await self._events.get()

    def show(self, state: LobbyState, code: str = "", where: str = "") -> None:
        """Let the person see the lobby; a host also how others get in: a code, an address."""
        self._front.lobby(lobby_view(state, self._station, code, where))


def lobby_view(state: LobbyState, station: Station, code: str = "", where: str = "") -> LobbyView:
    """What a person is shown of a lobby, with warnings about familiar names with strange keys."""
    keys = [seat.key for seat in state.seats]
    warnings = [
        str(warning)
        for seat in state.seats
        if seat.key != station.key
        and (warning := station.known.warning(seat.name, seat.key, seat.is_bot))
    ]
    return LobbyView(
        table=clean_name(state.name),
        game=state.game,
        terms=terms_of(state.options),
        seats=tuple(
            LobbySeat(
                clean_name(seat.name),
                fingerprint(seat.key)[:9],
                seat.is_bot,
                seat.is_ready,
                is_host=place == 0,
                key=seat.key.hex(),
            )
            for place, seat in enumerate(state.seats)
        ),
        seats_total=state.seats_total,
        me=keys.index(station.key) if station.key in keys else None,
        warnings=tuple(warnings),
        code=code,
        where=where,
        shown=shown_hash(state).hex(),
    )


def terms_of(options: TableOptions) -> Terms:
    """The options of a table as people agree to them."""
    return Terms(
        options.target,
        options.rounds,
        options.clock_ms / 1000,
        options.window_ms / 1000,
        options.grace_ms / 1000,
        options.is_open_books,
    )
