"""The transcript that turns a public-coin proof into a message (Fiat-Shamir).

Implements "Transcripts" of `protocol/shuffle.md`: everything absorbed is named and framed, and a
challenge is a hash of all that was absorbed before it.
"""

import hashlib
from collections.abc import Iterable

from p2pjong.crypto.group import Point, Scalar, encode_scalars, frame, reduce_wide


class Transcript:
    """A running hash bound from its first byte to a label and to the caller's context."""

    def __init__(self, label: str, context: bytes) -> None:
        self._hash = hashlib.sha512()
        self.absorb(label, context)

    def absorb(self, name: str, content: bytes) -> None:
        self._hash.update(frame(name.encode(), content))

    def absorb_points(self, name: str, points: Iterable[Point]) -> None:
        self.absorb(name, b"".join(points))

    def absorb_scalars(self, name: str, scalars: Iterable[Scalar]) -> None:
        self.absorb(name, encode_scalars(scalars))

    def seal(self) -> bytes:
        """64 bytes that stand for everything absorbed so far."""
        return self._hash.digest()

    def challenges(self, name: str, count: int) -> tuple[Scalar, ...]:
        """Scalars that nobody could know before the last absorbed byte was chosen."""
        self.absorb(name, count.to_bytes(4, "big"))
        seed = self.seal()
        return tuple(_expand(seed, index) for index in range(count))

    def challenge(self, name: str) -> Scalar:
        return self.challenges(name, 1)[0]


def _expand(seed: bytes, index: int) -> Scalar:
    block = frame(b"p2pjong/v1/challenge", seed, index.to_bytes(4, "big"))
    return reduce_wide(hashlib.sha512(block).digest())
