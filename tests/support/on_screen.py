"""What the screen of one seat says of what was found at a simulated table: by the real teller."""

import click

from p2pjong.front import Told
from p2pjong.games import GAMES
from p2pjong.games.game import Seat
from p2pjong.session.effects import Happened
from p2pjong.session.lobby_view import LobbySeat
from p2pjong.ui.teller import Teller
from tests.support.sim import SimTable

NAMES = ("Ada", "Ben", "Cy", "Di", "Eve")


def screen_lines(
    table: SimTable, seat: Seat = 0, names: tuple[str, ...] = NAMES, is_asked: bool = False
) -> list[str]:
    """All lines so far, without colours. What happens in the tiny game has no words."""
    teller = Teller()
    seated = names[: len(table.peers)]
    teller.seated(tuple(LobbySeat(name, name) for name in seated), seat)
    teller.is_asked = is_asked
    has_words = table.draft.game in GAMES
    return [
        click.unstyle(line)
        for effect in table.peers[seat].seen
        if isinstance(effect, Told) and (has_words or not isinstance(effect, Happened))
        for line in teller.lines(effect, 0.0)
    ]


def screen_text(table: SimTable, seat: Seat = 0, is_asked: bool = False) -> str:
    """The same as one text, so that it does not matter where a line was broken."""
    return " ".join(" ".join(screen_lines(table, seat, is_asked=is_asked)).split())
