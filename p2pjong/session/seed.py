"""The one secret of a seat at a table, which walks on when an epoch is over and cannot walk back.

Implements "Derivations" of `protocol/play.md`. Whoever takes a disk later finds nothing on it that
opens a hand of an earlier epoch.
"""

from p2pjong.crypto.entropy import Entropy

NEXT_CONTEXT = b"p2pjong/v1/next-epoch"


class Seed:
    """All keys, nonces, permutations and tosses of the current epoch derive from `value`."""

    def __init__(self, value: bytes) -> None:
        self.value = value

    def entropy(self, context: bytes) -> Entropy:
        """What derives from the seed in one context."""
        return Entropy(self.value, context)

    def walk_on(self) -> None:
        """The epoch is over: the next seed follows from this one, and not the other way."""
        self.value = self.entropy(NEXT_CONTEXT).take("seed", b"", len(self.value))


class NoSeed(Seed):
    """What an onlooker has in place of a seed: nothing can be derived from it."""

    def __init__(self) -> None:
        super().__init__(b"")

    def entropy(self, context: bytes) -> Entropy:
        """Nobody asks for it: an onlooker has no duties."""
        raise AssertionError("an onlooker has no secrets")

    def walk_on(self) -> None:
        """There is nothing to erase."""
