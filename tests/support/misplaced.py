"""Proofs that hold, but for another place: of another table, hand, step or seat, or for others."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace as with_fields

from p2pjong.crypto.group import Point, face_point, subtract
from p2pjong.crypto.masking import encode_slots, make_key, make_shares, prove_key, prove_shares
from p2pjong.crypto.membership import prove_membership
from p2pjong.crypto.shuffle import prove_shuffle, shuffle_slots
from p2pjong.crypto.switch import prove_switch
from p2pjong.games.game import Seat
from p2pjong.session.course import Place, Step
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    KeyOpen,
    Payload,
    ProvenAmong,
    Shares,
    Shuffled,
    Switched,
)
from tests.support.forgeries import ENTROPY, commit_to
from tests.support.hostile import (
    LATER,
    Forge,
    HostileSession,
    Later,
    flipped,
    honest_payload,
    statement,
)

Elsewhere = Callable[[bytes], bytes]  # the context of a proof -> that of another place


def _elsewhere(change: Callable[[Place], Place]) -> Elsewhere:
    return lambda context: encode(change(decode(context, Place)))


PLACES: Mapping[str, Elsewhere] = {
    "another table": _elsewhere(lambda at: with_fields(at, charter=flipped(at.charter))),
    "another hand": _elsewhere(lambda at: with_fields(at, epoch=at.epoch + 1)),
    "another step": _elsewhere(lambda at: with_fields(at, step=at.step + 1)),
    "another seat": _elsewhere(lambda at: with_fields(at, seat=at.seat + 1)),
}


def key_for(elsewhere: Elsewhere) -> Forge:
    """A key of ours with the proof that it would have there; its commitment fits."""

    def forge(session: HostileSession, step: Step) -> Payload:
        context = session.course.context(session.seat)
        key = make_key(b"mine", ENTROPY)
        proof = prove_key(elsewhere(context), key, ENTROPY)
        return commit_to(session, KeyOpen(key.public, proof.encode(), bytes(32)))

    return forge


def shuffle_for(elsewhere: Elsewhere) -> Forge:
    """A shuffle of these cards with the proof that it would have there."""

    def forge(session: HostileSession, step: Step) -> Payload:
        about = statement(step)
        context, key, before = elsewhere(about["context"]), about["key"], about["before"]
        shuffled = shuffle_slots(context, key, before, ENTROPY)
        proof = prove_shuffle(context, key, before, shuffled, ENTROPY)
        return Shuffled(encode_slots(shuffled.after), proof.encode())

    return forge


def shares_for(elsewhere: Elsewhere) -> Forge:
    """The right shares with the proof that they would have there."""

    def forge(session: HostileSession, step: Step) -> Payload:
        about = statement(step)
        slots, context = about["slots"][session.seat], elsewhere(about["context"][session.seat])
        key = session.dealer._key()
        shares = make_shares(key, slots)
        proof = prove_shares(context, key, slots, shares, ENTROPY)
        return Shares(b"".join(shares), proof.encode())

    return forge


def switch_for(elsewhere: Elsewhere) -> Forge:
    """The right cards, for the right seat, with the proof that they would have there."""

    def forge(session: HostileSession, step: Step) -> Payload:
        about = statement(step)
        context, owner = elsewhere(about["context"]), about["publics"][1]
        after, proof = prove_switch(context, session.dealer._key(), owner, about["before"], ENTROPY)
        return Switched(encode_slots(after), proof.encode())

    return forge


def switched_elsewhere(session: HostileSession, step: Step) -> Payload:
    """The cards under a key that is not the taker's, with a proof that holds for that one."""
    about, other = statement(step), make_key(b"another", ENTROPY).public
    key = session.dealer._key()
    after, proof = prove_switch(about["context"], key, other, about["before"], ENTROPY)
    return Switched(encode_slots(after), proof.encode())


def membership_for(elsewhere: Elsewhere) -> Forge:
    """The proof of a pass that would hold there."""

    def forge(session: HostileSession, step: Step) -> Payload:
        about = statement(step)
        context = elsewhere(about["context"])
        slots, faces = about["slots"], about["faces"]
        proof = prove_membership(context, session.dealer._key(), slots, faces, ENTROPY)
        return ProvenAmong(proof.encode())

    return forge


def card_passed_off(session: HostileSession, step: Step) -> Payload:
    """A share that would make the first card shown another one of the deck."""
    honest = honest_payload(session, step)
    assert isinstance(honest, Shares)
    slot = statement(step)["slots"][session.seat][0]
    true = subtract(slot.b, Point(honest.shares[:32]))
    faces = sorted(set(session.game.deck))
    points = (face_point(session.game.name, face) for face in faces)
    other = next(point for point in points if point != true)
    return with_fields(honest, shares=subtract(slot.b, other) + honest.shares[32:])


# --- What another seat sent in this very step ----------------------------------------------------


def _others_now(session: HostileSession) -> dict[Seat, Payload]:
    answers = session.course._answers
    return {seat: one.body.payload for seat, one in sorted(answers.items()) if seat != session.seat}


def copied(session: HostileSession, step: Step) -> Payload | Later:
    """Another seat's answer to this step, sent as our own."""
    others = _others_now(session)
    if not others:
        return LATER
    session.kept_seat = min(others)
    return others[session.kept_seat]


def copied_next(session: HostileSession, step: Step) -> Payload | Later:
    """What opens it: the answer of the same seat to the step after."""
    return _others_now(session).get(session.kept_seat, LATER)
