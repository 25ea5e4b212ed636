"""One game at one table: from the draft to the outcome, on the links of a station."""

import asyncio
import datetime
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from p2pjong.app.driver import Driver
from p2pjong.app.new_file import unused
from p2pjong.app.pace import clocks_of, pace_of
from p2pjong.app.refinding import Refinding
from p2pjong.app.station import Down, Heard, NetEvent, Station, Up
from p2pjong.errors import Exit, P2PJongError
from p2pjong.front import Clocks, Front
from p2pjong.games import GAMES
from p2pjong.games.game import Seat
from p2pjong.net.address import Address, Dialable, is_loopback, without_zone
from p2pjong.net.identity import fingerprint
from p2pjong.session.charter import has_anyone_left, unsigned, unsigned_for_others
from p2pjong.session.conduct import Secrets
from p2pjong.session.effects import Finished, Left
from p2pjong.session.lobby_view import LobbySeat
from p2pjong.session.session import Session
from p2pjong.settings import Outcome, OutcomeFault, OutcomeSeat
from p2pjong.store.history import note
from p2pjong.store.journal import Journal
from p2pjong.store.kept import clear_finished, remove_journal
from p2pjong.store.record import write_record
from p2pjong.wire.codec import encode
from p2pjong.wire.handshake import CloseCode
from p2pjong.wire.messages import Bye, Draft, PeerAddress, SeatEntry, TableMessage
from p2pjong.wire.names import clean_name

log = logging.getLogger(__name__)

Addresses = Sequence[Sequence[PeerAddress]]

JOURNALS_KEPT = 20  # of games that are over: their records can still be written
CHARTER_MIN_S = 30.0  # so long at least all may take to sign it; a longer --grace is for this, too
TABLE_DIGITS = 8  # of a table's number, for who must name it
LOOK_S = 0.25
BYE_S = 2.0  # what was sent before a goodbye, by another way, may come after it


class NoTable(P2PJongError):
    """Not all have signed the charter: there was no game, and nothing is lost."""


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
        self.gone: set[bytes] = set()  # who said goodbye, left, was voted absent, or cheated
        self.byes: set[bytes] = set()  # those of them that said goodbye
        self.missing: frozenset[bytes] = frozenset()  # for want of whom there was no table
        self.companions: frozenset[bytes] = frozenset()  # our own bots, which leave as we do
        self.on_leave: Callable[[], None] = lambda: None
        self._said_goodbye = asyncio.Event()
        self._missing: tuple[Seat, ...] | None = None  # whom we waited for in vain

    async def play(self, record: Path | None) -> Outcome:
        """To the end of the game; raises P2PJongError when the disk fails."""
        station, draft = self._station, self._draft
        path = station.settings.home / "tables" / f"{draft.table.hex()}.sqlite"
        seed = secrets.token_bytes(32)
        journal = self._begin_journal(path, seed)
        try:
            ended = await self._play(record, journal, seed)
        finally:
            journal.close()
            if self._missing is not None:
                remove_journal(path)  # there was no game
        self._clear_up(ended, path)
        return ended

    async def _play(self, record: Path | None, journal: Journal, seed: bytes) -> Outcome:
        self._front.seated(lobby_seats(self._draft), self.me)
        self._expect_all()
        own = Secrets(self.me, self._station.identity.sign, seed)
        finished, has_left = await self._drive(journal, own)
        journal.finish(finished.digest)
        if self._missing is not None:
            raise self._no_table(self._missing)
        failure = self._write_record(record, journal) if record else None
        self._remember()
        return replace(outcome(self._draft, finished), has_left=has_left, failure=failure)

    def _clear_up(self, ended: Outcome, path: Path) -> None:
        """The game is over: how it came out is kept, and of journals the newest; a bot's is not."""
        settings = self._station.settings
        if settings.role == "bot":
            if ended.failure is None:  # else its record can be written later
                remove_journal(path)
            return
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        try:
            note(settings.home, {"ended": now, "seat": self.me, **ended.as_json()})
        except P2PJongError as error:
            log.warning("%s", error.message)  # no reason to end otherwise
            return
        clear_finished(settings.home, JOURNALS_KEPT)

    def _begin_journal(self, path: Path, seed: bytes) -> Journal:
        """Before anything is signed; who cannot keep it says so, or the others would wait."""
        try:
            journal = Journal(path)
            journal.begin(self._draft, self.me, seed)
        except P2PJongError:
            for key in self._station.mesh.linked():
                self._station.mesh.send(key, bye())
            raise
        return journal

    def _write_record(self, record: Path, journal: Journal) -> P2PJongError | None:
        """Why it could not be written, if so: that is no reason not to play again."""
        try:
            record = unused(record)  # the name is taken by the game before, or since then
            write_record(record, self._draft, journal.frames())
        except P2PJongError as error:
            later = f"p2pjong record {self._draft.table.hex()[:TABLE_DIGITS]} FILE"
            hint = f"{error.hint}; from the journal of the game it can be written later: {later}"
            self._front.say(f"{error.message[0].upper()}{error.message[1:]}")
            return P2PJongError(error.message, hint, error.code)
        self._front.say(f"The record of this game is {record}")
        return None

    def _expect_all(self) -> None:
        seats = zip(self._links.keys, self._addresses, strict=True)
        self._station.mesh.expect(
            {
                key: dialable(where, Dialable.here(self._is_met_on_loopback(key)))
                for key, where in seats
                if key != self._station.key
            }
        )

    def _is_met_on_loopback(self, key: bytes) -> bool:
        """Whether this seat, or else whoever told us of it, reaches us within this machine."""
        mesh = self._station.mesh
        links = [link for one in (key, *self._links.keys) if (link := mesh.link(one)) is not None]
        return bool(links) and is_loopback(links[0].address.host)

    async def _drive(self, journal: Journal, own: Secrets) -> tuple[Finished, bool]:
        """How the game ended, and whether our seat had left it by then."""
        session = self._open_session(own)
        people = people_near(self._draft, self.me, self.companions)
        clocks = clocks_of(self._draft.options, people)
        pace = pace_of(self._station.settings, clocks, people)
        session.resting.is_wanted = pace.pause_s > 0
        driver = Driver(session, journal, self._front, self._links, clocks, pace=pace)
        driver.companions = frozenset(
            seat for key, seat in self._links.seats.items() if key in self.companions
        )
        driver.on_leave = self.on_leave
        chores = [
            asyncio.create_task(self._relay(driver)),
            asyncio.create_task(self._go_when_told(driver)),
            asyncio.create_task(Refinding(self._station, lambda: self._missing_of(session)).run()),
            asyncio.create_task(self._wait_for_charter(driver, session, clocks)),
        ]
        try:
            finished = await driver.run()
            if driver.has_run_out:
                with suppress(P2PJongError):  # there may be no room for this, too
                    journal.finish(finished.digest)
                raise _run_out(journal.path.parent)
            self._find_missing(session, driver.has_left)
            gone = [seat for seat in self._links.seats.values() if is_out(session, seat)]
            self.gone |= {self._links.keys[seat] for seat in gone if seat != self.me}
            return finished, driver.has_left
        finally:
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)

    def _missing_of(self, session: Session) -> set[bytes]:
        """Whom we cannot reach, of those who are still in the game."""
        present = {self._links.keys[seat] for seat in session.play.present()}
        return present - self._station.mesh.linked() - self.gone - {self._station.key}

    async def _go_when_told(self, driver: Driver) -> None:
        await self._station.going.told()
        self._front.show(Left(self.me))
        driver.leave()

    async def _wait_for_charter(self, driver: Driver, session: Session, clocks: Clocks) -> None:
        """Until the charter is signed nobody can be voted absent: who waits in vain goes.

        So does who holds it, where others went without: either there is a table for all, or none.
        """
        until_s = asyncio.get_running_loop().time() + max(CHARTER_MIN_S, clocks.grace_s)
        is_broken_off = False
        while session.charter is None and asyncio.get_running_loop().time() < until_s:
            is_broken_off = self._said_goodbye.is_set() or has_anyone_left(session.lanes)
            if is_broken_off:
                break
            await asyncio.sleep(LOOK_S)
        if is_broken_off:
            await asyncio.sleep(BYE_S)
        if session.charter is None and not session.is_over and not driver.has_left:
            self._missing = session.course.missing()
            driver.leave()
        while not (session.is_over or driver.has_left or session.play.results_closed()):
            await asyncio.sleep(LOOK_S)
            if missing := unsigned_for_others(session.lanes, self.me):
                self._missing = missing
                driver.leave()

    def _find_missing(self, session: Session, has_left: bool) -> None:
        """Whether there was no table at all, and for want of whom."""
        if self._missing is None and session.charter is None and not has_left:
            self._missing = unsigned(session.lanes, self.me)
        if self._missing is not None:
            self.missing = frozenset(self._links.keys[seat] for seat in self._missing)

    def _no_table(self, missing: Sequence[Seat]) -> NoTable:
        names = [clean_name(self._draft.seats[seat].name) for seat in missing if seat != self.me]
        why = f"{' and '.join(names) or 'somebody'} did not answer in time"
        if missing and not names:
            why = "your answer did not reach the others in time"
        return NoTable(
            f"the game did not begin: {why}",
            "open the table or join it again: nothing is lost",
            Exit.NO_CONNECTION,
        )

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
                case Heard(_, message, size_bytes) if isinstance(message, TableMessage):
                    driver.on_message(seat, message, size_bytes)
                case Heard(key, Bye()):
                    self.gone.add(key)
                    self.byes.add(key)
                    self._said_goodbye.set()
                case _:
                    self._outside(event)

    def _remember(self) -> None:
        today = datetime.date.today().isoformat()
        for seat, entry in enumerate(self._draft.seats):
            if seat != self.me:
                self._remember_one(entry, today)

    def _remember_one(self, entry: SeatEntry, today: str) -> None:
        try:
            self._station.known.remember(entry.name, entry.key, entry.is_bot, today)
        except P2PJongError as error:
            # It costs a warning some day; it must not cost the game.
            log.warning(
                "the players of this game will not be recognised next time: %s", error.message
            )


def _run_out(folder: Path) -> P2PJongError:
    return P2PJongError(
        "the disk is full: the game could not be saved, so your seat left it",
        f"free some space on the disk of {folder}, or choose another place with --home",
        Exit.STORAGE,
    )


def is_out(session: Session, seat: Seat) -> bool:
    """Whether a seat is in the game no more: it left, cheated, or was voted absent."""
    is_turned_out = session.course.is_closed(seat) or seat in session.turning.out
    return is_turned_out or seat not in session.play.present()


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


def people_near(draft: Draft, me: Seat, ours: frozenset[bytes]) -> int:
    """How many people there may be at the table, as far as our seat knows.

    For who is a person itself, every seat is one but the bots that we have started: that a seat
    says it is a bot costs nothing, and must not make our own answers tell.
    """
    people = sum(not entry.is_bot for entry in draft.seats)
    if draft.seats[me].is_bot:
        return people
    return sum(entry.key not in ours for entry in draft.seats)


def outcome(draft: Draft, finished: Finished) -> Outcome:
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
    )


def dialable(where: Sequence[PeerAddress], may: Dialable) -> list[Address]:
    """What others say of where a seat listens, as we dial it."""
    # A zone is of whoever tells it: ours are put in when we dial.
    return [without_zone(Address(one.host, one.port)) for one in where if may.told(one.host)]


def bye() -> bytes:
    """The frame of who goes in order."""
    return encode(Bye())
