"""What a hand of War Jhong could become: plans that it is a few cards away from.

A plan says what the finished hand would be worth, which cards are still missing for it, and of
which faces the hand has a card to spare. Only plans within reach are listed, for a bot to weigh.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.chart import diplomatic_combos, points
from p2pjong.games.war_jhong.cover import FORMATIONS, honor_counts, lowest_shift, suits_cover
from p2pjong.games.war_jhong.diplomacy import SOLUTION_SIZE, most_used_in_solution, solutions
from p2pjong.games.war_jhong.faces import (
    COMMON_FACES,
    COMMON_MASK,
    FORT,
    FORT_SHIFT,
    GENERAL,
    JUNK,
    JUNK_SHIFT,
    RANK,
    SHIFT,
    TACTICS,
    pack,
)
from p2pjong.games.war_jhong.formations import (
    FORMATION_SIZE,
    FORTS,
    JUNKS,
    RUSE,
    MeldFaces,
    Pattern,
    meanings,
)
from p2pjong.games.war_jhong.search import CONTAINING, SHIFTS, Patterns

# A place to fill: a number for the Formation that it is in, and the face that it takes.
Hole: TypeAlias = tuple[int, Face]
# A card that is missing, and whether a discard of that face could be claimed at once.
Want: TypeAlias = tuple[Face, bool]

FACE_AT = {SHIFT[face]: face for face in COMMON_FACES}
JUNK_PLACE, FORT_PLACE, SOLUTION_PLACE = -1, -2, -3
SOLUTION_POINTS = sum(value for _, value in diplomatic_combos(0))
# What a face-up Formation of three Tactics is counted as: trying all it can be would take too long.
OPEN_WILDS: Patterns = (JUNKS, FORTS, RUSE)


@dataclass(frozen=True, slots=True)
class Plan:
    """A finished hand within reach, worth `points` without Generals.

    `spare` has the faces of which the hand has a card that the plan does not use.
    """

    points: int
    missing: tuple[Want, ...]
    spare: tuple[Face, ...]


class _Draft(NamedTuple):
    """A plan under way: what it shows, what it lacks, and the packed cards passed over."""

    shown: Patterns
    holes: tuple[Hole, ...]
    passed: int


def list_plans(
    hand: Sequence[Face], melds: Sequence[MeldFaces], missing_max: int, unseen: Mapping[Face, int]
) -> list[Plan]:
    """The plans that lack at most so many cards; `unseen` counts the copies out of sight.

    Tactics cards are put where the fewest copies are left to wait for.
    """
    packed, held = pack(hand), Counter(hand)
    holes_max = held[TACTICS] + missing_max
    melded = list(product(*(_meld_choices(tuple(meld)) for meld in melds)))
    plans = [
        Plan(
            max(points(sorted(draft.shown + shown)) for shown in melded),
            _missing(draft.holes, held[TACTICS], unseen),
            _spare(draft, held),
        )
        for draft in _drafts(packed, FORMATIONS - len(melds), holes_max)
    ]
    if not melds and SOLUTION_SIZE - most_used_in_solution(packed) <= holes_max:
        plans += _solution_plans(held, holes_max, unseen)
    return plans


def _meld_choices(meld: MeldFaces) -> Patterns:
    choices = meanings(meld)
    return OPEN_WILDS if RUSE in choices else choices


def _missing(holes: Sequence[Hole], wilds: int, unseen: Mapping[Face, int]) -> tuple[Want, ...]:
    if len(holes) <= wilds:
        return ()
    rarest_first = sorted(holes, key=lambda hole: (unseen[hole[1]], RANK[hole[1]]))
    left = rarest_first[wilds:]
    places = [place for place, _ in left]
    return tuple((face, len(left) == 1 or places.count(place) == 1) for place, face in left)


def _spare(draft: _Draft, held: Counter[Face]) -> tuple[Face, ...]:
    faces = list(_faces_in(draft.passed))
    if held[GENERAL]:
        faces.append(GENERAL)
    if len(draft.holes) < held[TACTICS]:
        faces.append(TACTICS)
    return tuple(faces)


def _faces_in(packed: int) -> Iterator[Face]:
    common = packed & COMMON_MASK
    while common:
        shift = lowest_shift(common)
        yield FACE_AT[shift]
        common &= ~(3 << shift)
    junks, forts = honor_counts(packed)
    if junks:
        yield JUNK
    if forts:
        yield FORT


def _drafts(packed: int, free: int, holes_max: int) -> Iterator[_Draft]:
    """All ways to make `free` Formations with at most so many holes."""
    junks, forts = honor_counts(packed)
    # A Formation for which no card is held may come last of all, when nothing else is left.
    for fleets in range(min(free, -(-junks // FORMATION_SIZE)) + 1):
        for walls in range(min(free - fleets, -(-forts // FORMATION_SIZE)) + 1):
            lacking_junks, over_junks = _split_honors(junks, fleets)
            lacking_forts, over_forts = _split_honors(forts, walls)
            draft = _Draft(
                (JUNKS,) * fleets + (FORTS,) * walls,
                ((JUNK_PLACE, JUNK),) * lacking_junks + ((FORT_PLACE, FORT),) * lacking_forts,
                (over_junks << JUNK_SHIFT) + (over_forts << FORT_SHIFT),
            )
            yield from _extend(draft, packed & COMMON_MASK, free - fleets - walls, holes_max)


def _split_honors(held: int, formations: int) -> tuple[int, int]:
    """How many cards the Formations lack, and how many are over."""
    needed = FORMATION_SIZE * formations
    return max(0, needed - held), max(0, held - needed)


def _extend(draft: _Draft, common: int, free: int, holes_max: int) -> Iterator[_Draft]:
    """The draft with `free` more Formations of the Common cards, each holding one of them."""
    to_fill = FORMATION_SIZE * free - suits_cover(common)[free]
    if len(draft.holes) + to_fill > holes_max:
        return
    if not free:
        yield _Draft(draft.shown, draft.holes, draft.passed + common)
        return
    if not common:
        yield from _empty_formations(draft, free)
        return
    shift = lowest_shift(common)
    for pattern in CONTAINING[shift]:
        if added := _add(draft, common, pattern, free):
            yield from _extend(*added, free - 1, holes_max)
    passed = _Draft(draft.shown, draft.holes, draft.passed + (1 << shift))
    yield from _extend(passed, common - (1 << shift), free, holes_max)


def _add(draft: _Draft, common: int, pattern: Pattern, place: int) -> tuple[_Draft, int] | None:
    """The draft with the pattern, and the cards left; None if a passed card would have fitted."""
    holes = draft.holes
    for shift in SHIFTS[pattern]:
        if common >> shift & 3:
            common -= 1 << shift
        elif draft.passed >> shift & 3:
            return None
        else:
            holes = (*holes, (place, FACE_AT[shift]))
    return _Draft((*draft.shown, pattern), holes, draft.passed), common


def _empty_formations(draft: _Draft, free: int) -> Iterator[_Draft]:
    for pattern, face in ((JUNKS, JUNK), (FORTS, FORT)):
        holes = tuple((place, face) for place in range(free) for _ in range(FORMATION_SIZE))
        yield _Draft(draft.shown + (pattern,) * free, draft.holes + holes, draft.passed)


@lru_cache(maxsize=1)
def _counted_solutions() -> tuple[Counter[Face], ...]:
    return tuple(map(Counter, solutions()))


def _solution_plans(
    held: Counter[Face], holes_max: int, unseen: Mapping[Face, int]
) -> Iterator[Plan]:
    """The Diplomatic Solutions (W11) within reach; only their last card can be claimed."""
    for solution in _counted_solutions():
        lacking = solution - held
        if lacking.total() <= holes_max:
            holes = [(SOLUTION_PLACE, face) for face in lacking.elements()]
            spare = [face for face in held - solution if face != TACTICS]
            if len(holes) < held[TACTICS]:
                spare.append(TACTICS)
            missing = _missing(holes, held[TACTICS], unseen)
            yield Plan(SOLUTION_POINTS, missing, tuple(spare))
