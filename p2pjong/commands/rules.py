"""`rules`: the rules of a game in the project's own words."""

import re

import click

from p2pjong.commands.flags import GameName, common_options
from p2pjong.commands.offered import OFFERED, rules_text
from p2pjong.errors import Exit
from p2pjong.settings import usage

HEADING = re.compile(r"^(?P<title>[A-Z][^\n]*)\n-+$", re.MULTILINE)


@click.command(epilog=f"GAME is one of {', '.join(OFFERED)}.")
@click.argument("game", type=GameName(list(OFFERED)), metavar="GAME")
@click.argument("section", nargs=-1)
@common_options
def rules(game: str, section: tuple[str, ...]) -> int:
    """Show the rules of GAME, with the rulings by number; from SECTION on, like "claims" or W5."""
    text = rules_text(game)
    click.echo_via_pager(text[_begin(text, " ".join(section)) :] if section else text)
    return Exit.OK


def _begin(text: str, wanted: str) -> int:
    """Where the section, or the ruling, begins; raises P2PJongError if there is none."""
    titles = {found["title"]: found.start() for found in HEADING.finditer(text)}
    for is_meant in (str.startswith, str.__contains__):
        for title, start in titles.items():
            if is_meant(title.lower(), wanted.lower()):
                return start
    ruling = re.search(rf"^  {re.escape(wanted.upper())} ", text, re.MULTILINE)
    if ruling:
        return ruling.start()
    raise usage(
        f"there is no section {wanted!r}",
        f"there are {', '.join(titles)}, and the rulings by their numbers",
    )
