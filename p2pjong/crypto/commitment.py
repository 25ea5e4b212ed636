"""Hash commitments, and the joint toss made of them.

Implements "Commitments and tosses" of `protocol/shuffle.md`. Hiding needs a secret nonce of 32
bytes; binding needs the context, so that no opening serves at a second place.
"""

import hashlib
import hmac
import itertools
from collections.abc import Iterator, Sequence

from p2pjong.crypto.group import frame
from p2pjong.crypto.invalid import InvalidEncoding, InvalidProof, InvalidStatement

NONCE_BYTES = 32
COMMITMENT_BYTES = 32


def commit(context: bytes, content: bytes, nonce: bytes) -> bytes:
    """The commitment to `content` under a fresh secret nonce of 32 bytes."""
    if len(nonce) != NONCE_BYTES:
        raise InvalidEncoding(f"a commitment nonce has 32 bytes, not {len(nonce)}")
    framed = frame(b"p2pjong/v1/commitment", context, content, nonce)
    return hashlib.sha512(framed).digest()[:COMMITMENT_BYTES]


def open_commitment(context: bytes, commitment: bytes, content: bytes, nonce: bytes) -> None:
    """Raise `InvalidProof` unless the commitment was made to this content, in this context."""
    if not hmac.compare_digest(commitment, commit(context, content, nonce)):
        raise InvalidProof("the opening does not match its commitment")


def combine_toss(context: bytes, contributions: Sequence[bytes], bound: int) -> int:
    """The joint number below `bound` of the opened contributions, in the order of their seats.

    Uniform as soon as one contribution is 32 uniform bytes that the others could not see when
    they committed to theirs.
    """
    if not contributions or not 1 <= bound <= 2**32:
        raise InvalidStatement("a toss needs contributions and a bound from 1 to 2^32")
    seed = hashlib.sha512(frame(b"p2pjong/v1/toss", context, *contributions)).digest()
    limit = 2**64 - 2**64 % bound
    return next(word for word in _words(seed) if word < limit) % bound


def _words(seed: bytes) -> Iterator[int]:
    return (
        _word(frame(b"p2pjong/v1/toss-word", seed, i.to_bytes(4, "big"))) for i in itertools.count()
    )


def _word(framed: bytes) -> int:
    return int.from_bytes(hashlib.sha512(framed).digest()[:8], "big")
