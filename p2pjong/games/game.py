"""What every game is: a pure state machine over public facts, plus what each seat knows.

A state holds public facts alone (whose turn, which slot lies where, which faces are open). Faces
that only some seats may see live beside it, in a `Known` mapping that a dealer fills. A game never
shuffles and never opens a card: it asks for an `Operation`, a dealer carries it out and answers
with `Facts`. So the same game runs over cryptography and over a plain seeded shuffle.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeAlias

Seat: TypeAlias = int
Slot: TypeAlias = int
Face: TypeAlias = str
Known: TypeAlias = Mapping[Slot, Face]

NOBODY: Seat = -1


class IllegalAction(Exception):
    """An action that the rules forbid now; the state is as it was. The text is for its seat."""


class Foul(Exception):
    """What a seat opened contradicts what it claimed (G5). Only foreign seats can get here."""

    def __init__(self, seat: Seat, rule: str) -> None:
        super().__init__(f"seat {seat}: {rule}")
        self.seat = seat
        self.rule = rule


@dataclass(frozen=True, order=True)
class Action:
    """What one seat does: a verb, the slots it names and, where the verb has one, a target seat."""

    seat: Seat
    verb: str
    slots: tuple[Slot, ...] = ()
    target: Seat = NOBODY


@dataclass(frozen=True)
class Options:
    """A game's settings from the charter; 0 means the game's own default."""

    target: int = 0
    rounds: int = 0
    oldest: tuple[Seat, ...] = ()  # the seats that joined with --oldest (G1)


# --- Operations: what a game asks of a dealer -------------------------------------------------


@dataclass(frozen=True)
class Shuffle:
    """Shuffle `faces` into the new face-down `slots`; nobody learns a face.

    `fresh_keys` begins a new epoch: every slot of the old one is gone for good.
    """

    faces: tuple[Face, ...]
    slots: tuple[Slot, ...]
    fresh_keys: bool


@dataclass(frozen=True)
class Draw:
    """Each (slot, seat): the slot leaves the deck, and that seat alone learns its face."""

    moves: tuple[tuple[Slot, Seat], ...]


@dataclass(frozen=True)
class Open:
    """`seat`, who holds `slots`, shows their faces to all."""

    seat: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Reveil:
    """`seat` shuffles its hand, `slots`, into new slots: places carry no history (G3)."""

    seat: Seat
    slots: tuple[Slot, ...]
    fresh: tuple[Slot, ...]


@dataclass(frozen=True)
class Toss:
    """A joint random number from 0 to `sides` - 1.

    The one that a game begins with is drawn by the charter of the table, and so is the same
    however often the first hand is dealt again (G6).
    """

    sides: int


@dataclass(frozen=True)
class Peek:
    """`seat` alone learns the faces of the deck's `slots`, which stay in the deck."""

    seat: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Show:
    """`viewer` alone learns the faces of `slots`, which stay with `seat`."""

    seat: Seat
    viewer: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Give:
    """`slot` goes from `giver` to `taker`; both know its face, nobody else does."""

    giver: Seat
    taker: Seat
    slot: Slot


@dataclass(frozen=True)
class ProveAmong:
    """`seat` proves that each of `slots` bears one of `faces`, and shows nothing else."""

    seat: Seat
    slots: tuple[Slot, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Order:
    """`judge`, who has no stake in it, says in which order the answers of `seats` reached it (N4).

    The seats answered the Decide just before; the order lists each of them exactly once.
    """

    judge: Seat
    seats: tuple[Seat, ...]


Operation: TypeAlias = (
    Shuffle | Draw | Open | Reveil | Toss | Peek | Show | Give | ProveAmong | Order
)


@dataclass(frozen=True)
class Facts:
    """A dealer's public answer: faces opened to all (Open), the number tossed (Toss), the Order."""

    opened: tuple[tuple[Slot, Face], ...] = ()
    tossed: int = -1
    order: tuple[Seat, ...] = ()


# --- What a game waits for --------------------------------------------------------------------


class Way(Enum):
    """How the seats of a decision choose."""

    TURN = "turn"  # in the open, within the clock of a turn
    ANSWER = "answer"  # what a seat has just done is answered, all hidden until all have (W5)
    RACE = "race"  # the same in the open: all but `pass` is a call, and the first is first (N4)
    CHOICE = "choice"  # hidden until all have chosen, within the clock of a turn

    @property
    def is_hidden(self) -> bool:
        """Whether nobody may see another's choice before all have made theirs."""
        return self in (Way.ANSWER, Way.CHOICE)

    @property
    def is_answer(self) -> bool:
        """Whether it is made under the window, and its instant must tell nothing of a hand."""
        return self in (Way.ANSWER, Way.RACE)


@dataclass(frozen=True)
class Decide:
    """Every one of `seats` must choose one of its legal actions.

    `reason` is shown to all while they wait ("to discard", "answer-discard").
    """

    seats: tuple[Seat, ...]
    reason: str
    way: Way = Way.TURN


@dataclass(frozen=True)
class Result:
    """How a hand or round ended. `points` are what each seat gained; `details` explain them."""

    kind: str  # "won" or "washed_out"
    winner: Seat
    points: tuple[int, ...]
    scores: tuple[int, ...]
    details: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Settle:
    """The hand is over: every seat that is present signs `result`, and then it is closed."""

    result: Result


@dataclass(frozen=True)
class Over:
    """The game is over. `outcome` is "finished" or, with too few seats left (G4), "abandoned"."""

    outcome: str
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    hands: int


Pending: TypeAlias = Operation | Decide | Settle | Over


@dataclass(frozen=True)
class Event:
    """One thing that everyone saw happen; the terminal puts it into words."""

    verb: str
    seat: Seat = NOBODY
    faces: tuple[Face, ...] = ()
    target: Seat = NOBODY
    number: int = 0
    details: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class View:
    """What one seat may know (or, with `seat` NOBODY, what anyone may). Games add their own."""

    game: str
    seat: Seat
    seats: int
    present: tuple[bool, ...]
    scores: tuple[int, ...]
    hand_number: int
    hand: tuple[tuple[Slot, Face], ...]  # own cards in the fixed order of card codes
    hand_sizes: tuple[int, ...]
    deck_size: int
    awaited: tuple[Seat, ...] = ()
    reason: str = ""


class Game(Protocol):
    """The rules of one game. All functions are pure; a state is a frozen dataclass.

    State fields hold only ints, strs, bools, None, tuples and frozen dataclasses of these, so that
    one canonical encoding digests every game's state.
    """

    name: str  # "war-jhong"
    title: str  # "War Jhong"
    seats_min: int
    seats_max: int
    deck: tuple[Face, ...]

    def start(self, seats: int, options: Options) -> Any:
        """The state before anything happened; raises ValueError on options out of range."""

    def pending(self, state: Any) -> Pending:
        """What the state waits for."""

    def legal(self, state: Any, seat: Seat, known: Known) -> tuple[Action, ...]:
        """The sorted legal actions of `seat`; () unless `pending` is a Decide that names it.

        `known` is what the asker knows. A slot with an unknown face counts as any face, so with the
        seat's own knowledge the list is exact and with {} it is what others cannot rule out: a
        client offers and accepts by the former, peers check a foreign action by the latter.
        """

    def default(self, state: Any, seat: Seat, known: Known) -> Action:
        """What the client plays when time is up (G8)."""

    def decide(self, state: Any, actions: tuple[Action, ...]) -> Any:
        """The state after the pending Decide got one action of each of its seats, in its order.

        Raises IllegalAction (naming the first offender) and changes nothing.
        """

    def resolve(self, state: Any, facts: Facts) -> Any:
        """The state after the pending Operation (or Settle) was carried out.

        Raises Foul when opened faces contradict a claim.
        """

    def void(self, state: Any, out: tuple[Seat, ...]) -> Any:
        """The state after the hand was voided and `out` left the game for good (G4, G6)."""

    def view(self, state: Any, seat: Seat, known: Known) -> View:
        """What `seat` (or NOBODY: an onlooker) may know."""

    def zones(self, state: Any) -> Mapping[str, tuple[Slot, ...]]:
        """Where every slot of the deck lies, once dealt: each in exactly one zone."""

    def events(
        self, before: Any, cause: Facts | tuple[Action, ...], after: Any
    ) -> tuple[Event, ...]:
        """What everyone saw happen between two states."""


def twins(game: Game, state: Any, action: Action, known: Known) -> tuple[Action, ...]:
    """The actions that differ from `action` only in which of equal cards they name; itself too.

    A client plays one of them at random. Always naming the first of its equal cards would tell the
    others how many like it the hand holds.
    """
    faces = sorted(known.get(slot, "") for slot in action.slots)
    if "" in faces:
        return (action,)
    return tuple(
        other
        for other in game.legal(state, action.seat, {})
        if (other.verb, other.target) == (action.verb, action.target)
        and sorted(known.get(slot, "") for slot in other.slots) == faces
    )


def has_one_choice(game: Game, state: Any, seat: Seat) -> bool:
    """Whether everyone can see that this seat has one choice, without knowing its hand."""
    return len(game.legal(state, seat, {})) == 1
