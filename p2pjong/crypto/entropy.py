"""Everything secret of a seat, derived from the one seed that it drew for its table.

Implements "Derivations" of `protocol/shuffle.md`. The same seed, context, label and statement give
the same bytes, so a step made again after a crash sends the same message; any other statement
gives unrelated bytes, so no nonce ever serves two statements.
"""

import hmac
import itertools
from collections.abc import Iterator

from p2pjong.crypto.group import ORDER, Scalar, frame

SEED_BYTES = 32


class Entropy:
    """A pseudorandom function (HMAC-SHA512) keyed with the seed, for one context."""

    def __init__(self, seed: bytes, context: bytes) -> None:
        assert len(seed) == SEED_BYTES, "a table's seed has 32 bytes"
        self._key = _prf(seed, frame(b"p2pjong/v1/entropy", context))

    def take(self, label: str, statement: bytes, length: int) -> bytes:
        blocks = self._blocks(label, statement)
        return b"".join(next(blocks) for _ in range(-(-length // 64)))[:length]

    def scalars(self, label: str, statement: bytes, count: int) -> tuple[Scalar, ...]:
        """Scalars that are never zero, so that no multiplication with one gives the identity."""
        blocks = self._blocks(label, statement)
        return tuple(_nonzero(next(blocks)) for _ in range(count))

    def scalar(self, label: str, statement: bytes) -> Scalar:
        return self.scalars(label, statement, 1)[0]

    def permutation(self, label: str, statement: bytes, count: int) -> tuple[int, ...]:
        """A permutation of 0 .. count-1, each with the same chance (Durstenfeld's shuffle)."""
        words = _words(self._blocks(label, statement))
        places = list(range(count))
        for last in range(count - 1, 0, -1):
            chosen = _below(last + 1, words)
            places[last], places[chosen] = places[chosen], places[last]
        return tuple(places)

    def _blocks(self, label: str, statement: bytes) -> Iterator[bytes]:
        key = _prf(self._key, frame(label.encode(), statement))
        return (_prf(key, index.to_bytes(8, "big")) for index in itertools.count())


def _prf(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha512")


def _nonzero(block: bytes) -> Scalar:
    return 1 + int.from_bytes(block, "little") % (ORDER - 1)


def _words(blocks: Iterator[bytes]) -> Iterator[int]:
    starts = range(0, 64, 8)
    return (int.from_bytes(block[i : i + 8], "big") for block in blocks for i in starts)


def _below(bound: int, words: Iterator[int]) -> int:
    limit = 2**64 - 2**64 % bound  # a plain remainder would favour small numbers
    return next(word for word in words if word < limit) % bound
