"""`host`, `join` and `bot`: a peer at a table, from its options to its outcome."""

import asyncio
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from p2pjong.bots import STRATEGIES
from p2pjong.commands.flags import (
    Flags,
    GameName,
    Seconds,
    answer_json,
    common_options,
    ip_address,
    json_option,
)
from p2pjong.commands.log_lines import set_up_log
from p2pjong.commands.offered import OFFERED, check_table, length_help
from p2pjong.errors import readable
from p2pjong.games import ROUNDS, TARGET
from p2pjong.games.game import Options
from p2pjong.settings import (
    CLOCK_S,
    CODE_VARIABLE,
    GRACE_S,
    NAME_CHARS_MAX,
    PAUSE_S,
    WINDOW_S,
    Outcome,
    PeerSettings,
    usage,
)
from p2pjong.wire.ranges import CLOCK, GRACE, ROUNDS_MAX, SEATS_MAX, SEATS_MIN, TARGET_MAX, WINDOW

SEATS_DEFAULT = 4
PORT_MAX = 65535


def _code(_: click.Context, __: click.Parameter, value: str) -> str:
    """Option callback: a code as both ends spell it. Only the host knows whether it is right."""
    from p2pjong.session.table_code import BadCode, normal_code

    try:
        return normal_code(value) if value else ""
    except BadCode as error:
        raise click.BadParameter(str(error)) from None


def _own_code(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Option callback: as `_code`, and of the form of a fresh one: no easier to guess."""
    from p2pjong.session.table_code import BadCode, check_form

    code = _code(context, parameter, value)
    try:
        if code:
            check_form(code)
    except BadCode as error:
        raise click.BadParameter(str(error)) from None
    return code


TABLE_OPTIONS = (
    click.option("--game", required=True, type=GameName(list(OFFERED)), help="What to play."),
    click.option("--table", default="", help="The table's name.  [default: after your own]"),
    click.option(
        "--seats",
        type=click.IntRange(SEATS_MIN, SEATS_MAX),
        metavar="N",
        help=f"Seats in all.  [default: you and the bots; without bots {SEATS_DEFAULT}]",
    ),
    click.option(
        "--bots",
        default=0,
        type=click.IntRange(0, SEATS_MAX - 1),
        metavar="K",
        help="Seats that bots take, started on this machine.",
    ),
    click.option(
        "--bot-strategy",
        default="greedy",
        show_default=True,
        type=click.Choice(sorted(STRATEGIES)),
        help="How those bots play.",
    ),
    click.option(
        "--target",
        type=click.IntRange(1, TARGET_MAX),
        metavar="N",
        help=length_help(TARGET),
    ),
    click.option(
        "--rounds",
        type=click.IntRange(1, ROUNDS_MAX),
        metavar="N",
        help=length_help(ROUNDS),
    ),
    click.option(
        "--clock",
        "clock_s",
        default=CLOCK_S,
        type=Seconds(CLOCK),
        show_default=True,
        metavar="SECONDS",
        help=f"Time for a turn, {CLOCK}; 0: no limit.",
    ),
    click.option(
        "--window",
        "window_s",
        default=WINDOW_S,
        type=Seconds(WINDOW),
        show_default=True,
        metavar="SECONDS",
        help=f"Time to claim or steal a discard, {WINDOW}, unless all others are your own bots. "
        "With 0 answers go out at once, and how fast they are may tell what you hold.",
    ),
    click.option(
        "--grace",
        "grace_s",
        default=GRACE_S,
        type=Seconds(GRACE),
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for a silent player before the others can vote to remove them, "
        f"{GRACE}.",
    ),
    click.option(
        "--open-books",
        "is_open_books",
        is_flag=True,
        help="Show everybody all cards of each hand once it has ended.",
    ),
    click.option(
        "--private",
        "is_private",
        is_flag=True,
        help="Let in only people who know the code, which your screen shows.",
    ),
    click.option(
        "--code",
        default="",
        callback=_own_code,
        metavar="CODE",
        envvar=CODE_VARIABLE,
        show_envvar=True,
        help="The code of your private table. Other users of this machine can read what you type "
        "here in its list of programs.  [default: a random one, which they cannot read]",
    ),
)

PEER_OPTIONS = (
    click.option("--name", default="", help="Your name at the table.  [default: your login]"),
    click.option(
        "--home",
        metavar="DIR",
        envvar="P2PJONG_HOME",
        show_envvar=True,
        help="Where keys and journals are kept.  [default: your data directory]",
    ),
    click.option(
        "--port",
        default=0,
        type=click.IntRange(0, PORT_MAX),
        metavar="P",
        help="TCP port.  [default: any free]",
    ),
    click.option(
        "--bind", default="", callback=ip_address, metavar="ADDRESS", help="Use this address only."
    ),
    click.option(
        "--oldest",
        "is_oldest",
        is_flag=True,
        help="You are the oldest: counts where a game lets the oldest begin.",
    ),
    click.option(
        "--no-mistakes",
        "may_err",
        is_flag=True,
        flag_value=False,
        default=True,
        help="Never call steal wrongly (Not Your Ma's Jong): you are asked only if you could.",
    ),
    click.option(
        "--delay",
        "delay_ms",
        default=0,
        type=click.IntRange(0, 60_000),
        metavar="MS",
        help="How long a bot seems to think.",
    ),
    click.option(
        "--events",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write what this seat sees happen, one JSON object a line, to a new file.",
    ),
    click.option(
        "--record",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the game as a record, for `p2pjong verify`, to a new file.",
    ),
)

PERSON_OPTIONS = (
    click.option(
        "--auto",
        "strategy",
        type=click.Choice(sorted(STRATEGIES)),
        callback=lambda context, option, value: value or "",
        metavar="STRATEGY",
        help=f"A bot plays your seat, no terminal needed: {', '.join(sorted(STRATEGIES))}.",
    ),
    click.option(
        "--pause",
        "pause_s",
        default=PAUSE_S,
        type=click.FloatRange(0, 300),
        show_default=True,
        metavar="SECONDS",
        help="How long the end of a hand stays before the next begins, unless you press Enter; "
        "0: not at all.",
    ),
    click.option(
        "--plain", "is_plain", is_flag=True, help="Plain lines in and out, also through pipes."
    ),
)

JOIN_OPTIONS = (
    click.option(
        "--code",
        default="",
        callback=_code,
        metavar="CODE",
        envvar=CODE_VARIABLE,
        show_envvar=True,
        help="The code of a private table. Other users of this machine can read what you type "
        "here in its list of programs.  [default: you are asked, which they cannot read]",
    ),
    click.option(
        "--connect",
        default="",
        metavar="HOST:PORT",
        help="Go straight to this address, where multicast does not reach.",
    ),
    click.option(
        "--wait",
        "wait_s",
        default=10.0,
        show_default=True,
        type=click.FloatRange(0.1, 3600),
        metavar="SECONDS",
        help="How long to look for the table.",
    ),
)


def _with(*groups: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], Any]:
    options = [option for group in groups for option in group]
    return lambda command: functools.reduce(lambda done, add: add(done), reversed(options), command)


@click.command()
@_with(TABLE_OPTIONS, PEER_OPTIONS, PERSON_OPTIONS)
@json_option
@common_options
def host(**options: Any) -> int:
    """Open a table on this network and play.

    Friends find it with `p2pjong join`; nobody types an address.
    """
    seats = options.pop("seats") or (options["bots"] + 1 if options["bots"] else SEATS_DEFAULT)
    options["target"], options["rounds"] = options["target"] or 0, options["rounds"] or 0
    check_table(options["game"], seats, Options(options["target"], options["rounds"]))
    if not options["is_private"] and not _is_typed("code"):
        options["code"] = ""  # one in the environment is for the tables of others
    name = options["name"] = _own_name(options["name"])
    options["table"] = options["table"] or f"{name}'s table"[:NAME_CHARS_MAX]
    return _play(_settings(role="host", seats=seats, **options))


@click.command()
@click.argument("table", default="")
@_with(JOIN_OPTIONS, PEER_OPTIONS, PERSON_OPTIONS)
@json_option
@common_options
def join(**options: Any) -> int:
    """Join TABLE; without a name the only table, or the one you choose."""
    options["name"] = _own_name(options["name"])
    return _play(_settings(role="join", **options))


@click.command()
@click.argument("table", default="")
@click.option(
    "--strategy",
    default="greedy",
    show_default=True,
    type=click.Choice(sorted(STRATEGIES)),
    help="How it plays.",
)
@_with(JOIN_OPTIONS, PEER_OPTIONS)
@json_option
@common_options
def bot(**options: Any) -> int:
    """Seat a bot at TABLE, or at the only table there is."""
    options["name"] = options["name"] or f"{options['strategy']} bot"
    return _play(_settings(role="bot", **options))


def _is_typed(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def _own_name(name: str) -> str:
    from p2pjong.net.identity import default_name

    return readable(name or default_name())


def _settings(**options: Any) -> PeerSettings:
    from p2pjong.net.address import parse_address
    from p2pjong.net.identity import home_directory

    flags = click.get_current_context().ensure_object(Flags)
    home = home_directory(options.pop("home"))
    for text in ("name", "table", "connect"):
        options[text] = readable(options.get(text, ""))
    settings = PeerSettings(home=home, is_debug=flags.is_debug, **options)
    settings.check()
    if settings.connect:
        parse_address(settings.connect)
    return settings


def _play(settings: PeerSettings) -> int:
    """Seats a person or a bot in front of the peer, and tells how the game came out."""
    _check_terminal(settings)
    set_up_log(settings.is_debug)
    try:
        outcome = asyncio.run(_run(settings))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None  # Ctrl-C before there was a table to leave
    if settings.is_json:
        answer_json(outcome.as_json())
    if outcome.failure is not None:
        raise outcome.failure
    return outcome.code


def _check_terminal(settings: PeerSettings) -> None:
    if settings.is_automatic or settings.is_plain or sys.stdin.isatty():
        return
    raise usage(
        "standard input is not a terminal, and playing needs one",
        "--auto greedy lets a bot play your seat, --plain reads your choices from a pipe",
    )


async def _run(settings: PeerSettings) -> Outcome:
    from p2pjong.app.peer import run_peer
    from p2pjong.commands.fronts import open_front

    color = click.get_current_context().color
    async with open_front(settings, has_color=color is not False) as front:
        return await run_peer(settings, front)
