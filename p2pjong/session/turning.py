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
    pasts: dict[Seat, list[tuple[int, ...]]] = field(default_factory=dict)  # of the words, by out

    @property
    def is_open(self) -> bool:
        """Whether the hand is being turned back."""
        return bool(self.out)

    def hear(self, out: Seat, speaker: Seat, past: tuple[int, ...]) -> None:
        """A seat that had heard so much of each lane gave its word that `out` shall be out."""
        self.words.setdefault(out, {})[speaker] = past[speaker]
        self.pasts.setdefault(out, []).append(past)

    def is_told(self, out: Seat, speaker: Seat) -> bool:
        """Whether this seat has given its word against `out`, in this turning or an earlier one."""
        return speaker in self.words.get(out, {})

    def is_heard(self, out: Seat, since: Mapping[Seat, int]) -> bool:
        """Whether anyone has given its word against this seat that could not know it was out.

        It is since what came to these lengths, which who knows it has heard.
        """
        lengths = {seat: need for seat, need in since.items() if seat not in self.out | self.done}
        return any(
            any(past[seat] < need for seat, need in lengths.items())
            for past in self.pasts.get(out, [])
        )

    def has_turned(self, speaker: Seat) -> bool:
        """Whether this seat has given a word on which we have not yet begun anew."""
        return any(speaker in heard for out, heard in self.words.items() if out not in self.done)

    def missing(self, stays: Iterable[Seat]) -> tuple[Seat, ...]:
        """Who of those that stay has not yet given its word on all that go."""
        return tuple(seat for seat in stays if any(not self.is_told(out, seat) for out in self.out))

    def lengths(self) -> Mapping[Seat, int]:
        """How long the lane of each seat must be to hold its words against who has been put out.

        A word against anyone else may not be here yet: no honest answer need rest on it.
        """
        lengths: dict[Seat, int] = {}
        for out in self.done & self.words.keys():
            for speaker, number in self.words[out].items():
                lengths[speaker] = max(lengths.get(speaker, 0), number + 1)
        return lengths

    def close(self) -> None:
        """All have turned back."""
        self.done |= self.out
        self.out = set()

    def place(self, charter: bytes, settled: int, digest: bytes) -> bytes:
        """What names the table's course after the turning: nothing signed before fits it.

        Nor does what is signed by who begins anew in another state than we, with another `digest`.
        """
        gone = bytes(sorted(self.done))
        content = charter + settled.to_bytes(4, "big") + len(gone).to_bytes(1, "big") + gone
        return sha256(PLACE_LABEL + content + digest).digest()
