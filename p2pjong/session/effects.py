"""What the session asks of its shell. The session itself never touches network, disk or clock."""

from dataclasses import dataclass, field
from typing import TypeAlias

from p2pjong.games.game import Action, Event, Face, Over, Seat, View


@dataclass(frozen=True)
class Send:
    """A frame for one linked seat, or for every one (`to` None). Sent only after earlier Stores."""

    frame: bytes
    to: Seat | None = None


@dataclass(frozen=True)
class Store:
    """A signed lane message to journal, synced before any later Send of the same batch."""

    seat: Seat
    number: int
    frame: bytes


@dataclass(frozen=True)
class Keep:
    """Replace the table's seed on the disk: the epoch that the old one opens is over."""

    seed: bytes = field(repr=False)


@dataclass(frozen=True)
class Ask:
    """Our seat must choose: `answer(question, action)` brings the choice back.

    `default` is what the client plays when its time is up (G8). `is_answer` marks an answer to a
    discard or the like, which must go out at the same moment whatever the hand holds (no tells).
    `is_obvious`: there is one choice, and all others know that there is no other.
    """

    question: int
    view: View
    actions: tuple[Action, ...]
    default: Action
    is_answer: bool
    is_race: bool = False  # the first to call counts (N4): a call goes out at once, a pass does not
    is_obvious: bool = False


@dataclass(frozen=True)
class Withdraw:
    """The question is void: the hand ended, or it was answered another way."""

    question: int


@dataclass(frozen=True)
class Rest:
    """So many results have closed: `go_on` says that our person has seen the end of the hand.

    Until then our seat does nothing of the next one; only where `Session.resting` is wanted.
    """

    results: int


@dataclass(frozen=True)
class Happened:
    """Something everyone saw, and our view right after it; `is_end`: it belongs to a result."""

    event: Event
    view: View
    is_end: bool = False


@dataclass(frozen=True)
class Awaiting:
    """Who is awaited now and for what public reason; () when nobody is."""

    seats: tuple[Seat, ...]
    reason: str
    votable: tuple[Seat, ...] = ()  # those that a strict majority could vote absent
    is_decision: bool = False  # a choice, which takes its time, and no duty of a machine
    is_answer: bool = False  # a choice for which there is no more time than the window


@dataclass(frozen=True)
class Progress:
    """A long duty of the machines: `done` of `total` parts of `task`."""

    task: str
    done: int
    total: int


@dataclass(frozen=True)
class Words:
    """The table words are known: equal on all screens if nobody sits between the peers."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Books:
    """All cards of a hand that has ended, at a table with open books.

    A face is "" where a seat that is `unopened` did not publish its key.
    """

    hand: int  # the number of the result, from 1
    hands: tuple[tuple[Seat, tuple[Face, ...]], ...]  # what each seat still held face down
    deck: tuple[Face, ...]  # what was left of the deck, in its order
    unopened: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Blame:
    """A seat broke the protocol or cheated, by its lane message `number`; the record proves it.

    `message` says so for scripts. `reason` is what the seat was awaited for, if it matters: with it
    a front can say in its own words what the seat did.
    """

    seat: Seat
    rule: str
    message: str
    number: int
    reason: str = ""


@dataclass(frozen=True)
class Left:
    """A seat left the game by its own signed word."""

    seat: Seat


@dataclass(frozen=True)
class VotedOut:
    """A seat was voted absent by these; a vote is no proof of anything, and no fault."""

    seat: Seat
    voters: tuple[Seat, ...]


@dataclass(frozen=True)
class Finished:
    """The game is over; `digest` is equal on every peer. `fault` is what ended it, if one did."""

    over: Over
    digest: bytes
    fault: Blame | None = None


Effect: TypeAlias = (
    Send
    | Store
    | Keep
    | Ask
    | Withdraw
    | Rest
    | Happened
    | Awaiting
    | Progress
    | Words
    | Books
    | Blame
    | Left
    | VotedOut
    | Finished
)
