"""How the greedy bot plays Samurai Warfare: by what cards are worth (`samurai_warfare_eval.py`)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from p2pjong.bots.samurai_warfare_eval import (
    LOOKED,
    Field,
    Line,
    best_of,
    draw_gains,
    gain,
    least_lost,
    line,
    worth,
)
from p2pjong.bots.strategy import Rng
from p2pjong.games.game import NOBODY, Action, Face, Seat, Slot, View
from p2pjong.games.samurai_warfare.battlefield import shares
from p2pjong.games.samurai_warfare.cards import CARDS, COPIES
from p2pjong.games.samurai_warfare.effects import (
    ASHIGARU,
    SAMURAI,
    SHOGUN,
    SPECIAL,
    STRATEGY,
    TERRAIN,
    Bonus,
    Destroy,
    DrawCards,
    Effect,
    Extra,
    LookAtHand,
    Lose,
    Steal,
)
from p2pjong.games.samurai_warfare.state import faces
from p2pjong.games.samurai_warfare.view import SamuraiWarfareView

# A rival's card lost at random, in points of force; so little is it worth to swap a card.
HARM, SWAP_LEAST = 2.5, 0.5
CARD_IN_HAND = 4.0  # what a card that a rival still holds may add to its total
TOKEN = 1.5  # who is nearer to winning the game is the more dangerous
# When to play what: hands are touched while they are full, and what is destroyed cannot be
# replaced once they are empty. Bonuses and extras come before the troops that they are for.
TURN_OF: Mapping[type[Effect], int] = {
    Lose: 0,
    Steal: 0,
    LookAtHand: 0,
    DrawCards: 1,
    Extra: 2,
    Bonus: 3,
    Destroy: 5,
}
TURN_OF_TROOPS = 4


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that promises the most force, or costs rivals the most; no rng is needed."""
    table = cast(SamuraiWarfareView, view)
    if len(actions) == 1:
        return actions[0]
    return CHOOSERS[table.choice](table, actions)


# --- What the bot sees --------------------------------------------------------------------------


def _hand(view: SamuraiWarfareView) -> list[Face]:
    return [face for _, face in view.hand]


def _rivals(view: SamuraiWarfareView) -> list[Seat]:
    return [seat for seat in range(view.seats) if seat != view.seat and view.present[seat]]


def _field(view: SamuraiWarfareView) -> Field:
    rivals = _rivals(view)
    lines = [shares(faces(view.in_play[seat]), view.fallen[seat]) for seat in rivals]
    return Field(
        in_play=faces(view.in_play[view.seat]),
        fallen=view.fallen[view.seat],
        prey=tuple(card for each in lines for card in each),
        can_touch=any(view.hand_sizes[seat] for seat in rivals),
    )


def _unseen(view: SamuraiWarfareView) -> Counter[Face]:
    """How many copies of each face lie where this seat cannot see them."""
    left = Counter(COPIES)
    left.subtract(_hand(view))
    left.subtract(faces(view.discards))
    for cards in view.in_play:
        left.subtract(faces(cards))
    return left


def _danger(view: SamuraiWarfareView, seat: Seat) -> float:
    """How near a rival is to winning this turn, and the game."""
    held = min(view.hand_sizes[seat], 6)
    return view.forces[seat] + CARD_IN_HAND * held + TOKEN * view.scores[seat]


def _at_most_dangerous(view: SamuraiWarfareView, actions: Sequence[Action]) -> Action:
    return max(actions, key=lambda action: _danger(view, action.target))


# --- Discards -----------------------------------------------------------------------------------


def _swap(view: SamuraiWarfareView, actions: tuple[Action, ...]) -> Action:
    """Discards what a drawn card would better on average."""
    hand, field, unseen = list(view.hand), Field(), _unseen(view)
    gone: list[Slot] = []
    while hand and len(gone) < view.most:
        held = [face for _, face in hand]
        loss, place = least_lost(held, field)
        rest = held[:place] + held[place + 1 :]
        if best_of(draw_gains(rest, field, unseen), 1) < loss + SWAP_LEAST:
            break
        gone.append(hand.pop(place)[0])
    return _naming(actions, gone)


def _lose(view: SamuraiWarfareView, actions: tuple[Action, ...]) -> Action:
    """Discards the cards that the hand can spare best."""
    hand = list(view.hand)
    gone: list[Slot] = []
    for _ in range(view.least):
        _, place = least_lost([face for _, face in hand], _field(view))
        gone.append(hand.pop(place)[0])
    return _naming(actions, gone)


def _naming(actions: Sequence[Action], slots: Sequence[Slot]) -> Action:
    """The action that names these slots; naming none is passing."""
    wanted = tuple(sorted(slots))
    return next(action for action in actions if action.slots == wanted)


# --- Tactics ------------------------------------------------------------------------------------


def _tactics(view: SamuraiWarfareView, actions: tuple[Action, ...]) -> Action:
    """Plays the card whose effect is worth most more than the card; passes if none is."""
    hand, field, unseen = _hand(view), _field(view), _unseen(view)
    full = line(hand, field).total
    values: dict[Slot, float] = {}
    for place, (slot, face) in enumerate(view.hand):
        rest = hand[:place] + hand[place + 1 :]
        gains = draw_gains(rest, field, unseen)
        lost = full - line(rest, field).total
        values[slot] = _tactics_worth(CARDS[face].type, gains, field) - lost
    slot = max(values, key=values.__getitem__)
    if values[slot] <= 0:
        return _naming(actions, ())
    plays = [action for action in actions if action.slots == (slot,)]
    return plays[0] if plays[0].target == NOBODY else _at_most_dangerous(view, plays)


def _tactics_worth(kind: str, gains: list[tuple[float, int]], field: Field) -> float:
    one = best_of(gains, 1)
    harm = HARM * field.can_touch
    return {
        SHOGUN: best_of(gains, 5),
        TERRAIN: (one + HARM) * field.can_touch,
        SAMURAI: best_of(gains, 3) + one / 2,
        ASHIGARU: one + best_of(gains, 2),
        STRATEGY: one + LOOKED * field.can_touch,
        SPECIAL: harm,
    }[kind]


def _take(view: SamuraiWarfareView, actions: tuple[Action, ...]) -> Action:
    """Takes the card that adds most."""
    hand, field = _hand(view), _field(view)
    now = line(hand, field)
    seen = {slot: face for _, slot, face in view.deck_seen}
    return max(actions, key=lambda action: _gain_first(seen[action.slots[0]], hand, now, field))


def _gain_first(face: Face, hand: Sequence[Face], now: Line, field: Field) -> tuple[float, float]:
    return gain(face, hand, now, field), worth(face, hand, field)


# --- Battle -------------------------------------------------------------------------------------


def _battle(view: SamuraiWarfareView, actions: tuple[Action, ...]) -> Action:
    """Of the cards that the hand would lay, the one whose turn it is, at what hurts most."""
    held, field = dict(view.hand), _field(view)
    playable = {held[action.slots[0]] for action in actions}
    laid = [card for cards in line(_hand(view), field).cards.values() for card in cards]
    # Some of the line waits for an extra that is still to be played.
    _, face = min(
        [card for card in laid if card[1] in playable],
        key=lambda card: (_turn_of(card[1]), -card[0]),
    )
    plays = [action for action in actions if held[action.slots[0]] == face]
    if plays[0].target == NOBODY:
        return plays[0]
    if len(plays[0].slots) == 1:
        return _at_most_dangerous(view, plays)
    return min(plays, key=lambda action: _after_destroying(view, action))


def _turn_of(face: Face) -> int:
    action = CARDS[face].action
    return TURN_OF[type(action)] if action else TURN_OF_TROOPS


def _after_destroying(view: SamuraiWarfareView, action: Action) -> tuple[float, float]:
    """How dangerous the worst rival is then; of equals the card worth most."""
    cards, fallen = view.in_play[action.target], view.fallen[action.target]
    worths = shares(faces(cards), fallen)
    lying = [card.slot for card in cards]
    _, lost = worths[lying.index(action.slots[1])]
    danger = {seat: _danger(view, seat) for seat in _rivals(view)}
    danger[action.target] -= lost
    return max(danger.values()), -lost


Chooser = Callable[[SamuraiWarfareView, tuple[Action, ...]], Action]
CHOOSERS: Mapping[str, Chooser] = {
    "strategy": _swap,
    "end": _swap,
    "discard": _lose,
    "tactics": _tactics,
    "take": _take,
    "battle": _battle,
}
