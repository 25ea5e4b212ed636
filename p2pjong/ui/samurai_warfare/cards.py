"""Samurai Warfare's cards on a terminal: a colour for each type, and what each card does in words.

The words are made from the same data that the rules play by (`effects.py`), so that no card can do
one thing and say another.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click

from p2pjong.games.game import Face
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.effects import (
    ARCHER,
    ASHIGARU,
    CAVALRY,
    FORT,
    GUNS,
    SAMURAI,
    SHOGUN,
    SPEAR,
    SPECIAL,
    STRATEGY,
    SWORD,
    TACTICS,
    TERRAIN,
    Bonus,
    Destroy,
    DiscardOwn,
    DrawCards,
    Effect,
    Extra,
    LookAtHand,
    Lose,
    LoseAtRandom,
    Steal,
    TakeOfNext,
)
from p2pjong.ui.text import aligned, columns, commas, dim, width, wrap

TYPE_COLUMNS = 8
PLURALS = (GUNS, CAVALRY)  # traits that name no single thing

COLORS = {
    SHOGUN: "magenta",
    TERRAIN: "green",
    SAMURAI: "red",
    ASHIGARU: "yellow",
    STRATEGY: "cyan",
    SPECIAL: "bright_blue",
}


def card(face: Face) -> str:
    """The card's name in its type's colour."""
    return click.style(CARDS[face].name, fg=COLORS[CARDS[face].type])


def title(kind: str) -> str:
    """A type or trait as the cards spell it: "Ashigaru", "Guns"."""
    return kind.capitalize()


def a_kind(kind: str) -> str:
    """ "a Terrain", "an Ashigaru", "Guns": one card of a type or trait."""
    if kind in PLURALS:
        return title(kind)
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {title(kind)}"


def many(kind: str) -> str:
    """A trait of several cards: "Spears", "Cavalry"."""
    return title(kind) + ("s" if kind in (SPEAR, ARCHER, SWORD, FORT) else "")


def worth(face: Face) -> str:
    """The card with its type and force, and its traits: "Takeda (Shogun 7)"."""
    kind = CARDS[face]
    told = [f"{title(kind.type)} {kind.force}", *map(title, kind.traits)]
    return f"{card(face)} {dim('(' + ', '.join(told) + ')')}"


def listed(faces: Iterable[Face], head: str = "", indent: str = "") -> list[str]:
    """A head and the cards by name, on as few lines as they need."""
    names = commas([card(face) for face in faces] or [dim("no card")])
    return wrap([head, *names] if head else names, indent, hang="  ")


# --- What a card does, as short as a column allows ------------------------------------------------


def _destroy_note(effect: Destroy) -> str:
    spared = f"non-{title(effect.but_no)} " if effect.but_no else ""
    return f"destroy {spared}{title(effect.kind)}" if spared else f"destroy {a_kind(effect.kind)}"


NOTES: Mapping[type[Effect], Callable[[Any], str]] = {
    DrawCards: lambda effect: f"draw {effect.cards}",
    DiscardOwn: lambda effect: f"discard {effect.cards}",
    TakeOfNext: lambda effect: f"take 1 of next {effect.cards}",
    Steal: lambda effect: "steal a card",
    LookAtHand: lambda effect: "see hand",
    LoseAtRandom: lambda effect: "target loses 1",
    Lose: lambda effect: f"target discards {effect.cards}",
    Destroy: _destroy_note,
    Bonus: lambda effect: f"your {many(effect.trait)} +{effect.force}",
    Extra: lambda effect: f"one more {title(effect.type)}",
}


def note(effects: Iterable[Effect]) -> str:
    """The effects one after another: "draw 3, discard 2"."""
    return ", ".join(NOTES[type(effect)](effect) for effect in effects)


def battle_note(face: Face) -> str:
    """What the card brings into a battle: its traits and its Battle Action."""
    traits = ", ".join(map(title, CARDS[face].traits))
    return "; ".join(filter(None, (traits, note(CARDS[face].actions))))


def tactics_note(face: Face) -> str:
    """What the card does when it is discarded in the Tactics Phase."""
    return note(TACTICS[CARDS[face].type])


# --- Cards one below another ----------------------------------------------------------------------


def card_lines(
    rows: Sequence[tuple[str, Face]], last: Mapping[Face, str], head_of_last: str
) -> list[str]:
    """A line for each (mark, face): name, type, force, what it does, and what `last` says of it.

    A card without a mark cannot be chosen now. Where not all of it has room, what is said last
    stands in the place of what the card does in battle.
    """
    head_of_last = head_of_last and f" {head_of_last}"
    head = tuple(map(dim, ("  ", "card", "type, force", " in battle", head_of_last)))
    cells = [head, *(_card_cells(mark, face, last) for mark, face in rows)]
    lines = aligned(cells, right=(0,), gap=" ")
    if max(map(width, lines)) <= columns():
        return lines
    return aligned([(*row[:3], row[4] or row[3]) for row in cells], right=(0,), gap=" ")


def _card_cells(mark: str, face: Face, last: Mapping[Face, str]) -> tuple[str, ...]:
    kind = CARDS[face]
    name = card(face) if mark else dim(kind.name)
    strength = f"{title(kind.type):{TYPE_COLUMNS}} {kind.force:>2}"
    # Two blanks before each note: two of them must never read as one.
    told = last.get(face, "")
    return (mark, name, strength, f" {battle_note(face)}", f" {told}" if told else "")


def tactics_notes(faces: Iterable[Face]) -> dict[Face, str]:
    """The last column outside a battle."""
    return {face: tactics_note(face) for face in faces}
