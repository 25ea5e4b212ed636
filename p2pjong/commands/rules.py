"""`rules`: the rules of a game in the project's own words."""

import click

from p2pjong.commands.flags import GameName, common_options
from p2pjong.commands.offered import OFFERED, rules_text
from p2pjong.errors import Exit


@click.command(epilog=f"GAME is one of {', '.join(sorted(OFFERED))}.")
@click.argument("game", type=GameName(list(OFFERED)), metavar="GAME")
@common_options
def rules(game: str) -> int:
    """Show the rules of GAME, with the rulings by number."""
    click.echo_via_pager(rules_text(game))
    return Exit.OK
