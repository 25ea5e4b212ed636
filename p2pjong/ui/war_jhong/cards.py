"""War Jhong's cards on a terminal: a colour for each suit, and codes that need no colour."""

from collections import Counter
from collections.abc import Iterable

import click

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import FACES, FORT, GENERAL, JUNK, TACTICS, sorted_faces
from p2pjong.games.war_jhong.view import WarJhongView, unseen
from p2pjong.ui.text import pad_left

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


def card(face: Face, columns: int = 0) -> str:
    """The card's code in its suit's colour, flush right in so many columns."""
    # Tactics get no colour but weight: what stands out on a dark screen is lost on a light one.
    return pad_left(
        click.style(face, fg=COLORS.get(face[:1]), bold=face == TACTICS or None), columns
    )


def cards(faces: Iterable[Face]) -> str:
    """Cards side by side, as they come."""
    return " ".join(map(card, faces))


def long_name(face: Face) -> str:
    """ "Infantry 4", "Junks"."""
    return " ".join([NAMES.get(face[:1], face), face[1:]]).rstrip()


def suit_of(face: Face) -> str:
    """What keeps cards together on the screen: a Common suit, Honors, or Generals and Tactics."""
    return face[:1] if face[1:] else "honors" if face in (JUNK, FORT) else "special"


def counted(faces: Iterable[Face]) -> list[str]:
    """Each kind of card once, in the order of codes, with a count where there are more."""
    held = Counter(faces)
    return [
        card(face) + (f" x{held[face]}" if held[face] > 1 else "") for face in sorted_faces(held)
    ]


def awaited(faces: Iterable[Face], view: WarJhongView) -> list[str]:
    """Cards with how many copies are out of sight: "A4 x2"; those with none left out."""
    left = unseen(view)
    wanted = set(faces)
    return [f"{card(face)} x{left[face]}" for face in FACES if face in wanted and left[face] > 0]
