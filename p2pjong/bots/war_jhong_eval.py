"""What a bot thinks a hand of War Jhong is worth, and what follows for discards and claims.

A hand's prospect is the points that it will score on average. In each round the wanted cards turn
up at rates of their own, and so does the end of the hand by another seat; what comes first counts.
A hand that cards x finish, at rates r(x) for v(x) points, while others finish at rate h, is worth
sum(r v) / (h + sum r). A hand further away is worth the same sum over what its next cards lead to:
computed for the next two cards, and by a discount for each one more.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import NamedTuple

from p2pjong.bots.war_jhong_plans import Plan, list_plans
from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import FORT, GENERAL, JUNK, RANK, TACTICS
from p2pjong.games.war_jhong.formations import MeldFaces
from p2pjong.games.war_jhong.scoring import distance, goes_out, score

# Read off 400 hands between four such bots: how likely a seat is to go out in its turn, soon after
# so many rounds and with so many face-up Formations.
HAZARD_FIRST, HAZARD_PER_ROUND, HAZARD_PER_MELD, HAZARD_MAX = 0.03, 0.025, 0.015, 0.15
# How often another seat's discard is a face that can be had, set against the face's share of the
# cards out of sight: Common cards come at their share, less what nearer seats claim; Honors less.
DISCARDED_COMMON, DISCARDED_HONOR = 0.7, 0.35
# A missing card is less of a wait than its own rate says: another may do as well by then.
DETOUR_FACTOR, DETOUR_RATE = 1.5, 0.05
# Going out is worth more than its points, for the others then score nothing.
WINNING_BONUS = 2.0
# A hand worth so much goes out at once.
WAIT_BELOW = 5
DEAL_SIZE, DECK_SIZE = 12, 120
# Faces are numbered by their rank in the deck; two of them make one number.
NO_FACE, PAIR = -1, 64


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


class _Path(NamedTuple):
    """A plan, ready to be weighed.

    `pairs` are the pairs of cards that may come next, each with what waiting for the others leaves
    of the points; `last` is the one card that is missing, NO_FACE if there are more or none.
    """

    points: float
    pairs: tuple[tuple[int, float], ...]
    last: int
    spare: tuple[Face, ...]


def rank_discards(
    hand: Sequence[Face], melds: Sequence[MeldFaces], outlook: Outlook, reach: int | None = None
) -> list[tuple[Face, float]]:
    """Each face that may well be discarded with the prospect of what is kept, best first.

    `hand` has the card to discard. Only plans that lack at most `reach` cards count.
    """
    scales = _scales(hand, melds, outlook, reach)
    kept: dict[Face, list[_Path]] = defaultdict(list)
    for path in scales.paths:
        for face in path.spare:
            kept[face].append(path)
    values = {
        face: scales.prospect(paths, outlook.generals + (face == GENERAL))
        for face, paths in kept.items()
    }
    return sorted(values.items(), key=lambda each: (-each[1], each[0] == TACTICS, RANK[each[0]]))


def hand_prospect(
    hand: Sequence[Face],
    melds: Sequence[MeldFaces],
    outlook: Outlook,
    reach: int | None = None,
) -> float:
    """What a hand without a card to discard is worth, the bonus for winning included."""
    scales = _scales(hand, melds, outlook, reach)
    return scales.prospect(scales.paths, outlook.generals)


def choose_claim(
    hand: Sequence[Face],
    melds: Sequence[MeldFaces],
    claimed: Face,
    pairs: Iterable[tuple[Face, Face]],
    outlook: Outlook,
) -> tuple[Face, Face] | None:
    """The pair to claim a Formation with, or None where passing is worth as much."""
    # Longer plans on one side of the scales alone would tip them.
    reach = distance(hand, melds)
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


def pays_to_claim_out(
    hand: Sequence[Face], melds: Sequence[MeldFaces], claimed: Face, outlook: Outlook
) -> bool:
    """Whether a hand that goes out with the claimed card should, or rather play on."""
    now = score([*hand, claimed], melds, outlook.generals)
    assert now is not None, "the claimed card completes the hand"
    return now.total + WINNING_BONUS >= hand_prospect(hand, melds, outlook)


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


class _Scales:
    """Weighs the plans of one hand; faces are numbered by rank, a pair of them by one int."""

    def __init__(self, plans: Sequence[Plan], outlook: Outlook) -> None:
        self._outlook = outlook
        self._hazard = outlook.hazard
        self._unseen_total = max(1, sum(outlook.unseen.values()))
        self._wild_rate = outlook.unseen[TACTICS] / self._unseen_total
        claimable = {face for plan in plans for face, can_claim in plan.missing if can_claim}
        wanted = {face for plan in plans for face, _ in plan.missing}
        self._rates = {RANK[face]: self._rate(face, face in claimable) for face in wanted}
        self._discounts = {face: self._discount(rate) for face, rate in self._rates.items()}
        self.paths = [self._path(*each) for each in _best_points(plans).items()]

    def _rate(self, face: Face, can_claim: bool) -> float:
        """How many of the face turn up in a round."""
        often = DISCARDED_HONOR if face in (JUNK, FORT) else DISCARDED_COMMON
        sources = 1 + can_claim * often * len(self._outlook.rival_melds)
        return sources * self._outlook.unseen[face] / self._unseen_total

    def _discount(self, rate: float) -> float:
        pace = DETOUR_FACTOR * rate + DETOUR_RATE
        return pace / (pace + self._hazard)

    def _path(self, lacks: tuple[tuple[Face, ...], tuple[Face, ...]], points: int) -> _Path:
        missing, spare = lacks
        ranks = sorted(RANK[face] for face in missing)
        whole = prod(self._discounts[rank] for rank in ranks)
        pairs = {
            one * PAIR + two: whole / (self._discounts[one] * self._discounts[two])
            for one, two in combinations(ranks, 2)
        }
        last = ranks[0] if len(ranks) == 1 else NO_FACE
        return _Path(points + WINNING_BONUS, tuple(pairs.items()), last, spare)

    def prospect(self, paths: Iterable[_Path], generals: int) -> float:
        """The points that a hand with these plans scores on average."""
        complete = 0.0
        finished: dict[int, float] = defaultdict(float)
        pairs: dict[int, float] = defaultdict(float)
        for path in paths:
            worth = path.points + generals
            if path.last >= 0:
                finished[path.last] = max(finished[path.last], worth)
            elif not path.pairs:
                complete = max(complete, worth / (1 + self._hazard))
            for pair, left in path.pairs:
                if worth * left > pairs[pair]:
                    pairs[pair] = worth * left
        return max(complete, self._race(self._openings(finished, pairs)))

    def _openings(
        self, finished: Mapping[int, float], pairs: Mapping[int, float]
    ) -> Iterator[tuple[float, float]]:
        """Each card that may come next: its rate, and what it makes of the hand."""
        further: dict[int, list[tuple[float, float]]] = {face: [] for face in finished}
        for pair, value in pairs.items():
            one, two = divmod(pair, PAIR)
            further.setdefault(one, []).append((self._rates[two], value))
            if one != two:
                further.setdefault(two, []).append((self._rates[one], value))
        for face, values in further.items():
            yield self._rates[face], max(finished.get(face, 0.0), self._race(values))

    def _race(self, values: Iterable[tuple[float, float]]) -> float:
        """The worth of a hand whose next cards come at these rates and lead to these values."""
        total, rates, most = 0.0, self._hazard + self._wild_rate, 0.0
        for rate, value in values:
            total += rate * value
            rates += rate
            if value > most:
                most = value
        # A Tactics card does for whichever is worth most.
        return (total + self._wild_rate * most) / rates


def _best_points(
    plans: Iterable[Plan],
) -> dict[tuple[tuple[Face, ...], tuple[Face, ...]], int]:
    """The most points for each choice of missing and of spare faces."""
    best: dict[tuple[tuple[Face, ...], tuple[Face, ...]], int] = {}
    for plan in plans:
        key = (tuple([face for face, _ in plan.missing]), plan.spare)
        if plan.points > best.get(key, 0):
            best[key] = plan.points
    return best


def _scales(
    hand: Sequence[Face], melds: Sequence[MeldFaces], outlook: Outlook, reach: int | None
) -> _Scales:
    away = distance(hand, melds) if reach is None else reach
    return _Scales(list_plans(hand, melds, away, outlook.unseen), outlook)
