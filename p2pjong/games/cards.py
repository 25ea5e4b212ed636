"""Decks, and the fixed order of card codes: what all games do with cards."""

from collections.abc import Iterable, Mapping

from p2pjong.games.game import Face, Known, Slot


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
