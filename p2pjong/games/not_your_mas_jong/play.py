"""The course of a game of Not Your Ma's Jong: what follows from a choice, and from a dealer's work.

Theory of operation. One round runs
    shuffle deal turn (discard call draw reveil turn)* win settle
where Ma begins with eleven cards and does not draw (N3). When anybody calls, `call` goes on to
`serve` (by way of `order`, if several called), where one caller after another shows its cards or
was wrong; a set shown goes through `steal` to `turn` without a draw (N7), a winning hand to `win`.
With nobody left who was right play goes on as if nobody had called (N5). A draw from an empty deck
becomes `settle` with nothing paid (N9). `toss` comes once, before all rounds, unless one seat is
the oldest (G1). `awaited.py` says what each of these phases waits for.
"""

from collections.abc import Callable, Mapping

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
from p2pjong.games.not_your_mas_jong.awaited import deal_moves, pending, reveil
from p2pjong.games.not_your_mas_jong.choices import (
    CALL_WIN,
    DISCARD_CARD,
    GO_OUT,
    PASS,
    SHOW_SET,
    SHOW_WIN,
    WRONG,
    is_allowed,
)
from p2pjong.games.not_your_mas_jong.faces import DECK, RANK
from p2pjong.games.not_your_mas_jong.hands import goes_out
from p2pjong.games.not_your_mas_jong.payments import pay
from p2pjong.games.not_your_mas_jong.sets import is_set
from p2pjong.games.not_your_mas_jong.state import (
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    NO_SLOT,
    ORDER,
    OVER,
    REVEIL,
    ROUNDS,
    ROUNDS_MAX,
    SEATS_MAX,
    SEATS_MIN,
    SERVE,
    SETTLE,
    SHUFFLE,
    STEAL,
    TOKENS,
    TOSS,
    TURN,
    WIN,
    Call,
    Discard,
    FaceUp,
    State,
    next_to_draw,
    present_seats,
    seats_after,
)
from p2pjong.games.seating import put
from p2pjong.games.values import evolve


def start(seats: int, options: Options) -> State:
    """The state before anything happened; raises ValueError on options out of range."""
    _check_options(seats, options)
    oldest = options.oldest[0] if len(options.oldest) == 1 else NOBODY
    return State(
        seats=seats,
        rounds=options.rounds or ROUNDS[seats],
        present=(True,) * seats,
        tokens=(TOKENS,) * seats,
        rounds_ended=0,
        ma=oldest,
        next_slot=0,
        phase=TOSS if oldest == NOBODY else SHUFFLE,
        turn=NOBODY,
        is_stolen=False,
        deck_top=0,
        deck_end=0,
        hands=((),) * seats,
        melds=((),) * seats,
        discards=(),
        drawn=NO_SLOT,
        skips=(0,) * seats,
        calls=(),
        served=0,
        chosen=None,
        shown=(),
        result=None,
        outcome="",
    )


def _check_options(seats: int, options: Options) -> None:
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"Not Your Ma's Jong takes {SEATS_MIN} or {SEATS_MAX} seats, not {seats}")
    if not 0 <= options.rounds <= ROUNDS_MAX:
        raise ValueError(f"rounds must be from 1 to {ROUNDS_MAX}, not {options.rounds}")
    if options.target:
        raise ValueError("Not Your Ma's Jong is played for a number of rounds, not to a target")
    if not all(0 <= seat < seats for seat in options.oldest):
        raise ValueError("who is oldest has no seat")


def decide(state: State, actions: tuple[Action, ...]) -> State:
    """The state after all awaited seats chose; IllegalAction names the first offender."""
    awaited = pending(state)
    if not isinstance(awaited, Decide) or tuple([a.seat for a in actions]) != awaited.seats:
        raise IllegalAction("these are not the seats that must choose now")
    for action in actions:
        if not is_allowed(state, action):
            raise IllegalAction(f"seat {action.seat} may not {action.verb} so now")
    if state.phase == CALL:
        return _take_calls(state, actions)
    action = actions[0]
    if action.verb == WRONG:
        return _serve_next(state)
    return evolve(state, chosen=action, phase=OPENED[action.verb])


OPENED: Mapping[str, str] = {DISCARD_CARD: DISCARD, SHOW_SET: STEAL, SHOW_WIN: WIN, GO_OUT: WIN}


def _take_calls(state: State, answers: tuple[Action, ...]) -> State:
    calls = tuple([Call(answer.seat, answer.verb) for answer in answers if answer.verb != PASS])
    if not calls:
        return _pass_on(state)
    return evolve(state, calls=calls, phase=SERVE if len(calls) == 1 else ORDER)


def _serve_next(state: State) -> State:
    """The caller that is served was wrong: it will skip a turn, and the next one is served (N5)."""
    seat = state.calls[state.served].seat
    skips = put(state.skips, seat, state.skips[seat] + 1)
    after = evolve(state, skips=skips, served=state.served + 1)
    return _pass_on(after) if after.served == len(state.calls) else after


def _pass_on(state: State) -> State:
    """Nobody got the discard: the next seat that need not skip its turn draws (N8, N9)."""
    if state.deck_top == state.deck_end:
        return _wash_out(state)
    seat, skipped = next_to_draw(state)
    skips = list(state.skips)
    for each in skipped:
        skips[each] -= 1
    return evolve(
        state, turn=seat, is_stolen=False, skips=tuple(skips), calls=(), served=0, phase=DRAW
    )


def resolve(state: State, facts: Facts) -> State:
    """The state after the pending operation; raises Foul when opened cards belie a call (N5)."""
    awaited = pending(state)
    if isinstance(awaited, Open):
        assert tuple([slot for slot, _ in facts.opened]) == awaited.slots
    return FOLLOWED[state.phase](state, facts)


def _on_toss(state: State, facts: Facts) -> State:
    return evolve(state, ma=present_seats(state)[facts.tossed], phase=SHUFFLE)


def _on_shuffle(state: State, facts: Facts) -> State:
    end = state.next_slot + len(DECK)
    return evolve(state, deck_top=state.next_slot, deck_end=end, next_slot=end, phase=DEAL)


def _on_deal(state: State, facts: Facts) -> State:
    moves = deal_moves(state)
    hands = deal_hands(moves, state.seats)
    top = state.deck_top + len(moves)
    return evolve(state, hands=hands, deck_top=top, turn=state.ma, phase=TURN)


def _on_draw(state: State, facts: Facts) -> State:
    hand = (*state.hands[state.turn], state.deck_top)
    hands = put(state.hands, state.turn, hand)
    top = state.deck_top
    return evolve(state, hands=hands, drawn=top, deck_top=top + 1, phase=REVEIL)


def _on_reveil(state: State, facts: Facts) -> State:
    fresh = reveil(state).fresh
    hands = put(state.hands, state.turn, fresh)
    return evolve(state, hands=hands, next_slot=state.next_slot + len(fresh), phase=TURN)


def _on_discard(state: State, facts: Facts) -> State:
    ((slot, face),) = facts.opened
    return evolve(
        state,
        hands=without(state.hands, state.turn, (slot,)),
        discards=(*state.discards, Discard(slot, face, state.turn)),
        drawn=NO_SLOT,
        chosen=None,
        phase=CALL,
    )


def _on_order(state: State, facts: Facts) -> State:
    assert sorted(facts.order) == sorted(call.seat for call in state.calls)
    # Calls to win go before calls for a set, whoever was first; so N4 and N6.
    calls = sorted(
        state.calls, key=lambda call: (call.verb != CALL_WIN, facts.order.index(call.seat))
    )
    return evolve(state, calls=tuple(calls), phase=SERVE)


def _on_steal(state: State, facts: Facts) -> State:
    action = state.chosen
    assert action is not None
    taken = state.discards[-1]
    cards = in_order((*facts.opened, (taken.slot, taken.face)), RANK)
    slots, faces = zip(*cards, strict=True)
    if not is_set(faces):
        raise Foul(action.seat, "steal-without-set")
    melds = (*state.melds[action.seat], FaceUp(slots, faces, taken.slot, taken.seat))
    return evolve(
        state,
        turn=action.seat,
        is_stolen=True,
        hands=without(state.hands, action.seat, action.slots),
        melds=put(state.melds, action.seat, melds),
        discards=_taken(state, action.seat),
        calls=(),
        served=0,
        chosen=None,
        phase=TURN,
    )


def _on_win(state: State, facts: Facts) -> State:
    action = state.chosen
    assert action is not None
    seat, shown, after = action.seat, facts.opened, state
    if action.verb == SHOW_WIN:
        taken = state.discards[-1]
        shown = (*shown, (taken.slot, taken.face))
        hands = put(state.hands, seat, (*state.hands[seat], taken.slot))
        after = evolve(state, turn=seat, hands=hands, discards=_taken(state, seat), is_stolen=True)
    hand = [face for _, face in shown]
    if not goes_out(hand, [meld.faces for meld in state.melds[seat]]):
        raise Foul(seat, "hand-does-not-go-out")
    return _pay_winner(evolve(after, shown=in_order(shown, RANK)), seat)


def _on_settled(state: State, facts: Facts) -> State:
    result = state.result
    assert result is not None
    ended = evolve(state, tokens=result.scores, rounds_ended=state.rounds_ended + 1, chosen=None)
    is_broke = not all(ended.tokens[seat] for seat in present_seats(ended))
    if is_broke or ended.rounds_ended == ended.rounds:
        return evolve(ended, phase=OVER, outcome="finished")
    return _deal_again(ended, seats_after(ended, ended.ma)[0])  # N10


FOLLOWED: Mapping[str, Callable[[State, Facts], State]] = {
    TOSS: _on_toss,
    SHUFFLE: _on_shuffle,
    DEAL: _on_deal,
    DRAW: _on_draw,
    REVEIL: _on_reveil,
    DISCARD: _on_discard,
    ORDER: _on_order,
    STEAL: _on_steal,
    WIN: _on_win,
    SETTLE: _on_settled,
}


def void(state: State, out: tuple[Seat, ...]) -> State:
    """The state after the round was voided and the seats of `out` left the game (G4, G6).

    The tokens of a seat that is out stay written down, in case it is let back in, but leave play:
    it neither pays nor is paid, nor wins (N11). Skips lapse with the round (N8).
    """
    assert state.phase != OVER
    present = tuple(here and seat not in out for seat, here in enumerate(state.present))
    after = evolve(state, present=present)
    if sum(present) < SEATS_MIN:
        return evolve(_deal_again(after, state.ma), phase=OVER, outcome="abandoned")
    if state.ma == NOBODY:
        return after
    ma = state.ma if present[state.ma] else seats_after(after, state.ma)[0]
    return _deal_again(after, ma)


def _deal_again(state: State, ma: Seat) -> State:
    return evolve(
        state,
        ma=ma,
        turn=NOBODY,
        is_stolen=False,
        deck_top=0,
        deck_end=0,
        hands=((),) * state.seats,
        melds=((),) * state.seats,
        discards=(),
        drawn=NO_SLOT,
        skips=(0,) * state.seats,
        calls=(),
        served=0,
        chosen=None,
        shown=(),
        result=None,
        phase=SHUFFLE,
    )


def _wash_out(state: State) -> State:
    return _settle(state, Result("washed_out", NOBODY, (0,) * state.seats, state.tokens))


def _pay_winner(state: State, seat: Seat) -> State:
    tokens = pay(state.tokens, state.present, seat, state.ma, state.is_stolen)
    gained = tuple(after - had for had, after in zip(state.tokens, tokens, strict=True))
    how = "steal" if state.is_stolen else "draw"
    return _settle(state, Result("won", seat, gained, tokens, ((how, 1),)))


def _settle(state: State, result: Result) -> State:
    return evolve(state, result=result, phase=SETTLE)


def _taken(state: State, seat: Seat) -> tuple[Discard, ...]:
    return (*state.discards[:-1], evolve(state.discards[-1], taker=seat))
