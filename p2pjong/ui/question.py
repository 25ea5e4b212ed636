"""A question to a person: what is shown, what can be typed, and what each answer means."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from p2pjong.ui.text import fit

Answer = TypeVar("Answer")

DIGITS_MAX = 3  # of a number that can be meant
TYPED_COLUMNS = 24  # of what was typed and meant nothing, as it is shown


class Typed(Enum):
    """What has been typed so far, where keys answer without Enter."""

    WHOLE = "an answer"
    BEGUN = "more keys may follow"
    STRAY = "no answer begins so"


def weigh(text: str, keys: Collection[str]) -> Typed:
    """Whether the text (lower case) answers already; "1" does not while there is a "10"."""
    if any(key.startswith(text) and key != text for key in keys):
        return Typed.BEGUN
    return Typed.WHOLE if text in keys else Typed.STRAY


class NoAnswer(Exception):
    """What was typed answers nothing; the text tells what would."""


def as_typed(text: str) -> str:
    """For questions that are answered by one key or word."""
    return text


def in_any_order(text: str) -> str:
    """For questions that are answered by several numbers: apart by blanks or commas, sorted."""
    words = text.replace(",", " ").split()
    if all(word.isdecimal() and len(word) <= DIGITS_MAX for word in words):
        words = [str(number) for number in sorted(map(int, words))]
    return " ".join(words)


@dataclass(frozen=True)
class Question(Generic[Answer]):
    """`keys` maps what can be typed (lower case) to answers; `prompt` says so in short.

    `again`: of a question in a game what must be in sight while it is answered, the hand first.
    `is_instant`: a single key answers, without Enter, where the terminal can do that.
    `is_passing`: a clock will answer it, and nothing need be said when it does.
    `break_key`: the key that Ctrl-C stands for, if this question knows an answer to it.
    `is_urgent`: it is answered before any other that stands open, whichever was asked last.
    `is_patient`: it is answered after all others that stand open.
    `is_standing`: it stands open for long, and is asked again after each answer.
    `is_choosy`: of what a pipe brings it takes its own keys alone; all else waits for what follows.
    `spell` brings what was typed into the form that `keys` has.
    """

    prompt: str
    keys: Mapping[str, Answer]
    lines: tuple[str, ...] = ()
    is_instant: bool = False
    is_passing: bool = False
    is_urgent: bool = False
    is_patient: bool = False
    is_standing: bool = False
    is_choosy: bool = False
    break_key: str = ""
    also: Mapping[str, Answer] = field(default_factory=dict)  # longer ways to say the same
    about: str = ""  # what is asked, where nothing else says what goes on
    help: str = ""  # what the choices mean, for who asks for help
    hints: Mapping[str, str] = field(default_factory=dict)  # what to say to an answer half given
    spell: Callable[[str], str] = as_typed
    exact: Mapping[str, Answer] = field(default_factory=dict)  # where capitals mean another thing
    again: tuple[str, ...] = ()

    def knows(self, text: str) -> bool:
        """Whether this is an answer."""
        try:
            self.read(text)
        except NoAnswer:
            return False
        return True

    def read(self, text: str) -> Answer:
        """The answer typed; raises NoAnswer."""
        plain = " ".join(text.split())
        if plain in self.exact:
            return self.exact[plain]
        typed = self.spell(plain.lower())
        for keys in (self.keys, self.also):
            if typed in keys:
                return keys[typed]
        named = repr(fit(plain, TYPED_COLUMNS))
        raise NoAnswer(self.hints.get(typed) or f"{named} is not an option here ({self.prompt})")
