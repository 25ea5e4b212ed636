"""What is public about a game of War Jhong at one moment, and the order of its seats."""

from collections.abc import Mapping
from dataclasses import dataclass

from p2pjong.games.game import NOBODY, Action, Face, Result, Seat, Slot
from p2pjong.games.seating import leaders, others_after, seats_here
from p2pjong.games.war_jhong.faces import GENERAL

SEATS_MIN, SEATS_MAX = 2, 8  # W1
TARGET = 100  # W13
TARGET_MAX = 100_000
DEAL_SIZE = 12
MELDS_TO_WIN = 4  # W6
NO_SLOT: Slot = -1

# Phases: what the state waits for. `play.py` has the table of transitions.
TOSS = "toss"
SHUFFLE = "shuffle"
DEAL = "deal"
DRAW = "draw"
REVEIL = "reveil"
TURN = "turn"
DISCARD = "discard"
ANSWER = "answer"
MIX = "mix"
CLAIM = "claim"
WIN = "win"
SETTLE = "settle"
OVER = "over"


@dataclass(frozen=True)
class FaceUp:
    """A face-up Formation; its cards stay together (W6)."""

    slots: tuple[Slot, ...]
    faces: tuple[Face, ...]
    claimed: Slot
    giver: Seat


@dataclass(frozen=True)
class Discard:
    """A card that was discarded; `taker` is the seat that claimed it, if one did."""

    slot: Slot
    face: Face
    seat: Seat
    taker: Seat = NOBODY


@dataclass(frozen=True)
class State:
    """Public facts alone. The deck is the slots from `deck_top` up to `deck_end`, top first."""

    seats: int
    target: int
    present: tuple[bool, ...]
    scores: tuple[int, ...]
    hands_ended: int
    first: Seat  # who begins this hand (W2)
    next_slot: Slot  # slot numbers are never used twice in a game
    phase: str
    turn: Seat
    deck_top: Slot
    deck_end: Slot
    hands: tuple[tuple[Slot, ...], ...]  # each ascending
    melds: tuple[tuple[FaceUp, ...], ...]
    discards: tuple[Discard, ...]
    drawn: Slot  # the deck's slot that the turn's seat drew, as numbered before the re-veil
    chosen: Action | None  # the action whose cards are being opened
    mixing: tuple[Seat, ...]  # whose hands are re-veiled, as they named slots in vain
    shown: tuple[tuple[Slot, Face], ...]  # the winner's whole hand (G3)
    result: Result | None
    outcome: str  # "", "finished" or "abandoned"


def seats_after(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The other present seats in turn order, beginning with the next one after `seat`."""
    return others_after(state.present, seat)


def present_seats(state: State) -> tuple[Seat, ...]:
    """The seats that are not out, in seat order."""
    return seats_here(state.present)


def winners(state: State) -> tuple[Seat, ...]:
    """Who won a finished game: equals share it (G4, W13)."""
    return leaders(state.present, state.scores) if state.outcome == "finished" else ()


def generals_discarded(state: State) -> tuple[int, ...]:
    """How many Generals each seat has discarded in this hand (W12)."""
    counts = [0] * state.seats
    for card in state.discards:
        if card.face == GENERAL:
            counts[card.seat] += 1
    return tuple(counts)


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
