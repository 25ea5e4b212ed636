"""What a seat may do: one list, for offering, accepting and choosing alike."""

from functools import cache
from itertools import combinations

from p2pjong.games.cards import find_pairs, find_twin
from p2pjong.games.game import NOBODY, Action, Face, Known, Seat, Slot
from p2pjong.games.not_your_mas_jong.faces import RANK
from p2pjong.games.not_your_mas_jong.hands import goes_out
from p2pjong.games.not_your_mas_jong.sets import partners
from p2pjong.games.not_your_mas_jong.state import CALL, SERVE, TURN, State

DISCARD_CARD = "discard"
GO_OUT = "go_out"
PASS = "pass"
CALL_WIN = "call_win"
CALL_SET = "call_set"
SHOW_WIN = "show_win"
SHOW_SET = "show_set"
WRONG = "wrong"

ANSWERS = (CALL_SET, CALL_WIN, PASS)


def legal(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    """The sorted legal actions of `seat`, exact where its hand is known, else as wide as may be.

    To call is legal whatever the hand holds: a wrong call is part of the game (N5). A seat that was
    right may still say that it was wrong, since nobody could prove that it was not.
    """
    if not _must_choose(state, seat):
        return ()
    if state.phase == TURN:
        return _turn_choices(state, seat, known)
    if state.phase == CALL:
        return _answers(seat)
    return (*_shows(state, seat, known), Action(seat, WRONG))


def is_allowed(state: State, action: Action) -> bool:
    """Whether nobody can rule the action out without the hand: it is in `legal(.., {})`.

    Kept apart from `legal` for speed alone: peers check every foreign action by it.
    """
    verb, slots = action.verb, action.slots
    if action.target != NOBODY or not _must_choose(state, action.seat):
        return False
    hand = state.hands[action.seat]
    if state.phase == TURN:
        if verb == DISCARD_CARD:
            return len(slots) == 1 and slots[0] in hand
        return verb == GO_OUT and not slots
    if state.phase == CALL:
        return verb in ANSWERS and not slots
    is_win = state.calls[state.served].verb == CALL_WIN
    if verb == SHOW_SET and not is_win:
        return len(slots) == 2 and slots[0] < slots[1] and slots[0] in hand and slots[1] in hand
    return (verb == WRONG or (verb == SHOW_WIN and is_win)) and not slots


def default(state: State, seat: Seat, known: Known) -> Action:
    """What the client plays when time is up (G8).

    The card just drawn is discarded, a discard passed, a right call shown; N6 forces going out.
    """
    if state.phase == CALL:
        return Action(seat, PASS)
    if state.phase == SERVE:
        return _default_show(state, seat, known)
    if state.is_stolen and _wins(state, seat, known):
        return Action(seat, GO_OUT)
    hand = state.hands[seat]
    drawn = find_drawn(state, known)
    if drawn is not None:
        return Action(seat, DISCARD_CARD, (drawn,))
    last = max(hand, key=lambda slot: (RANK.get(known.get(slot, ""), -1), slot))
    return Action(seat, DISCARD_CARD, (last,))


def find_drawn(state: State, known: Known) -> Slot | None:
    """A slot of the turn's hand that bears the card just drawn, for who knows that hand."""
    return find_twin(state.hands[state.turn], state.drawn, known)


def _must_choose(state: State, seat: Seat) -> bool:
    if state.phase == TURN:
        return seat == state.turn
    if state.phase == CALL:
        return 0 <= seat < state.seats and seat != state.turn and state.present[seat]
    return state.phase == SERVE and seat == state.calls[state.served].seat


@cache
def _answers(seat: Seat) -> tuple[Action, ...]:
    return tuple([Action(seat, verb) for verb in ANSWERS])


def _turn_choices(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    wins = _wins(state, seat, known)
    if wins and state.is_stolen:
        return (Action(seat, GO_OUT),)  # not a choice (N6)
    discards = tuple([Action(seat, DISCARD_CARD, (slot,)) for slot in state.hands[seat]])
    return discards if wins is False else (*discards, Action(seat, GO_OUT))


def _wins(state: State, seat: Seat, known: Known, stolen: Face | None = None) -> bool | None:
    """Whether the hand, with the `stolen` card, goes out; None if who asks does not know it."""
    faces = [] if stolen is None else [stolen]
    for slot in state.hands[seat]:
        if slot not in known:
            return None
        faces.append(known[slot])
    return goes_out(faces, [meld.faces for meld in state.melds[seat]])


def _shows(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    wanted = state.discards[-1].face
    if state.calls[state.served].verb == CALL_WIN:
        is_ruled_out = _wins(state, seat, known, wanted) is False
        return () if is_ruled_out else (Action(seat, SHOW_WIN),)
    pairs = set_pairs(state.hands[seat], known, wanted)
    return tuple([Action(seat, SHOW_SET, pair) for pair in pairs])


def _default_show(state: State, seat: Seat, known: Known) -> Action:
    if any(slot not in known for slot in state.hands[seat]):
        return Action(seat, WRONG)
    shows = _shows(state, seat, known)
    in_order = [sorted(RANK[known[slot]] for slot in show.slots) for show in shows]
    return min(zip(in_order, shows, strict=True))[1] if shows else Action(seat, WRONG)


def set_pairs(hand: tuple[Slot, ...], known: Known, wanted: Face) -> list[tuple[Slot, Slot]]:
    """The pairs of slots that make a set with the wanted card, one for each pair of known faces."""
    if any(slot not in known for slot in hand):
        return _possible_pairs(hand, known, wanted)
    return find_pairs(hand, known, partners(wanted))


def _possible_pairs(hand: tuple[Slot, ...], known: Known, wanted: Face) -> list[tuple[Slot, Slot]]:
    # An unknown card counts as any face.
    open_pairs = [pair for one, other in partners(wanted) for pair in ((one, other), (other, one))]
    return [
        (one, other)
        for one, other in combinations(hand, 2)
        if any(
            known.get(one, first) == first and known.get(other, second) == second
            for first, second in open_pairs
        )
    ]
