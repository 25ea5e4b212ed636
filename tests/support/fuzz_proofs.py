"""Fuzzing of proofs: what bytes a peer may send in place of a key, share, shuffle, switch or pass.

The checks are those of the mental dealer, so decoding is fuzzed together with verifying.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from p2pjong.crypto.invalid import InvalidProof
from p2pjong.crypto.masking import encode_slots, make_shares, prove_key, prove_shares
from p2pjong.crypto.membership import prove_membership
from p2pjong.crypto.shuffle import prove_shuffle, shuffle_slots
from p2pjong.crypto.switch import prove_switch
from p2pjong.session import mental_dealer as dealer
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import (
    KeyOpen,
    Payload,
    ProvenAmong,
    Shares,
    Shuffled,
    Switched,
)
from tests.support.crypto_table import CONTEXT, FACES, entropy_of, hand_of, keys_of


@dataclass(frozen=True)
class Proven:
    """An honest message, and the check that it passes as the only one."""

    honest: Payload
    check: Callable[[Any], object]


@cache
def proven() -> dict[type[Payload], Proven]:
    """One honest message of each kind that holds a proof, over a hand of three cards."""
    own, other = keys_of(2)
    entropy = entropy_of(0)
    hand = hand_of(own.public, FACES[:3]).after
    key = own.public
    mixed = shuffle_slots(CONTEXT, key, hand, entropy)
    shares = make_shares(own, hand)
    switched, switch_proof = prove_switch(CONTEXT, own, other.public, hand, entropy)
    share_proof = prove_shares(CONTEXT, own, hand, shares, entropy)
    mix_proof = prove_shuffle(CONTEXT, key, hand, mixed, entropy)
    among = prove_membership(CONTEXT, own, hand, FACES, entropy)
    publics = key, other.public
    entries = (
        Proven(
            KeyOpen(key, prove_key(CONTEXT, own, entropy).encode(), bytes(32)),
            lambda one: dealer._check_key(CONTEXT, one),
        ),
        Proven(
            Shares(b"".join(shares), share_proof.encode()),
            lambda one: dealer._check_shares(CONTEXT, key, hand, one),
        ),
        Proven(
            Shuffled(encode_slots(mixed.after), mix_proof.encode()),
            lambda one: dealer._check_shuffle(CONTEXT, key, hand, one),
        ),
        Proven(
            Switched(encode_slots(switched), switch_proof.encode()),
            lambda one: dealer._check_switch(CONTEXT, publics, hand, one),
        ),
        Proven(
            ProvenAmong(among.encode()),
            lambda one: dealer._check_membership(CONTEXT, key, hand, FACES, one),
        ),
    )
    return {type(entry.honest): entry for entry in entries}


def fuzz_proofs(content: bytes) -> None:
    """Only the honest bytes are accepted; all others are an invalid proof and nothing worse."""
    with suppress(DecodeError, InvalidProof):
        message: Payload = decode(content, Payload)
        entry = proven().get(type(message))
        if entry is not None:
            entry.check(message)
            assert _proved(message) == _proved(entry.honest), "a forged proof is accepted"


def _proved(message: Payload) -> Payload:
    """Without what no proof is about: the opening of a key's commitment."""
    if isinstance(message, KeyOpen):
        return KeyOpen(message.key, message.proof, bytes(32))
    return message


def proof_seeds() -> tuple[bytes, ...]:
    """All honest messages."""
    return tuple(encode(entry.honest) for entry in proven().values())
