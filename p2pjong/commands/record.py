"""`record`: the record of a game that was played here, from its journal."""

from pathlib import Path
from typing import Any

import click

from p2pjong.commands.flags import answer_json, common_options, json_option
from p2pjong.errors import Exit, P2PJongError, readable, visible
from p2pjong.games import GAMES
from p2pjong.settings import usage
from p2pjong.store.kept import KeptGame, kept_games, write_kept
from p2pjong.wire.names import clean_name

DIGITS = 8  # of a table's number, as it is shown


@click.command()
@click.argument("table", default="")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option(
    "--home",
    metavar="DIR",
    envvar="P2PJONG_HOME",
    show_envvar=True,
    help="Where keys and journals are kept.  [default: your data directory]",
)
@json_option
@common_options
def record(table: str, file: Path | None, home: str | None, is_json: bool) -> int:
    """Write a game that was played here as a record, for `p2pjong verify`.

    TABLE is the number or the name of its table; without it the games are listed. FILE is a new
    file, by default named after the number.
    """
    from p2pjong.net.identity import home_directory

    found = list(kept_games(home_directory(home)))
    for error in found:
        if isinstance(error, P2PJongError):
            click.echo(f"p2pjong: warning: {visible(error.message)}", err=True)
    games = [game for game in found if isinstance(game, KeptGame)]
    if not table:
        return _list(games, is_json)
    game = _meant(games, readable(table))
    file = file or Path(f"{_number(game)}.p2pjong")
    _write(game, file)
    if is_json:
        answer_json({**_as_json(game), "record": str(file)})
    else:
        click.echo(f"The record of {clean_name(game.draft.name)} is {file}")
    if not game.is_finished:
        click.echo("The game is not over: this is what has happened so far.", err=True)
    return Exit.OK


def _write(game: KeptGame, file: Path) -> None:
    from p2pjong.app.new_file import check_new

    check_new(file, "FILE")
    write_kept(game, file)


def _list(games: list[KeptGame], is_json: bool) -> int:
    if is_json:
        answer_json({"games": [_as_json(game) for game in games]})
        return Exit.OK if games else Exit.NOTHING_FOUND
    if not games:
        raise P2PJongError("no game is kept here", "--home DIR looks elsewhere", Exit.NOTHING_FOUND)
    from p2pjong.ui.text import aligned, dim

    head = ("number", "day", "game", "table", "seats")
    for line in aligned([tuple(map(dim, head)), *map(_row, games)]):
        click.echo(line)
    return Exit.OK


def _row(game: KeptGame) -> tuple[str, ...]:
    seats = ", ".join(clean_name(seat.name) for seat in game.draft.seats)
    title = GAMES[game.draft.game].title if game.draft.game in GAMES else game.draft.game
    name = clean_name(game.draft.name) + ("" if game.is_finished else " (not over)")
    return (_number(game), game.last_day.isoformat(), title, name, seats)


def _as_json(game: KeptGame) -> dict[str, Any]:
    return {
        "table": game.draft.table.hex(),
        "name": clean_name(game.draft.name),
        "game": game.draft.game,
        "seats": [clean_name(seat.name) for seat in game.draft.seats],
        "day": game.last_day.isoformat(),
        "finished": game.is_finished,
        "messages": game.messages,
    }


def _number(game: KeptGame) -> str:
    return game.draft.table.hex()[:DIGITS]


def _meant(games: list[KeptGame], text: str) -> KeptGame:
    """The game of that number, or the only one of that name."""
    typed = text.casefold()
    by_number = [game for game in games if game.draft.table.hex().startswith(typed)]
    by_name = [game for game in games if clean_name(game.draft.name).casefold() == typed]
    meant = by_name or by_number
    if not meant:
        raise P2PJongError(
            f"no game of {clean_name(text)} is kept here",
            "p2pjong record lists those that are",
            Exit.NOTHING_FOUND,
        )
    if len(meant) > 1:
        numbers = ", ".join(map(_number, meant))
        raise usage(f"there are several games of {clean_name(text)}", f"name one: {numbers}")
    return meant[0]
