"""What a seat, or anyone, may know of a game of Samurai Warfare at one moment."""

from collections import Counter
from dataclasses import dataclass

from p2pjong.games.cards import sort_hand
from p2pjong.games.game import NOBODY, Decide, Face, Known, Result, Seat, Slot, View
from p2pjong.games.samurai_warfare.awaited import pending
from p2pjong.games.samurai_warfare.battlefield import force
from p2pjong.games.samurai_warfare.cards import RANK
from p2pjong.games.samurai_warfare.state import FaceUp, Sight, State, faces
from p2pjong.games.samurai_warfare.steps import ChooseDiscards, ChooseTaken, Step

NAME = "samurai-warfare"


@dataclass(frozen=True)
class Seen:
    """What the view's seat alone, or it and one other, saw this turn.

    `verb` is "drew", "peeked", "took", "looked" (`seat` at `target`'s hand) or "stole". Of a hand
    looked at, in this turn or before, `faces` is what has not been seen to leave it since, and
    `unsure` how many cards left it unseen.
    """

    verb: str
    seat: Seat
    target: Seat
    faces: tuple[Face, ...]
    unsure: int = 0


@dataclass(frozen=True, kw_only=True)
class SamuraiWarfareView(View):
    """A view of Samurai Warfare.

    `choice` says what is being chosen: "strategy", "tactics", "take", "battle", "discard", "end" or
    ""; `least` and `most` how many cards may be named.
    """

    phase: str
    target: int
    shogun: Seat
    turn: Seat
    choice: str
    least: int
    most: int
    passes: int
    in_play: tuple[tuple[FaceUp, ...], ...]
    fallen: tuple[tuple[Face, ...], ...]
    forces: tuple[int, ...]
    playing: FaceUp | None
    discards: tuple[FaceUp, ...]
    deck_seen: tuple[tuple[int, Slot, Face], ...]  # (place from the top, slot, face), own only
    seen: tuple[Seen, ...]
    result: Result | None


def view(state: State, seat: Seat, known: Known) -> SamuraiWarfareView:
    """What `seat` (or NOBODY: an onlooker) may know."""
    awaited = pending(state)
    deciding = awaited if isinstance(awaited, Decide) else Decide((), "")
    choice, least, most = _choice(state) if deciding.seats else ("", 0, 0)
    lines = zip(state.in_play, state.fallen, strict=True)
    return SamuraiWarfareView(
        game=NAME,
        seat=seat,
        seats=state.seats,
        present=state.present,
        scores=state.scores,
        hand_number=state.turn_number,
        hand=sort_hand(state.hands[seat] if seat != NOBODY else (), known, RANK),
        hand_sizes=tuple([len(hand) for hand in state.hands]),
        deck_size=len(state.deck),
        awaited=deciding.seats,
        reason=deciding.reason,
        phase=state.phase,
        target=state.target,
        shogun=state.shogun,
        turn=state.turn,
        choice=choice,
        least=least,
        most=most,
        passes=state.passes,
        in_play=state.in_play,
        fallen=state.fallen,
        forces=tuple([force(faces(cards), fallen) for cards, fallen in lines]),
        playing=state.playing,
        discards=state.discards,
        deck_seen=_deck_seen(state, known),
        seen=_seen(state, seat, known),
        result=state.result,
    )


def _choice(state: State) -> tuple[str, int, int]:
    step: Step = state.queue[0]
    if isinstance(step, ChooseTaken):
        return "take", 1, 1
    if isinstance(step, ChooseDiscards):
        return "discard" if step.least else state.phase, step.least, step.most
    return state.phase, 0, 1


def _deck_seen(state: State, known: Known) -> tuple[tuple[int, Slot, Face], ...]:
    deck = enumerate(state.deck)
    return tuple([(place, slot, known[slot]) for place, slot in deck if slot in known])


def _seen(state: State, seat: Seat, known: Known) -> tuple[Seen, ...]:
    if seat == NOBODY:
        return ()
    own = [sight for sight in state.sights if seat in (sight.seat, sight.target)]
    return tuple([_read(sight, known) for sight in own if known.keys() >= set(sight.slots)])


def _read(sight: Sight, known: Known) -> Seen:
    left = Counter([card.face or known.get(card.slot, "") for card in sight.gone])
    unsure = left.pop("", 0)
    still = Counter([known[slot] for slot in sight.slots]) - left
    shown = sorted(still.elements(), key=RANK.__getitem__)
    return Seen(sight.verb, sight.seat, sight.target, tuple(shown), unsure)
