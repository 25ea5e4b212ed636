"""Flags that every command takes, and how a command prints."""

import difflib
import ipaddress
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from p2pjong.ui.json_text import json_text
from p2pjong.wire.ranges import Times

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@dataclass
class Flags:
    """What the top of the command line must know even when a command fails half way."""

    is_debug: bool = False
    is_json: bool = False
    has_answered: bool = False  # the one JSON object is out


def _flag(name: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def remember(context: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            setattr(context.ensure_object(Flags), name, True)

    return remember


def _no_color(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.color = False


def common_options(command: Decorated) -> Decorated:
    """--debug, --no-color and --version, which stand before a command's name or after it."""
    from p2pjong import __version__

    for decorate in (
        click.version_option(__version__, "--version", prog_name="p2pjong"),
        click.option(
            "--no-color",
            is_flag=True,
            expose_value=False,
            callback=_no_color,
            is_eager=True,
            help="No colours; NO_COLOR=1 does the same.",
        ),
        click.option(
            "--debug",
            is_flag=True,
            expose_value=False,
            callback=_flag("is_debug"),
            is_eager=True,
            help="Tracebacks and the log of the network on standard error.",
        ),
    ):
        command = decorate(command)
    return command


def json_option(command: Decorated) -> Decorated:
    """--json: exactly one object on standard output, everything else on standard error."""
    return click.option(
        "--json",
        "is_json",
        is_flag=True,
        callback=lambda context, _, value: _remember_json(context, value),
        is_eager=True,
        help="One JSON object on standard output; all else goes to standard error.",
    )(command)


def _remember_json(context: click.Context, value: bool) -> bool:
    context.ensure_object(Flags).is_json = value
    return value


class GameName(click.Choice[str]):
    """One of the games, in any case and without its hyphens, too, or by how it alone begins.

    Of what is none the nearest is told.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        meant, names = self.meant(str(value)), ", ".join(self.choices)
        begun = [name for name in self.choices if _letters(name).startswith(_letters(str(value)))]
        if len(begun) == 1 and _letters(str(value)):
            return begun[0]
        which = (
            f": did you mean {meant}? The games are {names}"
            if meant
            else f": the games are {names}"
        )
        self.fail(f"there is no game {value!r}{which}", param, ctx)

    def meant(self, typed: str) -> str:
        """The game that was typed, or the one most like it; "" if none is."""
        by_letters = {_letters(name): name for name in self.choices}
        near = difflib.get_close_matches(_letters(typed), by_letters, 1)
        return by_letters[near[0]] if near else ""


class Seconds(click.FloatRange):
    """Times as a table may have them, by the one definition of what it may be set to."""

    def __init__(self, times: Times) -> None:
        super().__init__(0 if times.can_be_none else times.least_s, times.most_s)
        self.times = times

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds: float = super().convert(value, param, ctx)
        try:
            self.times.check(seconds)
        except ValueError:
            self.fail(f"{seconds:g} is not in the range of times", param, ctx)
        return seconds


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.lower()))


def answer_json(answer: dict[str, Any]) -> None:
    """Prints the one object that `--json` promises."""
    click.get_current_context().ensure_object(Flags).has_answered = True
    click.echo(json_text(answer))


def word_to_a_person(text: str) -> None:
    """Before something that takes long: on standard error, and only where somebody looks."""
    if sys.stderr.isatty():
        click.echo(f"{text} ...", err=True)


def ip_address(_: click.Context, __: click.Parameter, value: str) -> str:
    """Option callback: the value is empty or the address of an interface."""
    if value:
        try:
            ipaddress.ip_address(value)
        except ValueError:
            raise click.BadParameter(f"{value} is not an IPv4 or IPv6 address") from None
    return value
