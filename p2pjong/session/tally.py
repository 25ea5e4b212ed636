"""What has been proven at a table, counted: proofs that hold, and operations carried out."""

from collections import Counter
from dataclasses import dataclass, field

from p2pjong.games.game import Draw, Open, Peek, Pending, Shuffle, Toss

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


@dataclass
class Tally:
    """Counts what others prove to us, and what all have carried out."""

    counts: Counter[str] = field(default_factory=Counter)
    at_base: Counter[str] = field(default_factory=Counter)  # at the last result and its books

    def add(self, kind: str, count: int = 1) -> None:
        """So many more are proven."""
        assert kind in PROVEN
        self.counts[kind] += count

    def add_operation(self, operation: Pending) -> None:
        """What the game waited for was carried out, and brought no foul to light."""
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

    def told(self, published: int) -> tuple[tuple[str, int], ...]:
        """How many of each kind; `published` are all keys that books rest on."""
        counts = self.counts | Counter(published=published)
        return tuple((kind, counts[kind]) for kind in PROVEN)
