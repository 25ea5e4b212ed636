"""What a seat, or anyone, may know of a game of War Jhong at one moment."""

from collections import Counter
from dataclasses import dataclass

from p2pjong.games.cards import sort_hand
from p2pjong.games.game import NOBODY, Decide, Face, Known, Result, Seat, Slot, View
from p2pjong.games.war_jhong.awaited import pending
from p2pjong.games.war_jhong.choices import find_drawn
from p2pjong.games.war_jhong.faces import COPIES, RANK
from p2pjong.games.war_jhong.state import (
    NO_SLOT,
    OVER,
    Discard,
    FaceUp,
    State,
    generals_discarded,
)

NAME = "war-jhong"


@dataclass(frozen=True, kw_only=True)
class WarJhongView(View):
    """A view of War Jhong. `drawn` is an own slot that bears the card just drawn, or NO_SLOT."""

    phase: str
    target: int
    first: Seat
    turn: Seat
    drawn: Slot
    melds: tuple[tuple[FaceUp, ...], ...]
    discards: tuple[Discard, ...]
    generals: tuple[int, ...]
    shown: tuple[Face, ...]
    result: Result | None


def view(state: State, seat: Seat, known: Known) -> WarJhongView:
    """What `seat` (or NOBODY: an onlooker) may know; of `known` only its own hand is used."""
    awaited = pending(state)
    deciding = awaited if isinstance(awaited, Decide) else Decide((), "")
    own = state.hands[seat] if seat != NOBODY else ()
    drawn = find_drawn(state, known) if seat == state.turn != NOBODY else None
    return WarJhongView(
        game=NAME,
        seat=seat,
        seats=state.seats,
        present=state.present,
        scores=state.scores,
        hand_number=state.hands_ended + (state.phase != OVER),
        hand=sort_hand(own, known, RANK),
        hand_sizes=tuple([len(hand) for hand in state.hands]),
        deck_size=state.deck_end - state.deck_top,
        awaited=deciding.seats,
        reason=deciding.reason,
        phase=state.phase,
        target=state.target,
        first=state.first,
        turn=state.turn,
        drawn=NO_SLOT if drawn is None else drawn,
        melds=state.melds,
        discards=state.discards,
        generals=generals_discarded(state),
        shown=tuple([face for _, face in state.shown]),
        result=state.result,
    )


def unseen(view: WarJhongView) -> Counter[Face]:
    """How many copies of each face this seat cannot see: in the deck or in other hands."""
    left = Counter(COPIES)
    left.subtract([face for _, face in view.hand])
    left.subtract([face for melds in view.melds for meld in melds for face in meld.faces])
    # A claimed discard lies in a face-up Formation, where it was counted.
    left.subtract([card.face for card in view.discards if card.taker == NOBODY])
    return left
