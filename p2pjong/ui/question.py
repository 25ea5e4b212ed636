"""A question to a person: what is shown, what can be typed, and what each answer means."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class NoAnswer(Exception):
    """What was typed answers nothing; the text tells what would."""


@dataclass(frozen=True)
class Question(Generic[Answer]):
    """`keys` maps what can be typed (lower case) to answers; `prompt` says so in short.

    `is_instant`: a single key answers, without Enter, where the terminal can do that.
    `break_key`: the key that Ctrl-C stands for, if this question knows an answer to it.
    """

    prompt: str
    keys: Mapping[str, Answer]
    lines: tuple[str, ...] = ()
    is_instant: bool = False
    break_key: str = ""
    also: Mapping[str, Answer] = field(default_factory=dict)  # longer ways to say the same

    def read(self, text: str) -> Answer:
        """The answer typed; raises NoAnswer."""
        typed = " ".join(text.lower().split())
        for keys in (self.keys, self.also):
            if typed in keys:
                return keys[typed]
        raise NoAnswer(f"{typed!r} is no choice here: {self.prompt}")
