"""The driver: runs one table's session, and is its only way to network, disk, clock and front.

Theory of operation. Everything that happens (a frame, a link up or down, a choice, a tick) is an
input in one queue. A single worker thread feeds them to the session, so arithmetic never blocks the
event loop and the session never sees two inputs at once. What the session asks to be stored is
synced to the journal in that thread before anything of the same batch is sent.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from p2pjong.app.fair_queue import FairQueue
from p2pjong.app.outbox import Outbox
from p2pjong.app.pace import (
    NO_PACE,
    Pace,
    answer_time_s,
    leaves_at_s,
    patience_s,
    timeout_s,
    waits_for_window,
)
from p2pjong.app.waiting_word import TELL_AFTER_S
from p2pjong.errors import P2PJongError
from p2pjong.front import LEAVE, Clocks, Front, Lingering, Linked, Parted, Stuck, TimeUp
from p2pjong.games import hand_of
from p2pjong.games.game import Action, IllegalAction, Seat
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Effect,
    Finished,
    Keep,
    Rest,
    Send,
    Store,
    Withdraw,
)
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.session import Session
from p2pjong.store.journal import Journal
from p2pjong.wire.messages import TableMessage

log = logging.getLogger(__name__)

TICK_S = 1.0
LINGER_S = 5.0
LEAVE_S = 1.0
LINGER_TICK_S = 0.1
BATCH_MAX = 16
# Of one seat, before its link is closed; a whole game, told to who comes back, fits.
WAITING_MAX = 4096
WAITING_BYTES_MAX = 16 << 20
RESTING = 0  # in the place of a question's number: those count from 1
REFUSALS_MAX = 50  # of one link, before it is closed


class Links(Protocol):
    """What the driver needs of the mesh, in seats."""

    def send(self, seat: Seat, frame: bytes) -> None:
        """Queue a frame for a linked seat; nothing happens if it is not linked."""

    def linked(self) -> set[Seat]:
        """The seats linked now."""

    def fail(self, seat: Seat, reason: str) -> None:
        """Close the link to a seat that sends what no client of ours sends."""


class Driver:
    """Runs one table to its end; `on_message`, `on_up` and `on_down` say what the links bring."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        front: Front,
        links: Links,
        clocks: Clocks,
        *,
        pace: Pace = NO_PACE,
    ) -> None:
        self._session = session
        self._journal = journal
        self._front = front
        self._links = links
        self._outbox = Outbox(self._send)
        self._has_spoken = False  # something of our own lane is in the batch
        self._clocks = clocks
        self._pace = pace
        # In turn: what links bring, each a source, and what comes from here.
        self._inputs: FairQueue[Callable[[], list[Effect]]] = FairQueue()
        self._answering: dict[int, asyncio.Task[None]] = {}
        self._refusals: dict[Seat, int] = {}
        self._finished: Finished | None = None
        self._awaiting = Awaiting((), "")
        self._since: dict[Seat, float] = {}  # since when the seats awaited now are awaited
        self._loop: asyncio.AbstractEventLoop | None = None
        self._have_links_changed = False
        self.has_left = False
        self.companions: frozenset[Seat] = frozenset()  # seats of ours that leave as we do
        self.on_leave: Callable[[], None] = lambda: None
        self._going: asyncio.Task[None] | None = None
        self._gone_by_s = 0.0  # once we have left: when we go, whatever the others know
        self.has_run_out = False  # our seat had to leave: the disk is full

    # --- What happens -------------------------------------------------------------------------

    def on_message(self, seat: Seat, message: TableMessage, size_bytes: int = 0) -> None:
        """A message of the table from a linked seat; who sends faster than we read is cut off."""
        if not self._inputs.has_room(seat, WAITING_MAX, WAITING_BYTES_MAX):
            self._links.fail(seat, "sends faster than it can be heard")
            return
        self._inputs.put_nowait(lambda: self._receive(seat, message), seat, size_bytes)

    def on_up(self, seat: Seat) -> None:
        """A link to a seat is up, or was replaced by a newer one."""
        self._inputs.put_nowait(lambda: self._session.linked(seat), seat)
        self._inputs.put_nowait(self._tell_links, seat)

    def on_down(self, seat: Seat) -> None:
        """The link to a seat is down."""
        self._inputs.put_nowait(lambda: self._session.unlinked(seat), seat)
        # After what the seat has said: who leaves in order is not told to be out of reach, too.
        self._inputs.put_nowait(self._tell_links, seat)

    def _tell_links(self) -> list[Effect]:
        """In the worker thread: the links are told of once what came before has been shown."""
        self._have_links_changed = True
        return []

    def _show_links(self) -> None:
        if self._have_links_changed and self._finished is None and not self.has_left:
            self._front.show(Linked(tuple(sorted(self._links.linked()))))
        self._have_links_changed = False

    def leave(self) -> None:
        """Our seat leaves for good: from here on nothing is asked or shown but the end."""
        if self.has_left or self._finished is not None:
            return
        self.has_left = True
        self._gone_by_s = asyncio.get_running_loop().time() + LEAVE_S
        self._withdraw_all()
        others = self._others()
        is_enough = others >= self._session.game.seats_min
        does_go_on = others == 0 or is_enough
        self._front.show(Parted(others if is_enough else 0))
        self._inputs.put_nowait(self._session.leave)
        self._going = asyncio.create_task(self._go(does_go_on))
        self.on_leave()

    def _withdraw_all(self) -> None:
        while self._answering:
            self._answering.popitem()[1].cancel()

    def _others(self) -> int:
        """How many seats are in the game besides ours and those that leave as we do."""
        return len({*self._session.play.present()} - {self._session.me} - self.companions)

    async def _go(self, does_go_on: bool) -> None:
        """Go once the others know that we left, or time is up.

        If our leaving ends the game we see that end, equal to the others'; if not, it ends here.
        """
        loop = asyncio.get_running_loop()
        while (left_s := self._gone_by_s - loop.time()) > 0:
            self._inputs.put_nowait(lambda: self._part(does_go_on))
            await asyncio.sleep(min(LINGER_TICK_S, left_s))
        self._inputs.put_nowait(self._session.abandon)

    def _part(self, does_go_on: bool) -> list[Effect]:
        """In the worker thread: the game ends for us if it goes on and all linked know we left."""
        if does_go_on and all(map(self._does_know_that_we_left, self._links.linked())):
            return self._session.abandon()
        return self._session.tick()

    def _does_know_that_we_left(self, seat: Seat) -> bool:
        """Whether that seat said that it holds our last word, or spoke in its knowledge."""
        session, me = self._session, self._session.me
        if seat in self.companions or session.gossip.holds(seat, session.lanes):
            return True
        said = session.lanes.accepted[seat]
        return bool(said) and said[-1].body.heads[me].length >= session.lanes.head(me).length

    # --- The loop -----------------------------------------------------------------------------

    async def run(self) -> Finished:
        """Play to the end; then stay until the others have what we have, or some seconds pass."""
        self._loop = asyncio.get_running_loop()
        self._front.show(self._clocks)
        self._inputs.put_nowait(self._session.begin)
        for seat in sorted(self._links.linked()):
            self.on_up(seat)
        ticking = asyncio.create_task(self._tick())
        asking = [
            asyncio.create_task(self._watch_breaks()),
            asyncio.create_task(self._watch_absence()),
        ]
        with ThreadPoolExecutor(1, "session") as thread:
            try:
                while self._finished is None:
                    await self._process(thread)
                await _cancel(asking)  # there is nothing to leave any more, and nobody to vote out
                await self._linger(thread)
            finally:
                going = [self._going] if self._going else []
                await _cancel([ticking, *asking, *going, *self._answering.values()])
        return self._finished

    async def _process(self, thread: ThreadPoolExecutor) -> None:
        batch = [await self._inputs.get()]
        while len(batch) < BATCH_MAX and not self._inputs.empty():
            batch.append(self._inputs.get_nowait())
        loop = asyncio.get_running_loop()
        # A question counts from here: how long it takes to be asked depends on the hand.
        opened_s = loop.time()
        effects = await loop.run_in_executor(thread, self._feed, batch)
        if self._has_spoken:
            self._outbox.release()  # what we say never waits
        self._carry_out(effects, opened_s)
        self._show_links()
        if self._journal.has_run_out and not self.has_left and self._finished is None:
            # What is not on the disk may not be sent, and there is room for our last word alone.
            # Without it the others would wait for us, and then vote.
            self.has_run_out = True
            self._front.say("The disk is full: your seat leaves, and the others are told so.")
            self.leave()

    def _feed(self, batch: Iterable[Callable[[], list[Effect]]]) -> list[Effect]:
        """In the worker thread: feed the session, and sync what it stores."""
        effects = [effect for step in batch for effect in step()]
        stores = [
            (effect.seat, effect.number, effect.frame)
            for effect in effects
            if isinstance(effect, Store)
        ]
        self._has_spoken = any(seat == self._session.me for seat, _, _ in stores)
        if stores:
            self._store(stores)
        for effect in effects:
            if isinstance(effect, Keep):
                self._journal.keep(effect.seed)
        return [effect for effect in effects if not isinstance(effect, Store | Keep)]

    def _store(self, stores: Sequence[tuple[Seat, int, bytes]]) -> None:
        try:
            self._journal.append(stores)
        except P2PJongError:
            # After our last word what others say need not be kept: nobody goes on from it here.
            if not self.has_run_out or any(seat == self._session.me for seat, _, _ in stores):
                raise

    def _receive(self, seat: Seat, message: TableMessage) -> list[Effect]:
        """In the worker thread: one message. What is refused costs its sender, never the game."""
        try:
            return self._session.receive(seat, message)
        except OtherTable as stale:
            log.debug("seat %d: dropped: %s", seat, stale)
        except Refusal as refusal:
            self._refusals[seat] = self._refusals.get(seat, 0) + 1
            log.info("seat %d: refused: %s", seat, refusal)
            if self._refusals[seat] > REFUSALS_MAX:
                self._fail(seat, "sent too much that had to be refused")
                self._refusals[seat] = 0
        return self._session.drain()

    def _fail(self, seat: Seat, reason: str) -> None:
        log.info("seat %d %s; link closed", seat, reason)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._links.fail, seat, reason)

    def _carry_out(self, effects: Iterable[Effect], opened_s: float) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._outbox.put(effect)
            elif self.has_left and not isinstance(effect, Finished):
                continue  # what goes on at the table we left is not ours any more
            elif isinstance(effect, Ask):
                self._answering[effect.question] = asyncio.create_task(
                    self._answer(effect, opened_s)
                )
            elif isinstance(effect, Rest):
                self._answering[RESTING] = asyncio.create_task(self._rest())
            elif isinstance(effect, Withdraw):
                task = self._answering.pop(effect.question, None)
                if task is not None:
                    task.cancel()
            elif not isinstance(effect, Store | Keep):
                if isinstance(effect, Finished):
                    self._finished = effect
                    self._withdraw_all()
                if isinstance(effect, Awaiting):
                    self._await(effect, opened_s)
                self._front.show(effect)

    def _await(self, effect: Awaiting, opened_s: float) -> None:
        """A seat is silent from when the table began to wait for it, whoever else it waits for."""
        if effect.is_answer and self._session.me in effect.seats and self._clocks.window_s:
            self._outbox.hold(opened_s, opened_s + answer_time_s(self._clocks))
        else:
            self._outbox.release()
        assert self._loop is not None
        now = self._loop.time()
        kept = self._since if effect.reason == self._awaiting.reason else {}
        self._since = {seat: kept.get(seat, now) for seat in effect.seats}
        self._awaiting = effect

    def _send(self, effect: Send) -> None:
        seats = self._links.linked() if effect.to is None else {effect.to}
        for seat in seats:
            self._links.send(seat, effect.frame)

    # --- Choices ------------------------------------------------------------------------------

    async def _answer(self, ask: Ask, opened_s: float) -> None:
        """Everything that takes its time by what our hand holds comes before the sleep."""
        loop = asyncio.get_running_loop()
        action = await self._choose(ask, opened_s)
        self._inputs.put_nowait(lambda: self._prepare(ask, action))
        leaves_s = leaves_at_s(
            self._clocks, self._pace.bot_s, ask, action, opened_s, now_s=loop.time()
        )
        await asyncio.sleep(max(0.0, leaves_s - loop.time()))
        self._answering.pop(ask.question, None)
        self._inputs.put_nowait(lambda: self._give(ask, action))

    async def _choose(self, ask: Ask, opened_s: float) -> Action:
        if len(ask.actions) == 1 and (ask.is_obvious or ask.is_answer):
            return ask.actions[0]
        limit_s = timeout_s(self._clocks, ask)
        action: Action | None = None
        try:
            async with asyncio.timeout_at(None if limit_s is None else opened_s + limit_s):
                action = await self._front.choose(ask, limit_s)
                while waits_for_window(self._clocks, ask, action):
                    action = await self._front.reconsider(ask, action)
        except TimeoutError:
            if action is None:
                self._front.show(TimeUp(ask, ask.default))
        return action or ask.default

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pace.pause_s):
                await self._front.next_hand(self._pace.pause_s)
        self._answering.pop(RESTING, None)
        self._inputs.put_nowait(self._session.go_on)

    def _prepare(self, ask: Ask, action: Action) -> list[Effect]:
        with contextlib.suppress(IllegalAction):  # told when it is given
            return self._session.prepare(ask.question, action)
        return []

    def _give(self, ask: Ask, action: Action) -> list[Effect]:
        try:
            return self._session.answer(ask.question, action)
        except IllegalAction as error:
            # A front offers only what the rules list, so this is a bot that made something up.
            log.warning("%s; the default is played", error)
            return self._session.answer(ask.question, ask.default)

    # --- Chores -------------------------------------------------------------------------------

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._inputs.put_nowait(self._session.tick)

    async def _watch_breaks(self) -> None:
        while not self.has_left:
            await self._front.interrupted()
            if await self._front.confirm_leave(self._cost_of_leaving()) == LEAVE:
                self.leave()

    async def _watch_absence(self) -> None:
        """Ask whether to vote a silent seat absent, or say why not; again when twice as long."""
        last: dict[tuple[Seat, float], float] = {}  # when a silence was spoken of last
        voted: set[tuple[Seat, float]] = set()
        loop = asyncio.get_running_loop()
        while not self.has_left:
            await asyncio.sleep(TICK_S)
            now = loop.time()
            silences = {
                silence for silence in self._since.items() if silence[0] != self._session.me
            }
            last = {silence: last.get(silence, silence[1]) for silence in silences}
            voted &= silences
            silent = [one for one in sorted(last) if self._is_silent(one, last[one], now)]
            if not silent:
                continue
            seat, began_s = silence = silent[0]
            if silence in voted or seat not in self._awaiting.votable:
                self._front.show(self._stuck(seat, now - began_s, silence in voted))
            elif await self._is_vote_wanted(seat, now - began_s):
                voted.add(silence)
                self._propose_absent(seat)
            last[silence] = loop.time()

    def _stuck(self, seat: Seat, waited_s: float, has_voted: bool) -> Stuck:
        present = len(self._session.play.present())
        is_linked = seat in self._links.linked()
        return Stuck(seat, waited_s, present, has_voted, self._cost_of_leaving(), is_linked)

    async def _is_vote_wanted(self, seat: Seat, waited_s: float) -> bool:
        """Ask our person; the question is void as soon as the seat is awaited no longer."""
        asking = asyncio.ensure_future(self._front.vote_absent(seat, waited_s))
        try:
            while not asking.done() and seat in self._awaiting.votable:
                await asyncio.wait((asking,), timeout=TICK_S)
            return asking.done() and asking.result()
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    def _is_silent(self, silence: tuple[Seat, float], told_s: float, now_s: float) -> bool:
        """Whether it is time to speak of a silence (a seat, and since when), last told of then."""
        seat, began_s = silence
        is_linked = seat in self._links.linked()
        limit_s = patience_s(self._clocks, self._awaiting.is_decision, is_linked)
        return limit_s is not None and now_s - told_s >= max(limit_s, told_s - began_s)

    def _cost_of_leaving(self) -> str:
        return cost_of_leaving(self._session, self.companions)

    def _propose_absent(self, seat: Seat) -> None:
        self._inputs.put_nowait(lambda: self._session.propose_absent(seat))

    async def _linger(self, thread: ThreadPoolExecutor) -> None:
        """Do not go before the others hold all that they need of us."""
        loop = asyncio.get_running_loop()
        until_s = self._gone_by_s if self.has_left else loop.time() + LINGER_S
        told_s = loop.time() + TELL_AFTER_S
        while loop.time() < until_s and not self._is_all_held():
            if not self.has_left and loop.time() >= told_s:
                told_s = until_s
                self._front.show(Lingering("until the others have the end of the game, too"))
            self._inputs.put_nowait(self._session.tick)
            await self._process(thread)
            await asyncio.sleep(LINGER_TICK_S)
        self._inputs.put_nowait(self._session.tick)
        await self._process(thread)

    def _is_all_held(self) -> bool:
        session = self._session
        if self.has_left:
            return all(map(self._does_know_that_we_left, self._links.linked()))
        return all(session.gossip.holds(seat, session.lanes) for seat in self._links.linked())


def cost_of_leaving(session: Session, companions: frozenset[Seat] = frozenset()) -> str:
    """What leaving now costs, for the person who asks to; `companions` leave as it does."""
    present = {*session.play.present()} - {session.me}
    others, bots = len(present - companions), len(present & companions)
    cost = f"You cannot come back, and this {hand_of(session.game.name)} is void."
    if bots and others:
        cost += f" Your {'bot leaves' if bots == 1 else f'{bots} bots leave'} with you."
    if others >= session.game.seats_min:
        return f"{cost} The other {others} play on."
    return f"{cost} The game then ends, and nobody wins."


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
