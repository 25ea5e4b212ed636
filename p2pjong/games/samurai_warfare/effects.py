"""What cards do, as data: the effects of the Tactics Phase and the Battle Actions.

Nothing is carried out here: `outcomes.py` turns effects into steps.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

SHOGUN, TERRAIN, SAMURAI, ASHIGARU, STRATEGY, SPECIAL = TYPES = (
    "shogun",
    "terrain",
    "samurai",
    "ashigaru",
    "strategy",
    "special",
)
GUNS, SPEAR, ARCHER, SWORD, CAVALRY, FORT = TRAITS = (
    "guns",
    "spear",
    "archer",
    "sword",
    "cavalry",
    "fort",
)


@dataclass(frozen=True)
class DrawCards:
    """Draw so many cards."""

    cards: int


@dataclass(frozen=True)
class DiscardOwn:
    """Discard so many of the own hand."""

    cards: int


@dataclass(frozen=True)
class TakeOfNext:
    """Look at the next so many cards of the deck and take one (S5)."""

    cards: int


@dataclass(frozen=True)
class Steal:
    """Steal a random card of the target's hand."""


@dataclass(frozen=True)
class LookAtHand:
    """Look at the target's hand."""


@dataclass(frozen=True)
class LoseAtRandom:
    """The target discards a random card."""


@dataclass(frozen=True)
class Lose:
    """The target discards so many cards of its own choice (S6)."""

    cards: int


@dataclass(frozen=True)
class Destroy:
    """An opponent's card in play, of this type or trait, is discarded (S9)."""

    kind: str
    but_no: str = ""  # spared all the same: cards with this trait


@dataclass(frozen=True)
class Bonus:
    """Each of the owner's cards with this trait counts for more (S8)."""

    trait: str
    force: int = 3


@dataclass(frozen=True)
class Extra:
    """The owner may have one more card of this type in play (S7)."""

    type: str


Effect: TypeAlias = (
    DrawCards
    | DiscardOwn
    | TakeOfNext
    | Steal
    | LookAtHand
    | LoseAtRandom
    | Lose
    | Destroy
    | Bonus
    | Extra
)

# Effects that touch the hand of a target (S6).
TARGETING = (Steal, LookAtHand, LoseAtRandom, Lose)

# What a card does when it is discarded in the Tactics Phase, by its type, in printed order.
TACTICS: Mapping[str, tuple[Effect, ...]] = {
    SHOGUN: (TakeOfNext(5),),
    TERRAIN: (Steal(),),
    SAMURAI: (DrawCards(3), DiscardOwn(2)),
    ASHIGARU: (DrawCards(2),),
    STRATEGY: (DrawCards(1), LookAtHand()),
    SPECIAL: (LoseAtRandom(),),
}
