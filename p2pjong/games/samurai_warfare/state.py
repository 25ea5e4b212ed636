"""What is public about a game of Samurai Warfare at one moment, and the order of its seats."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2pjong.games.game import NOBODY, Event, Face, Result, Seat, Slot
from p2pjong.games.samurai_warfare.steps import (
    ChooseDiscards,
    ChoosePlay,
    Look,
    Pick,
    Step,
)
from p2pjong.games.seating import leaders, seats_here

SEATS_MIN, SEATS_MAX = 2, 6  # S1
TARGET = 5  # S10
TARGET_MAX = 1_000
HAND_SIZE = 8  # S2

# The seven phases of a turn, in order; before and after all turns there are two more.
PREPARATIONS = "preparations"
STRATEGY = "strategy"
TACTICS = "tactics"
BATTLE = "battle"
VICTORY = "victory"
SHOGUN = "shogun"
END = "end"
SETUP = "setup"
OVER = "over"


@dataclass(frozen=True)
class FaceUp:
    """A card that lies open."""

    slot: Slot
    face: Face


@dataclass(frozen=True)
class Sight:
    """Which slots were seen by `seat`, and where there is one by `target` alone.

    `gone`: of a hand looked at, the cards that have left it since; a face is "" where it left
    unseen. A look is remembered while the cards are; what else was seen, for the turn.
    """

    verb: str
    seat: Seat
    target: Seat
    slots: tuple[Slot, ...]
    gone: tuple[FaceUp, ...] = ()


@dataclass(frozen=True)
class State:
    """Public facts alone. `queue` is what is under way; once it is empty the phase goes on."""

    seats: int
    target: int
    present: tuple[bool, ...]
    scores: tuple[int, ...]  # Victory Tokens
    turns_settled: int
    turn_number: int
    shogun: Seat
    next_slot: Slot  # slot numbers are never used twice in a game
    phase: str
    turn: Seat  # whose go it is in this phase
    passes: int  # passes in a row in the Battle Phase (S7)
    queue: tuple[Step, ...]
    deck: tuple[Slot, ...]  # top first
    peeked: tuple[Slot, ...]  # slots of the deck that somebody has looked at, ascending
    hands: tuple[tuple[Slot, ...], ...]  # each ascending
    has_traces: tuple[bool, ...]  # of each hand: others may know something of its places (G3)
    proven: tuple[tuple[str, ...], ...]  # types that a hand was proven to consist of; (): nothing
    in_play: tuple[tuple[FaceUp, ...], ...]
    fallen: tuple[tuple[Face, ...], ...]  # destroyed this turn: what they gave lasts (S8)
    playing: FaceUp | None  # in the Tactics Phase, till the card's effect is over (S4)
    discards: tuple[FaceUp, ...]
    result: Result | None
    outcome: str  # "", "finished" or "abandoned"
    # What is told and not played: no part of the value, nor of its digest.
    news: tuple[Event, ...] = field(default=(), compare=False)
    sights: tuple[Sight, ...] = field(default=(), compare=False)


def present_seats(state: State) -> tuple[Seat, ...]:
    """The seats that are not out, in seat order."""
    return seats_here(state.present)


def seats_from(state: State, first: Seat) -> tuple[Seat, ...]:
    """All present seats in turn order, beginning with `first` or the next one after it."""
    seats = present_seats(state)
    place = next((place for place, seat in enumerate(seats) if seat >= first), 0)
    return seats[place:] + seats[:place]


def next_seat(state: State, seat: Seat) -> Seat:
    """The present seat whose go is next; the Shogun where nobody's was (S1)."""
    return seats_from(state, state.shogun if seat == NOBODY else seat + 1)[0]


def winners(state: State) -> tuple[Seat, ...]:
    """Who won a finished game (S10); equals would share it (G4)."""
    return leaders(state.present, state.scores) if state.outcome == "finished" else ()


def faces(cards: tuple[FaceUp, ...]) -> tuple[Face, ...]:
    """What the cards show."""
    return tuple([card.face for card in cards])


def faces_up(state: State) -> tuple[Face, ...]:
    """The faces of all cards that lie open."""
    piles = (state.discards, *state.in_play, (state.playing,) if state.playing else ())
    return tuple([card.face for pile in piles for card in pile])


def named_hand(step: Step) -> Seat:
    """Whose hand's slots the step names, or lets a seat name; NOBODY if none."""
    if isinstance(step, ChooseDiscards | ChoosePlay):
        return step.seat
    return step.target if isinstance(step, Look | Pick) else NOBODY


def hand_to_reveil(state: State) -> Seat:
    """The hand that must be re-veiled before the step under way goes on; NOBODY if none.

    Places must carry no history (G3), so a hand is shuffled before its slots are named if cards
    came in, or somebody looked at it, since it was shuffled last. One card cannot be shuffled.
    """
    seat = named_hand(state.queue[0])
    is_due = seat != NOBODY and state.has_traces[seat] and len(state.hands[seat]) > 1
    return seat if is_due else NOBODY


def zones(state: State) -> Mapping[str, tuple[Slot, ...]]:
    """Where every slot of the deck lies: each in exactly one zone; {} while none is dealt."""
    places = {"deck": state.deck, "discards": tuple([card.slot for card in state.discards])}
    for seat in range(state.seats):
        places[f"hand:{seat}"] = state.hands[seat]
        places[f"in_play:{seat}"] = tuple([card.slot for card in state.in_play[seat]])
    places["playing"] = (state.playing.slot,) if state.playing else ()
    return places if any(places.values()) else {}
