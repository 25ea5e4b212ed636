"""What a bot thinks a hand of War Jhong is worth, and what follows for discards and claims.

A hand's prospect is the points that it will score on average. In each round the wanted cards turn
up at rates of their own, and so does the end of the hand by another seat; what comes first counts.
A hand that cards x finish, at rates r(x) for v(x) points, while others finish at rate h, is worth
sum(r v) / (h + sum r). A hand further away is worth the same sum over what its next cards lead to:
computed for the next two cards, and by a discount for each one more.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from p2pjong.bots.war_jhong_plans import Plan, Want, list_plans
from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import FORT, GENERAL, JUNK, RANK, TACTICS
from p2pjong.games.war_jhong.formations import MeldFaces
from p2pjong.games.war_jhong.scoring import distance, goes_out, score

# Measured over some thousand hands between four such bots: how soon one seat goes out, by the
# rounds played and its face-up Formations, and how often a wanted face is discarded.
HAZARD_FIRST, HAZARD_PER_ROUND, HAZARD_PER_MELD, HAZARD_MAX = 0.02, 0.03, 0.03, 0.15
CLAIMED_COMMON, CLAIMED_HONOR = 0.6, 0.3
# A missing card is less of a wait than its own rate says: another may do as well by then.
DETOUR_FACTOR, DETOUR_RATE = 1.5, 0.1
# With few plans at hand, longer ones are worth a look.
SLACK = 0
CSLACK = 0
DEAL_SIZE, DECK_SIZE = 12, 120
# Worth more than its points: the others score nothing.
WINNING_BONUS = 0.0
NEVER = (0.0, 0.0)
# A hand worth so much goes out at once.
WAIT_BELOW = 5


@dataclass(frozen=True)
class Outlook:
    """What a seat knows beside its own hand.

    `unseen` counts the copies of each face that are in the deck or in other hands; `rival_melds`
    the face-up Formations of each other seat; `generals` those that it has discarded itself.
    """

    unseen: Mapping[Face, int]
    deck_size: int
    rival_melds: tuple[int, ...]
    generals: int

    @property
    def hazard(self) -> float:
        """How likely another seat, or the end of the deck, is to end the hand within a round."""
        seats = len(self.rival_melds) + 1
        rounds = max(0.0, (DECK_SIZE - DEAL_SIZE * seats - self.deck_size) / seats)
        base = HAZARD_FIRST + HAZARD_PER_ROUND * rounds
        rivals = (min(HAZARD_MAX, base + HAZARD_PER_MELD * melds) for melds in self.rival_melds)
        return sum(rivals) + seats / (self.deck_size + 1)


class _Step(NamedTuple):
    """A card that a plan lacks: how fast it turns up, and what waiting for it leaves of a hand."""

    face: Face
    rate: float
    discount: float


class _Path(NamedTuple):
    """A plan with the steps that lead to it, and the product of their discounts."""

    points: float
    steps: tuple[_Step, ...]
    discount: float
    spare: tuple[Face, ...]


def rank_discards(
    hand: Sequence[Face], melds: Sequence[MeldFaces], outlook: Outlook, reach: int | None = None
) -> list[tuple[Face, float]]:
    """Each face that may well be discarded with the prospect of what is kept, best first.

    `hand` has the card to discard. Only plans that lack at most `reach` cards count.
    """
    kept: dict[Face, list[_Path]] = defaultdict(list)
    for path in _paths(hand, melds, outlook, reach):
        for face in path.spare:
            kept[face].append(path)
    values = {
        face: _prospect(paths, outlook, outlook.generals + (face == GENERAL))
        for face, paths in kept.items()
    }
    return sorted(values.items(), key=lambda each: (-each[1], each[0] == TACTICS, RANK[each[0]]))


def hand_prospect(
    hand: Sequence[Face],
    melds: Sequence[MeldFaces],
    outlook: Outlook,
    reach: int | None = None,
) -> float:
    """What a hand without a card to discard is worth."""
    return _prospect(_paths(hand, melds, outlook, reach), outlook, outlook.generals)


def choose_claim(
    hand: Sequence[Face],
    melds: Sequence[MeldFaces],
    claimed: Face,
    pairs: Iterable[tuple[Face, Face]],
    outlook: Outlook,
) -> tuple[Face, Face] | None:
    """The pair to claim a Formation with, or None where passing is worth as much."""
    # Longer plans on one side of the scales alone would tip them.
    reach = distance(hand, melds) + CSLACK
    best = None
    most = hand_prospect(hand, melds, outlook, reach)
    for pair in pairs:
        rest = list(hand)
        for face in pair:
            rest.remove(face)
        ranked = rank_discards(rest, [*melds, (*pair, claimed)], outlook, reach)
        if ranked and ranked[0][1] > most:
            best, most = pair, ranked[0][1]
    return best


def pays_to_go_out(hand: Sequence[Face], melds: Sequence[MeldFaces], outlook: Outlook) -> bool:
    """Whether a hand that goes out should, or rather keep four Formations and draw once more."""
    now = score(hand, melds, outlook.generals)
    assert now is not None, "the hand goes out"
    if now.total >= WAIT_BELOW or outlook.deck_size <= len(outlook.rival_melds):
        return True
    later = max((_next_draw(hand, face, melds, outlook) for face in set(hand)), default=0.0)
    return now.total + WINNING_BONUS >= (later + WINNING_BONUS) / (1 + outlook.hazard)


def _next_draw(
    hand: Sequence[Face], discard: Face, melds: Sequence[MeldFaces], outlook: Outlook
) -> float:
    """What the hand scores on average after the discard and one more draw; 0 if that undoes it."""
    rest = list(hand)
    rest.remove(discard)
    if not goes_out(rest, melds):
        return 0.0
    generals = outlook.generals + (discard == GENERAL)
    drawn = [(face, left) for face, left in outlook.unseen.items() if left > 0]
    readings = [(score([*rest, face], melds, generals), left) for face, left in drawn]
    total = sum(reading.total * left for reading, left in readings if reading)
    return total / max(1, sum(left for _, left in drawn))


def _paths(
    hand: Sequence[Face], melds: Sequence[MeldFaces], outlook: Outlook, reach: int | None
) -> list[_Path]:
    away = distance(hand, melds) + SLACK if reach is None else reach
    return _weigh(list_plans(hand, melds, away, outlook.unseen), outlook)


def _weigh(plans: Iterable[Plan], outlook: Outlook) -> list[_Path]:
    """The plans with their cards as steps, each weighed once."""
    best: dict[tuple[tuple[Want, ...], tuple[Face, ...]], int] = {}
    for plan in plans:
        key = (plan.missing, plan.spare)
        if plan.points > best.get(key, 0):
            best[key] = plan.points
    hazard, unseen = outlook.hazard, max(1, sum(outlook.unseen.values()))
    steps: dict[Want, _Step] = {}
    for want in {want for missing, _ in best for want in missing}:
        face, can_claim = want
        often = CLAIMED_HONOR if face in (JUNK, FORT) else CLAIMED_COMMON
        sources = 1 + can_claim * often * len(outlook.rival_melds)
        rate = sources * outlook.unseen[face] / unseen
        pace = DETOUR_FACTOR * rate + DETOUR_RATE
        steps[want] = _Step(face, rate, pace / (pace + hazard))
    return [
        _path(plan_points + WINNING_BONUS, tuple([steps[each] for each in missing]), spare)
        for (missing, spare), plan_points in best.items()
    ]


def _path(points: float, steps: tuple[_Step, ...], spare: tuple[Face, ...]) -> _Path:
    return _Path(points, steps, prod([step.discount for step in steps]), spare)


@dataclass(slots=True)
class _Opening:
    """What one more card of a face leads to: a finished hand, or the next cards to wait for."""

    rate: float = 0.0
    finished: float = 0.0
    further: dict[Face, tuple[float, float]] = field(default_factory=dict)


def _prospect(paths: Iterable[_Path], outlook: Outlook, generals: int) -> float:
    hazard = outlook.hazard
    wild_rate = outlook.unseen[TACTICS] / max(1, sum(outlook.unseen.values()))
    complete = 0.0
    openings: dict[Face, _Opening] = defaultdict(_Opening)
    for path in paths:
        worth = path.points + generals
        if not path.steps:
            complete = max(complete, worth / (1 + hazard))
        for place, step in enumerate(path.steps):
            _open(openings[step.face], place, path, worth)
    values = [(each.rate, _value(each, hazard, wild_rate)) for each in openings.values()]
    return max(complete, _race(values, hazard, wild_rate))


def _open(opening: _Opening, place: int, path: _Path, worth: float) -> None:
    first = path.steps[place]
    if first.rate > opening.rate:
        opening.rate = first.rate
    if len(path.steps) == 1:
        if worth > opening.finished:
            opening.finished = worth
        return
    further = opening.further
    left = worth * path.discount / first.discount
    for other, step in enumerate(path.steps):
        if other != place:
            value = left / step.discount
            rate, most = further.get(step.face, NEVER)
            if value > most or step.rate > rate:
                further[step.face] = (max(rate, step.rate), max(most, value))


def _value(opening: _Opening, hazard: float, wild_rate: float) -> float:
    return max(opening.finished, _race(opening.further.values(), hazard, wild_rate))


def _race(values: Iterable[tuple[float, float]], hazard: float, wild_rate: float) -> float:
    """The worth of a hand whose next cards come at these rates and lead to these values."""
    total, rates, most = 0.0, hazard + wild_rate, 0.0
    for rate, value in values:
        total += rate * value
        rates += rate
        most = max(most, value)
    # A Tactics card does for whichever is worth most.
    return (total + wild_rate * most) / rates
