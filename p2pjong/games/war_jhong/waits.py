"""Whether a hand goes out, how far it is from it, and which cards it awaits.

Hands are 12 or 13 cards less 3 for each face-up Formation, of a deal that can be: check a foreign
one with `check_question` first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from p2pjong.games.game import Face
from p2pjong.games.question import BadQuestion, check_copies
from p2pjong.games.war_jhong.cover import FORMATIONS, most_used
from p2pjong.games.war_jhong.diplomacy import most_used_in_solution
from p2pjong.games.war_jhong.faces import (
    COPIES,
    FACES,
    GENERAL,
    TACTICS_MASK,
    TACTICS_SHIFT,
    WEIGHT,
    pack,
    sorted_faces,
)
from p2pjong.games.war_jhong.formations import FORMATION_SIZE, MeldFaces, is_formation


def check_question(hand: Sequence[Face], melds: Sequence[Sequence[Face]], generals: int) -> None:
    """Raises BadQuestion if no deal can bring these cards together."""
    check_copies([*hand, *(face for meld in melds for face in meld)], COPIES)
    if generals < 0:
        raise BadQuestion("fewer than no Generals cannot be discarded")
    if (held := hand.count(GENERAL) + generals) > COPIES[GENERAL]:
        raise BadQuestion(f"{held} Generals, but the deck has {COPIES[GENERAL]}")
    for meld in melds:
        if not is_formation(meld):
            raise BadQuestion(f"{' '.join(meld)} is no Formation")
    if len(melds) > FORMATIONS:
        raise BadQuestion(f"{len(melds)} face-up Formations, but {FORMATIONS} go out")
    needed = FORMATION_SIZE * (FORMATIONS - len(melds))
    if len(hand) not in (needed, needed + 1):
        cards = "card" if len(hand) == 1 else "cards"
        raise BadQuestion(
            f"{len(hand)} {cards} in hand; with {len(melds)} face-up Formations "
            f"it takes {needed} or {needed + 1}"
        )


def _packed_distance(packed: int, melds: int) -> int:
    held = packed >> TACTICS_SHIFT & TACTICS_MASK
    formations = FORMATIONS - melds
    used = most_used(packed, formations)
    if not melds:
        used = max(used, most_used_in_solution(packed))
    return max(0, FORMATION_SIZE * formations - held - used)


def distance(hand: Sequence[Face], melds: Sequence[MeldFaces]) -> int:
    """The fewest cards to exchange before the hand goes out; 0 if it does.

    It asks what the hand lacks, not whether the cards for it are still to be had.
    """
    return _packed_distance(pack(hand), len(melds))


def goes_out(hand: Sequence[Face], melds: Sequence[MeldFaces], claimed: Face | None = None) -> bool:
    """Whether the hand goes out (W3, W11); with `claimed`, by a reading that contains it (W5).

    The hand includes the claimed card.
    """
    packed = pack(hand)
    if claimed == GENERAL or _packed_distance(packed, len(melds)):
        return False
    # Of several copies the claimed one need not be the one left over; of 12 cards none is.
    if claimed is None or hand.count(claimed) > 1 or len(hand) % FORMATION_SIZE == 0:
        return True
    left_overs = {face for face in hand if face != claimed}
    return any(not _packed_distance(packed - WEIGHT[face], len(melds)) for face in left_overs)


def _outside(hand: Sequence[Face], melds: Sequence[MeldFaces]) -> list[Face]:
    """The faces of which somebody else, or the deck, may still hold a copy."""
    held = Counter(hand)
    for meld in melds:
        held.update(meld)
    return [face for face in FACES if held[face] < COPIES[face]]


def nearing(hand: Sequence[Face], melds: Sequence[MeldFaces]) -> tuple[Face, ...]:
    """The faces, still to be had, that bring the hand one card nearer to going out."""
    packed = pack(hand)
    goal = _packed_distance(packed, len(melds)) - 1
    return tuple(
        face
        for face in _outside(hand, melds)
        if _packed_distance(packed + WEIGHT[face], len(melds)) == goal
    )


def waits(hand: Sequence[Face], melds: Sequence[MeldFaces]) -> tuple[Face, ...]:
    """The faces, still to be had, with one of which this hand (after its discard) goes out.

    A hand that goes out as it is awaits any card at all.
    """
    away = distance(hand, melds)
    if away > 1:
        return ()
    return nearing(hand, melds) if away else tuple(_outside(hand, melds))


def ready_discards(
    hand: Sequence[Face], melds: Sequence[MeldFaces]
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
