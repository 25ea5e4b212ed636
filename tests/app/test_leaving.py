"""Leaving a table: the leave is signed and sent, and nobody has to wait for it.

The driver runs on a virtual clock, with the others' sessions at the far ends of its links.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app import driver as module
from p2pjong.app.driver import LEAVE_S, LINGER_TICK_S, Driver
from p2pjong.app.going import Going
from p2pjong.app.parent import PARENT_VARIABLE
from p2pjong.app.peer import run_peer
from p2pjong.errors import Exit
from p2pjong.front import Clocks, Parted, Shown
from p2pjong.games.game import Seat
from p2pjong.session.effects import Effect, Finished, Left, Send, VotedOut, Words
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Lane, LaneBody, Leave, TableMessage
from tests.support.marks import first_quick
from tests.support.peers import (
    BIND,
    ScriptedFront,
    free_port,
    front,
    host_settings,
    join_settings,
    start_host,
)
from tests.support.sim import begun_by, make_session, tiny_draft
from tests.support.virtual_clock import run_virtually

ME: Seat = 0
NO_CLOCKS = Clocks(clock_s=0.0, window_s=0.0, grace_s=60.0)


class AtOnce(Executor):
    """In place of the worker thread: on a virtual clock nothing may take time by itself."""

    def __init__(self, *_: object) -> None:
        pass

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(call(*args, **named))
        except BaseException as error:
            done.set_exception(error)
        return done


@dataclass
class FarEnds:
    """The others' sessions, linked with the driver and with each other; and its journal.

    `are_deaf`: from then on they hear nothing, though their links are up.
    """

    sessions: dict[Seat, Session]
    driver: Driver | None = None
    are_deaf: bool = False
    has_run_out: bool = False
    done: list[tuple[str, bytes]] = field(default_factory=list)
    seen: list[Effect] = field(default_factory=list)  # by all of them

    def send(self, seat: Seat, frame: bytes) -> None:
        self.done.append((f"sent to {seat}", frame))
        self._later(ME, seat, frame)

    def linked(self) -> set[Seat]:
        return set(self.sessions)

    def fail(self, seat: Seat, reason: str) -> None:
        raise AssertionError(reason)

    def append(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        self.done += [("stored", frame) for _, _, frame in rows]

    def keep(self, seed: bytes) -> None:
        pass

    def begin(self) -> None:
        for seat, session in self.sessions.items():
            self._carry_out(seat, session.begin())
            for other in (ME, *self.sessions):
                if other != seat:
                    self._carry_out(seat, session.linked(other))

    def _later(self, sender: Seat, to: Seat, frame: bytes) -> None:
        asyncio.get_running_loop().call_soon(self._deliver, sender, to, frame)

    def _deliver(self, sender: Seat, to: Seat, frame: bytes) -> None:
        message: TableMessage = decode(frame, TableMessage)
        if to == ME:
            assert self.driver is not None
            self.driver.on_message(sender, message)
        elif not self.are_deaf:
            self._carry_out(to, self.sessions[to].receive(sender, message))

    def _carry_out(self, seat: Seat, effects: Iterable[Effect]) -> None:
        self.seen += effects
        for effect in effects:
            if isinstance(effect, Send):
                others = {ME, *self.sessions} - {seat}
                for to in others if effect.to is None else {effect.to}:
                    self._later(seat, to, effect.frame)


def is_leave(frame: bytes) -> bool:
    """Whether this frame is our signed leave."""
    message: TableMessage = decode(frame, TableMessage)
    if not isinstance(message, Lane):
        return False
    body = decode(message.body, LaneBody)
    return body.seat == ME and isinstance(body.payload, Leave)


def leaving(seats: int, are_deaf: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """A table in play that our seat leaves: how long that took, the far ends, and our front."""
    monkeypatch.setattr(module, "ThreadPoolExecutor", AtOnce)
    # Whoever is asked when we leave: of two the other, who then need not think; else we ourselves.
    draft = begun_by(ME if seats > 2 else 1, seats, target=9)
    ends = FarEnds({seat: make_session(draft, seat) for seat in range(1, seats)})
    base = front()
    person = ScriptedFront(strategy=base.strategy, rng=base.rng, write=base.write)
    person.is_free = asyncio.Event()  # it thinks for ever

    async def scene() -> float:
        loop = asyncio.get_running_loop()
        own: Any = ends
        ends.driver = Driver(make_session(draft, ME), own, person, own, NO_CLOCKS)
        running = asyncio.create_task(ends.driver.run())
        await asyncio.sleep(0)
        ends.begin()
        await asyncio.sleep(20)
        assert not running.done()
        ends.are_deaf, left_at_s = are_deaf, loop.time()
        ends.done.clear()
        ends.driver.leave()
        await running
        return loop.time() - left_at_s

    return run_virtually(scene()), ends, person


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_leaving_takes_a_second_at_most_though_nobody_answers(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    took_s, ends, person = leaving(seats, True, monkeypatch)
    assert took_s <= LEAVE_S + LINGER_TICK_S
    leaves = [what for what, frame in ends.done if is_leave(frame)]
    assert leaves[0] == "stored", "signed, and on the disk before it is sent"
    assert {*leaves[1:]} == {f"sent to {seat}" for seat in range(1, seats)}
    assert isinstance(person.shown[-1], Finished)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_is_known_to_have_left_goes_at_once(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    took_s, ends, _ = leaving(seats, False, monkeypatch)
    assert took_s < LEAVE_S / 2
    told = [effect for effect in ends.seen if isinstance(effect, Left)]
    assert told == [Left(ME)] * (seats - 1), "all others have heard it by its own word"


@pytest.mark.parametrize(("seats", "others"), [(2, 0), (3, 2), (4, 3)])
def test_who_leaves_is_told_how_it_stands_and_who_goes_on(
    seats: int, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ends, person = leaving(seats, False, monkeypatch)
    assert [one for one in person.shown if isinstance(one, Parted)] == [Parted(others)]
    finished = person.shown[-1]
    assert isinstance(finished, Finished)
    standing = ends.sessions[1].standing()
    assert (finished.over.scores, finished.over.hands) == (standing.scores, standing.hands)


class Wavering(ScriptedFront):
    """A person who is asked whether to leave, and never says."""

    ended_s: float = 0.0  # when the question was taken back
    finished_s: float = 0.0

    async def interrupted(self) -> None:
        pass

    async def confirm_leave(self, cost: str) -> str:
        try:
            return await super().confirm_leave(await asyncio.get_running_loop().create_future())
        finally:
            self.ended_s = asyncio.get_running_loop().time()

    def show(self, effect: Shown) -> None:
        super().show(effect)
        if isinstance(effect, Finished):
            self.finished_s = asyncio.get_running_loop().time()


def test_when_the_game_is_over_nobody_is_asked_whether_to_leave_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though we stay for some seconds more, for those who lack what we have."""
    monkeypatch.setattr(module, "ThreadPoolExecutor", AtOnce)
    draft = tiny_draft(2, target=9)
    ends = FarEnds({1: make_session(draft, 1)})
    base = front()
    person = Wavering(strategy=base.strategy, rng=base.rng, write=base.write)
    person.is_free = asyncio.Event()

    async def scene() -> float:
        own: Any = ends
        ends.driver = Driver(make_session(draft, ME), own, person, own, NO_CLOCKS)
        running = asyncio.create_task(ends.driver.run())
        await asyncio.sleep(0)
        ends.begin()
        await asyncio.sleep(20)
        ends.are_deaf = True
        ends._carry_out(1, ends.sessions[1].leave())
        await running
        return asyncio.get_running_loop().time()

    over_s = run_virtually(scene())
    assert person.ended_s == person.finished_s < over_s


# --- Told to go ---------------------------------------------------------------------------------

ENDS = ["its input ends", "SIGTERM", "SIGHUP", "SIGINT"]


@pytest.mark.slow
@pytest.mark.parametrize("how", first_quick(ENDS))
def test_a_bot_that_is_told_to_go_signs_its_leave_first(how: str, tmp_path: Path) -> None:
    """When its host's process ends, or the system ends it: nobody has to vote it absent."""

    async def scene() -> tuple[int, ScriptedFront]:
        port = free_port()
        host, guest = front(1), front(2)
        # Nobody chooses anything: what happens at the table happens because of the bot alone.
        host.is_free = guest.is_free = asyncio.Event()
        settings = host_settings(tmp_path, port=port, seats=3, target=100)
        hosting = await start_host(settings, host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        await host.until(lambda: len(host.lobbies[-1].seats) == 2)
        bot = await start_bot(tmp_path, port)
        await guest.until(lambda: any(isinstance(one, Words) for one in guest.shown))
        if how == "its input ends":
            assert bot.stdin is not None
            bot.stdin.close()
        else:
            bot.send_signal(getattr(signal, how))
        await guest.until(lambda: any(isinstance(one, Left) for one in guest.shown))
        code = await bot.wait()
        for task in (hosting, joining):
            task.cancel()
        await asyncio.gather(hosting, joining, return_exceptions=True)
        return code, guest

    code, guest = asyncio.run(scene())
    assert code == Exit.LEFT
    assert [one for one in guest.shown if isinstance(one, Left)] == [Left(2)]


async def start_bot(home: Path, port: int) -> asyncio.subprocess.Process:
    """A bot as a host starts it, at the table on this port of loopback."""
    command = ["bot", "--connect", f"{BIND}:{port}", "--bind", BIND, "--home", str(home / "bot")]
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "p2pjong", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        env=os.environ | {PARENT_VARIABLE: "stdin"},
    )


@pytest.mark.slow
def test_the_bots_of_a_host_that_leaves_sign_their_leaves_too(tmp_path: Path) -> None:
    """In the order of words: the host's leave, then theirs, and the game is over for who stays."""

    async def scene() -> tuple[Any, ScriptedFront]:
        port = free_port()
        host, guest = front(1, leaves_after=1), front(2)
        host.company = (guest,)
        settings = host_settings(tmp_path, port=port, seats=4, bots=2, target=100)
        hosting = await start_host(settings, host)
        joining = asyncio.create_task(run_peer(join_settings(tmp_path, port), guest))
        await hosting
        return await joining, guest

    outcome, guest = asyncio.run(scene())
    assert outcome.outcome == "abandoned" and outcome.fault is None
    gone = [one.seat for one in guest.shown if isinstance(one, Left)]
    me = next(seat for seat, own in enumerate(outcome.seats) if own.name == "guest")
    assert sorted(gone) == [seat for seat in range(4) if seat != me]
    assert not any(isinstance(one, VotedOut) for one in guest.shown)
    assert isinstance(guest.shown[-1], Finished)


def test_who_is_told_to_go_before_there_is_a_table_to_leave_goes_at_once() -> None:
    going = Going()
    assert not going.is_heeded

    async def scene() -> None:
        waiting = asyncio.create_task(going.told())
        await asyncio.sleep(0)
        assert going.is_heeded
        going.is_told.set()
        await waiting
        assert not going.is_heeded

    asyncio.run(scene())
