"""What carries out the card operations of a game: cryptography in `session`, or the open dealer."""

from typing import Protocol

from p2pjong.games.game import Facts, Known, Operation, Seat


class Dealer(Protocol):
    """Carries out one operation at a time. A game cannot tell one dealer from another."""

    def begin(self, operation: Operation) -> None:
        """Begins an operation; the one before must have answered.

        A `Shuffle` with fresh keys ends the epoch at once, also in the midst of another operation
        (the hand was voided): its slots and what was known of them are forgotten.
        """

    def facts(self) -> Facts | None:
        """The public answer to the operation begun last; None while it is under way."""

    def known(self, seat: Seat) -> Known:
        """The faces that `seat` knows, as far as this dealer does (its own, or every seat's).

        Open faces are known to all. Faces stay known until the epoch ends, also of slots that a
        re-veil replaced: a seat remembers what it drew.
        """
