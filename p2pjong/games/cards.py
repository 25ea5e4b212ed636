"""Decks, and the fixed order of card codes: what all games do with cards."""

from collections.abc import Iterable, Mapping

from p2pjong.games.game import Face, Known, Seat, Slot
from p2pjong.games.seating import put


def build_deck(copies: Mapping[Face, int]) -> tuple[Face, ...]:
    """The faces of a deck, each as often as `copies` says, in its order."""
    return tuple(face for face, count in copies.items() for _ in range(count))


def rank_faces(copies: Mapping[Face, int]) -> dict[Face, int]:
    """The place of each face in the fixed order of codes, which is the order of `copies`."""
    return {face: rank for rank, face in enumerate(copies)}


def sort_hand(
    slots: Iterable[Slot], known: Known, rank: Mapping[Face, int]
) -> tuple[tuple[Slot, Face], ...]:
    """The known cards among `slots` in the order of codes, equal ones by slot."""
    keyed = sorted([(rank[known[slot]], slot) for slot in slots if slot in known])
    return tuple([(slot, known[slot]) for _, slot in keyed])


def in_order(
    cards: Iterable[tuple[Slot, Face]], rank: Mapping[Face, int]
) -> tuple[tuple[Slot, Face], ...]:
    """The cards in the order of codes, equal ones by slot."""
    return tuple(sorted(cards, key=lambda card: (rank[card[1]], card[0])))


def deal_hands(moves: Iterable[tuple[Slot, Seat]], seats: int) -> tuple[tuple[Slot, ...], ...]:
    """The hand of each seat after a deal of these slots to these seats."""
    hands: list[list[Slot]] = [[] for _ in range(seats)]
    for slot, seat in moves:
        hands[seat].append(slot)
    return tuple(map(tuple, hands))


def without(
    hands: tuple[tuple[Slot, ...], ...], seat: Seat, gone: tuple[Slot, ...]
) -> tuple[tuple[Slot, ...], ...]:
    """The hands after these slots have left that of `seat`."""
    return put(hands, seat, tuple([slot for slot in hands[seat] if slot not in gone]))


def find_twin(hand: Iterable[Slot], card: Slot, known: Known) -> Slot | None:
    """A slot of the hand that bears the face of `card`, for who knows both; None otherwise.

    The re-veil gave a card just drawn a new place that nobody can name; equal cards are as good.
    """
    face = known.get(card)
    if face is None:
        return None
    return next((slot for slot in hand if known.get(slot) == face), None)


def find_pairs(
    hand: Iterable[Slot], known: Known, partners: Iterable[tuple[Face, Face]]
) -> list[tuple[Slot, Slot]]:
    """Slots of a known hand that bear two such faces, sorted: one pair for each pair of faces."""
    places: dict[Face, list[Slot]] = {}
    for slot in hand:
        places.setdefault(known[slot], []).append(slot)
    pairs = []
    for one, other in partners:
        if one in places and other in places:
            if one != other:
                first, second = places[one][0], places[other][0]
                pairs.append((first, second) if first < second else (second, first))
            elif len(places[one]) > 1:
                pairs.append((places[one][0], places[one][1]))
    return sorted(pairs)
