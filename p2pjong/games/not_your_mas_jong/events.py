"""What everyone at the table saw happen between two states of Not Your Ma's Jong."""

from collections.abc import Callable, Iterator, Mapping

from p2pjong.games.game import NOBODY, Action, Event, Facts, Seat
from p2pjong.games.not_your_mas_jong.choices import CALL_WIN, PASS, WRONG
from p2pjong.games.not_your_mas_jong.state import (
    CALL,
    DEAL,
    DEAL_SIZE,
    DISCARD,
    DRAW,
    ORDER,
    OVER,
    SERVE,
    SETTLE,
    SHUFFLE,
    STEAL,
    TOSS,
    WIN,
    Call,
    State,
    next_to_draw,
    winners,
)
from p2pjong.games.seating import put
from p2pjong.games.values import evolve


def events(before: State, cause: Facts | tuple[Action, ...], after: State) -> tuple[Event, ...]:
    """What happened, in order. An empty tuple as the cause says that the round was voided."""
    if cause == ():
        return tuple(_voided(before, after))
    if isinstance(cause, tuple):
        return tuple(_decided(before, cause, after))
    seen = SEEN.get(before.phase)
    return tuple(seen(before, after)) if seen else ()


def _voided(before: State, after: State) -> Iterator[Event]:
    for seat in range(before.seats):
        if before.present[seat] and not after.present[seat]:
            yield Event("seat_left", seat)
    if after.phase == OVER:
        yield _game_over(after)
    elif before.deck_end:  # no round is void before its cards are dealt
        yield Event("hand_void", number=after.rounds_ended + 1)


# --- Calls --------------------------------------------------------------------------------------


def _decided(before: State, actions: tuple[Action, ...], after: State) -> Iterator[Event]:
    if before.phase == CALL:
        for answer in actions:
            if answer.verb != PASS:
                yield _about("called", before, Call(answer.seat, answer.verb))
        yield from _served(before, after)
    elif before.phase == SERVE and actions[0].verb == WRONG:
        call = before.calls[before.served]
        skips = put(before.skips, call.seat, before.skips[call.seat] + 1)
        yield _about("wrong_call", before, call, skips[call.seat])
        yield from _served(evolve(before, skips=skips), after)


def _served(before: State, after: State) -> Iterator[Event]:
    """Whom the discard goes to next: a caller, or nobody."""
    if after.phase == SERVE:
        yield _about("served", before, after.calls[after.served], after.served + 1)
    elif after.phase != ORDER:
        taken = before.discards[-1]
        yield Event("unclaimed", taken.seat, (taken.face,))
        yield from _passed_on(before, after)


def _about(verb: str, before: State, call: Call, number: int = 0) -> Event:
    wanted, kind = before.discards[-1], "win" if call.verb == CALL_WIN else "set"
    return Event(verb, call.seat, (wanted.face,), wanted.seat, number, ((kind, 1),))


def _passed_on(before: State, after: State) -> Iterator[Event]:
    if after.phase == SETTLE:
        yield Event("washed_out", number=after.rounds_ended + 1)
        return
    skips = list(before.skips)
    for seat in next_to_draw(before)[1]:
        skips[seat] -= 1
        yield Event("skipped", seat, number=skips[seat])


# --- What followed an operation -----------------------------------------------------------------


def _tossed(before: State, after: State) -> Iterator[Event]:
    yield Event("first_seat", after.ma)


def _shuffled(before: State, after: State) -> Iterator[Event]:
    yield Event("hand_began", after.ma, number=after.rounds_ended + 1)


def _dealt(before: State, after: State) -> Iterator[Event]:
    yield Event("dealt", number=DEAL_SIZE)


def _drew(before: State, after: State) -> Iterator[Event]:
    yield Event("drew", before.turn, number=after.deck_end - after.deck_top)


def _discarded(before: State, after: State) -> Iterator[Event]:
    yield Event("discarded", before.turn, (after.discards[-1].face,))


def _melded(before: State, after: State) -> Iterator[Event]:
    meld = after.melds[after.turn][-1]
    yield Event("melded", after.turn, meld.faces, target=meld.giver)


def _went_out(before: State, after: State) -> Iterator[Event]:
    result = after.result
    assert result is not None
    yield Event(
        "went_out",
        result.winner,
        tuple(face for _, face in after.shown),
        target=after.discards[-1].seat if after.is_stolen else NOBODY,
        number=result.points[result.winner],
        details=result.details,
    )


def _settled(before: State, after: State) -> Iterator[Event]:
    result = before.result
    assert result is not None
    yield Event("settled", result.winner, number=max(result.points))
    if after.phase == OVER:
        yield _game_over(after)


def _game_over(after: State) -> Event:
    best = winners(after)
    seat: Seat = best[0] if len(best) == 1 else NOBODY
    return Event("game_over", seat, details=((after.outcome, 1),))


SEEN: Mapping[str, Callable[[State, State], Iterator[Event]]] = {
    TOSS: _tossed,
    SHUFFLE: _shuffled,
    DEAL: _dealt,
    DRAW: _drew,
    DISCARD: _discarded,
    ORDER: _served,
    STEAL: _melded,
    WIN: _went_out,
    SETTLE: _settled,
}
