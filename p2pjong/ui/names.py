"""Who is who on this screen: "You" for our own seat, a cleaned name for any other."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pjong.games.game import NOBODY, Seat
from p2pjong.ui.text import clean


@dataclass(frozen=True)
class Names:
    """The names of the seats, as they came, and which seat is ours (NOBODY: none)."""

    seats: tuple[str, ...]
    me: Seat = NOBODY

    def of(self, seat: Seat) -> str:
        """The name in the middle of a sentence: "you", or the name."""
        return "you" if seat == self.me else self.plain(seat)

    def plain(self, seat: Seat) -> str:
        """The name itself, ours too; of two alike each is told apart by its seat."""
        if not 0 <= seat < len(self.seats):
            return f"seat {seat}"
        name = clean(self.seats[seat])
        is_shared = sum(clean(other) == name for other in self.seats) > 1
        return f"{name} (seat {seat})" if is_shared else name

    def does(self, seat: Seat, verb: str) -> str:
        """The head of a sentence: "You discard", "Ben discards"; `verb` in its plain form."""
        if seat == self.me:
            return f"You {verb}"
        return f"{self.plain(seat)} {_third_person(verb)}"

    def whose(self, seat: Seat) -> str:
        """Before what it owns: "your", "Ben's"."""
        return "your" if seat == self.me else f"{self.plain(seat)}'s"

    def tally(self, scores: Sequence[int]) -> str:
        """What each seat has, most first: "Ben 2: 3, you: 1"; names may end in a number."""
        order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
        return ", ".join(f"{self.of(seat)}: {scores[seat]}" for seat in order)

    def listed(self, seats: tuple[Seat, ...]) -> str:
        """ "Ben", "Ben and you", "Ada, Ben and you": ours last."""
        ordered = sorted(seats, key=lambda seat: (seat == self.me, seat))
        named = [self.of(seat) for seat in ordered]
        return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _third_person(verb: str) -> str:
    first, *rest = verb.split(" ")
    irregular = {"have": "has", "are": "is", "do": "does", "go": "goes", "were": "was"}
    ending = "es" if first.endswith(("ss", "sh", "ch", "x")) else "s"
    return " ".join([irregular.get(first, first + ending), *rest])
