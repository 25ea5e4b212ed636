"""The host's way: open a table, gather, play, and again. After the start it is a peer like any."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from p2pjong.app.children import BotProcesses
from p2pjong.app.game_table import GameTable, NoTable, bye
from p2pjong.app.lobby_room import Room
from p2pjong.app.private import Doorway
from p2pjong.app.station import Down, Heard, NetEvent, Station, Up
from p2pjong.app.waiting_word import told_if_long
from p2pjong.errors import Departure
from p2pjong.front import Front
from p2pjong.games import GAMES
from p2pjong.net.address import Address, origin_of, own_addresses
from p2pjong.net.discovery import Announcement, Announcer
from p2pjong.session.lobby import (
    REFUSALS,
    Begun,
    Changed,
    Drop,
    Guest,
    Hint,
    HostLobby,
    LobbyEffect,
    Prove,
    Tell,
    refuse,
)
from p2pjong.session.lobby_view import Leave, LobbyCommand, Remove
from p2pjong.settings import Outcome, PeerSettings
from p2pjong.wire.codec import encode
from p2pjong.wire.handshake import CloseCode
from p2pjong.wire.messages import (
    Bye,
    CodeProof,
    CodeStart,
    Draft,
    Join,
    LobbyMessage,
    PeerAddress,
    Ready,
    Refused,
    TableOptions,
)
from p2pjong.wire.names import clean_name

JOIN_WITHIN_S = 10.0  # a linked stranger that asks for nothing is sent away
ANSWER_WITHIN_S = 2.0  # on a LAN an answer takes milliseconds
WATCH_S = 2.0  # so often it is looked whether this machine has other addresses
WAITING_MAX = 8  # such strangers at once; with seven guests one link is free for who comes next
OUTDATED_MAX = 8  # addresses of which it is told that another version came from there


def who_gives_way(waiting: Mapping[bytes, str]) -> bytes:
    """Of strangers without a seat, the longest first, with their addresses: whose turn is over.

    The longest waiting one of the address that most of them come from: one address alone cannot
    take the turn of who comes from another.
    """
    crowds = Counter(waiting.values())
    most = max(crowds.values())
    return next(key for key, address in waiting.items() if crowds[address] == most)


class Host:
    """One host from the first lobby to the last rematch."""

    def __init__(self, station: Station, front: Front) -> None:
        self._station = station
        self._front = front
        self._settings = station.settings
        self._lobby = self._open_lobby()
        self._begun: Begun | None = None
        self._to_prove: Prove | None = None
        self._outdated: set[str] = set()  # addresses from which another version tried to join
        self._undecided: set[bytes] = set()  # who was asked for another game, and has not answered
        self._addresses: dict[bytes, str] = {}
        self._timers: dict[bytes, asyncio.TimerHandle] = {}
        # Strangers that have no seat yet, and their addresses, the longest waiting first.
        self._waiting: dict[bytes, str] = {}
        self._door = Doorway(station, self._settings.code) if self._settings.is_private else None
        self._announcer = Announcer(self._announcement(), self._settings.bind or None)
        self._bots = BotProcesses(self._settings, station.listener.port)

    def _open_lobby(self) -> HostLobby:
        settings, station = self._settings, self._station
        addresses = self._own_addresses()
        host = Guest(
            settings.name, station.key, settings.is_bot, settings.is_oldest, False, addresses
        )
        return HostLobby(
            table=secrets.token_bytes(16),
            name=settings.table,
            game=settings.game,
            options=table_options(settings),
            seats_total=settings.seats,
            seats_min=GAMES[settings.game].seats_min,
            host=host,
            proves_links=True,
        )

    def _own_addresses(self) -> tuple[PeerAddress, ...]:
        port, bind = self._station.listener.port, self._settings.bind or None
        return tuple(PeerAddress(one.host, one.port) for one in own_addresses(port, bind))

    def _follow_addresses(self) -> None:
        """This machine may have gone to another network: friends must hear where it is now."""
        if self._lobby.moved(self._own_addresses()):
            self._show()

    def _where(self) -> str:
        """What friends type who do not find the table."""
        addresses = self._lobby.host.addresses
        return str(Address(addresses[0].host, addresses[0].port)) if addresses else ""

    def _announcement(self) -> Announcement:
        lobby = self._lobby
        return Announcement(
            name=lobby.name,
            table_id=lobby.table,
            game=lobby.game,
            seats=lobby.seats_total,
            free_seats=lobby.seats_free,
            code_needed=self._door is not None,
            fingerprint=self._station.identity.fingerprint,
            port=self._station.listener.port,
            is_playing=lobby.has_begun,
        )

    async def run(self) -> Outcome:
        """Until nobody wants another game."""
        self._station.may_link = lambda key: True
        self._station.is_gathering = True
        self._station.tell_other_version = self._tell_other_version
        async with told_if_long(self._front, "Announcing the table"):
            await self._announcer.start()
        try:
            for key in self._bots.identities():
                if self._door:
                    self._door.admit(key)
            self._lobby.companions = frozenset(self._bots.identities())
            async with told_if_long(self._front, "Starting the bots"):
                await self._bots.start()
            return await self._games()
        finally:
            await self._announcer.close()
            await self._station.mesh.close()
            await self._bots.stop()

    async def _games(self) -> Outcome:
        outcome: Outcome | None = None
        while True:
            try:
                begun = await self._gather()
            except Departure as departure:
                if outcome is None:
                    raise
                self._front.say(departure.message)
                return outcome  # the game that was played counts
            await self._announcer.update(self._announcement())
            table = GameTable(
                self._station, self._front, begun.draft, begun.addresses, self._outside
            )
            table.companions = frozenset(self._bots.identities())
            table.on_leave = self._bots.dismiss
            self._hear_only(begun.draft)
            try:
                outcome = await table.play(self._settings.record)
            except NoTable as none:
                # Whoever signed is back in the lobby, without whoever did not.
                self._front.say(f"{none.message}; the lobby is open again")
                self._regather(table.byes | table.missing)
                continue
            is_alone = not self._station.mesh.linked() - table.gone
            if outcome.has_left or is_alone or not await self._front.rematch():
                self._say_bye()
                return outcome
            self._regather(table.gone)

    def _hear_only(self, draft: Draft) -> None:
        """The game has begun: who has no seat at it is told so, whatever it says."""
        seated = frozenset(entry.key for entry in draft.seats)
        told = encode(Refused("started", REFUSALS["started"]))
        self._station.answer_unheard = lambda key: None if key in seated else told
        for key in self._station.mesh.linked() - seated:
            self._station.turn_away(key)

    # --- Gathering ----------------------------------------------------------------------------

    async def _gather(self) -> Begun:
        async with Room(self._station, self._front, self._cost_of_closing) as room:
            self._room = room
            self._show()
            await self._announcer.update(self._announcement())
            while self._begun is None:
                try:
                    event = await room.next(WATCH_S)
                except TimeoutError:
                    self._follow_addresses()
                    continue
                if isinstance(event, NetEvent):
                    await self._on_event(event)
                elif isinstance(event, Leave):
                    self._carry_out(self._lobby.close())
                    raise Departure(f"you closed {self._lobby.name}")
                else:
                    await self._on_command(event)
                await self._prove_links()
        begun, self._begun = self._begun, None
        return begun

    async def _prove_links(self) -> None:
        """All are ready: whoever does not answer now would keep all others waiting."""
        while self._to_prove is not None:
            asked, self._to_prove = self._to_prove, None
            silent = await self._station.mesh.silent(asked.keys, ANSWER_WITHIN_S)
            self._carry_out(self._lobby.proved(asked.shown, silent))
            await self._announcer.update(self._announcement())

    def _cost_of_closing(self) -> str:
        own = set(self._bots.identities())
        waiting = [guest for guest in self._lobby.guests if guest.key not in own]
        if not waiting:
            return "The table closes. Nobody is waiting, and nothing is lost."
        people = sum(not guest.is_bot for guest in waiting)
        who = f"{people} waiting {'person' if people == 1 else 'people'}" if people else ""
        count = len(waiting) - people
        bots = f"{count} bot{'' if count == 1 else 's'}" if count else ""
        return f"The table closes for {' and '.join(filter(None, (who, bots)))}."

    async def _on_command(self, command: LobbyCommand) -> None:
        effects = self._lobby.command(command)
        self._carry_out(effects)
        if isinstance(command, Remove) and self._door:
            for removed in effects:
                if isinstance(removed, Drop):
                    self._carry_out(self._door.expel(removed.key))
        await self._announcer.update(self._announcement())

    async def _on_event(self, event: NetEvent) -> None:
        match event:
            case Up(key, address):
                self._addresses[key] = address.host
                self._expect_word(key, address.host)
                if self._door:
                    self._door.up(event)
            case Down(key):
                self._forget_timer(key)
                self._addresses.pop(key, None)
                if self._door:
                    self._carry_out(self._door.down(key))
                self._carry_out(self._lobby.gone(key))
            case Heard(key, message) if isinstance(message, CodeStart | CodeProof):
                await self._on_code(key, message)
            case Heard(key, message) if isinstance(message, Join | Ready | Bye):
                self._on_word(key, message)
        await self._announcer.update(self._announcement())

    async def _on_code(self, key: bytes, message: LobbyMessage) -> None:
        if self._door:
            self._carry_out(await self._door.hear(key, message))
            if self._door.admits(key):
                self._waiting.pop(key, None)
        else:
            # Whoever has a code looks for a private table, and must not take ours for it.
            self._carry_out(refuse(key, "code-none"))

    def _on_word(self, key: bytes, message: LobbyMessage) -> None:
        if isinstance(message, Join) and self._door and not self._door.admits(key):
            tell, _ = refuse(key, "code")
            self._carry_out([tell])
            # In order, and no reason to log: its person is asked, and it comes again.
            self._station.mesh.drop(key, CloseCode.GOING)
            return
        where = self._addresses.get(key)
        if isinstance(message, Ready):
            self._tell_return(key)
        self._carry_out(self._lobby.receive(key, message, [where] if where else []))
        if self._lobby.has_seat(key):
            self._forget_timer(key)

    def _tell_return(self, key: bytes) -> None:
        """The first word of who sat at the game before: its person has said yes to another."""
        if key not in self._undecided:
            return
        self._undecided.discard(key)
        for guest in self._lobby.guests:
            if guest.key == key and not guest.is_bot:
                self._front.say(f"{clean_name(guest.name)} plays again")

    def _carry_out(self, effects: Iterable[LobbyEffect]) -> None:
        for effect in effects:
            match effect:
                case Tell(key, frame):
                    self._station.mesh.send(key, frame)
                case Drop(key):
                    self._station.mesh.drop(key, CloseCode.REFUSED)
                case Changed():
                    self._show()
                case Hint(text):
                    self._front.say(text)
                case Prove():
                    self._to_prove = effect
                case Begun():
                    self._begun = effect
                    self._station.is_gathering = False  # who has heard of it may begin at once

    def _show(self) -> None:
        code = self._door.code if self._door else ""
        own_bots = [key for key in self._bots.identities() if not self._lobby.has_seat(key)]
        has_room = self._lobby.seats_free > len(own_bots)
        self._room.show(self._lobby.state(), code, self._where() if has_room else "")

    def _tell_other_version(self, address: Address) -> None:
        """A friend whose program is older or newer is told so; else they would ask us why."""
        origin = origin_of(address.host)
        if self._begun or origin in self._outdated or len(self._outdated) >= OUTDATED_MAX:
            return  # told once of each address: a stranger is not to fill the screen
        self._outdated.add(origin)
        self._front.say(
            f"Somebody at {address.host} tried to join with another version of p2pjong; "
            "everyone needs the same."
        )

    def _expect_word(self, key: bytes, address: str) -> None:
        self._forget_timer(key)
        loop = asyncio.get_running_loop()
        self._timers[key] = loop.call_later(
            JOIN_WITHIN_S, self._station.mesh.drop, key, CloseCode.TIMEOUT
        )
        if self._door and self._door.admits(key):
            return  # a friend, or one of our bots: nobody takes its place
        self._waiting[key] = origin_of(address)
        if len(self._waiting) > WAITING_MAX:
            # Who means to join asks at once, and who knows the code shows it: or a crowd that only
            # links, or begins checks and goes on with none, would keep friends out.
            turned_out = who_gives_way(self._waiting)
            self._forget_timer(turned_out)
            self._station.mesh.drop(turned_out, CloseCode.TIMEOUT)

    def _forget_timer(self, key: bytes) -> None:
        self._waiting.pop(key, None)
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()

    # --- While the game is on -----------------------------------------------------------------

    def _outside(self, event: NetEvent) -> None:
        """Somebody without a seat: tell it why there is none."""
        match event:
            case Up(key, address):
                self._expect_word(key, address.host)
                if self._door:
                    self._door.up(event)
            case Down(key):
                self._forget_timer(key)
                if self._door:
                    self._carry_out_quietly(self._door.down(key))
            case Heard(key, Join() | CodeStart()):
                self._forget_timer(key)
                self._carry_out(refuse(key, "started"))

    def _regather(self, gone: Iterable[bytes]) -> None:
        self._station.answer_unheard = lambda key: None
        self._station.is_gathering = True
        left = set(gone)
        keys = [key for key in self._station.mesh.linked() if key not in left]
        self._station.mesh.expect({})
        self._undecided = set(keys)
        self._carry_out_quietly(self._lobby.reopen(secrets.token_bytes(16), keys))

    def _carry_out_quietly(self, effects: Sequence[LobbyEffect]) -> None:
        self._carry_out([effect for effect in effects if not isinstance(effect, Changed)])

    def _say_bye(self) -> None:
        for key in self._station.mesh.linked():
            self._station.mesh.send(key, bye())


def table_options(settings: PeerSettings) -> TableOptions:
    """The options of a table as they go into its draft."""
    return TableOptions(
        target=settings.target,
        rounds=settings.rounds,
        clock_ms=round(settings.clock_s * 1000),
        window_ms=round(settings.window_s * 1000),
        grace_ms=round(settings.grace_s * 1000),
        is_open_books=settings.is_open_books,
    )
