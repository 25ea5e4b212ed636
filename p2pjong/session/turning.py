"""Turning back: a seat told two stories, or is voted absent; the hand begins anew without it.

Implements "Turning back" of `protocol/play.md`.

Theory of operation. After two stories honest peers may stand at different points, each rightly. So
nothing of the hand counts any more. Every seat that stays gives its word in its own lane: with the
evidence, or as its vote, and with the number of results that had closed for it. When all have,
everyone has the same words. They begin again at the greatest of those numbers, which no two can
see differently by more than one: a result closes only when every seat has signed it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from p2pjong.games.game import Seat

PLACE_LABEL = b"p2pjong/v1/turned-back\x00"


@dataclass
class Turning:
    """Who goes out by the turning under way, who went by earlier ones, and whose word is here."""

    out: set[Seat] = field(default_factory=set)
    done: set[Seat] = field(default_factory=set)
    words: dict[Seat, dict[Seat, int]] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether the hand is being turned back."""
        return bool(self.out)

    def hear(self, out: Seat, speaker: Seat, settled: int) -> None:
        """A seat gave its word that `out` shall be out."""
        self.words.setdefault(out, {})[speaker] = settled

    def speakers(self, out: Seat, among: Iterable[Seat]) -> tuple[Seat, ...]:
        """Who of `among` has given its word against this seat."""
        heard = self.words.get(out, {})
        return tuple(seat for seat in among if seat in heard)

    def missing(self, stays: Iterable[Seat]) -> tuple[Seat, ...]:
        """Who of those that stay has not yet given its word on all that go."""
        return tuple(
            seat for seat in stays if any(seat not in self.words.get(out, {}) for out in self.out)
        )

    def settled(self, stays: Iterable[Seat]) -> int:
        """The greatest number of closed results that one of those who stay has named."""
        return max(self.words[out][seat] for out in self.out for seat in stays)

    def close(self) -> None:
        """All have turned back."""
        self.done |= self.out
        self.out, self.words = set(), {}

    def place(self, charter: bytes, settled: int) -> bytes:
        """What names the table's course after the turning: nothing signed before fits it."""
        gone = bytes(sorted(self.done))
        content = charter + settled.to_bytes(4, "big") + len(gone).to_bytes(1, "big") + gone
        return sha256(PLACE_LABEL + content).digest()
