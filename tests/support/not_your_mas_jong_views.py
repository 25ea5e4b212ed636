"""Views of Not Your Ma's Jong made by hand, for what the screen says about them."""

from collections.abc import Sequence
from dataclasses import replace

from p2pjong.games.game import NOBODY, Action, Face, Result, Seat
from p2pjong.games.not_your_mas_jong.faces import sorted_faces
from p2pjong.games.not_your_mas_jong.state import Call, Discard, FaceUp
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView
from p2pjong.session.effects import Ask


def view_of(
    hand: str,
    melds: Sequence[str] = (),
    discards: Sequence[tuple[Seat, Face]] = (),
    turn: Seat = 0,
    drawn: int = -1,
    seats: int = 3,
) -> NotYourMasJongView:
    """What seat 0 sees: its hand and its sets as codes, slots counted from 100; seat 1 is Ma."""
    faces = sorted_faces(hand.split())
    own = tuple(
        FaceUp((300 + 3 * place, 301 + 3 * place, 302 + 3 * place), tuple(meld.split()), 300, 1)
        for place, meld in enumerate(melds)
    )
    return NotYourMasJongView(
        game="not-your-mas-jong",
        seat=0,
        seats=seats,
        present=(True,) * seats,
        scores=tuple(range(10, 10 + seats)),
        hand_number=2,
        hand=tuple(enumerate(faces, 100)),
        hand_sizes=(len(faces), *(10,) * (seats - 1)),
        deck_size=30,
        phase="turn",
        rounds=8,
        ma=1,
        turn=turn,
        is_stolen=False,
        drawn=drawn,
        melds=(own, *((),) * (seats - 1)),
        discards=tuple(
            Discard(200 + place, face, seat) for place, (seat, face) in enumerate(discards)
        ),
        skips=(0,) * seats,
        calls=(),
        serving=NOBODY,
        shown=(),
        result=None,
    )


def turn_ask(view: NotYourMasJongView, can_go_out: bool = False) -> Ask:
    """The question of a turn: any card may go."""
    actions = [Action(0, "discard", (slot,)) for slot, _ in view.hand]
    if can_go_out:
        actions.append(Action(0, "go_out"))
    return Ask(1, view, tuple(actions), actions[0], is_answer=False)


def call_ask(view: NotYourMasJongView, seat: Seat, face: Face) -> Ask:
    """The question after `seat` discarded `face`: anything may be called (N5)."""
    discards = (*view.discards, Discard(999, face, seat, NOBODY))
    seats = tuple(other for other in range(view.seats) if other != seat)
    asked = replace(view, discards=discards, turn=seat, phase="call", awaited=seats)
    actions = tuple(Action(0, verb) for verb in ("call_set", "call_win", "pass"))
    return Ask(1, asked, actions, actions[-1], is_answer=True, is_race=True)


def serve_ask(
    view: NotYourMasJongView, seat: Seat, face: Face, verb: str, shows: Sequence[Action]
) -> Ask:
    """The question when our call, `call_win` or `call_set`, is served."""
    asked = call_ask(view, seat, face).view
    assert isinstance(asked, NotYourMasJongView)
    asked = replace(asked, phase="serve", calls=(Call(0, verb),), serving=0, awaited=(0,))
    wrong = Action(0, "wrong")
    return Ask(2, asked, (*shows, wrong), shows[0] if shows else wrong, is_answer=False)


def won(view: NotYourMasJongView, points: Sequence[int], how: str) -> NotYourMasJongView:
    """The view when a round has been won with these payments."""
    scores = tuple(had + gained for had, gained in zip(view.scores, points, strict=True))
    winner = max(range(view.seats), key=lambda seat: points[seat])
    result = Result("won", winner, tuple(points), scores, ((how, 1),))
    return replace(view, phase="settle", result=result)
