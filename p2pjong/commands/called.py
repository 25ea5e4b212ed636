"""How this program was called: what hints and help name must be what can be typed.

`scripts/p2pjong` of a clone says so in the environment; else the command is on the path.
"""

import os
import re
import shlex
from collections.abc import Iterable

import click

from p2pjong.errors import readable, visible

CALLED_VARIABLE = "P2PJONG_CALLED"
# The command as texts have it: with one of its own, and not as a part of a path.
COMMAND = re.compile(
    r"(?<![\w/.-])p2pjong(?= (?:host|join|bot|tables|doctor|identity|verify|score|rules|arena)\b)"
)


def called() -> str:
    """The program as it was called, fit for a shell."""
    given = visible(readable(os.environ.get(CALLED_VARIABLE, "")))
    return shlex.quote(given) if given else "p2pjong"


def as_called(text: str) -> str:
    """The text, with each command in it as it can be typed here."""
    return COMMAND.sub(lambda _: called(), text)


class CalledFormatter(click.HelpFormatter):
    """Help that names the commands as they can be typed."""

    def write_text(self, text: str) -> None:
        """As click does it, before lines are broken."""
        super().write_text(as_called(text))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """As click does it, before lines are broken."""
        super().write_dl([(name, as_called(text)) for name, text in rows], col_max, col_spacing)


class CalledContext(click.Context):
    """A context whose help is written by `CalledFormatter`."""

    formatter_class = CalledFormatter
