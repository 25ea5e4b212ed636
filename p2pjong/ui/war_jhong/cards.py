"""War Jhong's cards on a terminal: a colour for each suit, and codes that need no colour."""

import click

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import FORT, GENERAL, JUNK, RANK, TACTICS
from p2pjong.ui.rack import Look

COLORS = {
    "I": "red",
    "A": "green",
    "C": "bright_blue",
    JUNK: "cyan",
    FORT: "yellow",
    GENERAL: "magenta",
}
NAMES = {
    "I": "Infantry",
    "A": "Archers",
    "C": "Cavalry",
    JUNK: "Junks",
    FORT: "Forts",
    GENERAL: "General",
    TACTICS: "Tactics",
}


def card(face: Face) -> str:
    """The card's code in its suit's colour."""
    # Tactics get no colour but weight: what stands out on a dark screen is lost on a light one.
    return click.style(face, fg=COLORS.get(face[:1]), bold=face == TACTICS or None)


def long_name(face: Face) -> str:
    """ "Infantry 4", "Junks"."""
    return " ".join([NAMES.get(face[:1], face), face[1:]]).rstrip()


def suit_of(face: Face) -> str:
    """What keeps cards together on the screen: a Common suit, Honors, or Generals and Tactics."""
    return face[:1] if face[1:] else "honors" if face in (JUNK, FORT) else "special"


LOOK = Look(card, RANK, suit_of)
cards = LOOK.cards
