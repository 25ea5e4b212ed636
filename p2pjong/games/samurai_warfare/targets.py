"""What a seat's effects may aim at, and what it may play: from public facts alone."""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from p2pjong.games.game import NOBODY, Face, Seat, Slot
from p2pjong.games.samurai_warfare.battlefield import playable_types
from p2pjong.games.samurai_warfare.cards import CARDS, COPIES, FACES
from p2pjong.games.samurai_warfare.effects import TACTICS, TARGETING, TYPES, Destroy, Effect
from p2pjong.games.samurai_warfare.state import (
    BATTLE,
    State,
    faces,
    faces_up,
    present_seats,
)

# The slots that a play names beside the card (the one it destroys), and the target seat.
Aim: TypeAlias = tuple[tuple[Slot, ...], Seat]
NO_AIM: Aim = ((), NOBODY)


def open_types(state: State, seat: Seat) -> tuple[str, ...]:
    """The types of card that the seat may play now (S7); in the Tactics Phase, all."""
    if state.phase != BATTLE:
        return TYPES
    return playable_types(faces(state.in_play[seat]), state.fallen[seat])


def barred_faces(state: State, seat: Seat) -> tuple[Face, ...]:
    """The faces that the seat may not play now, without those that lie open to the last copy."""
    allowed = open_types(state, seat)
    open_faces = faces_up(state)
    return tuple(
        [
            face
            for face in FACES
            if CARDS[face].type not in allowed and open_faces.count(face) < COPIES[face]
        ]
    )


def holds_nothing_playable(state: State, seat: Seat) -> bool:
    """Whether it is clear to all that the seat must pass, without a (new) proof."""
    types = open_types(state, seat)
    if not state.hands[seat] or not types:
        return True
    proven = state.proven[seat]
    return bool(proven) and not set(proven) & set(types)


def effects_of(state: State, face: Face) -> tuple[Effect, ...]:
    """What the card does when it is played in this phase."""
    card = CARDS[face]
    return card.actions if state.phase == BATTLE else TACTICS[card.type]


def aims(state: State, seat: Seat, effects: Iterable[Effect]) -> tuple[Aim, ...]:
    """What a card with these effects may aim at; with nothing to aim at it is played without."""
    for effect in effects:
        found: list[Aim] = []
        if isinstance(effect, TARGETING):
            found = [((), target) for target in _targets(state, seat)]
        elif isinstance(effect, Destroy):
            found = _prey(state, seat, effect)
        if found:
            return tuple(found)
    return (NO_AIM,)


def aims_of_any(state: State, seat: Seat) -> set[Aim]:
    """What a card may aim at that nobody but the seat has seen: any one that it may play."""
    each = _effects_of_types(state.phase == BATTLE, open_types(state, seat))
    return {aim for effects in each for aim in aims(state, seat, effects)}


def _targets(state: State, seat: Seat) -> list[Seat]:
    """The others whose hand an effect can touch (S6)."""
    return [other for other in present_seats(state) if other != seat and state.hands[other]]


def _prey(state: State, seat: Seat, effect: Destroy) -> list[Aim]:
    """The opponents' cards in play that fit (S9)."""
    return [
        ((card.slot,), owner)
        for owner in present_seats(state)
        if owner != seat
        for card in state.in_play[owner]
        if fits(effect, card.face)
    ]


def fits(effect: Destroy, face: Face) -> bool:
    """Whether the card is one of those that the effect destroys."""
    card = CARDS[face]
    return card.is_a(effect.kind) and effect.but_no not in card.traits


@cache
def _effects_of_types(is_battle: bool, types: tuple[str, ...]) -> tuple[tuple[Effect, ...], ...]:
    if not is_battle:
        return tuple(TACTICS.values())
    found = [card.actions for card in CARDS.values() if card.type in types]
    return tuple(dict.fromkeys(found))
