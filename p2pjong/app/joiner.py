"""A joiner's way: find a table, sit down, play, and again if the host does."""

import asyncio

from p2pjong.app import turned_away
from p2pjong.app.game_table import GameTable, bye
from p2pjong.app.host import numbered
from p2pjong.app.lobby_room import Room
from p2pjong.app.private import ANSWER_S, show_code
from p2pjong.app.station import Down, Heard, NetEvent, Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.games import GAMES
from p2pjong.net.address import Address, own_addresses, parse_address
from p2pjong.net.discovery import Announcement, Announcer, Browser, FoundTable
from p2pjong.net.identity import fingerprint
from p2pjong.session.lobby import Begun, Changed, JoinerLobby, LobbyClosed
from p2pjong.session.lobby_view import Leave, LobbyCommand, SetReady, TableOffer
from p2pjong.settings import Outcome
from p2pjong.ui.front import Front
from p2pjong.wire.codec import encode
from p2pjong.wire.handshake import CloseCode
from p2pjong.wire.messages import (
    PROTOCOL_VERSION,
    Begin,
    Bye,
    Draft,
    Join,
    LobbyMessage,
    LobbyState,
    Ready,
    Refused,
)

SETTLE_S = 0.7  # after the first table found: others may take as long to show themselves


class CodeNeeded(P2PJongError):
    """The host lets in who knows the code, and we have none yet."""


class Joiner:
    """One joiner from looking for a table to the last rematch."""

    def __init__(self, station: Station, front: Front) -> None:
        self._station = station
        self._front = front
        self._settings = station.settings
        self._host = b""
        self._where: tuple[Address, ...] = ()
        self._code = station.settings.code
        self._lobby: JoinerLobby | None = None
        self._begun: Begun | None = None
        self._early: list[NetEvent] = []  # what came of the next lobby while we still played

    async def run(self) -> Outcome:
        """Until our person, or the host, wants no other game."""
        self._where, expected = await self._find_host()
        self._host = await self._station.mesh.connect(self._where, expected)
        self._station.may_link = self._is_fellow
        number = 1
        outcome: Outcome | None = None
        while True:
            try:
                begun = await (self._sit_down(True) if number > 1 else self._come_in())
            except P2PJongError:
                if outcome is None:
                    raise
                return outcome
            table = GameTable(
                self._station, self._front, begun.draft, begun.addresses, self._outside
            )
            announcer = Announcer(self._announcement(begun.draft), self._settings.bind or None)
            await announcer.start()
            try:
                outcome = await table.play(numbered(self._settings, number))
            finally:
                await announcer.close()
            if self._host in table.gone or not await self._front.rematch():
                self._station.mesh.send(self._host, bye())
                return outcome
            number += 1

    def _announcement(self, draft: Draft) -> Announcement:
        """Once play has begun every seat announces the table: a returner finds any of them."""
        return Announcement(
            name=draft.name,
            table_id=draft.table,
            game=draft.game,
            seats=len(draft.seats),
            free_seats=0,
            code_needed=bool(self._code),
            fingerprint=self._station.identity.fingerprint,
            port=self._station.listener.port,
            is_playing=True,
        )

    def _is_fellow(self, key: bytes) -> bool:
        """Who the host shows at our table may link with us before the start, too."""
        state = self._lobby.state if self._lobby else None
        return state is not None and any(seat.key == key for seat in state.seats)

    # --- Finding ------------------------------------------------------------------------------

    async def _find_host(self) -> tuple[tuple[Address, ...], str | None]:
        """Where the host is, and its fingerprint where that is known."""
        settings = self._settings
        if settings.connect:
            return (parse_address(settings.connect),), None
        table = await self._find_table()
        return table.addresses, table.fingerprint

    async def _find_table(self) -> FoundTable:
        found = await self._look()
        tables = [table for table in found if self._is_meant(table)]
        if not tables:
            raise nothing_found(self._settings.table, found)
        return tables[0] if len(tables) == 1 else await self._pick(tables)

    async def _look(self) -> tuple[FoundTable, ...]:
        """The tables of this network: as soon as one is meant, and a little later."""
        settings, changed = self._settings, asyncio.Event()
        own = self._station.identity.fingerprint
        async with Browser(changed.set, own_fingerprint=own, bind=settings.bind or None) as browser:
            try:
                async with asyncio.timeout(settings.wait_s):
                    while not any(self._is_meant(table) for table in browser.tables()):
                        changed.clear()
                        await changed.wait()
                    await asyncio.sleep(SETTLE_S)
            except TimeoutError:
                pass
            return browser.tables()

    def _is_meant(self, table: FoundTable) -> bool:
        """The table of the name given (its host says if it is full), or any with a free seat."""
        if self._settings.table:
            return table.name.casefold() == self._settings.table.casefold()
        return table.free_seats > 0

    async def _pick(self, tables: list[FoundTable]) -> FoundTable:
        offers = tuple(offer(table) for table in tables)
        chosen = await self._front.pick_table(offers)
        if chosen is None:
            raise P2PJongError("you joined no table", "", Exit.LEFT)
        return tables[offers.index(chosen)]

    # --- The lobby ----------------------------------------------------------------------------

    async def _come_in(self) -> Begun:
        """From the link to the start; a private table asks for its code on the way."""
        try:
            return await self._sit_down(False)
        except CodeNeeded:
            # The host gives a link few seconds, and a person takes longer to type.
            await self._hang_up()
            code = await self._front.table_code()
            if code is None:
                raise P2PJongError("you joined no table", "", Exit.LEFT) from None
            self._code = code
            await self._station.mesh.connect(self._where, fingerprint(self._host))
            return await self._sit_down(False)

    async def _hang_up(self) -> None:
        """Ends the link with the host, and sees it end: the next one is another."""
        self._station.mesh.drop(self._host, CloseCode.GOING)
        while self._station.mesh.link(self._host) is not None:
            await self._station.inbox.get()
        while not self._station.inbox.empty():
            self._station.inbox.get_nowait()

    async def _sit_down(self, is_rematch: bool) -> Begun:
        self._lobby = JoinerLobby(self._station.key, self._host, tuple(GAMES))
        self._begun = None
        if not is_rematch:
            if self._code:
                await show_code(self._station, self._host, self._code)
            self._ask_for_a_seat()
        async with Room(self._station, self._front) as room:
            early, self._early = self._early, []
            for heard in early:
                self._on_event(room, heard)
            while self._begun is None:
                self._on_room_event(room, await self._next(room, is_rematch))
        while self._early:
            self._station.inbox.put_nowait(self._early.pop(0))
        return self._begun

    async def _next(self, room: Room, is_rematch: bool) -> NetEvent | LobbyCommand:
        """The next event; a host that shows no lobby within reason is no host."""
        is_shown = self._lobby is not None and self._lobby.state is not None
        try:
            return await room.next(None if is_shown or is_rematch else ANSWER_S)
        except TimeoutError:
            raise turned_away.silent() from None

    def _ask_for_a_seat(self) -> None:
        settings, port = self._settings, self._station.listener.port
        own = own_addresses(port, settings.bind or None)
        addresses = tuple(address.host for address in own)
        join = Join(
            PROTOCOL_VERSION, settings.name, settings.is_bot, settings.is_oldest, port, addresses
        )
        self._station.mesh.send(self._host, encode(join))

    def _on_room_event(self, room: Room, event: NetEvent | LobbyCommand) -> None:
        if isinstance(event, NetEvent):
            self._on_event(room, event)
        elif isinstance(event, SetReady):
            self._station.mesh.send(self._host, encode(Ready(event.is_ready)))
        elif isinstance(event, Leave):
            self._station.mesh.send(self._host, bye())
            raise P2PJongError("you left the table before play", "", Exit.LEFT)
        else:
            self._front.say("only the host may do that")

    def _on_event(self, room: Room, event: NetEvent) -> None:
        if event.key != self._host:
            # A fellow began a little earlier: what it says of the table is for the game.
            if isinstance(event, Heard) and not isinstance(event.message, LobbyMessage):
                self._early.append(event)
            return
        match event:
            case Down(_, reason):
                raise turned_away.gone(reason)
            case Heard(_, message) if isinstance(message, LobbyMessage):
                self._on_message(room, message)
            case Heard():
                self._early.append(event)

    def _on_message(self, room: Room, message: LobbyMessage) -> None:
        assert self._lobby is not None
        try:
            effects = self._lobby.receive(message)
        except LobbyClosed as closed:
            refused = turned_away.refused(closed)
            if closed.reason == "code" and not self._code:
                raise CodeNeeded(refused.message, refused.hint, refused.code) from closed
            raise refused from closed
        for effect in effects:
            if isinstance(effect, Changed) and self._lobby.state is not None:
                room.show(self._lobby.state)
            elif isinstance(effect, Begun):
                self._begun = effect

    def _outside(self, event: NetEvent) -> None:
        """In the game: what the host says of the next lobby waits for its time."""
        is_lobby = isinstance(event, Heard) and isinstance(
            event.message, LobbyState | Begin | Refused | Bye
        )
        if event.key == self._host and is_lobby:
            self._early.append(event)


def offer(table: FoundTable) -> TableOffer:
    """A found table as people are shown it."""
    return TableOffer(
        table=table.name,
        game=table.game,
        seats_total=table.seats,
        seats_free=table.free_seats,
        fingerprint=table.fingerprint[:9],
        where=str(table.addresses[0]) if table.addresses else "",
        is_playing=table.is_playing,
        is_private=table.code_needed,
    )


def nothing_found(name: str, found: tuple[FoundTable, ...]) -> P2PJongError:
    """What to say when there is no table to join."""
    others = ", ".join(table.name for table in found)
    if name and found:
        return P2PJongError(
            f"no table {name!r} on this network", f"there is: {others}", Exit.NOTHING_FOUND
        )
    if found:
        return P2PJongError(
            f"no table with a free seat on this network ({others})",
            "open your own with p2pjong host, or wait for a rematch",
            Exit.NOTHING_FOUND,
        )
    return P2PJongError(
        "no table found on this network",
        "is the host on the same network? --connect HOST:PORT goes straight to it",
        Exit.NOTHING_FOUND,
    )
