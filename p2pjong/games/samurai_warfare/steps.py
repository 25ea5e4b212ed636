"""The steps that a turn is made of: data in the state's queue, of which the first is under way.

`awaited.py` says what each step waits for, `play.py` and `outcomes.py` what follows.
"""

from dataclasses import dataclass
from typing import TypeAlias

from p2pjong.games.game import NOBODY, Seat, Slot

NO_SLOT: Slot = -1


@dataclass(frozen=True)
class TossFirst:
    """The first Shogun is tossed (G1)."""


@dataclass(frozen=True)
class ShuffleAll:
    """All 71 cards are shuffled, under new keys."""


@dataclass(frozen=True)
class Fill:
    """In this order each (seat, cards) draws so many."""

    wants: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True)
class LookAhead:
    """The seat looks at the next cards of the deck (S5)."""

    seat: Seat
    cards: int


@dataclass(frozen=True)
class ChooseTaken:
    """The seat chooses one of the deck's slots that it looked at."""

    seat: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class TakeCard:
    """That slot comes into the hand."""

    seat: Seat
    slot: Slot


@dataclass(frozen=True)
class ChooseDiscards:
    """The seat chooses from `least` to `most` cards of its hand to discard.

    With `is_refilled` it draws as many (S3).
    """

    seat: Seat
    least: int
    most: int
    is_refilled: bool = False


@dataclass(frozen=True)
class Drop:
    """Those slots of the seat's hand are discarded, face up (G3)."""

    seat: Seat
    slots: tuple[Slot, ...]
    why: str


@dataclass(frozen=True)
class ChoosePlay:
    """The seat plays a card, or passes."""

    seat: Seat


@dataclass(frozen=True)
class Reveal:
    """The card played is opened; `destroyed` and `target` are what its effect aims at."""

    seat: Seat
    slot: Slot
    destroyed: Slot
    target: Seat


@dataclass(frozen=True)
class Prove:
    """The seat, which passed, proves that it holds no playable card (S7)."""

    seat: Seat


@dataclass(frozen=True)
class Look:
    """The seat looks at the target's hand."""

    seat: Seat
    target: Seat


@dataclass(frozen=True)
class Pick:
    """A random card of the target's hand is tossed: for `thief`, or to be discarded."""

    target: Seat
    thief: Seat = NOBODY


@dataclass(frozen=True)
class HandOver:
    """The slot goes from the target's hand to the thief's."""

    thief: Seat
    target: Seat
    slot: Slot


@dataclass(frozen=True)
class SettleTurn:
    """The turn's result is made final."""


Step: TypeAlias = (
    TossFirst
    | ShuffleAll
    | Fill
    | LookAhead
    | ChooseTaken
    | TakeCard
    | ChooseDiscards
    | Drop
    | ChoosePlay
    | Reveal
    | Prove
    | Look
    | Pick
    | HandOver
    | SettleTurn
)
