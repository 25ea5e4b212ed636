"""What a bot thinks cards of Samurai Warfare are worth: all in points of force.

A hand is read as the line that it would lay in the battle: of each type the best cards that the
limit leaves room for, since whoever can play must. A card's worth is its force with the bonuses
that it gets, plus what its Battle Action is good for. A hand's worth is that of its line, and a
card drawn is worth what it adds to that on average, over all faces that this seat cannot see.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from p2pjong.games.game import Face
from p2pjong.games.samurai_warfare.battlefield import limit, shares
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.effects import (
    TYPES,
    Bonus,
    Destroy,
    DrawCards,
    Effect,
    Extra,
    LookAtHand,
    Lose,
    Steal,
)
from p2pjong.games.samurai_warfare.targets import fits

# What an action is good for where nothing better is known, in points of force.
DRAWN, LOST, STOLEN, LOOKED = 3.0, 3.0, 5.0, 0.2
# A card to destroy that does not lie there yet may come; one that lies there may be replaced.
PREY_TO_COME, PREY_SEEN = 3.5, 0.8
# A bonus for cards that are still to be played: some never will be.
BONUS_IN_HAND = 0.8


@dataclass(frozen=True)
class Field:
    """What lies before a seat, what lies before its rivals, and whether these hold cards."""

    in_play: tuple[Face, ...] = ()
    fallen: tuple[Face, ...] = ()
    prey: tuple[tuple[Face, int], ...] = ()  # rivals' cards, with what each adds to their totals
    can_touch: bool = True  # some rival holds cards


class Line(NamedTuple):
    """The cards that a hand would lay, by type the best first, and what they come to."""

    cards: Mapping[str, tuple[tuple[float, Face], ...]]
    rooms: Mapping[str, int]
    total: float


def worth(face: Face, hand: Sequence[Face], field: Field) -> float:
    """What playing the card would add, with the hand it is played from."""
    _, force = shares((*field.in_play, face), field.fallen)[-1]
    action = CARDS[face].action
    return force + (_action_worth(action, face, hand, field) if action else 0.0)


def _action_worth(action: Effect, face: Face, hand: Sequence[Face], field: Field) -> float:
    match action:
        case Destroy():
            return _destroy_worth(action, field)
        case Bonus():
            return _bonus_worth(action, hand, field)
        case Extra():
            return _extra_worth(action, face, hand, field)
        case DrawCards():
            return DRAWN * action.cards
        case Lose():
            return LOST * action.cards * field.can_touch
        case Steal():
            return STOLEN * field.can_touch
    assert isinstance(action, LookAtHand), "the other effects are those of the Tactics Phase"
    return LOOKED * field.can_touch


def _destroy_worth(action: Destroy, field: Field) -> float:
    seen = [value for face, value in field.prey if fits(action, face)]
    return max([PREY_SEEN * max(seen, default=0), PREY_TO_COME * field.can_touch])


def _bonus_worth(action: Bonus, hand: Sequence[Face], field: Field) -> float:
    in_play = sum(action.trait in CARDS[face].traits for face in field.in_play)
    held = {CARDS[face].type for face in hand if action.trait in CARDS[face].traits}
    return action.force * (in_play + BONUS_IN_HAND * len(held))


def _extra_worth(action: Extra, giver: Face, hand: Sequence[Face], field: Field) -> float:
    """The best card of that type for which there would be no room otherwise."""
    room = _room(action.type, field)
    held = sorted(
        (CARDS[face].force for face in hand if CARDS[face].type == action.type and face != giver),
        reverse=True,
    )
    return float(held[room]) if 0 <= room < len(held) else 0.0


def _room(kind: str, field: Field) -> int:
    lying = sum(CARDS[face].type == kind for face in field.in_play)
    return limit(kind, field.in_play, field.fallen) - lying


def line(hand: Sequence[Face], field: Field) -> Line:
    """What the hand would lay: of each type the best, extras of the cards laid with them."""
    valued: dict[str, list[tuple[float, Face]]] = {kind: [] for kind in TYPES}
    for face in hand:
        valued[CARDS[face].type].append((worth(face, hand, field), face))
    for cards in valued.values():
        cards.sort(reverse=True)
    rooms = _rooms(valued, field)
    laid = {kind: tuple(cards[: rooms[kind]]) for kind, cards in valued.items()}
    total = sum(value for cards in laid.values() for value, _ in cards)
    return Line(laid, rooms, total - _counted_twice(laid))


def _rooms(valued: Mapping[str, list[tuple[float, Face]]], field: Field) -> dict[str, int]:
    rooms = {kind: max(_room(kind, field), 0) for kind in TYPES}
    used: set[Face] = set()
    while True:
        laid = [face for kind in TYPES for _, face in valued[kind][: rooms[kind]]]
        fresh = [face for face in laid if face not in used and _extra(face)]
        if not fresh:
            return rooms
        for face in fresh:
            used.add(face)
            rooms[_extra(face)] += 1


def _extra(face: Face) -> str:
    action = CARDS[face].action
    return action.type if isinstance(action, Extra) else ""


def _counted_twice(laid: Mapping[str, tuple[tuple[float, Face], ...]]) -> float:
    """An extra's worth is the card that it makes room for, which now counts by itself."""
    twice = 0.0
    for cards in laid.values():
        for value, face in cards:
            if _extra(face):
                twice += value - CARDS[face].force
    return twice


def gain(face: Face, hand: Sequence[Face], now: Line, field: Field) -> float:
    """What one more card would add to the hand's line `now`."""
    value = worth(face, (*hand, face), field)
    kind = CARDS[face].type
    laid, room = now.cards[kind], now.rooms[kind]
    if not room:
        return 0.0
    return value if len(laid) < room else max(value - laid[-1][0], 0.0)


def draw_gains(
    hand: Sequence[Face], field: Field, unseen: Mapping[Face, int]
) -> list[tuple[float, int]]:
    """What each unseen card would add, and how many such there are; best first."""
    now = line(hand, field)
    return sorted(
        [(gain(face, hand, now, field), count) for face, count in unseen.items() if count > 0],
        reverse=True,
    )


def best_of(gains: Iterable[tuple[float, int]], cards: int) -> float:
    """The average gain by the best of so many cards, drawn from these."""
    ordered = list(gains)
    total = sum(count for _, count in ordered)
    average, worse = 0.0, total
    for value, count in ordered:
        # The best one is among these, and none above: as with putting back.
        average += value * ((worse / total) ** cards - ((worse - count) / total) ** cards)
        worse -= count
    return average


def least_lost(hand: Sequence[Face], field: Field) -> tuple[float, int]:
    """What the hand's line would lose with the card that it needs least, and its place."""
    full = line(hand, field).total
    found = []
    for place, face in enumerate(hand):
        rest = (*hand[:place], *hand[place + 1 :])
        found.append((full - line(rest, field).total, worth(face, rest, field), place))
    loss, _, place = min(found)
    return loss, place
