"""The command line: finds the command, maps every failure to a few lines and an exit code.

Commands live in `p2pjong.commands`, each imported when it is called: help must be quick.
"""

import contextlib
import difflib
import importlib
import io
import os
import re
import shutil
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

import click

from p2pjong.commands.flags import Flags, GameName, Seconds, common_options
from p2pjong.commands.help_text import HelpContext
from p2pjong.errors import (
    UNWRITABLE,
    Departure,
    Exit,
    P2PJongError,
    readable,
    storage_hint,
    visible,
)
from p2pjong.program_name import as_typed, program_name
from p2pjong.ui.json_text import json_text

COMMANDS = {
    "host": ("play", "Open a table on this network and play."),
    "join": ("play", "Join a table on this network."),
    "bot": ("play", "Seat a bot at a table."),
    "tables": ("tables", "List the tables on this network."),
    "doctor": ("doctor", "Find out why no table is found, and what to do."),
    "identity": ("identity", "Show who you are to others: your key and its fingerprint."),
    "record": ("record", "Write a game that was played here as a record."),
    "verify": ("verify", "Check a record of a game, trusting nothing."),
    "score": ("score", "Tell what a hand is worth, and why."),
    "rules": ("rules", "Show the rules of a game, with the rulings."),
    "arena": ("arena", "Let bots play many games against each other."),
    "help": ("help", "Show what a command does, and its options."),
}

EPILOG = """\b
Two friends on one network play like this:
  p2pjong host --game war-jhong      on one machine
  p2pjong join                       on the other

\b
Exit codes: 0 ended normally, 1 unexpected, 2 usage or no terminal, 3 nothing
found, 4 no connection, 5 wrong code, 6 other version or rules, 7 somebody
cheated or a record does not verify, 8 left or abandoned, 9 storage,
130 interrupted."""


# What click says of a value, and of a word too many.
GIVEN = re.compile(
    r"(?P<quoted>'.*') is not (?:a valid|one of) |(?P<plain>\S+) is not in the range "
)
SUPERFLUOUS = re.compile(r"Got unexpected extra arguments? \((.*)\)$")


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    context_class = HelpContext

    def list_commands(self, _: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"p2pjong.commands.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        command.context_class = HelpContext
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; of a command that is none the nearest is told."""
        if args[0] not in COMMANDS:
            near = difflib.get_close_matches(args[0].lower(), COMMANDS, 1)
            ctx.fail(f"there is no command {args[0]!r}{_meant(near)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@common_options
@click.pass_context
def cli(context: click.Context) -> None:
    """Card games between friends on one network: no server, and a deck nobody can peek into."""
    if os.environ.get("NO_COLOR"):
        context.color = False
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(Exit.USAGE)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits with its code."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that the terminal's encoding has no letters for must not end the game.
            stream.reconfigure(errors="replace")
    code = run(sys.argv[1:] if args is None else args)
    for stream in (sys.stdout, sys.stderr):
        _let_go(stream)
    sys.exit(code)


def _let_go(stream: TextIO) -> None:
    """What could not be written stays unwritten: else the interpreter complains of it at exit."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open_closed_streams() -> None:
    """A caller may have closed a standard stream: a file of ours must not get its number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, mode))


def run(args: Sequence[str]) -> int:
    """Runs the command line; returns the exit code, having told any failure in a few lines."""
    flags = Flags()
    context = None
    try:
        # Not `cli.main`: that ends the program by itself when a reader goes away.
        with cli.make_context(program_name(), list(args), obj=flags) as context:
            code = cli.invoke(context)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except BaseException as failure:
        if flags.is_debug and not isinstance(failure, KeyboardInterrupt | click.UsageError):
            import traceback

            click.echo(visible(traceback.format_exc()), nl=False, err=True)
        command = context and context.invoked_subcommand
        return _report(failure, flags, f"p2pjong {command}" if command in COMMANDS else "p2pjong")


def _report(failure: BaseException, flags: Flags, command: str) -> int:
    message, hint, code = _explain(failure)
    if isinstance(failure, click.UsageError) and not hint:
        hint = _superfluous_game(failure)
    if code == Exit.USAGE and not hint:
        hint = f"see {command} --help"
    if message:
        kind = "" if isinstance(failure, Departure) else "error: "
        _tell(f"p2pjong: {kind}{message}")
    if hint:
        _tell(f"p2pjong: hint: {hint}")
    if flags.is_json and not flags.has_answered and code != Exit.OK:
        with contextlib.suppress(OSError):
            click.echo(json_text({"error": message or "interrupted"}))
    return int(code)


def _tell(line: str) -> None:
    """One line on standard error; where a person reads it, no word of it is broken."""
    line = as_typed(line)
    if sys.stderr.isatty():
        from p2pjong.ui.text import fold

        line = "\n".join(fold(line, shutil.get_terminal_size().columns))
    with contextlib.suppress(OSError):  # nobody reads it
        click.echo(line, err=True)


def _superfluous_game(error: click.UsageError) -> str:
    """Where a game stands by itself that an option has to name: how; "" of any other error."""
    found = SUPERFLUOUS.match(error.message)
    options = error.ctx.command.params if error.ctx else []
    if not found or not any("--game" in option.opts for option in options):
        return ""
    from p2pjong.commands.offered import OFFERED

    game = GameName(list(OFFERED)).meant(found[1].split()[0])
    return f"--game {game} names the game" if game else ""


def _explain(failure: BaseException) -> tuple[str, str, int]:
    """What happened, what to do now, and the exit code; raises what nobody can explain."""
    match failure:
        case P2PJongError():
            return _one_line(failure.message), _one_line(failure.hint), failure.code
        case click.UsageError():
            return _one_line(_misused(failure)), "", Exit.USAGE
        case click.ClickException():
            return _one_line(failure.format_message()), "", Exit.STORAGE
        case KeyboardInterrupt() | click.Abort():
            return "", "", Exit.INTERRUPTED
        case BrokenPipeError():
            return "", "", Exit.OK  # whoever read our output has enough
        case OSError(errno=number) if number in UNWRITABLE:
            return *_unwritten(failure), Exit.STORAGE
        case SystemExit():
            return "", "", failure.code if isinstance(failure.code, int) else Exit.UNEXPECTED
        case Exception():
            text = f"unexpected {type(failure).__name__}: {failure}"
            return _one_line(text), "run it again with --debug and report it", Exit.UNEXPECTED
    raise failure


def _unwritten(failure: OSError) -> tuple[str, str]:
    """What a disk, or whatever else we write to, has refused, and what to do."""
    what = failure.filename or "the output"
    return f"{what} could not be written: {failure.strerror}", storage_hint(failure)


def _misused(error: click.UsageError) -> str:
    """What is wrong with the call, and what is allowed: once, and in our words."""
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = _called(error.param)
        if isinstance(error, click.MissingParameter):
            kind = error.param.type
            choices = list(kind.choices) if isinstance(kind, click.Choice) else []
            return f"{name} is missing" + (f": one of {', '.join(choices)}" if choices else "")
        allowed, given = _allowed(error.param), GIVEN.match(error.message)
        if allowed and given:
            value = given["quoted"] or given["plain"].removesuffix(".0")
            return f"{name} is {allowed}, not {value}"
        return f"{name}: {error.message}"
    if isinstance(error, click.NoSuchOption):
        return f"there is no option {error.option_name}{_meant(error.possibilities)}"
    if found := SUPERFLUOUS.match(error.message):
        return f"what is {found[1]!r} for? There is no place for it"
    return error.format_message()


def _allowed(parameter: click.Parameter) -> str:
    """What the parameter's value may be, in words; "" where click says it well."""
    kind = parameter.type
    if isinstance(kind, click.Choice) and not isinstance(kind, GameName):
        return " or ".join(kind.choices)
    if isinstance(kind, Seconds):
        return str(kind.times)
    if isinstance(kind, click.IntRange | click.FloatRange):
        number = "a whole number " if isinstance(kind, click.IntRange) else ""
        unit = " seconds" if parameter.metavar == "SECONDS" else ""
        if kind.max is None:
            return f"{number}of at least {kind.min:g}{unit}"
        joined = "from {:g} to {:g}" if number else "{:g} to {:g}"
        return number + joined.format(kind.min, kind.max) + unit
    return ""


def _called(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return (parameter.name or "").upper()


def _meant(possibilities: Sequence[str] | None) -> str:
    return f"; is it {possibilities[0]}?" if possibilities else ""


def _one_line(text: Any) -> str:
    return visible(" ".join(readable(str(text)).split()))
