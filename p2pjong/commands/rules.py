"""`rules`: the rules of a game in the project's own words."""

from importlib.resources import files

import click

from p2pjong.commands.flags import common_options
from p2pjong.errors import Exit
from p2pjong.games import GAMES


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@common_options
def rules(game: str) -> int:
    """Show the rules of GAME, with the rulings by number."""
    click.echo_via_pager(rules_text(game))
    return Exit.OK


def rules_text(game: str) -> str:
    """The rules page of `game`, which lies beside its code."""
    place = files("p2pjong.games").joinpath(game.replace("-", "_"), "rules.txt")
    return place.read_text(encoding="utf-8")
