"""What a seat may do: one list, for offering, accepting and choosing alike."""

from collections.abc import Mapping
from functools import cache
from itertools import combinations, product

from p2pjong.games.cards import find_pairs, find_twin
from p2pjong.games.game import Action, Face, Known, Seat, Slot
from p2pjong.games.war_jhong.faces import RANK, TACTICS
from p2pjong.games.war_jhong.formations import CARDS, FORMATION_SIZE, is_formation
from p2pjong.games.war_jhong.scoring import goes_out
from p2pjong.games.war_jhong.state import ANSWER, TURN, State

DISCARD_CARD = "discard"
GO_OUT = "go_out"
PASS = "pass"
CLAIM_FORMATION = "claim_formation"
CLAIM_GO_OUT = "claim_go_out"


def legal(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    """The sorted legal actions of `seat`, exact where its hand is known, else as wide as may be."""
    if state.phase == TURN and seat == state.turn:
        return _turn_choices(state, seat, known)
    if state.phase == ANSWER and _may_answer(state, seat):
        return _answers(state, seat, known)
    return ()


def is_allowed(state: State, action: Action) -> bool:
    """Whether nobody can rule the action out without the hand: it is in `legal(.., {})`.

    Kept apart from `legal` for speed alone: peers check every foreign action by it.
    """
    hand, slots = state.hands[action.seat], action.slots
    if action.target != -1:
        return False
    if state.phase == TURN and action.seat == state.turn:
        if action.verb == DISCARD_CARD:
            return len(slots) == 1 and slots[0] in hand
        return action.verb == GO_OUT and not slots
    if state.phase != ANSWER or not _may_answer(state, action.seat):
        return False
    if action.verb == CLAIM_FORMATION:
        return len(slots) == 2 and slots[0] < slots[1] and slots[0] in hand and slots[1] in hand
    return action.verb in (PASS, CLAIM_GO_OUT) and not slots


def default(state: State, seat: Seat, known: Known) -> Action:
    """What the client plays when time is up (G8): a pass, or the discard of the card just drawn.

    Without one, and in the place of a Tactics card as long as there is another: the last one.
    """
    if state.phase == ANSWER:
        return Action(seat, PASS)
    drawn = find_drawn(state, known)
    if drawn is not None and known[drawn] != TACTICS:
        return Action(seat, DISCARD_CARD, (drawn,))
    faces = {slot: known.get(slot, "") for slot in state.hands[seat]}
    last = max(faces, key=lambda slot: (faces[slot] != TACTICS, RANK.get(faces[slot], -1), slot))
    return Action(seat, DISCARD_CARD, (last,))


def find_drawn(state: State, known: Known) -> Slot | None:
    """A slot of the turn's hand that bears the card just drawn, for who knows that hand."""
    return find_twin(state.hands[state.turn], state.drawn, known)


def _may_answer(state: State, seat: Seat) -> bool:
    return 0 <= seat < state.seats and seat != state.turn and state.present[seat]


def _turn_choices(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    hand = state.hands[seat]
    discards = tuple([Action(seat, DISCARD_CARD, (slot,)) for slot in hand])
    if _may_go_out(state, seat, known, None):
        return (*discards, Action(seat, GO_OUT))
    return discards


def _answers(state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
    claimed = state.discards[-1].face
    pairs = _pairs(state.hands[seat], known, claimed)
    actions = [Action(seat, CLAIM_FORMATION, pair) for pair in pairs]
    if _may_go_out(state, seat, known, claimed):
        actions.append(Action(seat, CLAIM_GO_OUT))
    return (*actions, Action(seat, PASS))


def _may_go_out(state: State, seat: Seat, known: Known, claimed: Face | None) -> bool:
    hand = [known.get(slot) for slot in state.hands[seat]]
    faces = [face for face in hand if face is not None]
    if len(faces) < len(hand):
        return True  # nobody can rule out what the unknown cards may be
    if claimed is not None:
        faces.append(claimed)
    return goes_out(faces, [meld.faces for meld in state.melds[seat]], claimed)


def _pairs(hand: tuple[Slot, ...], known: Known, claimed: Face) -> list[tuple[Slot, Slot]]:
    """The pairs of slots that go with the claimed card, one for each pair of known faces."""
    if any(slot not in known for slot in hand):
        return _possible_pairs(hand, known, claimed)
    return find_pairs(hand, known, partners(claimed))


def _possible_pairs(hand: tuple[Slot, ...], known: Known, claimed: Face) -> list[tuple[Slot, Slot]]:
    # An unknown card goes with others exactly where a Tactics card would, which may be any (W4).
    faces: Mapping[Slot, Face] = {slot: known.get(slot, TACTICS) for slot in hand}
    return [
        (one, other)
        for one, other in combinations(hand, 2)
        if is_formation((faces[one], faces[other], claimed))
    ]


@cache
def partners(claimed: Face) -> tuple[tuple[Face, Face], ...]:
    """All pairs of faces that make a Formation with `claimed`, in the order of codes."""
    pairs = set()
    for cards, gone in product(CARDS, range(FORMATION_SIZE)):
        if claimed in (cards[gone], TACTICS):
            one, other = cards[:gone] + cards[gone + 1 :]
            pairs |= {(one, other), (one, TACTICS), (other, TACTICS), (TACTICS, TACTICS)}
    return tuple(sorted(pairs, key=lambda pair: (RANK[pair[0]], RANK[pair[1]])))
