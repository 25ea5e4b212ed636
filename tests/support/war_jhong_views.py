"""Views of War Jhong made by hand, for what the screen says about them."""

from collections.abc import Sequence

from p2pjong.games.game import Action, Face, Seat
from p2pjong.games.war_jhong.faces import sorted_faces
from p2pjong.games.war_jhong.state import Discard, FaceUp
from p2pjong.games.war_jhong.view import WarJhongView
from p2pjong.session.effects import Ask


def view_of(
    hand: str,
    melds: Sequence[str] = (),
    discards: Sequence[tuple[Seat, Face]] = (),
    turn: Seat = 0,
    drawn: int = -1,
    seats: int = 3,
) -> WarJhongView:
    """What seat 0 sees: its hand and its Formations as codes, slots counted from 100."""
    faces = sorted_faces(hand.split())
    own = tuple(
        FaceUp((300 + 3 * place, 301 + 3 * place, 302 + 3 * place), tuple(meld.split()), 300, 1)
        for place, meld in enumerate(melds)
    )
    return WarJhongView(
        game="war-jhong",
        seat=0,
        seats=seats,
        present=(True,) * seats,
        scores=tuple(range(0, 10 * seats, 10)),
        hand_number=2,
        hand=tuple(enumerate(faces, 100)),
        hand_sizes=(len(faces), *(12,) * (seats - 1)),
        deck_size=40,
        phase="turn" if turn == 0 else "answer",
        target=100,
        first=0,
        turn=turn,
        drawn=drawn,
        melds=(own, *((),) * (seats - 1)),
        discards=tuple(
            Discard(200 + place, face, seat) for place, (seat, face) in enumerate(discards)
        ),
        generals=(0,) * seats,
        shown=(),
        result=None,
    )


def turn_ask(view: WarJhongView, can_go_out: bool = False) -> Ask:
    """The question of a turn: any card may go."""
    actions = [Action(0, "discard", (slot,)) for slot, _ in view.hand]
    if can_go_out:
        actions.append(Action(0, "go_out"))
    return Ask(1, view, tuple(actions), actions[0], is_answer=False)


def claim_ask(view: WarJhongView, pairs: Sequence[str], can_go_out: bool = False) -> Ask:
    """The question after a discard, with these pairs of cards to claim it for."""
    actions = [Action(0, "claim_formation", _slots(view, pair.split())) for pair in pairs]
    if can_go_out:
        actions.append(Action(0, "claim_go_out"))
    passing = Action(0, "pass")
    return Ask(1, view, (*actions, passing), passing, is_answer=True)


def _slots(view: WarJhongView, faces: Sequence[Face]) -> tuple[int, ...]:
    left = list(view.hand)
    slots = []
    for face in faces:
        card = next(card for card in left if card[1] == face)
        left.remove(card)
        slots.append(card[0])
    return tuple(sorted(slots))
