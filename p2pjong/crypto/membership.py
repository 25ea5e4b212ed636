"""The pass: each slot of a hand holds one of a set of faces, and nobody learns which.

Implements "Membership" of `protocol/shuffle.md`: for each slot (a, b) under X and each face M, the
statement "b - M has to a the logarithm of X to G"; one of them is true, and which one is hidden
(Cramer, Damgard and Schoenmakers 1994).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2pjong.crypto.entropy import Entropy
from p2pjong.crypto.group import (
    BASE,
    ORDER,
    SCALAR_BYTES,
    Point,
    Scalar,
    combine,
    decode_scalars,
    encode_scalar,
    encode_scalars,
    multiply,
    multiply_base,
    subtract,
)
from p2pjong.crypto.invalid import InvalidProof, InvalidStatement
from p2pjong.crypto.masking import (
    Ciphertext,
    KeyPair,
    check_lengths,
    check_size,
    encode_slots,
    nonces,
    read_slot,
)
from p2pjong.crypto.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Branch:
    """Challenge and response for one face of one slot."""

    challenge: Scalar
    response: Scalar


@dataclass(frozen=True, slots=True)
class MembershipProof:
    """A row of branches for each slot, in the order of the faces."""

    rows: tuple[tuple[Branch, ...], ...]

    def encode(self) -> bytes:
        return encode_scalars(
            scalar for row in self.rows for branch in row for scalar in _scalars(branch)
        )

    @classmethod
    def decode(cls, encoding: bytes, slots: int, faces: int) -> "MembershipProof":
        check_size(encoding, 2 * SCALAR_BYTES * slots * faces)
        scalars = decode_scalars(encoding, 2 * slots * faces)
        branches = tuple(map(Branch, scalars[::2], scalars[1::2]))
        starts = range(0, len(branches), max(faces, 1))
        return cls(tuple(branches[start : start + faces] for start in starts))


def _scalars(branch: Branch) -> tuple[Scalar, Scalar]:
    return branch.challenge, branch.response


def _transcript(
    context: bytes, public: Point, slots: Sequence[Ciphertext], faces: Sequence[Point]
) -> Transcript:
    check_lengths(slots)
    check_lengths(faces)
    if len(set(faces)) != len(faces):
        raise InvalidStatement("a face stands twice in the set")
    transcript = Transcript("p2pjong/v1/membership", context)
    transcript.absorb("key", public)
    transcript.absorb("slots", encode_slots(slots))
    transcript.absorb_points("faces", faces)
    return transcript


def prove_membership(
    context: bytes,
    key: KeyPair,
    slots: Sequence[Ciphertext],
    faces: Sequence[Point],
    entropy: Entropy,
) -> MembershipProof:
    """Raise `InvalidProof` if a slot holds a face that is not in the set."""
    transcript = _transcript(context, key.public, slots, faces)
    drafts = [_Draft(key, slot, faces) for slot in slots]
    count = 2 * len(faces)
    drawn = nonces(transcript, encode_scalar(key.secret), entropy, count * len(slots))
    for index, draft in enumerate(drafts):
        draft.commit(drawn[count * index : count * (index + 1)])
        transcript.absorb_points("commitments", draft.commitments)
    challenge = transcript.challenge("challenge")
    return MembershipProof(tuple(draft.respond(challenge) for draft in drafts))


class _Draft:
    """One slot's row while it is made: every branch is simulated but the true one."""

    def __init__(self, key: KeyPair, slot: Ciphertext, faces: Sequence[Point]) -> None:
        face = read_slot(slot, key)
        if face not in faces:
            raise InvalidProof("the slot holds a face that is not in the set")
        self._key, self._slot, self._faces = key, slot, faces
        self._true = faces.index(face)
        self.commitments: list[Point] = []
        self._branches: list[Branch] = []

    def commit(self, drawn: Sequence[Scalar]) -> None:
        pairs = zip(self._faces, drawn[::2], drawn[1::2], strict=True)
        for index, (face, challenge, response) in enumerate(pairs):
            is_true = index == self._true
            self._branches.append(Branch(0 if is_true else challenge, response))
            self.commitments += self._commitments(face, self._branches[-1])

    def _commitments(self, face: Point, branch: Branch) -> tuple[Point, Point]:
        # With challenge 0 this is the honest commitment, its nonce in the response's place.
        of_key = multiply_base(branch.response - branch.challenge * self._key.secret)
        of_slot = multiply(branch.response, self._slot.a)
        if branch.challenge:
            lifted = multiply(branch.challenge, subtract(self._slot.b, face))
            of_slot = subtract(of_slot, lifted)
        return of_key, of_slot

    def respond(self, challenge: Scalar) -> tuple[Branch, ...]:
        own = (challenge - sum(branch.challenge for branch in self._branches)) % ORDER
        nonce = self._branches[self._true].response
        response = (nonce + own * self._key.secret) % ORDER
        row = list(self._branches)
        row[self._true] = Branch(own, response)
        return tuple(row)


def verify_membership(
    context: bytes,
    public: Point,
    slots: Sequence[Ciphertext],
    faces: Sequence[Point],
    proof: MembershipProof,
) -> None:
    transcript = _transcript(context, public, slots, faces)
    check_lengths(slots, proof.rows)
    for slot, row in zip(slots, proof.rows, strict=True):
        check_lengths(faces, row)
        commitments: list[Point] = []
        for face, branch in zip(faces, row, strict=True):
            commitments += _recovered(public, slot, face, branch)
        transcript.absorb_points("commitments", commitments)
    challenge = transcript.challenge("challenge")
    sums = [sum(branch.challenge for branch in row) % ORDER for row in proof.rows]
    if any(total != challenge for total in sums):
        raise InvalidProof("the branches do not add up to the challenge")


def _recovered(public: Point, slot: Ciphertext, face: Point, branch: Branch) -> tuple[Point, Point]:
    of_key = combine([(branch.response, BASE), (-branch.challenge, public)])
    lifted = multiply(branch.challenge, subtract(slot.b, face))
    return of_key, subtract(multiply(branch.response, slot.a), lifted)
