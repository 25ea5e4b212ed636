"""What the cards before a seat allow and are worth: limits and extras, force and bonuses.

Pure functions of faces, for the rules, the scorer, bots and the screen alike. `in_play` are a
seat's cards in play, `fallen` those of it that were destroyed this turn: their bonuses and extras
last (S8).
"""

from collections import Counter
from functools import lru_cache
from typing import TypeAlias

from p2pjong.games.game import Face
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.effects import TYPES, Bonus, Extra

Faces: TypeAlias = tuple[Face, ...]

CACHED = 1 << 14  # lines of cards that a game comes by, and some more


def limit(kind: str, in_play: Faces, fallen: Faces) -> int:
    """How many cards of this type the seat may have in play (S7)."""
    return 1 + _extras(in_play + fallen)[kind]


@lru_cache(CACHED)
def playable_types(in_play: Faces, fallen: Faces) -> tuple[str, ...]:
    """The types of which the seat may play one more card (S7)."""
    held = Counter([CARDS[face].type for face in in_play])
    extras = _extras(in_play + fallen)
    return tuple([kind for kind in TYPES if held[kind] < 1 + extras[kind]])


@lru_cache(CACHED)
def shares(in_play: Faces, fallen: Faces) -> tuple[tuple[Face, int], ...]:
    """What each card in play adds to the total, its bonuses with it (S8)."""
    bonuses: Counter[str] = Counter()
    for face in in_play + fallen:
        action = CARDS[face].action
        if isinstance(action, Bonus):
            bonuses[action.trait] += action.force
    return tuple([(face, _worth(face, bonuses)) for face in in_play])


def force(in_play: Faces, fallen: Faces) -> int:
    """The seat's total in the Victory Phase (S10)."""
    return sum(worth for _, worth in shares(in_play, fallen))


def _worth(face: Face, bonuses: Counter[str]) -> int:
    card = CARDS[face]
    return card.force + sum(bonuses[trait] for trait in card.traits)


def _extras(played: Faces) -> Counter[str]:
    actions = [CARDS[face].action for face in played]
    return Counter([action.type for action in actions if isinstance(action, Extra)])
