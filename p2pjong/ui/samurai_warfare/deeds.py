"""What a card just played does, in a sentence: for the news."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from p2pjong.games.game import NOBODY, Face, Seat
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.effects import (
    TACTICS,
    TARGETING,
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
from p2pjong.ui.names import Names
from p2pjong.ui.samurai_warfare.cards import a_kind, many, title

Deed = Callable[[Any, Seat, Names], str]

DEEDS: Mapping[type[Effect], Deed] = {
    DrawCards: lambda effect, _, names: f"draw {_cards(effect.cards)}",
    DiscardOwn: lambda effect, _, names: f"discard {effect.cards}",
    TakeOfNext: lambda effect, _, names: f"look at the next {effect.cards} cards and take one",
    Steal: lambda effect, target, names: f"steal a random card from {names.of(target)}",
    LookAtHand: lambda effect, target, names: f"look at {names.whose(target)} hand",
    LoseAtRandom: lambda effect, target, names: f"make {names.of(target)} discard a random card",
    Lose: lambda effect, target, names: f"make {names.of(target)} discard {_cards(effect.cards)}",
    Destroy: lambda effect, target, names: f"destroy {a_kind(effect.kind)}",
    Bonus: lambda effect, _, names: f"strengthen own {many(effect.trait)} by {effect.force}",
    Extra: lambda effect, _, names: f"allow one more {title(effect.type)}",
}


def tactics_deed(face: Face, target: Seat, names: Names) -> str:
    """ "to draw a card and look at Ben's hand": a card played in the Tactics Phase."""
    return _deed(TACTICS[CARDS[face].type], target, names)


def battle_deed(face: Face, target: Seat, names: Names) -> str:
    """The same for a Battle Action; "" for a card without one."""
    return _deed(CARDS[face].actions, target, names)


def _deed(effects: Iterable[Effect], target: Seat, names: Names) -> str:
    told = list(effects)
    done = [effect for effect in told if not _is_idle(effect, target)]
    if not done:
        return "without effect: nothing to aim at" if told else ""
    deeds = [DEEDS[type(effect)](effect, target, names) for effect in done]
    return f"to {' and '.join(deeds)}"


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _is_idle(effect: Effect, target: Seat) -> bool:
    """Whether the effect has come to nothing (S6, S9)."""
    return target == NOBODY and isinstance(effect, (*TARGETING, Destroy))
