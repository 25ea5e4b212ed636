"""Turning back: a seat told two stories, or is voted absent; the hand begins anew without it.

Implements "Turning back" of `protocol/play.md`.

Theory of operation. After two stories honest peers may stand at different points, each rightly. So
nothing of the hand counts any more. Every seat that stays gives its word in its own lane: with the
evidence, or because it has seen a majority of votes. Nobody answers a step between its word and
the new beginning; so once all have given theirs, what came before it is the same for everyone, and
a result closes for all or for none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from p2pjong.games.game import Seat

PLACE_LABEL = b"p2pjong/v1/turned-back\x00"


@dataclass
class Turning:
    """Who goes out by the turning under way, who went by earlier ones, and whose word is here."""

    out: set[Seat] = field(default_factory=set)
    done: set[Seat] = field(default_factory=set)
    words: dict[Seat, dict[Seat, int]] = field(default_factory=dict)  # out: {speaker: number}

    @property
    def is_open(self) -> bool:
        """Whether the hand is being turned back."""
        return bool(self.out)

    def hear(self, out: Seat, speaker: Seat, number: int) -> None:
        """A seat gave its word, in its lane's message `number`, that `out` shall be out."""
        self.words.setdefault(out, {})[speaker] = number

    def is_told(self, out: Seat, speaker: Seat) -> bool:
        """Whether this seat has given its word against `out`, in this turning or an earlier one."""
        return speaker in self.words.get(out, {})

    def is_heard(self, out: Seat) -> bool:
        """Whether anyone has given its word against this seat."""
        return bool(self.words.get(out))

    def has_turned(self, speaker: Seat) -> bool:
        """Whether this seat has given a word on which we have not yet begun anew."""
        return any(speaker in heard for out, heard in self.words.items() if out not in self.done)

    def missing(self, stays: Iterable[Seat]) -> tuple[Seat, ...]:
        """Who of those that stay has not yet given its word on all that go."""
        return tuple(seat for seat in stays if any(not self.is_told(out, seat) for out in self.out))

    def lengths(self) -> Mapping[Seat, int]:
        """How long the lane of each seat must be to hold all of its words."""
        lengths: dict[Seat, int] = {}
        for heard in self.words.values():
            for speaker, number in heard.items():
                lengths[speaker] = max(lengths.get(speaker, 0), number + 1)
        return lengths

    def close(self) -> None:
        """All have turned back."""
        self.done |= self.out
        self.out = set()

    def place(self, charter: bytes, settled: int) -> bytes:
        """What names the table's course after the turning: nothing signed before fits it."""
        gone = bytes(sorted(self.done))
        content = charter + settled.to_bytes(4, "big") + len(gone).to_bytes(1, "big") + gone
        return sha256(PLACE_LABEL + content).digest()


@dataclass
class Willingness:
    """Who would vote whom absent, as heard of within the last two ticks or so.

    Each tick what was heard before the last one is forgotten. It binds nobody; but who would have
    voted a moment ago, and hears that somebody has, votes too: that one can never go back.
    """

    own: set[Seat] = field(default_factory=set)
    own_before: set[Seat] = field(default_factory=set)
    others: dict[Seat, set[Seat]] = field(default_factory=dict)
    others_before: dict[Seat, set[Seat]] = field(default_factory=dict)

    def hear(self, absent: Seat, voter: Seat) -> None:
        """Another seat would vote this one absent."""
        self.others.setdefault(absent, set()).add(voter)

    def heard(self, absent: Seat) -> set[Seat]:
        """Who else would."""
        return self.others.get(absent, set()) | self.others_before.get(absent, set())

    def was_own(self, absent: Seat) -> bool:
        """Whether we would, or would have a moment ago."""
        return absent in self.own | self.own_before

    def tick(self, awaited: Iterable[Seat]) -> None:
        """Time passes; who is no longer awaited is forgiven."""
        self.own_before, self.own = self.own, self.own & set(awaited)
        self.others_before, self.others = self.others, {}

    def clear(self) -> None:
        """The hand begins anew."""
        self.own, self.own_before = set(), set()
        self.others, self.others_before = {}, {}
