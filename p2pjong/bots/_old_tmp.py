"""A bot that goes straight for going out: nearer first, then more cards that bring it nearer."""

from collections import Counter
from collections.abc import Iterable
from typing import cast

from p2pjong.bots.strategy import Rng
from p2pjong.games.game import Action, Face, View
from p2pjong.games.war_jhong.choices import CLAIM_FORMATION, CLAIM_GO_OUT, GO_OUT, PASS
from p2pjong.games.war_jhong.faces import TACTICS
from p2pjong.games.war_jhong.scoring import distance, nearing
from p2pjong.games.war_jhong.view import WarJhongView, unseen

Melds = list[tuple[Face, ...]]


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that leaves the hand nearest to going out."""
    table = cast(WarJhongView, view)
    by_verb = {action.verb: action for action in actions}
    for verb in (GO_OUT, CLAIM_GO_OUT):
        if verb in by_verb:
            return by_verb[verb]
    if PASS in by_verb:
        return _answer(table, actions, by_verb[PASS])
    return _discard(table, actions)


def _melds(view: WarJhongView) -> Melds:
    return [meld.faces for meld in view.melds[view.seat]]


def _without(faces: Iterable[Face], gone: Iterable[Face]) -> list[Face]:
    rest = list(faces)
    for face in gone:
        rest.remove(face)
    return rest


def _discard(view: WarJhongView, actions: tuple[Action, ...]) -> Action:
    faces = dict(view.hand)
    each = {faces[action.slots[0]]: action for action in actions}
    melds, left = _melds(view), unseen(view)
    distances = {face: distance(_without(faces.values(), (face,)), melds) for face in each}
    nearest = min(distances.values())
    best = [face for face in each if distances[face] == nearest]
    return each[max(best, key=lambda face: _chances(faces.values(), face, melds, left))]


def _chances(
    hand: Iterable[Face], face: Face, melds: Melds, left: Counter[Face]
) -> tuple[int, bool]:
    helpful = nearing(_without(hand, (face,)), melds)
    return sum(left[wanted] for wanted in helpful), face != TACTICS


def _answer(view: WarJhongView, actions: tuple[Action, ...], otherwise: Action) -> Action:
    faces, melds = dict(view.hand), _melds(view)
    claimed = view.discards[-1].face
    best, nearest = otherwise, distance(list(faces.values()), melds)
    for action in actions:
        if action.verb == CLAIM_FORMATION:
            named = [faces[slot] for slot in action.slots]
            away = distance(_without(faces.values(), named), [*melds, (*named, claimed)])
            if away < nearest:
                best, nearest = action, away
    return best
