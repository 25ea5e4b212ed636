"""A joiner's way: find a table, sit down, play, and again if the host does."""

import asyncio
import secrets

from p2pjong.app import turned_away
from p2pjong.app.choosing import Choice, Wanted
from p2pjong.app.early import Early
from p2pjong.app.game_table import GameTable, NoTable, bye
from p2pjong.app.lobby_room import Room
from p2pjong.app.private import ANSWER_S, show_code
from p2pjong.app.searching import Search, nothing_found
from p2pjong.app.station import Down, Heard, NetEvent, Station
from p2pjong.app.waiting_word import told_if_long
from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.front import Front
from p2pjong.games import GAMES
from p2pjong.net.address import Address, own_addresses, parse_address
from p2pjong.net.discovery import Announcement, Announcer, FoundTable
from p2pjong.net.identity import fingerprint
from p2pjong.session.joiner_lobby import JoinerLobby, LobbyClosed
from p2pjong.session.lobby import HAS_CHANGED, Begun, Changed
from p2pjong.session.lobby_view import Leave, LobbyCommand, SetReady
from p2pjong.settings import Outcome
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
    Refused,
)
from p2pjong.wire.names import clean_name

GUESSES_MAX = 3  # at a code that our person is asked for
NOTHING_LOST = "Nothing is lost: play has not begun."


PLAYS_AGAIN = "The host is playing again, and the table is open."


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
        self._table = ""  # what our person calls it
        self._code = station.settings.code
        self._lobby: JoinerLobby | None = None
        self._begun: Begun | None = None
        self._has_come_back = False  # the host of the next game has heard of us
        self._has_given_up = False  # our person wants no table any more
        self._early = Early()  # what came of the next lobby while we still played, or of the game

    async def run(self) -> Outcome:
        """Until our person, or the host, wants no other game."""
        self._station.may_link = self._is_fellow
        outcome: Outcome | None = None
        is_back = False  # at a table that did not begin, or has ended a game
        while True:
            try:
                begun = await (self._come_back() if is_back else self._arrive())
            except P2PJongError as ended:
                if outcome is None:
                    raise
                # The game that was played counts; of the next one there is only to say why not.
                self._front.say(ended.message)
                return outcome
            table = GameTable(
                self._station, self._front, begun.draft, begun.addresses, self._outside
            )
            announcer = Announcer(self._announcement(begun.draft), self._settings.bind or None)
            await announcer.start()
            try:
                outcome = await table.play(self._settings.record)
            except NoTable as none:
                is_back = self._host in self._station.mesh.linked() - table.missing
                if not is_back and outcome is None:
                    raise
                self._front.say(none.message)
                if outcome is not None and not is_back:
                    return outcome
                continue
            finally:
                await announcer.close()
            is_back = True
            if outcome.has_left or not await self._is_another_wanted(table.gone):
                self._station.mesh.send(self._host, bye())
                return outcome

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

    async def _arrive(self) -> Begun:
        """From looking for a table to the start of its game.

        A table that was chosen from a list may have closed by then: our person chooses again.
        """
        if self._settings.connect:
            where = parse_address(self._settings.connect)
            self._table = f"the table at {where}"
            return await self._come_to((where,), None)
        has_chosen = False
        while True:
            table, has_chosen = await self._find_table(has_chosen)
            self._table = clean_name(table.name)
            try:
                return await self._come_to(table.addresses, table.fingerprint)
            except P2PJongError as error:
                if self._has_given_up or not (has_chosen and self._may_choose_again(error)):
                    raise
                self._front.say(error.message)
            if self._host:
                await self._hang_up()

    def _may_choose_again(self, error: P2PJongError) -> bool:
        is_at_a_table = self._lobby is not None and self._lobby.state is not None
        return not is_at_a_table and error.code != Exit.FAULT

    async def _come_to(self, where: tuple[Address, ...], expected: str | None) -> Begun:
        """From the addresses of a host to the start of its game."""
        self._where, self._host, self._lobby = where, b"", None
        async with told_if_long(self._front, f"Connecting to {self._table}"):
            self._host = await self._station.mesh.connect(where, expected)
        return await self._come_in()

    async def _find_table(self, must_choose: bool) -> tuple[FoundTable, bool]:
        """The table to go to, and whether our person has chosen it."""
        friends = self._station.known.fingerprints()
        wanted = Wanted(self._settings.table, lambda table: table.fingerprint in friends)
        async with Search(self._station, self._front, wanted) as search:
            found = await search.run()
            tables = wanted.candidates(found)
            if not tables:
                raise nothing_found(self._settings.table, found, search.unreachable())
            if len(tables) == 1 and not must_choose:
                return tables[0], False
            return await self._pick(search, Choice(wanted)), True

    async def _pick(self, search: Search, choice: Choice) -> FoundTable:
        """The one that our person chooses, while tables come and go."""
        choice.update(search.found())
        asking = asyncio.ensure_future(self._front.pick_table(choice.offers()))
        following = asyncio.create_task(self._follow(search, choice))
        try:
            chosen = await asking
        finally:
            asking.cancel()
            following.cancel()
            await asyncio.gather(asking, following, return_exceptions=True)
        if chosen is None:
            raise Departure("you did not join a table")
        return choice.chosen(chosen)

    async def _follow(self, search: Search, choice: Choice) -> None:
        while True:
            search.changed.clear()
            before = choice.offers()
            choice.update(search.found())
            if choice.offers() != before:
                self._front.offers(choice.offers())
            await search.changed.wait()

    # --- The lobby ----------------------------------------------------------------------------

    async def _come_in(self) -> Begun:
        """From the link to the start; a private table asks for its code on the way."""
        try:
            return await self._sit_down(False)
        except CodeNeeded:
            return await self._try_codes()

    async def _try_codes(self) -> Begun:
        """Ask for the code; people err, so a wrong one is asked for again, but not for ever."""
        for guess in range(1, GUESSES_MAX + 1):
            # The host gives a link few seconds, and a person takes longer to type.
            await self._hang_up()
            code = await self._front.table_code()
            if code is None:
                self._has_given_up = True
                break
            self._code = code
            async with told_if_long(self._front, f"Connecting to {self._table}"):
                await self._station.mesh.connect(self._where, fingerprint(self._host))
            try:
                return await self._sit_down(False)
            except P2PJongError as error:
                if guess == GUESSES_MAX or error.code != Exit.WRONG_CODE:
                    raise
                self._front.say(error.message)
        raise Departure("you did not join a table")

    async def _come_back(self) -> Begun:
        """From the end of a game to the start of the next one."""
        self._front.say("Waiting for the host to open the table again; Ctrl-C leaves.")
        return await self._sit_down(True)

    async def _is_another_wanted(self, gone: set[bytes]) -> bool:
        """Ask our person for another game, as long as there is a host to play it with."""
        # A host whose link is down as the game ends was killed, or is out of reach.
        if self._host not in gone and self._station.mesh.link(self._host) is not None:
            if self._early.has_lobby():
                self._front.say(PLAYS_AGAIN)
            asking = asyncio.ensure_future(self._front.rematch())
            going = asyncio.ensure_future(self._host_goes())
            try:
                await asyncio.wait((asking, going), return_when=asyncio.FIRST_COMPLETED)
                if not going.done():
                    return asking.result()
            finally:
                asking.cancel()
                going.cancel()
                await asyncio.gather(asking, going, return_exceptions=True)
        self._front.say(f"The host has left {self._table}: there will be no other game.")
        return False

    async def _host_goes(self) -> None:
        """Returns when the host has said goodbye, or its link is down; keeps what else it says."""
        is_told = self._early.has_lobby()
        while True:
            event = await self._station.inbox.get()
            match event:
                case Down(self._host) | Heard(self._host, Bye() | Refused()):
                    return
                case Heard(self._host):
                    self._outside(event)
            if not is_told and self._early.has_lobby():
                is_told = True
                self._front.say(PLAYS_AGAIN)

    async def _hang_up(self) -> None:
        """Ends the link with the host, and sees it end: the next one is another."""
        self._station.mesh.drop(self._host, CloseCode.GOING)
        while self._station.mesh.link(self._host) is not None:
            await self._station.inbox.get()
        while not self._station.inbox.empty():
            self._station.inbox.get_nowait()

    async def _sit_down(self, is_rematch: bool) -> Begun:
        settings = self._settings
        self._lobby = JoinerLobby(
            self._station.key,
            self._host,
            GAMES,
            secrets.token_bytes(32),
            settings.is_bot,
            settings.is_oldest,
        )
        self._begun = None
        self._has_come_back = False
        if not is_rematch:
            if self._code:
                async with told_if_long(self._front, f"Checking the code with {self._table}"):
                    await show_code(self._station, self._host, self._code, self._table)
            self._ask_for_a_seat()
        async with Room(self._station, self._front, lambda: NOTHING_LOST) as room:
            for heard in self._early.take():
                self._on_event(room, heard, is_rematch)
            async with told_if_long(self._front, f"Asking {self._table} for a seat"):
                while self._begun is None and self._lobby.state is None and not is_rematch:
                    self._on_room_event(room, await self._next(room, is_rematch), is_rematch)
            while self._begun is None:
                self._on_room_event(room, await self._next(room, is_rematch), is_rematch)
        for heard in self._early.take():
            self._station.inbox.put_nowait(heard)
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

    def _on_room_event(self, room: Room, event: NetEvent | LobbyCommand, is_rematch: bool) -> None:
        if isinstance(event, NetEvent):
            self._on_event(room, event, is_rematch)
        elif isinstance(event, SetReady):
            self._say_ready(event)
        elif isinstance(event, Leave):
            self._station.mesh.send(self._host, bye())
            self._has_given_up = True
            raise Departure(f"you left {self._table} before the game")
        else:
            self._front.say("only the host may do that")

    def _say_ready(self, wish: SetReady) -> None:
        lobby = self._lobby
        if lobby is None or lobby.state is None:
            self._front.say("the host has not opened the table yet")
        elif wish.shown not in ("", lobby.shown.hex()):
            self._front.say(HAS_CHANGED)
        elif not (wish.is_ready and lobby.ready_for is not None):  # what is said is said
            self._station.mesh.send(self._host, encode(lobby.ready(wish.is_ready)))

    def _on_event(self, room: Room, event: NetEvent, is_rematch: bool) -> None:
        if event.key != self._host:
            # A fellow began a little earlier: what it says of the table is for the game.
            if isinstance(event, Heard) and not isinstance(event.message, LobbyMessage):
                self._keep_early(event)
            return
        match event:
            case Down(_, reason):
                raise turned_away.gone(reason)
            case Heard(_, message) if isinstance(message, LobbyMessage):
                self._on_message(room, message, is_rematch)
            case Heard():
                self._keep_early(event)

    def _keep_early(self, heard: Heard) -> None:
        if not self._early.keep(heard):
            self._station.refuse(heard.key, "sends more than can wait for its time")

    def _on_message(self, room: Room, message: LobbyMessage, is_rematch: bool) -> None:
        assert self._lobby is not None
        try:
            effects = self._lobby.receive(message)
        except LobbyClosed as closed:
            if isinstance(message, Begin):
                # The others have begun, and must not wait for us.
                self._station.mesh.send(self._host, bye())
            if is_rematch and self._lobby.state is None and closed.reason == "closed":
                closed = LobbyClosed("no-rematch", closed.text)
            refused = turned_away.refused(closed, self._table)
            if closed.reason == "code" and not self._code:
                raise CodeNeeded(refused.message, refused.hint, refused.code) from closed
            raise refused from closed
        for effect in effects:
            if isinstance(effect, Changed) and self._lobby.state is not None:
                if is_rematch and not self._has_come_back:
                    self._has_come_back = True
                    self._say_ready(
                        SetReady(False)
                    )  # its first word tells the host who plays again
                self._table = clean_name(self._lobby.state.name)
                room.show(self._lobby.state)
            elif isinstance(effect, Begun):
                self._begun = effect

    def _outside(self, event: NetEvent) -> None:
        """In the game: what the host says of the next lobby waits for its time."""
        if not isinstance(event, Heard) or event.key != self._host:
            return
        if isinstance(event.message, LobbyState | Begin | Refused | Bye):
            self._keep_early(event)
