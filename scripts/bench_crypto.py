"""What the mathematics costs, in processor time: `python scripts/bench_crypto.py [--json]`.

W(cards, seats) is the work of all seats added up: key shares with proofs, made and checked; one
shuffle with proof by each seat, checked by all others; all cards opened to all by proven shares.
Nothing is shared between the seats: each decodes every message it receives from its bytes.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeAlias, TypeVar

from p2pjong.crypto import masking, membership, shuffle, switch
from p2pjong.crypto.claims import Claim, verify_claims
from p2pjong.crypto.commitment import commit, open_commitment
from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    Point,
    decode_point,
    decode_points,
    face_point,
    generators,
    multiply,
)
from p2pjong.crypto.masking import CARDS_MAX, Ciphertext, KeyPair

P = ParamSpec("P")
R = TypeVar("R")
KeyMessage: TypeAlias = tuple[bytes, bytes, bytes]

COPIES = 1  # all faces differ: copies would make the first deck cheaper
REFERENCE_MULTIPLICATION_US = 50.0
# (cards, seats): processor seconds at 50 us a multiplication, bytes of all messages
TARGETS: dict[tuple[int, int], tuple[float, int | None]] = {
    (120, 4): (1.6, 125_000),
    (75, 4): (1.0, 80_000),
    (120, 8): (6.0, None),
}


@dataclass
class Work:
    """Processor time by kind of work, and the bytes that were sent once each."""

    seconds: dict[str, float] = field(default_factory=dict)
    message_bytes: int = 0

    def timed(self, kind: str, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        start = time.process_time()
        result = work(*given, **named)
        spent = time.process_time() - start
        self.seconds[kind] = self.seconds.get(kind, 0.0) + spent
        return result

    def sent(self, *parts: bytes) -> None:
        self.message_bytes += sum(map(len, parts))

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


@dataclass
class Peer:
    """One seat with its own view of keys and deck."""

    entropy: Entropy
    key: KeyPair
    publics: list[Point] = field(default_factory=list)
    deck: tuple[Ciphertext, ...] = ()
    waiting: list[Claim] = field(default_factory=list)


def multiplication_us(rounds: int = 2000) -> float:
    """The yardstick: one variable-base multiplication of rbcl, with its wrapper."""
    point = face_point("bench", "yardstick")
    start = time.process_time()
    for scalar in range(2**251, 2**251 + rounds):
        multiply(scalar, point)
    return (time.process_time() - start) / rounds * 1e6


def context_of(seat: int, step: str) -> bytes:
    return f"bench/{step}/{seat}".encode()


def run_keys(work: Work, seats: int) -> list[Peer]:
    peers: list[Peer] = []
    openings: list[KeyMessage] = []
    for seat in range(seats):
        entropy = Entropy(bytes([seat + 1]) * 32, b"bench")
        key, opening = work.timed("keys", make_key_message, seat, entropy)
        work.sent(*opening)
        openings.append(opening)
        peers.append(Peer(entropy, key))
    for peer in peers:
        work.timed("keys", receive_keys, peer, openings)
    return peers


def make_key_message(seat: int, entropy: Entropy) -> tuple[KeyPair, KeyMessage]:
    """A key pair, and what is sent of it in two steps: the commitment, then what opens it."""
    context = context_of(seat, "key")
    key = masking.make_key(context, entropy)
    content = key.public + masking.prove_key(context, key, entropy).encode()
    nonce = entropy.take("nonce", content, 32)
    return key, (commit(context, content, nonce), content, nonce)


def receive_keys(peer: Peer, openings: Sequence[KeyMessage]) -> None:
    for seat, (commitment, content, nonce) in enumerate(openings):
        public = decode_point(content[:32])
        if public != peer.key.public:
            context = context_of(seat, "key")
            open_commitment(context, commitment, content, nonce)
            masking.verify_key(context, public, masking.KeyProof.decode(content[32:]))
        peer.publics.append(public)


def run_shuffles(work: Work, peers: Sequence[Peer], faces: Sequence[Point], together: bool) -> None:
    for peer in peers:
        key = masking.joint_key(peer.publics)
        peer.deck = work.timed("veil", masking.veil_faces, faces, key)
    for seat, peer in enumerate(peers):
        message = work.timed("shuffle and prove", make_shuffle, peer, seat)
        work.sent(*message)
        for other in peers:
            if other is not peer:
                work.timed("check shuffles", receive_shuffle, other, seat, message, together)
        peer.deck = masking.decode_slots(message[0], len(faces))
    settle(work, peers, "check shuffles")


def settle(work: Work, peers: Sequence[Peer], kind: str) -> None:
    for peer in peers:
        work.timed(kind, verify_claims, peer.waiting)
        peer.waiting = []


def make_shuffle(peer: Peer, seat: int) -> tuple[bytes, bytes]:
    key, context = masking.joint_key(peer.publics), context_of(seat, "shuffle")
    shuffled = shuffle.shuffle_slots(context, key, peer.deck, peer.entropy)
    proof = shuffle.prove_shuffle(context, key, peer.deck, shuffled, peer.entropy)
    return masking.encode_slots(shuffled.after), proof.encode()


def receive_shuffle(peer: Peer, seat: int, message: tuple[bytes, bytes], together: bool) -> None:
    count = len(peer.deck)
    after = masking.decode_slots(message[0], count)
    proof = shuffle.ShuffleProof.decode(message[1], count)
    key = masking.joint_key(peer.publics)
    claim = shuffle.claim_shuffle(context_of(seat, "shuffle"), key, peer.deck, after, proof)
    check(peer, claim, together)
    peer.deck = after


def check(peer: Peer, claim: Claim, together: bool) -> None:
    if together:
        peer.waiting.append(claim)
    else:
        verify_claims([claim])


def run_opening(work: Work, peers: Sequence[Peer], faces: Sequence[Point], together: bool) -> None:
    messages = []
    for seat, peer in enumerate(peers):
        message = work.timed("make shares", make_shares, peer, seat)
        work.sent(*message)
        messages.append(message)
    for peer in peers:
        shares = work.timed("check shares", receive_shares, peer, messages, together)
        settle(work, [peer], "check shares")
        opened = work.timed("open", open_deck, peer.deck, shares)
        if sorted(opened) != sorted(faces):
            raise RuntimeError("the cards that came out are not those that went in")


def make_shares(peer: Peer, seat: int) -> tuple[bytes, bytes]:
    shares = masking.make_shares(peer.key, peer.deck)
    context = context_of(seat, "open")
    proof = masking.prove_shares(context, peer.key, peer.deck, shares, peer.entropy)
    return b"".join(shares), proof.encode()


def receive_shares(
    peer: Peer, messages: Sequence[tuple[bytes, ...]], together: bool
) -> list[tuple[Point, ...]]:
    received = []
    for seat, (public, (shares, encoded)) in enumerate(zip(peer.publics, messages, strict=True)):
        points = decode_points(shares, len(peer.deck))
        if public != peer.key.public:
            proof = masking.SharesProof.decode(encoded)
            claim = masking.claim_shares(context_of(seat, "open"), public, peer.deck, points, proof)
            check(peer, claim, together)
        received.append(points)
    return received


def open_deck(deck: Sequence[Ciphertext], shares: Sequence[Sequence[Point]]) -> list[Point]:
    columns = zip(*shares, strict=True)
    return [masking.open_slot(slot, column) for slot, column in zip(deck, columns, strict=True)]


def work_of(cards: int, seats: int, together: bool) -> Work:
    faces = [face_point("bench", str(card // COPIES)) for card in range(cards)]
    work = Work()
    peers = run_keys(work, seats)
    run_shuffles(work, peers, faces, together)
    run_opening(work, peers, faces, together)
    return work


def work_row(cards: int, seats: int, together: bool = False) -> dict[str, Any]:
    before_us = multiplication_us()
    work = work_of(cards, seats, together)
    unit_us = (before_us + multiplication_us()) / 2
    multiplications = work.total * 1e6 / unit_us
    seconds_max, bytes_max = TARGETS.get((cards, seats), (None, None))
    return {
        "name": f"W({cards}, {seats})" + (", proofs checked together" if together else ""),
        "seconds": work.total,
        "multiplication_us": unit_us,
        "multiplications": multiplications,
        "seconds_at_50us": multiplications * REFERENCE_MULTIPLICATION_US / 1e6,
        "seconds_at_50us_max": seconds_max,
        "bytes": work.message_bytes,
        "bytes_max": bytes_max,
        "parts": work.seconds,
    }


def mean_seconds(work: Callable[[], Any], rounds: int) -> float:
    start = time.process_time()
    for _ in range(rounds):
        work()
    return (time.process_time() - start) / rounds


def single_row(name: str, work: Callable[[], Any], rounds: int, size: int) -> dict[str, Any]:
    unit_us = multiplication_us(500)
    seconds = mean_seconds(work, rounds)
    multiplications = seconds * 1e6 / unit_us
    return {
        "name": name,
        "seconds": seconds,
        "multiplication_us": unit_us,
        "multiplications": multiplications,
        "seconds_at_50us": multiplications * REFERENCE_MULTIPLICATION_US / 1e6,
        "bytes": size,
    }


def draw_rows() -> list[dict[str, Any]]:
    """What one draw costs each of the others, and one hand re-veiled."""
    entropy = Entropy(bytes(32), b"bench")
    key = masking.make_key(b"epoch", entropy)
    faces = [face_point("bench", str(card)) for card in range(13)]
    start = masking.veil_faces(faces, key.public)
    hand = shuffle.shuffle_slots(b"draw", key.public, start, entropy)
    slots = hand.after[:1]
    shares = masking.make_shares(key, slots)
    proof = masking.prove_shares(b"draw", key, slots, shares, entropy)
    size = 32 + len(proof.encode())

    def make() -> None:
        masking.prove_shares(b"draw", key, slots, masking.make_shares(key, slots), entropy)

    def reveil() -> None:
        again = shuffle.shuffle_slots(b"veil", key.public, hand.after, entropy)
        shuffle.prove_shuffle(b"veil", key.public, hand.after, again, entropy)

    again = shuffle.shuffle_slots(b"veil", key.public, hand.after, entropy)
    veiled = shuffle.prove_shuffle(b"veil", key.public, hand.after, again, entropy)
    size_veiled = 13 * 64 + len(veiled.encode())
    return [
        single_row("one share, made", make, 50, size),
        single_row(
            "one share, checked",
            lambda: masking.verify_shares(b"draw", key.public, slots, shares, proof),
            50,
            size,
        ),
        single_row("13 cards re-veiled, made", reveil, 5, size_veiled),
        single_row(
            "13 cards re-veiled, checked",
            lambda: shuffle.verify_shuffle(b"veil", key.public, hand.after, again.after, veiled),
            5,
            size_veiled,
        ),
    ]


def switch_rows(cards: int = 10) -> list[dict[str, Any]]:
    entropy = Entropy(bytes(32), b"bench")
    key = masking.make_key(b"epoch", entropy)
    owner = multiply(3, face_point("bench", "owner"))
    faces = [face_point("bench", str(card)) for card in range(cards)]
    hand = shuffle.shuffle_slots(
        b"deal", key.public, masking.veil_faces(faces, key.public), entropy
    ).after
    after, proof = switch.prove_switch(b"show", key, owner, hand, entropy)
    statement = switch.Switch(key.public, owner, hand, after)
    size = 64 * cards + len(proof.encode())
    return [
        single_row(
            f"{cards} cards shown, made",
            lambda: switch.prove_switch(b"show", key, owner, hand, entropy),
            5,
            size,
        ),
        single_row(
            f"{cards} cards shown, checked",
            lambda: switch.verify_switch(b"show", statement, proof),
            5,
            size,
        ),
    ]


def pass_rows(cards: int = 8, set_size: int = 40) -> list[dict[str, Any]]:
    entropy = Entropy(bytes(32), b"bench")
    key = masking.make_key(b"epoch", entropy)
    faces = [face_point("bench", str(card)) for card in range(set_size)]
    hand = masking.veil_faces(faces[:cards], key.public)
    hand = shuffle.shuffle_slots(b"deal", key.public, hand, entropy).after
    proof = membership.prove_membership(b"pass", key, hand, faces, entropy)
    size = len(proof.encode())
    name = f"pass proof, {cards} cards of {set_size} faces"
    return [
        single_row(
            f"{name}, made",
            lambda: membership.prove_membership(b"pass", key, hand, faces, entropy),
            2,
            size,
        ),
        single_row(
            f"{name}, checked",
            lambda: membership.verify_membership(b"pass", key.public, hand, faces, proof),
            2,
            size,
        ),
    ]


def bench_rows() -> list[dict[str, Any]]:
    """All rows of this bench; a row without a maximum is for information."""
    generators(CARDS_MAX)  # made once a process, before the first table
    rows = [work_row(cards, seats) for cards, seats in TARGETS]
    rows += [work_row(cards, seats, together=True) for cards, seats in TARGETS]
    rows += [work_row(60, 4), work_row(240, 4), work_row(120, 2)]
    return [*rows, *draw_rows(), *switch_rows(), *pass_rows()]


def print_table(rows: Sequence[dict[str, Any]]) -> None:
    heads = f"{'s':>8} {'us/mult':>8} {'mults':>9} {'s at 50us':>10} {'max':>5} {'bytes':>8}"
    print(f"{'work':44} {heads}")
    for row in rows:
        limit = row.get("seconds_at_50us_max") or ""
        print(
            f"{row['name']:44} {row['seconds']:8.4f} {row['multiplication_us']:8.1f}"
            f" {row['multiplications']:9.1f} {row['seconds_at_50us']:10.4f} {limit:>5}"
            f" {row['bytes']:8}"
        )
        for kind, seconds in row.get("parts", {}).items():
            print(f"    {kind:40} {seconds:8.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    rows = bench_rows()
    if arguments.json:
        print(json.dumps(rows, indent=2))
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
