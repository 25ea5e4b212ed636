"""What an auditor keeps count of beside its verdict.

Implements "What the verdict lists" of `protocol/audit.md`. What belongs to a hand that is turned
back does not count: how much of it was looked at depends on the order of the file.
"""

from collections import Counter
from dataclasses import dataclass, field

from p2pjong.games.game import Draw, Open, Operation, Peek, Seat, Shuffle, Toss

# What is counted, in the order in which it is told.
PROVEN = (
    "keys",  # key shares whose secret their seat has proven to know
    "decks",  # decks that every seat had shuffled
    "shuffles",  # shuffles of a deck by one seat, proven
    "dealt",  # cards brought under one seat's key alone, by a deal, a draw or a peek
    "opened",  # cards opened to all
    "shares",  # key shares of single cards, for dealing and opening, proven
    "reveils",  # hands that their holders shuffled anew, proven
    "switches",  # cards handed over or shown to one seat, proven
    "passes",  # proofs that a hand holds nothing but certain faces
    "tosses",  # joint random numbers
    "actions",  # choices that the rules allow
    "results",  # results that closed
    "published",  # keys published at the end of their epoch, at a table with open books
)


@dataclass(frozen=True)
class Result:
    """A result and who of the seats then present has signed it."""

    scores: tuple[int, ...]
    signers: tuple[Seat, ...]
    present: tuple[Seat, ...]
    is_closed: bool  # the game went on from it

    @property
    def is_by_majority(self) -> bool:
        """Whether a strict majority of the seats present has signed: then nothing undoes it."""
        return 2 * len(self.signers) > len(self.present)


@dataclass(frozen=True)
class Ballot:
    """All votes that a seat is absent: (voter, number of the vote in its lane), and the outcome."""

    seat: Seat
    votes: tuple[tuple[Seat, int], ...]
    is_out: bool  # it was put out


@dataclass
class Tally:
    """Counts while the record is read."""

    counts: Counter[str] = field(default_factory=Counter)
    at_base: Counter[str] = field(default_factory=Counter)  # at the last result and its books

    def add(self, kind: str, count: int = 1) -> None:
        """So many more are proven."""
        assert kind in PROVEN
        self.counts[kind] += count

    def add_operation(self, operation: Operation) -> None:
        """An operation was carried out, and nothing that it brought to light is a foul."""
        match operation:
            case Shuffle():
                self.add("decks")
            case Draw(moves=moves):
                self.add("dealt", len(moves))
            case Peek(slots=slots):
                self.add("dealt", len(slots))
            case Open(slots=slots):
                self.add("opened", len(slots))
            case Toss():
                self.add("tosses")

    def set_base(self) -> None:
        """What was proven until now stands, whatever is turned back."""
        self.at_base = self.counts.copy()

    def turn_back(self) -> None:
        """What was proven since then does not count."""
        self.counts = self.at_base.copy()

    def told(self) -> tuple[tuple[str, int], ...]:
        """How many of each kind."""
        return tuple((kind, self.counts[kind]) for kind in PROVEN)
