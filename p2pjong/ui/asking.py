"""The questions that stand open before a person: which is answered now, and by what was typed."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from p2pjong.front import LEAVE
from p2pjong.ui.question import NoAnswer, Question
from p2pjong.ui.screen import Screen
from p2pjong.ui.text import duration, wrap

Answer = TypeVar("Answer")

HURRIES_S = (10, 3, 1)  # when a plain screen says how much time is left
# A key meant for a question that a clock has just answered must not answer the next one like it.
DEAF_S = 0.2
EARLY_MAX = 10_000  # lines of a pipe that may wait for a question
REPEAT_S = 1.0  # so long the same complaint is not made again: a paste brings many lines


@dataclass
class _Asked:
    """A question that stands open."""

    question: Question[Any]
    answer: asyncio.Future[Any]
    deadline_s: float | None = None
    hears_from_s: float = 0.0
    hurries_s: tuple[int, ...] = ()  # of the clock, what is still to be told on a plain screen


class Questions:
    """Asks, and takes what was typed: for an answer, or else for one of `commands`.

    `at_end` is called when the input has ended and all that came before has been heard.
    """

    def __init__(
        self,
        screen: Screen,
        commands: Mapping[str, Callable[[], None]],
        at_end: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._commands = commands
        self._at_end = at_end
        self._open: list[_Asked] = []
        self._early: deque[str | None] = deque()  # of a pipe, for questions to come; None: its end
        self._standing = ""  # the prompt last printed, if its question is one that stands
        self._is_leaving = False  # what still stands open is taken back soon, and not shown again
        self._complaint = ("", 0.0)  # the last one, and when

    @property
    def first(self) -> Question[Any] | None:
        """The question to be answered now."""
        asked = self._first()
        return asked.question if asked else None

    def _first(self) -> _Asked | None:
        """One that is urgent, else the last one asked; one that is patient last of all."""
        return max(self._open, key=_urgency, default=None)

    async def ask(self, question: Question[Answer], timeout_s: float | None = None) -> Answer:
        """The person's answer; whoever asks gives up when time is up."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        deadline_s = None if timeout_s is None else now_s() + timeout_s
        asked = _Asked(question, answer, deadline_s, now_s() + DEAF_S * self._screen.has_keys)
        asked.hurries_s = tuple(left_s for left_s in HURRIES_S if left_s < (timeout_s or 0))
        # Before any that stood open: `max` takes the first of equals.
        self._open.insert(0, asked)
        self._is_leaving = False
        self._screen.write(question.lines)
        self._put()
        try:
            return await answer
        finally:
            self._open.remove(asked)
            self._put()

    def follow(self, question: Question[Any]) -> None:
        """What can be asked for has changed: open questions of this kind are this one now."""
        for asked in self._open:
            if type(asked.question) is type(question):
                asked.question = question
                self._print_prompt()
        self._hear_early()  # its new keys may be what waited

    def settle(self, question: Question[Answer], answer: Answer) -> None:
        """Nobody is there to answer this question: take this, if it stands open still."""
        for asked in self._open:
            if asked.question is question and not asked.answer.done():
                asked.answer.set_result(answer)

    def break_off(self) -> bool:
        """Answers what is asked now by its break key; False if it has none, or an answer."""
        asked = self._first()
        if asked is None or asked.answer.done() or not asked.question.break_key:
            return False
        self.answer(asked.question.break_key)
        return True

    def answer(self, text: str) -> None:
        """Take this as the answer to what is asked now; raises NoAnswer."""
        asked = self._first()
        if asked is None:
            raise NoAnswer("there is nothing for you to do now; ? shows help")
        if asked.question.is_passing and now_s() < asked.hears_from_s:
            return
        answer = asked.question.read(text)
        if not asked.answer.done():
            asked.answer.set_result(answer)
            self._is_leaving = answer == LEAVE

    def _put(self) -> None:
        """Shows the question that is now the one to be answered."""
        self._screen.refresh()
        self._print_prompt()
        self._hear_early()

    def _print_prompt(self) -> None:
        question = self.first
        if question is None or self._screen.is_live or self._is_leaving:
            return
        prompt = self.prompt()
        if not question.is_standing or prompt != self._standing:
            self._screen.write([f"{prompt}:"])
        self._standing = prompt if question.is_standing else ""

    def repeat(self) -> None:
        """Shows the prompt again, below what else was shown."""
        self._standing = ""
        self._print_prompt()

    # --- What was typed -----------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """A line, or a key that is an answer by itself."""
        typed = text.strip().lower()
        if not typed and not self.takes_enter():
            return
        is_command = typed in self._commands and not self._early and not self._is_awaited()
        if not self._screen.is_piped or is_command:
            self._hear(text)
        elif len(self._early) < EARLY_MAX:
            self._early.append(text)
            self._hear_early()

    def takes_enter(self) -> bool:
        """Whether Enter alone answers what is asked now."""
        question = self.first
        return question is not None and "" in question.also

    def ended(self) -> None:
        """No more input will come; what came before is heard first."""
        if self._early:
            self._early.append(None)
        else:
            self._at_end()

    def _is_awaited(self) -> bool:
        asked = self._first()
        return asked is not None and not asked.answer.done()

    def _hear_early(self) -> None:
        """Each line of a pipe answers a question, in order: a script cannot see when one is asked.

        At a keyboard it is another thing: what is typed while nothing is asked was meant for the
        question before, and must not answer the next.
        """
        while self._early and self._is_awaited() and not self._is_for_later(self._early[0]):
            text = self._early.popleft()
            if text is None:
                self._at_end()
            else:
                self._hear(text)

    def _is_for_later(self, text: str | None) -> bool:
        question = self.first
        if text is None or question is None or not question.is_choosy:
            return False
        return not question.knows(text) and text.strip().lower() not in self._commands

    def _hear(self, text: str) -> None:
        try:
            self.answer(text)
        except NoAnswer as complaint:
            typed = text.strip().lower()
            if typed in self._commands:
                self._commands[typed]()
            else:
                self._complain(str(complaint))

    def _complain(self, text: str) -> None:
        before, at_s = self._complaint
        if text == before and now_s() < at_s + REPEAT_S:
            return
        self._complaint = text, now_s()
        self._screen.write(wrap(text.split(" "), hang="  "))

    # --- What stays in sight ------------------------------------------------------------------

    def prompt(self) -> str:
        """What can be answered now, and how long; "" if nothing is asked."""
        asked = self._first()
        if asked is None:
            return ""
        if asked.deadline_s is None:
            return asked.question.prompt
        return f"{asked.question.prompt} ({duration(asked.deadline_s - now_s() + 0.5)})"

    def about(self) -> str:
        """What is asked now, for a status line that has nothing else to say."""
        question = self.first
        return question.about if question else ""

    def instant_keys(self) -> frozenset[str]:
        """The keys that answer without Enter."""
        question = self.first
        if question is None or not question.is_instant:
            return frozenset()
        return frozenset((*question.keys, *self._commands))

    def hurry_lines(self) -> Sequence[str]:
        """For a screen that does not count down by itself: how much time is left, now and then."""
        asked = self._first()
        if asked is None or not asked.deadline_s:
            return ()
        left_s = asked.deadline_s - now_s()
        due_s = [hurry_s for hurry_s in asked.hurries_s if left_s <= hurry_s]
        if not due_s or left_s <= 0:
            return ()
        asked.hurries_s = asked.hurries_s[len(due_s) :]
        return (f"{duration(left_s + 0.5)} left - {asked.question.prompt}:",)


def _urgency(asked: _Asked) -> int:
    return asked.question.is_urgent - asked.question.is_patient


def now_s() -> float:
    """The time by which clocks run."""
    return asyncio.get_running_loop().time()
