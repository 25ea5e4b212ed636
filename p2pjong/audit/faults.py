"""What the auditor holds against a seat, and what ends its reading.

Implements the classes of "What becomes of what arrives" of `protocol/README.md`, as far as a record
can show them: a fault convicts its author, a refusal says nothing about anybody.
"""

from dataclasses import dataclass, field

from p2pjong.games.game import Seat

# What a message proves by itself, without the state of the game in which it came.
SELF_PROVING = frozenset({"equivocation", "false-evidence", "vote", "broken-vote", "word", "heads"})


@dataclass(frozen=True)
class Fault:
    """A proven breach of `rule`, by the seat's lane message `number`, which is in the record.

    `reason` is for people: what the seat was awaited for, where the message is an answer to that.
    """

    epoch: int
    seat: Seat
    number: int
    rule: str
    reason: str = field(default="", compare=False)

    @property
    def is_self_proving(self) -> bool:
        """Whether it stands even if the hand in which it came is turned back."""
        return self.rule in SELF_PROVING

    @property
    def rank(self) -> tuple[int, int, int]:
        """Of several faults the verdict names the one that comes first by this."""
        return (self.epoch, self.seat, self.number)


class Breach(Exception):
    """A message breaks a rule; the text is the rule's name."""

    @property
    def rule(self) -> str:
        """The rule that is broken."""
        return str(self)


class Refused(Exception):
    """A message that proves nothing against anybody, and that no record may hold."""
