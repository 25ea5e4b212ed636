"""What a card just played does, in a sentence: for the news."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class _Played:
    """Who plays a card, and at whom."""

    seat: Seat
    target: Seat
    names: Names

    @property
    def whom(self) -> str:
        return self.names.of(self.target)

    @property
    def own(self) -> str:
        return "your own" if self.seat == self.names.me else "their own"


Deed = Callable[[Any, _Played], str]

DEEDS: Mapping[type[Effect], Deed] = {
    DrawCards: lambda effect, _: f"draw {_cards(effect.cards)}",
    DiscardOwn: lambda effect, _: f"discard {effect.cards}",
    TakeOfNext: lambda effect, _: f"look at the next {effect.cards} cards and take one",
    Steal: lambda effect, played: f"steal a random card from {played.whom}",
    LookAtHand: lambda effect, played: f"look at {played.names.whose(played.target)} hand",
    LoseAtRandom: lambda effect, played: f"make {played.whom} discard a random card",
    Lose: lambda effect, played: f"make {played.whom} discard {_cards(effect.cards)}",
    Destroy: lambda effect, played: f"destroy {a_kind(effect.kind)}",
    Bonus: lambda effect, played: f"strengthen {played.own} {many(effect.trait)} by {effect.force}",
    Extra: lambda effect, _: f"allow one more {title(effect.type)}",
}


def tactics_deed(face: Face, seat: Seat, target: Seat, names: Names) -> str:
    """ "to draw a card and look at Ben's hand": a card that the seat played in Tactics."""
    return _deed(TACTICS[CARDS[face].type], _Played(seat, target, names))


def battle_deed(face: Face, seat: Seat, target: Seat, names: Names) -> str:
    """The same for a Battle Action; "" for a card without one."""
    return _deed(CARDS[face].actions, _Played(seat, target, names))


def makes_discard(face: Face, is_battle: bool) -> bool:
    """Whether the card makes its target discard."""
    effects = CARDS[face].actions if is_battle else TACTICS[CARDS[face].type]
    return any(isinstance(effect, Lose | LoseAtRandom) for effect in effects)


def _deed(effects: Iterable[Effect], played: _Played) -> str:
    told = list(effects)
    done = [effect for effect in told if not _is_idle(effect, played.target)]
    if not done:
        return "without effect: there is no target" if told else ""
    deeds = [DEEDS[type(effect)](effect, played) for effect in done]
    return f"to {' and '.join(deeds)}"


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _is_idle(effect: Effect, target: Seat) -> bool:
    """Whether the effect has come to nothing (S6, S9)."""
    return target == NOBODY and isinstance(effect, (*TARGETING, Destroy))
