"""Many peers in one process: what one of them has computed the others need not compute again.

At a table of the simulator every peer, and the auditor of every journal, checks the same proofs and
signatures. The functions kept here give the same result for the same bytes, so nothing that such a
test asserts depends on who has called them before. Real peers compute everything themselves; the
tests of the cryptography and of the links do, too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import pytest
import rbcl
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pjong.crypto.masking import verify_key, verify_shares
from p2pjong.crypto.shuffle_check import verify_shuffle
from p2pjong.session import lanes, mental_dealer
from p2pjong.wire.codec import decode
from tests.support import sim

KEPT_MAX = 1 << 18  # of each function: some games' worth, and some 150 MB at the most
OF_THE_GROUP = (
    "crypto_scalarmult_ristretto255",
    "crypto_scalarmult_ristretto255_base",
    "crypto_core_ristretto255_add",
    "crypto_core_ristretto255_is_valid_point",
)
_KEPT = {name: lru_cache(KEPT_MAX)(getattr(rbcl, name)) for name in OF_THE_GROUP}

PROOFS_KEPT_MAX = 1 << 12  # a proof of a shuffle is some kilobytes, with its statement


def _proof_kept(verify: Callable[..., None]) -> Callable[..., None]:
    """Judges each statement with its proof once. What does not hold is an error, never kept."""
    kept = lru_cache(PROOFS_KEPT_MAX)(verify)

    def look(*statement: Any) -> None:
        kept(*[tuple(part) if isinstance(part, list) else part for part in statement])

    return look


# Peers and auditors call these by the names under which they have imported them.
_PROOFS_KEPT = {
    verify.__name__: _proof_kept(verify) for verify in (verify_key, verify_shares, verify_shuffle)
}


@lru_cache(KEPT_MAX)
def _verify(key: bytes, signature: bytes, signed: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)


# A message is frozen, so all who have got its frame may hold the same one.
_decode: Any = lru_cache(KEPT_MAX)(decode)


class _VerifyingKey:
    """Stands in for a public key. What does not hold is an error, which is not kept."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def from_public_bytes(cls, key: bytes) -> "_VerifyingKey":
        return cls(key)

    def verify(self, signature: bytes, signed: bytes) -> None:
        _verify(self._key, signature, signed)


@contextmanager
def shared_sums() -> Iterator[None]:
    """As long as this lasts, the peers of this process share what they compute."""
    with pytest.MonkeyPatch.context() as patch:
        for name, kept in _KEPT.items():
            patch.setattr(rbcl, name, kept)
        for name, verify in _PROOFS_KEPT.items():
            patch.setattr(mental_dealer, name, verify)
        patch.setattr(lanes, "Ed25519PublicKey", _VerifyingKey)
        for module in (lanes, sim):
            patch.setattr(module, "decode", _decode)
        yield
