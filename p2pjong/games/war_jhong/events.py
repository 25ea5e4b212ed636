"""What everyone at the table saw happen between two states of War Jhong."""

from collections.abc import Callable, Iterator, Mapping

from p2pjong.games.game import NOBODY, Action, Event, Facts, Seat
from p2pjong.games.war_jhong.choices import CLAIM_FORMATION, PASS
from p2pjong.games.war_jhong.state import (
    ANSWER,
    CLAIM,
    DEAL,
    DEAL_SIZE,
    DISCARD,
    DRAW,
    OVER,
    SETTLE,
    SHUFFLE,
    TOSS,
    WIN,
    State,
    winners,
)


def events(before: State, cause: Facts | tuple[Action, ...], after: State) -> tuple[Event, ...]:
    """What happened, in order. An empty tuple as the cause says that the hand was voided."""
    if cause == ():
        return tuple(_voided(before, after))
    seen = list(_answered(before, cause) if isinstance(cause, tuple) else _followed(before, after))
    if after.phase == SETTLE != before.phase and after.result and after.result.winner == NOBODY:
        seen.append(Event("washed_out", number=after.hands_ended + 1))
    return tuple(seen)


def _followed(before: State, after: State) -> Iterator[Event]:
    seen = SEEN.get(before.phase)
    return seen(before, after) if seen else iter(())


def _voided(before: State, after: State) -> Iterator[Event]:
    for seat in range(before.seats):
        if before.present[seat] and not after.present[seat]:
            yield Event("seat_left", seat)
    if after.phase == OVER:
        yield _game_over(after)
    elif before.deck_end:  # no hand is void before its cards are dealt
        yield Event("hand_void", number=after.hands_ended + 1)


def _answered(before: State, actions: tuple[Action, ...]) -> Iterator[Event]:
    if before.phase != ANSWER:
        return
    taken = before.discards[-1]
    claims = [action for action in actions if action.verb != PASS]
    for claim in claims:
        kind = "formation" if claim.verb == CLAIM_FORMATION else "go_out"
        yield Event(
            "claimed",
            claim.seat,
            (taken.face,),
            target=taken.seat,
            number=int(claim is claims[0]),
            details=((kind, 1),),
        )
    if not claims:
        yield Event("unclaimed", taken.seat, (taken.face,))


def _tossed(before: State, after: State) -> Iterator[Event]:
    yield Event("first_seat", after.first)


def _shuffled(before: State, after: State) -> Iterator[Event]:
    yield Event("hand_began", after.first, number=after.hands_ended + 1)


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
    shown = tuple(face for _, face in after.shown)
    yield Event(
        "went_out",
        result.winner,
        shown,
        target=_giver(after, result.winner),
        number=result.points[result.winner],
        details=result.details,
    )


def _giver(after: State, winner: Seat) -> Seat:
    """Who discarded the card that the winner went out on, NOBODY if it drew it itself."""
    last = after.discards[-1] if after.discards else None
    return last.seat if last and last.taker == winner else NOBODY


def _settled(before: State, after: State) -> Iterator[Event]:
    result = before.result
    assert result is not None
    yield Event("settled", result.winner, number=max(result.points))
    if after.phase == OVER:
        yield _game_over(after)


def _game_over(after: State) -> Event:
    best = winners(after)
    seat = best[0] if len(best) == 1 else NOBODY
    return Event("game_over", seat, details=((after.outcome, 1),))


SEEN: Mapping[str, Callable[[State, State], Iterator[Event]]] = {
    TOSS: _tossed,
    SHUFFLE: _shuffled,
    DEAL: _dealt,
    DRAW: _drew,
    DISCARD: _discarded,
    CLAIM: _melded,
    WIN: _went_out,
    SETTLE: _settled,
}
