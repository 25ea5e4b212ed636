"""Lies of a hostile client at a table of Not Your Ma's Jong: calls, sets, hands, orders."""

from collections.abc import Iterator
from itertools import pairwise

from p2pjong.games.not_your_mas_jong.sets import is_set
from p2pjong.session.course import Step
from p2pjong.wire.messages import Act, Ordered, Payload
from tests.support.hostile import (
    HostileSession,
    Misdeed,
    acting,
    altered,
    honest_payload,
    next_seat,
    silent,
)
from tests.support.lane_misdeeds import story_at
from tests.support.mas_jong_oracle import goes_out


def served_for(session: HostileSession, step: Step) -> str:
    """What our call was for if it is served now, else ""."""
    state = session.play.state
    if (
        step.kind is not Act
        or state.phase != "serve"
        or not session.course.is_awaited(session.seat)
    ):
        return ""
    verb: str = state.calls[state.served].verb
    return verb


def wrong_pairs(session: HostileSession) -> Iterator[tuple[int, int]]:
    """Pairs of our hand that make no set with the discard."""
    state, known = session.play.state, session.dealer.known(session.seat)
    hand, wanted = state.hands[session.seat], state.discards[-1].face
    for one, other in pairwise(hand):
        if not is_set((known[one], known[other], wanted)):
            yield one, other


def lacks_set(session: HostileSession, step: Step) -> bool:
    return served_for(session, step) == "call_set" and any(wrong_pairs(session))


def lacks_win(session: HostileSession, step: Step) -> bool:
    state, known = session.play.state, session.dealer.known(session.seat)
    if served_for(session, step) != "call_win":
        return False
    hand = [known[slot] for slot in state.hands[session.seat]]
    return not goes_out([*hand, state.discards[-1].face])


def is_own_turn(session: HostileSession, step: Step) -> bool:
    state, known = session.play.state, session.dealer.known(session.seat)
    is_turn = step.kind is Act and state.phase == "turn" and session.course.is_awaited(session.seat)
    return is_turn and not goes_out([known[slot] for slot in state.hands[session.seat]])


def is_own_discard(session: HostileSession, step: Step) -> bool:
    state = session.play.state
    return step.kind is Act and state.phase == "call" and state.turn == session.seat


def served_to_win(session: HostileSession, step: Step) -> bool:
    return served_for(session, step) == "call_win"


def no_slots(session: HostileSession) -> tuple[int, ...]:
    return ()


def first_two(session: HostileSession) -> tuple[int, ...]:
    hand: tuple[int, ...] = session.play.state.hands[session.seat]
    return hand[:2]


def a_call(session: HostileSession, step: Step) -> Act:
    return Act("call_win", (), -1)


def of_another_hand(session: HostileSession) -> tuple[int, ...]:
    hand: tuple[int, ...] = session.play.state.hands[next_seat(session)]
    return hand[:2]


def another_card(session: HostileSession) -> tuple[int, ...]:
    return of_another_hand(session)[:1]


def is_own_discarding(session: HostileSession, step: Step) -> bool:
    is_turn = step.kind is Act and session.play.state.phase == "turn"
    return is_turn and session.course.is_awaited(session.seat)


def served_for_set(session: HostileSession, step: Step) -> bool:
    return served_for(session, step) == "call_set"


def named_itself(session: HostileSession, step: Step) -> Payload:
    honest = honest_payload(session, step)
    assert isinstance(honest, Ordered)
    return Ordered((session.seat, *honest.seats[1:]))


LIES = (
    Misdeed(
        "discards a card of another hand",
        "Act",
        "illegal-action",
        acting("discard", another_card),
        when=is_own_discarding,
    ),
    Misdeed(
        "discards two cards at once",
        "Act",
        "illegal-action",
        acting("discard", first_two),
        when=is_own_discarding,
    ),
    Misdeed(
        "shows a set with cards of another hand",
        "Act",
        "illegal-action",
        acting("show_set", of_another_hand),
        when=served_for_set,
    ),
    Misdeed(
        "shows cards that are no set",
        "Act",
        "steal-without-set",
        acting("show_set", lambda session: next(wrong_pairs(session))),
        when=lacks_set,
    ),
    Misdeed(
        "shows a hand that does not win",
        "Act",
        "hand-does-not-go-out",
        acting("show_win", no_slots),
        when=lacks_win,
    ),
    Misdeed(
        "goes out without a hand for it",
        "Act",
        "hand-does-not-go-out",
        acting("go_out", no_slots),
        when=is_own_turn,
    ),
    Misdeed(
        "shows a set where it called to win",
        "Act",
        "illegal-action",
        acting("show_set", first_two),
        when=served_to_win,
    ),
    Misdeed("calls for its own discard", "Act", "out-of-turn", a_call, when=is_own_discard),
    Misdeed(
        "names a caller twice",
        "Ordered",
        "order",
        altered(seats=lambda seats: (seats[0],) * len(seats)),
    ),
    Misdeed("leaves a caller out", "Ordered", "order", altered(seats=lambda seats: seats[1:])),
    Misdeed("names itself", "Ordered", "order", named_itself),
    Misdeed("says nothing of who was first", "Ordered", is_silent=True, forge=silent),
    story_at("Ordered"),
)
