"""The command line: finds the command, maps every failure to a few lines and an exit code.

Commands live in `p2pjong.commands`, each imported when it is called: help must be quick.
"""

import importlib
import io
import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from p2pjong.commands.flags import Flags, common_options
from p2pjong.errors import Departure, Exit, P2PJongError, readable, visible
from p2pjong.ui.json_text import json_text

COMMANDS = {
    "host": ("play", "Open a table on this network and play."),
    "join": ("play", "Join a table on this network."),
    "bot": ("play", "Seat a bot at a table."),
    "tables": ("tables", "List the tables on this network."),
    "doctor": ("doctor", "Find out why no table is found, and what to do."),
    "identity": ("identity", "Show who you are to others: your key and its fingerprint."),
    "verify": ("verify", "Check a record of a game, trusting nothing."),
    "score": ("score", "Tell what a hand is worth, and why."),
    "rules": ("rules", "Show the rules of a game, with the rulings."),
    "arena": ("arena", "Let bots play many games against each other."),
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


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"p2pjong.commands.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

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
    sys.exit(run(sys.argv[1:] if args is None else args))


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
        with cli.make_context("p2pjong", list(args), obj=flags) as context:
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
    if code == Exit.USAGE and not hint:
        hint = f"see {command} --help"
    if message:
        kind = "" if isinstance(failure, Departure) else "error: "
        _tell(f"p2pjong: {kind}{message}")
    if hint:
        _tell(f"p2pjong: hint: {hint}")
    if flags.is_json and not flags.has_answered and code != Exit.OK:
        click.echo(json_text({"error": message or "interrupted"}))
    return int(code)


def _tell(line: str) -> None:
    """One line on standard error; where a person reads it, no word of it is broken."""
    if sys.stderr.isatty():
        from p2pjong.ui.text import fold

        line = "\n".join(fold(line, shutil.get_terminal_size().columns))
    click.echo(line, err=True)


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
            # Whoever read our output has enough; the interpreter must not complain at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return "", "", Exit.OK
        case SystemExit():
            return "", "", failure.code if isinstance(failure.code, int) else Exit.UNEXPECTED
        case Exception():
            text = f"unexpected {type(failure).__name__}: {failure}"
            return _one_line(text), "run it again with --debug and report it", Exit.UNEXPECTED
    raise failure


def _misused(error: click.UsageError) -> str:
    """What is wrong with the call: once, and in our words where click says it twice."""
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = _called(error.param)
        if not isinstance(error, click.MissingParameter):
            return f"{name}: {_plainly(error.message)}"
        kind = error.param.type
        choices = list(kind.choices) if isinstance(kind, click.Choice) else []
        return f"{name} is missing" + (f": one of {', '.join(choices)}" if choices else "")
    if isinstance(error, click.NoSuchOption):
        return f"there is no option {error.option_name}{_meant(error.possibilities)}"
    return error.format_message()


def _called(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return (parameter.name or "").upper()


def _plainly(message: str) -> str:
    for theirs, ours in (("integer range", "whole number"), ("float range", "number")):
        message = message.replace(f"a valid {theirs}", f"a {ours}")
    return message


def _meant(possibilities: Sequence[str] | None) -> str:
    return f"; is it {possibilities[0]}?" if possibilities else ""


def _one_line(text: Any) -> str:
    return visible(" ".join(readable(str(text)).split()))
