"""The seven phases of a turn: what comes next when nothing is under way.

Theory of operation. A turn runs
    preparations strategy tactics battle victory shogun end
and `setup` comes before the first turn and after a void. Each phase puts steps into the queue: in
preparations one for all seats, in strategy, tactics and end one for each seat in turn order from
the Shogun on (S1), in battle one for a seat after another until all pass in a row (S7). Steps put
more steps in front of the queue. Once it is empty, the phase goes on or gives way to the next one.
Steps that come to nothing, or to one thing only, for all to see, are not waited for.
"""

from collections.abc import Callable, Mapping

from p2pjong.games.game import NOBODY, Event, Result, Seat
from p2pjong.games.samurai_warfare.battlefield import force
from p2pjong.games.samurai_warfare.forced import skip
from p2pjong.games.samurai_warfare.moves import discarded, follow_with, tell
from p2pjong.games.samurai_warfare.state import (
    BATTLE,
    END,
    HAND_SIZE,
    OVER,
    PREPARATIONS,
    SETUP,
    SHOGUN,
    STRATEGY,
    TACTICS,
    VICTORY,
    State,
    faces,
    next_seat,
    present_seats,
    seats_from,
    winners,
)
from p2pjong.games.samurai_warfare.steps import (
    ChooseDiscards,
    ChoosePlay,
    Fill,
    SettleTurn,
    Step,
)
from p2pjong.games.values import evolve

STRATEGY_DISCARDS = 3  # S3
END_DISCARDS = 1  # S11


def run_on(state: State) -> State:
    """The state in which something is waited for."""
    while state.phase != OVER:
        if not state.queue:
            state = PROCEED[state.phase](state)
            continue
        after = skip(state, state.queue[0])
        if after is None:
            break
        state = after
    return state


# --- What comes next ----------------------------------------------------------------------------


def _enter(state: State, phase: str) -> State:
    after = evolve(state, phase=phase, turn=NOBODY)
    return tell(after, Event("phase_began", details=((phase, 1),)))


def _begin_turn(state: State) -> State:
    began = Event("turn_began", state.shogun, number=state.turn_number)
    looks = tuple([sight for sight in state.sights if sight.verb == "looked"])
    after = evolve(state, passes=0, result=None, sights=looks)
    after = _enter(tell(after, began), PREPARATIONS)
    wants = [(seat, HAND_SIZE - len(state.hands[seat])) for seat in _order(state)]
    return evolve(after, queue=(Fill(tuple(want for want in wants if want[1] > 0)),))


def _order(state: State) -> tuple[Seat, ...]:
    return seats_from(state, state.shogun)


def _each_in_turn(
    ask: Callable[[Seat], Step], follow: Callable[[State], State]
) -> Callable[[State], State]:
    """Every seat is asked once, from the Shogun on; then `follow`."""

    def proceed(state: State) -> State:
        seat = next_seat(state, state.turn)
        if state.turn != NOBODY and seat == _order(state)[0]:
            return follow(state)
        return evolve(state, turn=seat, queue=(ask(seat),))

    return proceed


def _ask_strategy(seat: Seat) -> Step:
    return ChooseDiscards(seat, 0, STRATEGY_DISCARDS, is_refilled=True)


def _ask_end(seat: Seat) -> Step:
    return ChooseDiscards(seat, 0, END_DISCARDS)


_next_tactics = _each_in_turn(ChoosePlay, lambda state: _enter(state, BATTLE))


def _tactics(state: State) -> State:
    """A card being played goes to the discard pile after its effect (S4)."""
    if state.playing:
        state = evolve(discarded(state, state.playing), playing=None)
    return _next_tactics(state)


def _battle(state: State) -> State:
    """Passing binds nobody; the phase ends when all pass in a row (S7)."""
    if state.passes == len(present_seats(state)):
        return _enter(state, VICTORY)
    seat = next_seat(state, state.turn)
    return evolve(state, turn=seat, queue=(ChoosePlay(seat),))


def _victory(state: State) -> State:
    """The highest total wins the token; with a tie nobody does (S10)."""
    totals = {seat: force_of(state, seat) for seat in present_seats(state)}
    best = max(totals.values())
    leading = [seat for seat, total in totals.items() if total == best]
    winner = leading[0] if len(leading) == 1 else NOBODY
    points = tuple([int(seat == winner) for seat in range(state.seats)])
    scores = tuple([a + b for a, b in zip(state.scores, points, strict=True)])
    details = tuple([(f"force_{seat}", total) for seat, total in totals.items()])
    kind = "tied" if winner == NOBODY else "won"
    after = evolve(
        state, result=Result(kind, winner, points, scores, details), queue=(SettleTurn(),)
    )
    return tell(after, Event(f"turn_{kind}", winner, number=best, details=details))


def force_of(state: State, seat: Seat) -> int:
    """The seat's total now."""
    return force(faces(state.in_play[seat]), state.fallen[seat])


def _shogun(state: State) -> State:
    """The winner of the turn gets the sword; with a tie it stays (S10)."""
    result = state.result
    assert result is not None
    if result.winner not in (NOBODY, state.shogun):
        state = evolve(state, shogun=result.winner)
        state = tell(state, Event("sword_passed", state.shogun))
    return _enter(state, END)


def _next_turn(state: State) -> State:
    return _begin_turn(evolve(state, turn_number=state.turn_number + 1))


PROCEED: Mapping[str, Callable[[State], State]] = {
    SETUP: _begin_turn,
    PREPARATIONS: lambda state: _enter(state, STRATEGY),
    STRATEGY: _each_in_turn(_ask_strategy, lambda state: _enter(state, TACTICS)),
    TACTICS: _tactics,
    BATTLE: _battle,
    VICTORY: _victory,
    SHOGUN: _shogun,
    END: _each_in_turn(_ask_end, _next_turn),
}


# --- The end of a turn, and of the game ----------------------------------------------------------


def clear_table(state: State) -> State:
    """All played cards are discarded, in turn order from the Shogun on (Victory Phase)."""
    cards = [card for seat in _order(state) for card in state.in_play[seat]]
    nothing: tuple[()] = ()
    return evolve(
        discarded(state, *cards),
        in_play=(nothing,) * state.seats,
        fallen=(nothing,) * state.seats,
    )


def award(state: State) -> State:
    """The result is final: the token is given."""
    result = state.result
    assert result is not None
    after = evolve(follow_with(state), scores=result.scores, turns_settled=state.turns_settled + 1)
    after = tell(after, Event("settled", result.winner, number=max(result.points)))
    if max(result.scores) >= state.target:  # at once (S10)
        return finish(after, "finished")
    return _enter(clear_table(after), SHOGUN)


def finish(state: State, outcome: str) -> State:
    """The game is over."""
    after = evolve(state, phase=OVER, outcome=outcome, turn=NOBODY, queue=())
    return tell(after, _game_over(after))


def _game_over(state: State) -> Event:
    best = winners(state)
    seat = best[0] if len(best) == 1 else NOBODY
    return Event("game_over", seat, details=((state.outcome, 1),))
