"""What a seat, or anyone, may know of a game of Not Your Ma's Jong at one moment."""

from collections import Counter
from dataclasses import dataclass

from p2pjong.games.cards import sort_hand
from p2pjong.games.game import NOBODY, Decide, Face, Known, Result, Seat, Slot, View
from p2pjong.games.not_your_mas_jong.awaited import pending
from p2pjong.games.not_your_mas_jong.choices import CALL_SET, CALL_WIN, PASS, find_drawn, set_pairs
from p2pjong.games.not_your_mas_jong.faces import COPIES, RANK
from p2pjong.games.not_your_mas_jong.hands import goes_out
from p2pjong.games.not_your_mas_jong.state import (
    CALL,
    NO_SLOT,
    OVER,
    SERVE,
    STEAL,
    WIN,
    Call,
    Discard,
    FaceUp,
    State,
)

NAME = "not-your-mas-jong"


@dataclass(frozen=True, kw_only=True)
class NotYourMasJongView(View):
    """A view of Not Your Ma's Jong; the scores are the tokens.

    `drawn` is an own slot that bears the card just drawn, or NO_SLOT; `serving` is the caller that
    is served, or NOBODY: the calls before its own were wrong.
    """

    phase: str
    rounds: int
    ma: Seat
    turn: Seat
    is_stolen: bool
    drawn: Slot
    melds: tuple[tuple[FaceUp, ...], ...]
    discards: tuple[Discard, ...]
    skips: tuple[int, ...]
    calls: tuple[Call, ...]
    serving: Seat
    shown: tuple[Face, ...]
    result: Result | None


def view(state: State, seat: Seat, known: Known) -> NotYourMasJongView:
    """What `seat` (or NOBODY: an onlooker) may know; of `known` only its own hand is used."""
    awaited = pending(state)
    deciding = awaited if isinstance(awaited, Decide) else Decide((), "")
    own = state.hands[seat] if seat != NOBODY else ()
    drawn = find_drawn(state, known) if seat == state.turn != NOBODY else None
    return NotYourMasJongView(
        game=NAME,
        seat=seat,
        seats=state.seats,
        present=state.present,
        scores=state.tokens,
        hand_number=state.rounds_ended + (state.phase != OVER),
        hand=sort_hand(own, known, RANK),
        hand_sizes=tuple([len(hand) for hand in state.hands]),
        deck_size=state.deck_end - state.deck_top,
        awaited=deciding.seats,
        reason=deciding.reason,
        phase=state.phase,
        rounds=state.rounds,
        ma=state.ma,
        turn=state.turn,
        is_stolen=state.is_stolen,
        drawn=NO_SLOT if drawn is None else drawn,
        melds=state.melds,
        discards=state.discards,
        skips=state.skips,
        calls=state.calls,
        serving=_serving(state),
        shown=tuple([face for _, face in state.shown]),
        result=state.result,
    )


def _serving(state: State) -> Seat:
    is_served = state.phase in (SERVE, STEAL, WIN) and state.calls
    return state.calls[state.served].seat if is_served else NOBODY


def right_answers(view: NotYourMasJongView) -> tuple[str, ...]:
    """The answers to the discard that would be no mistake of the view's seat (N5); () if not asked.

    For clients that are to keep their players from mistakes, and for bots.
    """
    if view.phase != CALL or view.seat not in view.awaited:
        return ()
    wanted, known = view.discards[-1].face, dict(view.hand)
    right = []
    if set_pairs(tuple(known), known, wanted):
        right.append(CALL_SET)
    if goes_out([*known.values(), wanted], [meld.faces for meld in view.melds[view.seat]]):
        right.append(CALL_WIN)
    return (*right, PASS)


def unseen(view: NotYourMasJongView) -> Counter[Face]:
    """How many copies of each face this seat cannot see: in the deck or in other hands."""
    left = Counter(COPIES)
    left.subtract([face for _, face in view.hand])
    left.subtract([face for melds in view.melds for meld in melds for face in meld.faces])
    # A stolen discard lies in a face-up set, where it was counted.
    left.subtract([card.face for card in view.discards if card.taker == NOBODY])
    return left
