"""One game at one table: from the draft to the outcome, on the links of a station."""

import asyncio
import datetime
import ipaddress
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from p2pjong.app.driver import Driver, Pace
from p2pjong.app.station import Down, Heard, NetEvent, Station, Up
from p2pjong.errors import Exit, P2PJongError
from p2pjong.games import GAMES
from p2pjong.games.game import Seat
from p2pjong.net.address import Address
from p2pjong.net.identity import fingerprint
from p2pjong.session.conduct import Secrets
from p2pjong.session.effects import Finished
from p2pjong.session.lobby_view import LobbySeat
from p2pjong.session.session import Session
from p2pjong.settings import Outcome, OutcomeFault, OutcomeSeat
from p2pjong.store.journal import Journal
from p2pjong.store.record import write_record
from p2pjong.ui.front import Front
from p2pjong.wire.codec import encode
from p2pjong.wire.handshake import CloseCode
from p2pjong.wire.messages import Bye, Draft, PeerAddress, TableMessage
from p2pjong.wire.names import clean_name

Addresses = Sequence[Sequence[PeerAddress]]


class SeatLinks:
    """The mesh in seats, for the driver."""

    def __init__(self, station: Station, draft: Draft) -> None:
        self._mesh = station.mesh
        self.keys = [entry.key for entry in draft.seats]
        self.seats = {key: seat for seat, key in enumerate(self.keys)}

    def send(self, seat: Seat, frame: bytes) -> None:
        """Queue a frame; without a link it is dropped, and gossip brings it later."""
        self._mesh.send(self.keys[seat], frame)

    def linked(self) -> set[Seat]:
        """The seats linked now."""
        return {self.seats[key] for key in self._mesh.linked() if key in self.seats}

    def fail(self, seat: Seat, reason: str) -> None:
        """Close the link; the mesh dials an expected peer again."""
        self._mesh.drop(self.keys[seat], CloseCode.MALFORMED)


class GameTable:
    """Plays one game. `outside` hears what linked identities without a seat, or lobbies, say."""

    def __init__(
        self,
        station: Station,
        front: Front,
        draft: Draft,
        addresses: Addresses,
        outside: Callable[[NetEvent], None],
    ) -> None:
        self._station = station
        self._front = front
        self._draft = draft
        self._addresses = addresses
        self._outside = outside
        self._links = SeatLinks(station, draft)
        self.me = self._links.seats[station.key]
        self.gone: set[bytes] = set()  # who said goodbye

    async def play(self, record: Path | None) -> Outcome:
        """To the end of the game; raises P2PJongError when the disk fails."""
        station, draft = self._station, self._draft
        path = station.settings.home / "tables" / f"{draft.table.hex()}.sqlite"
        journal = Journal(path)
        try:
            seed = secrets.token_bytes(32)
            journal.begin(draft, self.me, seed)
            self._front.seated(lobby_seats(draft), self.me)
            self._expect_all()
            own = Secrets(self.me, station.identity.sign, seed)
            finished, has_left = await self._drive(journal, own)
            journal.finish(finished.digest)
            if record is not None:
                write_record(record, draft, journal.frames())
            self._remember()
            return replace(outcome(draft, finished, record), has_left=has_left)
        finally:
            journal.close()

    def _expect_all(self) -> None:
        seats = zip(self._links.keys, self._addresses, strict=True)
        self._station.mesh.expect(
            {
                key: [
                    Address(address.host, address.port)
                    for address in where
                    if is_literal(address.host)
                ]
                for key, where in seats
                if key != self._station.key
            }
        )

    async def _drive(self, journal: Journal, own: Secrets) -> tuple[Finished, bool]:
        """How the game ended, and whether our seat had left it by then."""
        session = self._open_session(own)
        people = sum(not entry.is_bot for entry in self._draft.seats)
        pace = Pace.of(self._draft.options, people)
        driver = Driver(session, journal, self._front, self._links, pace)
        relay = asyncio.create_task(self._relay(driver))
        try:
            return await driver.run(), driver.has_left
        finally:
            relay.cancel()
            await asyncio.gather(relay, return_exceptions=True)

    def _open_session(self, own: Secrets) -> Session:
        draft, is_checked = self._draft, self._station.settings.is_debug
        try:
            return Session(draft, GAMES[draft.game], own, is_checked)
        except ValueError as error:
            raise P2PJongError(
                f"the table's options do not fit its game: {error}",
                "its host may run another version of p2pjong: bring both to the same",
                Exit.MISMATCH,
            ) from error

    async def _relay(self, driver: Driver) -> None:
        """Sort the inbox: what seats say of the table to the driver, all else outside."""
        while True:
            event = await self._station.inbox.get()
            seat = self._links.seats.get(event.key)
            if seat is None:
                self._outside(event)
                continue
            match event:
                case Up():
                    driver.on_up(seat)
                case Down():
                    driver.on_down(seat)
                case Heard(_, message) if isinstance(message, TableMessage):
                    driver.on_message(seat, message)
                case Heard(key, Bye()):
                    self.gone.add(key)
                case _:
                    self._outside(event)

    def _remember(self) -> None:
        today = datetime.date.today().isoformat()
        for seat, entry in enumerate(self._draft.seats):
            if seat != self.me:
                self._station.known.remember(entry.name, entry.key, entry.is_bot, today)


def lobby_seats(draft: Draft) -> tuple[LobbySeat, ...]:
    """The charter's seats as people are shown them."""
    return tuple(
        LobbySeat(
            clean_name(entry.name),
            fingerprint(entry.key)[:9],
            is_bot=entry.is_bot,
            is_ready=True,
            is_host=seat == 0,
        )
        for seat, entry in enumerate(draft.seats)
    )


def outcome(draft: Draft, finished: Finished, record: Path | None) -> Outcome:
    """The end of a game as scripts and exit codes need it."""
    over, blame = finished.over, finished.fault
    return Outcome(
        game=draft.game,
        table=draft.name,
        outcome=over.outcome,  # type: ignore[arg-type]
        seats=tuple(OutcomeSeat(entry.name, entry.key.hex()) for entry in draft.seats),
        scores=over.scores,
        winners=over.winners,
        hands=over.hands,
        digest=finished.digest.hex(),
        fault=OutcomeFault(blame.seat, blame.rule, blame.message) if blame else None,
        record=record,
    )


def is_literal(host: str) -> bool:
    """Whether this is an IP address: nobody makes us look up, or dial, a name of their choosing."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def bye() -> bytes:
    """The frame of who goes in order."""
    return encode(Bye())
