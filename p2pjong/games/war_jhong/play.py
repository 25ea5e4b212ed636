"""The course of a game of War Jhong: what follows from a choice, and from what a dealer did.

Theory of operation. One hand runs
    shuffle deal (draw reveil turn discard answer)* win settle
where a discarded General skips `answer` (W5), a served claim goes through `mix` (of the hands that
named slots in vain) and `claim` to `turn` without a draw (W7), a fourth face-up Formation through
`claim` to `win` (W6), and a draw from an empty deck becomes `settle` with nothing scored (W8).
`toss` comes once, before all hands (G1).
`awaited.py` says what each of these phases waits for.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from p2pjong.games.cards import deal_hands, in_order, without
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    Foul,
    IllegalAction,
    Open,
    Options,
    Result,
    Seat,
)
from p2pjong.games.seating import put
from p2pjong.games.war_jhong.awaited import deal_moves, pending, reveil
from p2pjong.games.war_jhong.choices import CLAIM_FORMATION, DISCARD_CARD, GO_OUT, PASS, is_allowed
from p2pjong.games.war_jhong.faces import DECK, GENERAL, RANK
from p2pjong.games.war_jhong.formations import is_formation
from p2pjong.games.war_jhong.scoring import goes_out, score
from p2pjong.games.war_jhong.state import (
    ANSWER,
    CLAIM,
    DEAL,
    DISCARD,
    DRAW,
    MELDS_TO_WIN,
    MIX,
    NO_SLOT,
    OVER,
    REVEIL,
    SEATS_MAX,
    SEATS_MIN,
    SETTLE,
    SHUFFLE,
    TARGET,
    TARGET_MAX,
    TOSS,
    TURN,
    WIN,
    Discard,
    FaceUp,
    State,
    generals_discarded,
    present_seats,
    seats_after,
)


def start(seats: int, options: Options) -> State:
    """The state before anything happened; raises ValueError on options out of range."""
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"War Jhong takes {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
    if not 0 <= options.target <= TARGET_MAX:
        raise ValueError(f"the target must be from 1 to {TARGET_MAX}, not {options.target}")
    if options.rounds:
        raise ValueError("War Jhong is played to a target, not for a number of rounds")
    return State(
        seats=seats,
        target=options.target or TARGET,
        present=(True,) * seats,
        scores=(0,) * seats,
        hands_ended=0,
        first=NOBODY,
        next_slot=0,
        phase=TOSS,
        turn=NOBODY,
        deck_top=0,
        deck_end=0,
        hands=((),) * seats,
        melds=((),) * seats,
        discards=(),
        drawn=NO_SLOT,
        chosen=None,
        mixing=(),
        shown=(),
        result=None,
        outcome="",
    )


def decide(state: State, actions: tuple[Action, ...]) -> State:
    """The state after all awaited seats chose; IllegalAction names the first offender."""
    awaited = pending(state)
    if not isinstance(awaited, Decide) or tuple([a.seat for a in actions]) != awaited.seats:
        raise IllegalAction("these are not the seats that must choose now")
    for action in actions:
        if not is_allowed(state, action):
            raise IllegalAction(f"seat {action.seat} may not {action.verb} so now")
    if state.phase == TURN:
        return _begin(state, actions[0])
    return _serve(state, actions)


def _begin(state: State, action: Action) -> State:
    return replace(state, chosen=action, phase=DISCARD if action.verb == DISCARD_CARD else WIN)


def _serve(state: State, answers: tuple[Action, ...]) -> State:
    # The answers stand in turn order after the discarder: the first claim is the nearest (W5).
    claims = [answer for answer in answers if answer.verb != PASS]
    if not claims:
        return _begin_turn(state, seats_after(state, state.turn)[0])
    served, *others = claims
    if not served.slots:
        return replace(state, chosen=served, phase=WIN)
    # A slot named in vain goes with the other one and the discard. Whoever sees one of them opened
    # later would know what the other may be: cards named are opened only if served (G3).
    mixing = tuple([claim.seat for claim in others if claim.slots])
    return replace(state, chosen=served, mixing=mixing, phase=MIX if mixing else CLAIM)


def resolve(state: State, facts: Facts) -> State:
    """The state after the pending operation; raises Foul when opened cards belie a claim (G5)."""
    awaited = pending(state)
    if isinstance(awaited, Open):
        assert tuple([slot for slot, _ in facts.opened]) == awaited.slots
    return FOLLOWED[state.phase](state, facts)


def _on_toss(state: State, facts: Facts) -> State:
    return replace(state, first=present_seats(state)[facts.tossed], phase=SHUFFLE)


def _on_shuffle(state: State, facts: Facts) -> State:
    end = state.next_slot + len(DECK)
    return replace(state, deck_top=state.next_slot, deck_end=end, next_slot=end, phase=DEAL)


def _on_deal(state: State, facts: Facts) -> State:
    moves = deal_moves(state)
    hands = deal_hands(moves, state.seats)
    dealt = replace(state, hands=hands, deck_top=state.deck_top + len(moves))
    return _begin_turn(dealt, state.first)


def _begin_turn(state: State, seat: Seat) -> State:
    if state.deck_top == state.deck_end:
        return _wash_out(state)
    return replace(state, turn=seat, chosen=None, phase=DRAW)


def _on_draw(state: State, facts: Facts) -> State:
    hand = (*state.hands[state.turn], state.deck_top)
    hands = put(state.hands, state.turn, hand)
    top = state.deck_top
    return replace(state, hands=hands, drawn=top, deck_top=top + 1, phase=REVEIL)


def _on_reveil(state: State, facts: Facts) -> State:
    return replace(_with_fresh_hand(state, state.turn), phase=TURN)


def _on_mix(state: State, facts: Facts) -> State:
    seat, *others = state.mixing
    phase = MIX if others else CLAIM
    return replace(_with_fresh_hand(state, seat), mixing=tuple(others), phase=phase)


def _with_fresh_hand(state: State, seat: Seat) -> State:
    fresh = reveil(state, seat).fresh
    hands = put(state.hands, seat, fresh)
    return replace(state, hands=hands, next_slot=state.next_slot + len(fresh))


def _on_discard(state: State, facts: Facts) -> State:
    ((slot, face),) = facts.opened
    after = replace(
        state,
        hands=without(state.hands, state.turn, (slot,)),
        discards=(*state.discards, Discard(slot, face, state.turn)),
        drawn=NO_SLOT,
        chosen=None,
        phase=ANSWER,
    )
    if face == GENERAL:
        return _begin_turn(after, seats_after(state, state.turn)[0])
    return after


def _on_claim(state: State, facts: Facts) -> State:
    action = state.chosen
    assert action is not None and action.verb == CLAIM_FORMATION
    taken = state.discards[-1]
    cards = in_order((*facts.opened, (taken.slot, taken.face)), RANK)
    slots, faces = zip(*cards, strict=True)
    if not is_formation(faces):
        raise Foul(action.seat, "claim-without-formation")
    melds = (*state.melds[action.seat], FaceUp(slots, faces, taken.slot, taken.seat))
    after = replace(
        state,
        turn=action.seat,
        hands=without(state.hands, action.seat, action.slots),
        melds=put(state.melds, action.seat, melds),
        discards=_taken(state, action.seat),
        chosen=None,
        phase=TURN,
    )
    if len(melds) == MELDS_TO_WIN:
        return _begin(after, Action(action.seat, GO_OUT))
    return after


def _on_win(state: State, facts: Facts) -> State:
    action = state.chosen
    assert action is not None
    seat, shown, claimed = action.seat, facts.opened, None
    after = replace(state, turn=seat)
    if action.verb != GO_OUT:
        taken = state.discards[-1]
        claimed, shown = taken.face, (*shown, (taken.slot, taken.face))
        hands = put(state.hands, seat, (*state.hands[seat], taken.slot))
        after = replace(after, hands=hands, discards=_taken(state, seat))
    hand = [face for _, face in shown]
    melds = [meld.faces for meld in state.melds[seat]]
    scored = score(hand, melds, generals_discarded(state)[seat])
    if scored is None or not goes_out(hand, melds, claimed):
        raise Foul(seat, "hand-does-not-go-out")
    return _end_hand(replace(after, shown=in_order(shown, RANK)), seat, scored.total, scored.combos)


def _on_settled(state: State, facts: Facts) -> State:
    result = state.result
    assert result is not None
    ended = replace(state, scores=result.scores, hands_ended=state.hands_ended + 1, chosen=None)
    if max(result.scores) >= state.target:
        return replace(ended, phase=OVER, outcome="finished")
    return _deal_again(ended, state.first if result.winner == NOBODY else result.winner)


FOLLOWED: Mapping[str, Callable[[State, Facts], State]] = {
    TOSS: _on_toss,
    SHUFFLE: _on_shuffle,
    DEAL: _on_deal,
    DRAW: _on_draw,
    REVEIL: _on_reveil,
    MIX: _on_mix,
    DISCARD: _on_discard,
    CLAIM: _on_claim,
    WIN: _on_win,
    SETTLE: _on_settled,
}


def void(state: State, out: tuple[Seat, ...]) -> State:
    """The state after the hand was voided and the seats of `out` left the game (G4, G6)."""
    assert state.phase != OVER
    present = tuple(here and seat not in out for seat, here in enumerate(state.present))
    after = replace(state, present=present)
    if sum(present) < SEATS_MIN:
        return replace(_deal_again(after, state.first), phase=OVER, outcome="abandoned")
    if state.first == NOBODY:
        return after
    first = state.first if present[state.first] else seats_after(after, state.first)[0]
    return _deal_again(after, first)


def _deal_again(state: State, first: Seat) -> State:
    return replace(
        state,
        first=first,
        turn=NOBODY,
        deck_top=0,
        deck_end=0,
        hands=((),) * state.seats,
        melds=((),) * state.seats,
        discards=(),
        drawn=NO_SLOT,
        chosen=None,
        mixing=(),
        shown=(),
        result=None,
        phase=SHUFFLE,
    )


def _wash_out(state: State) -> State:
    return _settle(state, Result("washed_out", NOBODY, (0,) * state.seats, state.scores))


def _end_hand(state: State, seat: Seat, total: int, combos: tuple[tuple[str, int], ...]) -> State:
    points = put((0,) * state.seats, seat, total)
    scores = put(state.scores, seat, state.scores[seat] + total)
    return _settle(state, Result("won", seat, points, scores, combos))


def _settle(state: State, result: Result) -> State:
    return replace(state, result=result, phase=SETTLE)


def _taken(state: State, seat: Seat) -> tuple[Discard, ...]:
    return (*state.discards[:-1], replace(state.discards[-1], taker=seat))
