"""How the greedy bot plays Not Your Ma's Jong: nearer to going out, by what is likeliest to come.

It goes out whenever it can, and calls only what it can show.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from p2pjong.bots.strategy import Rng
from p2pjong.games.game import Action, Face, View
from p2pjong.games.not_your_mas_jong.choices import (
    CALL_SET,
    CALL_WIN,
    DISCARD_CARD,
    GO_OUT,
    PASS,
    SHOW_SET,
    SHOW_WIN,
)
from p2pjong.games.not_your_mas_jong.faces import RANK
from p2pjong.games.not_your_mas_jong.hands import distance, nearing
from p2pjong.games.not_your_mas_jong.sets import SetFaces, partners
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView, right_answers, unseen

# What a hand after its discard is worth, best last: how near it is, and what may bring it nearer.
Worth: TypeAlias = tuple[int, int]

FORCED = (GO_OUT, SHOW_WIN)


@dataclass(frozen=True)
class Outlook:
    """What can still come: the copies out of sight, and how many others may discard one."""

    unseen: Mapping[Face, int]
    rivals: int


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that promises most; the rng is not needed."""
    table = cast(NotYourMasJongView, view)
    verbs = {action.verb: action for action in actions}
    for verb in FORCED:
        if verb in verbs:
            return verbs[verb]
    if PASS in verbs:
        return verbs[_answer(table)]
    if SHOW_SET in verbs:
        return _show(table, actions)
    if DISCARD_CARD in verbs:
        return _discard(table, actions)
    return actions[0]  # nothing to choose


def _outlook(view: NotYourMasJongView) -> Outlook:
    return Outlook(unseen(view), sum(view.present) - 1)


def _own(view: NotYourMasJongView) -> tuple[list[Face], list[SetFaces]]:
    return [face for _, face in view.hand], [meld.faces for meld in view.melds[view.seat]]


def _discard(view: NotYourMasJongView, actions: Iterable[Action]) -> Action:
    hand, melds = _own(view)
    face = best_discard(hand, melds, _outlook(view))[1]
    faces = dict(view.hand)
    return next(
        action
        for action in actions
        if action.verb == DISCARD_CARD and faces[action.slots[0]] == face
    )


def _answer(view: NotYourMasJongView) -> str:
    right = right_answers(view)
    if CALL_WIN in right:
        return CALL_WIN
    hand, melds = _own(view)
    wanted = view.discards[-1].face
    pairs = [pair for pair in partners(wanted) if not Counter(pair) - Counter(hand)]
    if CALL_SET in right and best_steal(hand, melds, wanted, pairs, _outlook(view)):
        return CALL_SET
    return PASS


def _show(view: NotYourMasJongView, actions: Sequence[Action]) -> Action:
    hand, melds = _own(view)
    faces = dict(view.hand)
    shows = {
        (faces[action.slots[0]], faces[action.slots[1]]): action
        for action in actions
        if action.verb == SHOW_SET
    }
    wanted = view.discards[-1].face
    pair = best_steal(hand, melds, wanted, list(shows), _outlook(view))
    # It has called for what it can show; a hand that it was given half-played may gain nothing.
    return shows[pair] if pair else next(iter(shows.values()))


def best_steal(
    hand: Sequence[Face],
    melds: Sequence[SetFaces],
    wanted: Face,
    pairs: Sequence[tuple[Face, Face]],
    outlook: Outlook,
) -> tuple[Face, Face] | None:
    """The pair to make a set of with the wanted card; None if none brings the hand nearer."""
    now = distance(hand, melds)
    found: tuple[Worth, tuple[Face, Face]] | None = None
    for pair in pairs:
        rest = _without(hand, pair)
        worth, _ = best_discard(rest, [*melds, (wanted, *pair)], outlook)
        if -worth[0] < now and (found is None or worth > found[0]):
            found = worth, pair
    return found[1] if found else None


def best_discard(
    hand: Sequence[Face], melds: Sequence[SetFaces], outlook: Outlook
) -> tuple[Worth, Face]:
    """What the hand is worth after its best discard, and that discard: of equals the first.

    Sparing the rivals a discard that they could use was tried, and won no more rounds.
    """
    left = {face: _without(hand, (face,)) for face in sorted(set(hand), key=RANK.__getitem__)}
    away = {face: distance(rest, melds) for face, rest in left.items()}
    nearest = min(away.values())
    chances = {
        face: _chances(left[face], melds, nearest, outlook)
        for face in left
        if away[face] == nearest
    }
    face = max(chances, key=chances.__getitem__)
    return (-nearest, chances[face]), face


def _chances(hand: Sequence[Face], melds: Sequence[SetFaces], away: int, outlook: Outlook) -> int:
    """The copies that bring the hand nearer, each as often as there are ways for it to come.

    One's own draw is a way; so is each rival's discard, where the card could be stolen at once.
    """
    held = Counter(hand)
    chances = 0
    for face in nearing(hand, melds):
        can_steal = away == 1 or any(not Counter(pair) - held for pair in partners(face))
        chances += outlook.unseen[face] * (1 + outlook.rivals * can_steal)
    return chances


def _without(hand: Sequence[Face], gone: Iterable[Face]) -> list[Face]:
    rest = list(hand)
    for face in gone:
        rest.remove(face)
    return rest
