"""Faults: what a seat did that no honest client does, with the messages that prove it."""

from dataclasses import dataclass, field

from p2pjong.games.game import Seat

# What a message proves by itself, without the state of the game in which it came.
SELF_PROVING = frozenset({"equivocation", "false-evidence", "word", "heads"})


@dataclass(frozen=True)
class Fault:
    """A proven breach: `rule` names what was broken, at the seat's lane message `number`.

    `evidence` is one signed lane frame (bad in the state of its own causal past) or two stamps with
    the same number (an equivocation). A third party checks either from the record alone. `reason`
    is for people: what the seat was awaited for, where the message is an answer to that.
    """

    epoch: int
    seat: Seat
    number: int
    rule: str
    evidence: tuple[bytes, ...] = ()
    reason: str = field(default="", compare=False)

    @property
    def is_self_proving(self) -> bool:
        """Whether it stands even if the hand in which it came is turned back."""
        return self.rule in SELF_PROVING

    @property
    def rank(self) -> tuple[int, int, int]:
        """Among several faults the verdict is the least by (epoch, seat, number)."""
        return (self.epoch, self.seat, self.number)


class PeerFault(Exception):
    """Raised by checks on a foreign message; the text is a rule's name, never our internals."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Refusal(Exception):
    """A frame that proves nothing against anybody (no valid signature, say): drop and log it."""


class OtherTable(Refusal):
    """A message of another table, such as the game before a rematch: dropped without ado."""
