"""A person in front of a terminal, line by line: prints what happens, asks, and reads answers."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from p2pjong.errors import Exit, P2PJongError
from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask, Awaiting
from p2pjong.session.lobby_view import LobbyCommand, LobbySeat, LobbyView, Start, TableOffer
from p2pjong.ui import render
from p2pjong.ui.front import LEAVE, STAY, Shown
from p2pjong.ui.lobby import CodeQuestion, StartQuestion, lobby_question, offer_question
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.screen import Desk, Screen
from p2pjong.ui.teller import Teller
from p2pjong.ui.text import bold, dim, duration, width, wrap

Answer = TypeVar("Answer")

MURMURS_S = (3, 10, 30, 60, 120, 300, 600)  # when a plain screen repeats who is awaited
HURRIES_S = (10, 3, 1)  # when a plain screen says how much time is left
TICK_S = 0.25
# A key meant for a question that a clock has just answered must not answer the next one like it.
DEAF_S = 0.2
EARLY_MAX = 10_000  # lines of a pipe that may wait for a question
STATUS_COLUMNS = 66  # what leaves room for a word on help


@dataclass
class _Asked:
    """A question that stands open; of several the last one is answered first."""

    question: Question[Any]
    answer: asyncio.Future[Any]
    deadline_s: float | None = None
    hears_from_s: float = 0.0
    hurries_s: tuple[int, ...] = ()  # of the clock, what is still to be told on a plain screen


class TerminalFront:
    """The `Front` of a person. Enter `opened()` before anything else.

    `may_err`: whether answers are offered that the rules would find to be a mistake (N5).
    """

    def __init__(self, screen: Screen, may_err: bool = True) -> None:
        self._screen = screen
        self._may_err = may_err
        self._teller = Teller()
        self._asked: list[_Asked] = []
        self._gathering = asyncio.Event()  # there is a lobby to ask things of
        self._interrupts = asyncio.Event()
        self._has_listener = False
        self._has_ended = False
        self._early: deque[str | None] = deque()  # of a pipe, for questions to come; None: its end
        self._murmured = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["TerminalFront"]:
        """Takes the terminal, and gives it back however the game ends."""
        owner = asyncio.current_task()
        assert owner is not None
        self._give_up: Callable[[], object] = owner.cancel
        desk = Desk(
            self._prompt, self._status, self._instant_keys, self._typed, self._interrupt, self._end
        )
        async with self._screen.opened(desk):
            ticking = asyncio.create_task(self._tick())
            try:
                yield self
            except asyncio.CancelledError:
                if self._has_ended:
                    message = "the input ended, and nobody is left to play"
                    raise P2PJongError(
                        message, "--auto plays on without input", Exit.LEFT
                    ) from None
                raise
            finally:
                ticking.cancel()

    # --- What the driver shows ----------------------------------------------------------------

    def say(self, text: str) -> None:
        self._screen.write([text])

    def lobby(self, lobby: LobbyView) -> None:
        self._screen.write(self._teller.lobby_lines(lobby))
        self._gathering.set()
        for asked in self._asked:
            if isinstance(asked.question, _LobbyQuestion | StartQuestion):
                asked.question = type(asked.question).of(lobby)

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        self._teller.seated(seats, me)
        self._gathering.clear()

    def show(self, effect: Shown) -> None:
        if isinstance(effect, Awaiting):
            self._murmured = 0
        lines = self._teller.lines(effect, _now_s())
        if lines:
            self._screen.write(lines)

    # --- What the driver asks -----------------------------------------------------------------

    async def pick_table(self, offers: tuple[TableOffer, ...]) -> TableOffer | None:
        return await self._ask(offer_question(offers))

    async def table_code(self) -> str | None:
        return await self._ask(CodeQuestion.asked())

    async def command(self) -> LobbyCommand:
        while True:
            await self._gathering.wait()
            command = await self._ask(_LobbyQuestion.of(self._lobby()))
            if not isinstance(command, Start) or self._lobby().is_full:
                return command
            if await self._ask(StartQuestion.of(self._lobby())):
                return command

    def _lobby(self) -> LobbyView:
        assert self._teller.lobby is not None
        return self._teller.lobby

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        if not self._may_err:
            ask = render.without_mistakes(ask)
        if len(ask.actions) == 1:
            self._screen.write(render.forced_lines(ask))
            return ask.actions[0]
        self._teller.view = ask.view
        return await self._ask(render.question(ask, self._teller.names), timeout_s)

    async def interrupted(self) -> None:
        self._has_listener = True
        await self._interrupts.wait()
        self._interrupts.clear()

    async def confirm_leave(self, cost: str) -> str:
        keys = {"s": STAY, "l": LEAVE}
        lines = tuple(wrap(bold("Leave? " + cost).split(" ")))
        question = Question("s: stay, l: leave", keys, lines, is_instant=True)
        answer = LEAVE if self._has_ended else await self._ask(question)
        self._teller.has_left = answer == LEAVE
        return answer

    async def vote_absent(self, seat: Seat, waited_s: float) -> bool:
        if self._has_ended:
            return False
        lines = tuple(render.vote_lines(seat, waited_s, self._teller.names, self._teller.view))
        question = Question("v: vote, w: wait", {"v": True, "w": False}, lines, is_instant=True)
        return await self._ask(question)

    async def rematch(self) -> bool:
        if self._has_ended or self._teller.has_left:
            return False
        self._interrupts.clear()  # a wish to leave the game that is over
        keys = {"y": True, "n": False}
        lines = ("Play again with the same seats?",)
        question = Question("y: yes, n: no", keys, lines, is_instant=True, break_key="n")
        return await self._ask(question)

    async def _ask(self, question: Question[Answer], timeout_s: float | None = None) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        deadline_s = None if timeout_s is None else _now_s() + timeout_s
        asked = _Asked(question, answer, deadline_s, _now_s() + DEAF_S * self._screen.has_keys)
        asked.hurries_s = tuple(left_s for left_s in HURRIES_S if left_s < (timeout_s or 0))
        self._asked.append(asked)
        self._screen.write(question.lines)
        self._put()
        try:
            return await answer
        finally:
            self._asked.remove(asked)
            self._put()

    def _put(self) -> None:
        """Shows the question that is now the first to be answered."""
        self._screen.refresh()
        if self._asked and not self._screen.is_live:
            self._screen.write([f"{self._prompt()}:"])
        self._hear_early()

    # --- What the person does -----------------------------------------------------------------

    def _typed(self, text: str) -> None:
        typed = text.strip().lower()
        if not typed:
            return
        is_command = typed in self._commands and not self._early and not self._is_awaited()
        if not self._screen.is_piped or is_command:
            self._hear(text)
        elif len(self._early) < EARLY_MAX:
            self._early.append(text)
            self._hear_early()

    def _is_awaited(self) -> bool:
        return bool(self._asked) and not self._asked[-1].answer.done()

    def _hear_early(self) -> None:
        """Each line of a pipe answers a question, in order: a script cannot see when one is asked.

        At a keyboard it is another thing: what is typed while nothing is asked was meant for the
        question before, and must not answer the next.
        """
        while self._early and self._is_awaited():
            text = self._early.popleft()
            if text is None:
                self._end()
            else:
                self._hear(text)

    def _hear(self, text: str) -> None:
        try:
            self._answer(text)
        except NoAnswer as complaint:
            typed = text.strip().lower()
            if typed in self._commands:
                self._commands[typed](self)
            else:
                self._screen.write([str(complaint)])

    def _answer(self, text: str) -> None:
        if not self._asked:
            raise NoAnswer("nothing is asked of you now; ? helps")
        asked = self._asked[-1]
        if asked.question.is_passing and _now_s() < asked.hears_from_s:
            return
        answer = asked.question.read(text)
        if not asked.answer.done():
            asked.answer.set_result(answer)

    def _show_help(self) -> None:
        now = self._asked[-1].question if self._asked else None
        view = None if self._teller.lobby else self._teller.view
        self._screen.write(render.help_lines(view, now, self._teller.awaited(_now_s())))

    def _show_table(self) -> None:
        self._screen.write(self._teller.table_lines())

    def _show_events(self) -> None:
        self._screen.write([dim("the last events:"), *self._teller.last_lines])

    def _interrupt(self) -> None:
        question = self._asked[-1].question if self._asked else None
        if question and question.break_key:
            self._answer(question.break_key)
        elif question and LEAVE in question.keys.values():
            self._screen.write([dim("s stays, l leaves")])
        elif self._has_listener and not self._interrupts.is_set():
            self._interrupts.set()
        else:
            self._give_up()  # nobody asks: we are not at a table yet, or no longer

    def _end(self) -> None:
        if self._early:
            self._early.append(None)
            return
        self._has_ended = True
        self._interrupt()

    _commands: ClassVar[dict[str, Callable[["TerminalFront"], None]]] = {
        "?": _show_help,
        "h": _show_help,
        "t": _show_table,
        "e": _show_events,
        "q": _interrupt,
    }

    # --- What stays in sight ------------------------------------------------------------------

    def _prompt(self) -> str:
        if not self._asked:
            return ""
        asked = self._asked[-1]
        if asked.deadline_s is None:
            return asked.question.prompt
        return f"{asked.question.prompt} ({duration(asked.deadline_s - _now_s() + 0.5)})"

    def _status(self) -> str:
        status = self._teller.status(_now_s())
        return f"{status}   ?: help".lstrip() if width(status) <= STATUS_COLUMNS else status

    def _instant_keys(self) -> frozenset[str]:
        asked = self._asked[-1] if self._asked else None
        if asked is None or not asked.question.is_instant:
            return frozenset()
        return frozenset((*asked.question.keys, *self._commands))

    async def _tick(self) -> None:
        """On a screen that does not count down by itself, says now and then what is awaited."""
        while not self._screen.is_live:
            await asyncio.sleep(TICK_S)
            self._screen.write(self._murmurs())

    def _murmurs(self) -> Sequence[str]:
        now_s = _now_s()
        asked = self._asked[-1] if self._asked else None
        if asked and asked.deadline_s:
            left_s = asked.deadline_s - now_s
            due_s = [hurry_s for hurry_s in asked.hurries_s if left_s <= hurry_s]
            if due_s and left_s > 0:
                asked.hurries_s = asked.hurries_s[len(due_s) :]
                return [f"{duration(left_s + 0.5)} left - {asked.question.prompt}:"]
        due = sum(self._teller.waited_s(now_s) >= pause_s for pause_s in MURMURS_S)
        if due > self._murmured and not asked:
            self._murmured = due
            return [dim(self._teller.status(now_s))]
        return []


class _LobbyQuestion(Question[LobbyCommand]):
    """A question whose keys follow the lobby while it stands open."""

    @classmethod
    def of(cls, lobby: LobbyView) -> "_LobbyQuestion":
        asked = lobby_question(lobby)
        return cls(asked.prompt, asked.keys, break_key=asked.break_key, also=asked.also)


def _now_s() -> float:
    return asyncio.get_running_loop().time()
