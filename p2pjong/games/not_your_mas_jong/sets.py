"""What a set is (N2): three cards that are the same, or three in a row of an ordered suit."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from p2pjong.games.game import Face
from p2pjong.games.not_your_mas_jong.faces import RANK, SUITS, sorted_faces

SET_SIZE = 3
SetFaces: TypeAlias = tuple[Face, ...]  # the three cards of a set

IDENTICAL: tuple[SetFaces, ...] = tuple((face,) * SET_SIZE for face in RANK)
SEQUENTIAL: tuple[SetFaces, ...] = tuple(
    suit.faces[low : low + SET_SIZE]
    for suit in SUITS
    if suit.is_ordered
    for low in range(len(suit.faces) - SET_SIZE + 1)
)
SETS = frozenset((*IDENTICAL, *SEQUENTIAL))


def is_set(cards: Sequence[Face]) -> bool:
    """Whether the three cards, in any order, are a set."""
    return all(map(RANK.__contains__, cards)) and sorted_faces(cards) in SETS


@cache
def partners(face: Face) -> tuple[tuple[Face, Face], ...]:
    """The pairs of faces that make a set with `face`, in the order of codes."""
    pairs = set()
    for cards in SETS:
        if face in cards:
            gone = cards.index(face)
            one, other = cards[:gone] + cards[gone + 1 :]
            pairs.add((one, other))
    return tuple(sorted(pairs, key=lambda pair: (RANK[pair[0]], RANK[pair[1]])))
