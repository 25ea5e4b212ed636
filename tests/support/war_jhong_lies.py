"""Lies of a hostile client at a table of War Jhong: discards, claims, hands that do not go out."""

from collections.abc import Iterator
from itertools import combinations

from p2pjong.games.game import Slot
from p2pjong.games.war_jhong.formations import is_formation
from p2pjong.games.war_jhong.state import ANSWER, TURN, State
from p2pjong.session.course import Step
from p2pjong.wire.messages import Act, ActCommit
from tests.support.hostile import HostileSession, Misdeed, acting, next_seat
from tests.support.war_jhong_oracle import oracle_goes_out


def is_own_turn(session: HostileSession, step: Step) -> bool:
    """We must discard or go out."""
    is_turn = step.kind is Act and session.play.state.phase == TURN
    return is_turn and session.course.is_awaited(session.seat)


def is_own_answer(session: HostileSession, step: Step) -> bool:
    """We must answer a discard."""
    is_answer = step.kind is ActCommit and session.play.state.phase == ANSWER
    return is_answer and session.course.is_awaited(session.seat)


def _goes_out(session: HostileSession, *more: str) -> bool:
    state, known = session.play.state, session.dealer.known(session.seat)
    hand = tuple(known[slot] for slot in state.hands[session.seat])
    melds = tuple(meld.faces for meld in state.melds[session.seat])
    return oracle_goes_out((*hand, *more), melds, *more)


def lacks_hand(session: HostileSession, step: Step) -> bool:
    """It is our turn, and our hand does not go out."""
    return is_own_turn(session, step) and not _goes_out(session)


def lacks_hand_with_discard(session: HostileSession, step: Step) -> bool:
    """We may answer, and our hand does not go out with the discard."""
    state: State = session.play.state
    return is_own_answer(session, step) and not _goes_out(session, state.discards[-1].face)


def wrong_pairs(session: HostileSession) -> Iterator[tuple[Slot, ...]]:
    """Pairs of our hand that make no Formation with the discard."""
    state, known = session.play.state, session.dealer.known(session.seat)
    for one, other in combinations(state.hands[session.seat], 2):
        if not is_formation((known[one], known[other], state.discards[-1].face)):
            yield one, other


def lacks_formation(session: HostileSession, step: Step) -> bool:
    """We may answer, and hold two cards that make no Formation with the discard."""
    return is_own_answer(session, step) and any(wrong_pairs(session))


def of_another_hand(session: HostileSession) -> tuple[Slot, ...]:
    """Two cards that somebody else holds."""
    hand: tuple[Slot, ...] = session.play.state.hands[next_seat(session)]
    return hand[:2]


def own_cards(session: HostileSession) -> tuple[Slot, ...]:
    """Two cards of ours."""
    hand: tuple[Slot, ...] = session.play.state.hands[session.seat]
    return hand[:2]


def no_slots(session: HostileSession) -> tuple[Slot, ...]:
    """None."""
    return ()


LIES = (
    Misdeed(
        "discards a card of another hand",
        "Act",
        "illegal-action",
        acting("discard", lambda session: of_another_hand(session)[:1]),
        when=is_own_turn,
    ),
    Misdeed(
        "discards two cards at once",
        "Act",
        "illegal-action",
        acting("discard", own_cards),
        when=is_own_turn,
    ),
    Misdeed(
        "goes out without a hand for it",
        "Act",
        "hand-does-not-go-out",
        acting("go_out", no_slots),
        when=lacks_hand,
    ),
    Misdeed(
        "claims with cards that make no Formation",
        "ActCommit",
        "claim-without-formation",
        acting("claim_formation", lambda session: next(wrong_pairs(session))),
        when=lacks_formation,
    ),
    Misdeed(
        "claims with cards of another hand",
        "ActCommit",
        "illegal-action",
        acting("claim_formation", of_another_hand),
        when=is_own_answer,
    ),
    Misdeed(
        "claims with one card alone",
        "ActCommit",
        "illegal-action",
        acting("claim_formation", lambda session: own_cards(session)[:1]),
        when=is_own_answer,
    ),
    Misdeed(
        "claims to go out without a hand for it",
        "ActCommit",
        "hand-does-not-go-out",
        acting("claim_go_out", no_slots),
        when=lacks_hand_with_discard,
    ),
)
