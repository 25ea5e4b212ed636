"""A person in front of a terminal, line by line: prints what happens, asks, and reads answers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.front import LEAVE, STAY, Shown, TimeUp
from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import Ask, Awaiting
from p2pjong.session.lobby_view import (
    LobbyCommand,
    LobbySeat,
    LobbyView,
    Remove,
    SetReady,
    Start,
    TableOffer,
)
from p2pjong.ui import asking, endings, render
from p2pjong.ui.asking import Questions
from p2pjong.ui.lobby import (
    CodeQuestion,
    LobbyQuestion,
    OfferQuestion,
    StartQuestion,
    found_line,
    offer_news,
)
from p2pjong.ui.question import Question
from p2pjong.ui.screen import Desk, Screen
from p2pjong.ui.teller import Teller
from p2pjong.ui.text import bold, dim, lines_in_sight, shown_on, width, wrap

MURMURS_S = (3, 10, 30, 60, 120, 300, 600)  # when a plain screen repeats who is awaited
TICK_S = 0.25
STATUS_COLUMNS = 66  # what leaves room for a word on help
EVENTS_MIN = 3  # lines of what happened, however much a question takes
UNHEEDED_S = 1.0  # a Ctrl-C that nobody has asked about by then: the next one ends the program


class TerminalFront:
    """The `Front` of a person. Enter `opened()` before anything else.

    `may_err`: whether answers are offered that the rules would find to be a mistake (N5).
    """

    def __init__(self, screen: Screen, may_err: bool = True) -> None:
        self._screen = screen
        self._may_err = may_err
        self._teller = Teller()
        self._questions = Questions(screen, self._commands(), self._input_ended)
        self._gathering = asyncio.Event()  # there is a lobby to ask things of
        self._interrupts = asyncio.Event()
        self._interrupted_s = 0.0  # when it was set
        self._has_listener = False
        self._has_ended = False
        self._is_deserted = False
        self._gone = asyncio.Event()
        self._is_committed = False  # ready, or in a game: a script that ends here leaves nobody
        self._offers: tuple[TableOffer, ...] = ()  # those that our person last saw
        self._ready_for = ""  # the lobby for which our person was ready
        self._choosing: tuple[Question[Action], Action] | None = None  # and its default
        self._deadline_s: float | None = None  # of the last question of the game
        self._murmured = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["TerminalFront"]:
        """Takes the terminal, and gives it back however the game ends."""
        owner = asyncio.current_task()
        assert owner is not None
        self._give_up: Callable[[], object] = owner.cancel
        asked = self._questions
        desk = Desk(
            asked.prompt,
            self._status,
            asked.instant_keys,
            asked.typed,
            self._interrupt,
            asked.ended,
            self._suspend,
            self._nobody_is_there,
            self._show_table,
        )
        with shown_on(self._screen.size):
            async with self._screen.opened(desk):
                ticking = asyncio.create_task(self._tick())
                try:
                    yield self
                except (asyncio.CancelledError, Departure) as ended:
                    if not self._is_for_lack_of_input(ended):
                        raise
                    message = "the input ended, and nobody is left to play"
                    hint = "--auto plays on without input"
                    raise P2PJongError(message, hint, Exit.LEFT) from None
                finally:
                    ticking.cancel()

    def _is_for_lack_of_input(self, ended: BaseException) -> bool:
        """Who closed a terminal knows that it did; a script is told what it lacked."""
        if isinstance(ended, Departure):
            return self._is_deserted and self._screen.is_piped
        return self._has_ended

    # --- What the driver shows ----------------------------------------------------------------

    def say(self, text: str) -> None:
        self._screen.write([text])

    def lobby(self, lobby: LobbyView) -> None:
        self._screen.write(self._teller.lobby_lines(lobby))
        self._gathering.set()
        question = self._lobby_question()
        self._questions.follow(question)
        self._questions.follow(StartQuestion.of(lobby))
        if self._is_to_say_again():
            self._questions.settle(question, SetReady(True, lobby.shown))

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        self._teller.seated(seats, me)
        self._gathering.clear()
        self._is_committed = True

    def show(self, effect: Shown) -> None:
        if isinstance(effect, Awaiting):
            self._murmured = 0
        lines = self._teller.lines(effect, asking.now_s())
        if lines:
            self._screen.write(lines)

    # --- What the driver asks -----------------------------------------------------------------

    def found(self, offer: TableOffer) -> None:
        self.say(found_line(offer))

    async def pick_table(self, offers: tuple[TableOffer, ...]) -> TableOffer | None:
        self._offers = offers
        return await self._questions.ask(OfferQuestion.of(offers))

    def offers(self, offers: tuple[TableOffer, ...]) -> None:
        self._screen.write(offer_news(self._offers, offers))
        self._offers = offers
        self._questions.follow(OfferQuestion.of(offers))

    async def table_code(self) -> str | None:
        return await self._questions.ask(CodeQuestion.asked())

    async def command(self) -> LobbyCommand:
        while True:
            await self._gathering.wait()
            command: LobbyCommand = SetReady(True, self._lobby().shown)
            if not self._is_to_say_again():
                command = await self._questions.ask(self._lobby_question())
            if isinstance(command, Remove):
                self._teller.removing(command.seat)
            if isinstance(command, SetReady):
                self._is_committed = command.is_ready
                self._ready_for = command.shown
            if not isinstance(command, Start) or self._lobby().is_full:
                return command
            if await self._questions.ask(StartQuestion.of(self._lobby())):
                return command

    def _is_to_say_again(self) -> bool:
        """A script cannot see who comes and goes: it was ready, and is so for whoever is here."""
        is_ready = self._screen.is_piped and self._is_committed and self._gathering.is_set()
        return is_ready and self._ready_for != self._lobby().shown

    def _lobby_question(self) -> LobbyQuestion:
        """Once ready a script has said what it has to say to a lobby: the rest is for the game."""
        return replace(LobbyQuestion.of(self._lobby()), is_choosy=self._is_committed)

    def _lobby(self) -> LobbyView:
        assert self._teller.lobby is not None
        return self._teller.lobby

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        if not self._may_err:
            ask = render.without_mistakes(ask)
        is_only = len(ask.actions) == 1
        if is_only and (ask.is_answer or ask.is_obvious or self._screen.is_piped):
            self._screen.write(render.forced_lines(ask))
            return ask.actions[0]
        self._teller.view = ask.view
        if self._has_ended:
            return self._played_for(ask)
        self._teller.is_asked = True
        try:
            question = self._teller.question(ask)
            self._choosing = question, ask.default
            self._deadline_s = None if timeout_s is None else asking.now_s() + timeout_s
            action = await self._questions.ask(question, timeout_s)
        finally:
            self._teller.is_asked = False
            self._choosing = None
        if self._has_ended:
            return self._played_for(ask)
        self._teller.answered()
        self._screen.write(self._teller.answered_lines(ask, action))
        return action

    async def reconsider(self, ask: Ask, action: Action) -> Action:
        """The question stands until its time is up, and the last key counts; a script has one."""
        if not self._may_err:
            ask = render.without_mistakes(ask)
        if len(ask.actions) == 1 or self._has_ended or self._screen.is_piped:
            never: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
            return await never
        left_s = None if self._deadline_s is None else self._deadline_s - asking.now_s()
        asked = self._teller.question(ask)
        prompt = f"or else {asked.prompt}"
        again = asked.again or asked.lines
        # It is no new question: whoever sees that the key was wrong is heard at once.
        question = replace(asked, prompt=prompt, lines=(), again=again, is_passing=False)
        changed = action
        while changed == action:
            changed = await self._questions.ask(question, left_s)
        self._screen.write(self._teller.answered_lines(ask, changed))
        return changed

    def _played_for(self, ask: Ask) -> Action:
        """What is done in the place of a script that has ended: the same as when time is up."""
        lines = render.time_up_lines(TimeUp(ask, ask.default), "No more input")
        self._screen.write(lines)
        return ask.default

    async def next_hand(self, timeout_s: float) -> None:
        if self._has_ended or self._screen.is_piped:
            return  # a script reads no screen
        hand = self._teller.hand
        question = Question(
            f"Enter: next {hand}",
            {},
            also={"": True},
            help=f"The next {hand} begins when everyone has pressed Enter, or after a while.",
        )
        await self._questions.ask(question, timeout_s)

    async def interrupted(self) -> None:
        self._has_listener = True
        await self._interrupts.wait()
        self._interrupts.clear()

    async def gone(self) -> None:
        await self._gone.wait()

    async def confirm_leave(self, cost: str) -> str:
        keys = {"s": STAY, "l": LEAVE}
        also = {"n": STAY, "y": LEAVE}  # to "Leave?"
        lines = tuple(wrap(bold("Leave? " + cost).split(" ")))
        question = Question(
            "s: stay, l: leave",
            keys,
            lines,
            is_instant=True,
            is_urgent=True,
            also=also,
            about="you are asked whether to leave",
        )
        answer = LEAVE if self._has_ended else await self._questions.ask(question)
        if answer == LEAVE:
            self._teller.gone_by = endings.Gone.LEAVE
        return answer

    async def vote_absent(self, seat: Seat, waited_s: float) -> bool:
        if self._has_ended:
            return False
        lines = tuple(endings.vote_lines(seat, waited_s, self._teller.names, self._teller.view))
        keys, also = {"v": True, "w": False}, {"y": True, "n": False}
        # What our person is asked itself goes first: there is time for a vote.
        question = Question(
            "v: vote, w: wait", keys, lines, is_instant=True, is_patient=True, also=also
        )
        has_voted = await self._questions.ask(question)
        if has_voted:
            names, view = self._teller.names, self._teller.view
            self._screen.write([endings.voted_line(seat, names, view)])
        return has_voted

    async def rematch(self) -> bool:
        if self._has_ended or self._teller.gone_by:
            return False
        self._interrupts.clear()  # a wish to leave the game that is over
        self._is_committed = False
        keys = {"y": True, "n": False}
        lines = ("Play again with the same seats?",)
        if self._teller.has_lost_seats:
            lines = ("Play again with those who are still here?",)
        question = Question("y: yes, n: no", keys, lines, is_instant=True, break_key="n")
        return await self._questions.ask(question)

    # --- What the person does -----------------------------------------------------------------

    def _show_help(self) -> None:
        now, lobby = self._questions.first, self._teller.lobby
        view = None if lobby else self._teller.view
        game = lobby.game if lobby else view.game if view else "GAME"
        awaited = self._teller.awaited(asking.now_s())
        self._show(render.help_lines(view, now, awaited, game))

    def _show_table(self) -> None:
        has_hand = bool(self._questions.first and self._questions.first.again)
        self._show(self._teller.board_lines() if has_hand else self._teller.table_lines())

    def _show_events(self) -> None:
        room = max(EVENTS_MIN, lines_in_sight() - len(self._standing_lines()) - 1)
        lines = self._teller.last_lines(room)
        told = "the last events:" if lines else "nothing has happened in a game yet"
        self._show([dim(told), *lines])

    def _show(self, lines: Sequence[str]) -> None:
        """The lines, and below them the question as it stood: numbers must be those of now."""
        self._screen.write([*lines, *self._standing_lines()])
        self._questions.repeat()

    def _standing_lines(self) -> tuple[str, ...]:
        question = self._questions.first
        return (question.again or question.lines) if question else ()

    def _show_end(self) -> None:
        hand = self._teller.hand
        lines = self._teller.end_lines
        self._show(lines or [dim(f"no {hand} has ended yet")])

    def _interrupt(self) -> None:
        question = self._questions.first
        if question and question.break_key:
            self._questions.answer(question.break_key)
        elif question and question.is_urgent:
            self._screen.write([dim("s stays, l leaves")])
        elif self._has_listener and not self._is_unheeded():
            if not self._interrupts.is_set():
                self._interrupts.set()
                self._interrupted_s = asking.now_s()
        else:
            self._give_up()  # nobody asks: we are not at a table yet, or no longer

    def _suspend(self) -> None:
        # A peer that stands still is a silent seat, which the others may vote absent.
        self._screen.write([dim("Ctrl-Z is off: the others would wait for you. Ctrl-C leaves.")])

    def _is_unheeded(self) -> bool:
        """Whether nobody has asked about the last Ctrl-C for too long: then the next one counts."""
        return self._interrupts.is_set() and asking.now_s() > self._interrupted_s + UNHEEDED_S

    def _input_ended(self) -> None:
        question = self._questions.first
        is_leaving = question is not None and question.is_urgent
        if not self._screen.is_piped or not self._is_committed or is_leaving:
            self._nobody_is_there()
            return
        # All that a script had to say: as when somebody's time is up, the seat plays on.
        self._has_ended = True
        if self._choosing:
            self._questions.settle(*self._choosing)

    def _nobody_is_there(self) -> None:
        """The terminal is closed, or its input has ended: as SIGHUP, the seat leaves in order."""
        if self._is_deserted:
            return  # both ends of a terminal tell it
        self._has_ended = self._is_deserted = True
        question = self._questions.first
        is_in_lobby = isinstance(question, LobbyQuestion | StartQuestion)
        if self._questions.break_off() and not is_in_lobby:
            return  # to another game, a table, a code: with that it ends by itself
        if question and question.is_urgent:
            self._questions.answer("l")
        self._gone.set()

    def _commands(self) -> dict[str, Callable[[], None]]:
        return {
            "?": self._show_help,
            "h": self._show_end,
            "t": self._show_table,
            "e": self._show_events,
            "q": self._interrupt,
        }

    # --- What stays in sight ------------------------------------------------------------------

    def _status(self) -> str:
        question = self._questions.first
        told = question.about if question and question.is_urgent else ""
        status = told or self._teller.status(asking.now_s()) or self._questions.about()
        return f"{status}   ?: help".lstrip() if width(status) <= STATUS_COLUMNS else status

    async def _tick(self) -> None:
        """On a screen that does not count down by itself, says now and then what is awaited."""
        while not self._screen.is_live:
            await asyncio.sleep(TICK_S)
            self._screen.write(self._murmurs())

    def _murmurs(self) -> list[str]:
        if hurries := self._questions.hurry_lines():
            return list(hurries)
        now_s = asking.now_s()
        due = sum(self._teller.waited_s(now_s) >= pause_s for pause_s in MURMURS_S)
        if due <= self._murmured or self._questions.first:
            return []
        self._murmured = due
        return [dim(self._teller.status(now_s))]
