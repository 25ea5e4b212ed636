"""What is public about a game of Not Your Ma's Jong at one moment, and the order of its seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle

from p2pjong.games.game import NOBODY, Action, Face, Result, Seat, Slot
from p2pjong.games.seating import leaders, others_after, seats_here

SEATS_MIN, SEATS_MAX = 3, 4  # N1
ROUNDS = {3: 9, 4: 8}  # N1
ROUNDS_MAX = 1_000
TOKENS = 10
DEAL_SIZE = 10  # and one more for Ma (N3)
NO_SLOT: Slot = -1

# Phases: what the state waits for. `play.py` has the table of transitions.
TOSS = "toss"
SHUFFLE = "shuffle"
DEAL = "deal"
DRAW = "draw"
REVEIL = "reveil"
TURN = "turn"
DISCARD = "discard"
CALL = "call"
ORDER = "order"
SERVE = "serve"
STEAL = "steal"
WIN = "win"
SETTLE = "settle"
OVER = "over"


@dataclass(frozen=True)
class FaceUp:
    """A set made by a steal: face up and locked (N7)."""

    slots: tuple[Slot, ...]
    faces: tuple[Face, ...]
    stolen: Slot
    giver: Seat


@dataclass(frozen=True)
class Discard:
    """A card that was discarded; `taker` is the seat that stole it, if one did."""

    slot: Slot
    face: Face
    seat: Seat
    taker: Seat = NOBODY


@dataclass(frozen=True)
class Call:
    """That a seat called steal, and for what: the verb of its answer to the discard (N4)."""

    seat: Seat
    verb: str


@dataclass(frozen=True)
class State:
    """Public facts alone. The deck is the slots from `deck_top` up to `deck_end`, top first."""

    seats: int
    rounds: int  # the most that are played (N1)
    present: tuple[bool, ...]
    tokens: tuple[int, ...]  # those of a seat that is out are no longer in play (N11)
    rounds_ended: int
    ma: Seat
    next_slot: Slot  # slot numbers are never used twice in a game
    phase: str
    turn: Seat  # while its discard is called for and served, the discarder
    is_stolen: bool  # the turn began by a steal (N6, N7)
    deck_top: Slot
    deck_end: Slot
    hands: tuple[tuple[Slot, ...], ...]  # each ascending
    melds: tuple[tuple[FaceUp, ...], ...]
    discards: tuple[Discard, ...]
    drawn: Slot  # the deck's slot that the turn's seat drew, as numbered before the re-veil
    skips: tuple[int, ...]  # turns by drawing that each seat has yet to skip (N8)
    calls: tuple[Call, ...]  # for the last discard, from phase `serve` on in the order of service
    served: int  # how many of the calls were wrong so far
    chosen: Action | None  # the action whose cards are being opened
    shown: tuple[tuple[Slot, Face], ...]  # the winner's whole hand (G3)
    result: Result | None
    outcome: str  # "", "finished" or "abandoned"


def seats_after(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The other present seats in turn order, beginning with the next one after `seat`."""
    return others_after(state.present, seat)


def present_seats(state: State) -> tuple[Seat, ...]:
    """The seats that are not out, in seat order."""
    return seats_here(state.present)


def next_to_draw(state: State) -> tuple[Seat, tuple[Seat, ...]]:
    """Who draws after the turn's seat, and whose turns are skipped before that, in order (N8)."""
    skips, skipped = list(state.skips), list[Seat]()
    for seat in cycle((*seats_after(state, state.turn), state.turn)):
        if not skips[seat]:
            return seat, tuple(skipped)
        skips[seat] -= 1
        skipped.append(seat)
    raise AssertionError("somebody is present")


def winners(state: State) -> tuple[Seat, ...]:
    """Who won a finished game: most tokens; equals share it (G4, N11)."""
    return leaders(state.present, state.tokens) if state.outcome == "finished" else ()


def zones(state: State) -> Mapping[str, tuple[Slot, ...]]:
    """Where every slot of the deck lies: each in exactly one zone; {} while none is dealt."""
    if not state.deck_end:
        return {}
    places = {"deck": tuple(range(state.deck_top, state.deck_end))}
    for seat in range(state.seats):
        places[f"hand:{seat}"] = state.hands[seat]
        melds = state.melds[seat]
        places[f"melds:{seat}"] = tuple([slot for meld in melds for slot in meld.slots])
    places["discards"] = tuple([card.slot for card in state.discards if card.taker == NOBODY])
    return places
