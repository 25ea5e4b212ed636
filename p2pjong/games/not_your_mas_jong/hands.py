"""Whether a hand goes out, how, how far it is from it, and which cards it awaits.

Hands are 10 cards, or 11 with the drawn or stolen one, less 3 for each face-up set, of a round that
can be: check a foreign one with `check_question` first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from p2pjong.games.game import Face
from p2pjong.games.not_your_mas_jong.cover import (
    FIELDS,
    JOINS,
    PAIR_SIZE,
    PLACE,
    SETS_TO_WIN,
    Row,
    is_whole,
    join,
    most_used,
    suit_row,
    suit_rows,
)
from p2pjong.games.not_your_mas_jong.faces import COPIES, FACES, SUITS, WEIGHT, pack, sorted_faces
from p2pjong.games.not_your_mas_jong.sets import IDENTICAL, SEQUENTIAL, SET_SIZE, SetFaces, is_set
from p2pjong.games.question import BadQuestion, check_copies

SUIT_OF = {face: place for place, suit in enumerate(SUITS) for face in suit.faces}


@dataclass(frozen=True)
class Split:
    """How a hand goes out: the sets that it holds itself, and the pair."""

    sets: tuple[SetFaces, ...]
    pair: tuple[Face, Face]


def check_question(hand: Sequence[Face], melds: Sequence[Sequence[Face]]) -> None:
    """Raises BadQuestion if no round can bring these cards together."""
    check_copies([*hand, *(face for meld in melds for face in meld)], COPIES)
    for meld in melds:
        if not is_set(meld):
            raise BadQuestion(f"{' '.join(meld)} is no set")
    if len(melds) > SETS_TO_WIN:
        raise BadQuestion(f"{len(melds)} face-up sets, but {SETS_TO_WIN} go out")
    needed = _size(len(melds))
    if len(hand) != needed:
        cards = "card" if len(hand) == 1 else "cards"
        raise BadQuestion(
            f"{len(hand)} {cards} in hand; with {len(melds)} face-up sets it takes {needed}"
        )


def _size(melds: int) -> int:
    return SET_SIZE * (SETS_TO_WIN - melds) + PAIR_SIZE


def goes_out(hand: Sequence[Face], melds: Sequence[SetFaces]) -> bool:
    """Whether the hand, the drawn or stolen card included, and the face-up sets go out."""
    return len(hand) == _size(len(melds)) and is_whole(pack(hand))


def split(hand: Sequence[Face], melds: Sequence[SetFaces]) -> Split | None:
    """How the hand goes out: of several ways the first in the order of codes, else None."""
    if not goes_out(hand, melds):
        return None
    left = Counter(hand)
    for face in FACES:
        if left[face] >= PAIR_SIZE:
            sets = _take_sets(left - Counter({face: PAIR_SIZE}), 0)
            if sets is not None:
                return Split(sets, (face, face))
    raise AssertionError("a hand that goes out can be taken apart")


def _take_sets(left: Counter[Face], place: int) -> tuple[SetFaces, ...] | None:
    while place < len(FACES) and not left[FACES[place]]:
        place += 1
    if place == len(FACES):
        return ()
    # Only two kinds of sets have this face, the lowest one that is left, as their first card.
    for cards in (IDENTICAL[place], SEQUENCE_FROM.get(FACES[place])):
        if cards is not None and not (taken := Counter(cards)) - left:
            others = _take_sets(left - taken, place)
            if others is not None:
                return (cards, *others)
    return None


SEQUENCE_FROM: Mapping[Face, SetFaces] = {cards[0]: cards for cards in SEQUENTIAL}


def distance(hand: Sequence[Face], melds: Sequence[SetFaces]) -> int:
    """The fewest cards to exchange before the hand goes out; 0 if it does.

    It asks what the hand lacks, not whether the cards for it are still to be had.
    """
    return _size(len(melds)) - most_used(pack(hand), SETS_TO_WIN - len(melds))


def nearing(hand: Sequence[Face], melds: Sequence[SetFaces]) -> tuple[Face, ...]:
    """The faces, still to be had, that bring the hand one card nearer to going out."""
    packed, sets = pack(hand), SETS_TO_WIN - len(melds)
    rows = suit_rows(packed)
    now = reduce(join, rows)[PLACE[sets, 1]]
    others = [_join_others(rows, suit) for suit in range(len(SUITS))]
    return tuple(
        [
            face
            for face in _outside(hand, melds)
            if _with_face(packed, face, others[SUIT_OF[face]], sets) > now
        ]
    )


def _join_others(rows: Sequence[Row], suit: int) -> Row:
    return reduce(join, [row for place, row in enumerate(rows) if place != suit])


def _with_face(packed: int, face: Face, others: Row, sets: int) -> int:
    """The most cards used with one `face` more, given the row of all suits but its own."""
    shift, mask, size, order = FIELDS[SUIT_OF[face]]
    row = suit_row((packed + WEIGHT[face]) >> shift & mask, size, order)
    return max([row[a] + others[b] for a, b in JOINS[PLACE[sets, 1]]])


def _outside(hand: Sequence[Face], melds: Sequence[SetFaces]) -> list[Face]:
    """The faces of which somebody else, or the deck, may still hold a copy."""
    held = Counter(hand)
    for meld in melds:
        held.update(meld)
    return [face for face in FACES if held[face] < COPIES[face]]


def waits(hand: Sequence[Face], melds: Sequence[SetFaces]) -> tuple[Face, ...]:
    """The faces, still to be had, with one of which this hand (after its discard) goes out."""
    return nearing(hand, melds) if distance(hand, melds) == 1 else ()


def ready_discards(
    hand: Sequence[Face], melds: Sequence[SetFaces]
) -> Mapping[Face, tuple[Face, ...]]:
    """Which discards leave the hand one card from going out, each with what is then awaited."""
    ready = {}
    if distance(hand, melds) <= 1:
        for face in dict.fromkeys(sorted_faces(hand)):
            rest = list(hand)
            rest.remove(face)
            if awaited := waits(rest, melds):
                ready[face] = awaited
    return ready
