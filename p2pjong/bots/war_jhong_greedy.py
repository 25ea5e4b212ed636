"""How the greedy bot plays War Jhong: by what its hand is worth on average."""

from collections.abc import Iterable, Sequence
from typing import cast

from p2pjong.bots.strategy import Rng
from p2pjong.bots.war_jhong_eval import (
    Outlook,
    choose_claim,
    pays_to_claim_out,
    pays_to_go_out,
    rank_discards,
)
from p2pjong.games.game import Action, Face, View
from p2pjong.games.war_jhong.choices import (
    CLAIM_FORMATION,
    CLAIM_GO_OUT,
    DISCARD_CARD,
    GO_OUT,
    PASS,
)
from p2pjong.games.war_jhong.formations import MeldFaces
from p2pjong.games.war_jhong.view import WarJhongView, unseen


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that promises the most points; the rng is not needed."""
    table = cast(WarJhongView, view)
    hand = [face for _, face in table.hand]
    melds = _melds(table)
    if any(action.verb == PASS for action in actions):
        return _answer(table, hand, melds, actions)
    return _turn(table, hand, melds, actions)


def _melds(view: WarJhongView) -> list[MeldFaces]:
    return [meld.faces for meld in view.melds[view.seat]]


def _outlook(view: WarJhongView) -> Outlook:
    rivals = [seat for seat in range(view.seats) if seat != view.seat and view.present[seat]]
    return Outlook(
        unseen=unseen(view),
        deck_size=view.deck_size,
        rival_melds=tuple(len(view.melds[seat]) for seat in rivals),
        generals=view.generals[view.seat],
    )


def _turn(
    view: WarJhongView,
    hand: Sequence[Face],
    melds: Sequence[MeldFaces],
    actions: Iterable[Action],
) -> Action:
    outlook = _outlook(view)
    go_out = _of_verb(actions, GO_OUT)
    if go_out is not None and pays_to_go_out(hand, melds, outlook):
        return go_out
    # Some plan is always within reach, and no plan needs all cards of a hand that must discard.
    face, _ = rank_discards(hand, melds, outlook)[0]
    faces = dict(view.hand)
    return next(
        action
        for action in actions
        if action.verb == DISCARD_CARD and faces[action.slots[0]] == face
    )


def _answer(
    view: WarJhongView,
    hand: Sequence[Face],
    melds: Sequence[MeldFaces],
    actions: Sequence[Action],
) -> Action:
    outlook, claimed, faces = _outlook(view), view.discards[-1].face, dict(view.hand)
    go_out = _of_verb(actions, CLAIM_GO_OUT)
    if go_out is not None and pays_to_claim_out(hand, melds, claimed, outlook):
        return go_out
    pairs = {
        (faces[action.slots[0]], faces[action.slots[1]]): action
        for action in actions
        if action.verb == CLAIM_FORMATION
    }
    pair = choose_claim(hand, melds, claimed, pairs, outlook) if pairs else None
    chosen = pairs[pair] if pair is not None else _of_verb(actions, PASS)
    assert chosen is not None, "to pass is always possible"
    return chosen


def _of_verb(actions: Iterable[Action], verb: str) -> Action | None:
    return next((action for action in actions if action.verb == verb), None)
