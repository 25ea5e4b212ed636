"""Not Your Ma's Jong's cards on a terminal: a colour for each suit, and the names players say."""

from collections.abc import Iterable, Sequence

import click

from p2pjong.games.game import Face
from p2pjong.games.not_your_mas_jong.faces import RANK
from p2pjong.games.not_your_mas_jong.hands import Split
from p2pjong.ui.rack import Look
from p2pjong.ui.text import wrap

COLORS = {"R": "red", "B": "bright_blue", "G": "green", "S": "yellow", "E": "magenta"}
NAMES = {"R": "Red", "B": "Blue", "G": "Green"}
# Cards whose code is not their name (the rulings' card list).
SPOKEN = {
    "S1": "Spring",
    "S2": "Summer",
    "S3": "Fall",
    "S4": "Winter",
    "E1": "Love",
    "E2": "Joy",
    "E3": "Anger",
}


def card(face: Face) -> str:
    """The card's code in its suit's colour."""
    return click.style(face, fg=COLORS.get(face[:1]))


def long_name(face: Face) -> str:
    """Its name in the order of its code: "Green 4", "Summer"."""
    return SPOKEN.get(face) or f"{NAMES.get(face[:1], face[:1])} {face[1:]}"


def suit_of(face: Face) -> str:
    """What keeps cards together on the screen."""
    return face[:1]


LOOK = Look(card, RANK, suit_of)
cards = LOOK.cards


def set_in_brackets(faces: Iterable[Face]) -> str:
    """A set that lies face up and is locked."""
    return f"[{cards(faces)}]"


def split_lines(found: Split, melds: Sequence[Sequence[Face]]) -> list[str]:
    """How a hand that goes out lies together: sets, face-up ones in brackets, and the pair."""
    shown = [*map(set_in_brackets, melds), *map(cards, found.sets), f"pair {cards(found.pair)}"]
    return wrap(shown, indent="    ", gap="   ")
