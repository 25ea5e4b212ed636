"""Hostile clients for tests: the real session with ONE named misdeed, which it commits once.

A `Misdeed` says at which step of its own the client errs (`kind`, `nth`) and how: by another
payload (`forge`), by another signed body (`twist`), or by what it sends to whom (`tell`). Around
that the client is honest, and judges its own misdeed as everybody else does. What honest peers
must make of it stands beside: `rule`, the fault that all of them name; "" where it is harmless or
mere silence, which `is_silent` tells apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import getclosurevars
from typing import Any, TypeAlias

from msgspec.structs import replace as with_fields

from p2pjong.games.game import Game, Seat
from p2pjong.session.course import Step
from p2pjong.session.effects import Effect, Send, Store
from p2pjong.session.lanes import SIGNATURE_LABEL, Signed, message_hash, sign_body
from p2pjong.session.session import Secrets, Session
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Draft, Head, Lane, LaneBody, Payload

Forge: TypeAlias = Callable[["HostileSession", Step], Payload | None]
Twist: TypeAlias = Callable[["HostileSession", LaneBody], LaneBody]
Tell: TypeAlias = Callable[["HostileSession", Signed], list[Effect]]


@dataclass(frozen=True)
class Misdeed:
    """One misdeed, and what honest peers must make of it."""

    name: str
    kind: str  # the payload class at which it happens
    rule: str = ""
    forge: Forge | None = None
    twist: Twist | None = None
    tell: Tell | None = None
    nth: int = 0  # which of its answers of that kind
    is_silent: bool = False  # the table waits for the seat, and nobody is blamed


class HostileSession(Session):
    """A session that commits its misdeed once, and is honest otherwise."""

    def __init__(self, misdeed: Misdeed, draft: Draft, game: Game, secrets: Secrets) -> None:
        super().__init__(draft, game, secrets)
        self.misdeed = misdeed
        self.secrets = secrets
        self.has_erred = False
        self._met = 0

    @property
    def seat(self) -> Seat:
        """Its seat."""
        return self.secrets.seat

    def _do_duty(self, step: Step) -> bool:
        is_mine = self.course.is_awaited(self.seat) and not self._has_left
        if not is_mine or self.has_erred or step.kind.__name__ != self.misdeed.kind:
            return super()._do_duty(step)
        if self._asked is None:
            self._met += 1
        if self._met <= self.misdeed.nth:
            return super()._do_duty(step)
        return self._err(step)

    def _err(self, step: Step) -> bool:
        self.has_erred = True
        forge = self.misdeed.forge or honest_payload
        payload = forge(self, step)
        if payload is None:
            self._has_left = True  # silent from now on
            return False
        body = self.body(payload)
        if self.misdeed.twist:
            body = self.misdeed.twist(self, body)
        signed = sign_body(body, self.secrets.sign)
        if self.misdeed.tell:
            self._effects += self.misdeed.tell(self, signed)
        else:
            self._effects += [Store(self.seat, signed.number, signed.frame), Send(signed.frame)]
        if signed.number == len(self.lanes.accepted[self.seat]):
            self.lanes.accept_own(signed)
            self._judge(signed, is_own=False)
        else:
            self._has_left = True  # it has lost the thread of its own lane
        return True

    def body(self, payload: Payload) -> LaneBody:
        """The body that an honest client would sign now around this payload."""
        return LaneBody(
            table=self.gossip.draft,
            place=self.course.place,
            seat=self.seat,
            incarnation=0,
            heads=self.lanes.heads(),
            epoch=self.course.epoch,
            step=self.course.step,
            digest=self.course.opening_digest(),
            payload=payload,
        )


def hostile(misdeed: Misdeed) -> Callable[[Draft, Game, Secrets], Session]:
    """What makes such a session, for `SimTable(makers=...)`."""
    return partial(HostileSession, misdeed)


# --- Parts of misdeeds ------------------------------------------------------------------------


def honest_payload(session: HostileSession, step: Step) -> Payload:
    """What an honest client answers; by its default, where a person would choose."""
    if step.make is not None:
        payload: Payload = step.make()
        return payload
    assert step.answer is not None
    known = session.dealer.known(session.seat)
    return step.answer(session.game.default(session.play.state, session.seat, known))


def statement(step: Step) -> dict[str, Any]:
    """What the step's check closes over: slots, keys, contexts, commitments."""
    return dict(getclosurevars(step.check).nonlocals)


def altered(**fields: Callable[[Any], Any]) -> Forge:
    """The honest payload with some fields changed by functions of their honest values."""

    def forge(session: HostileSession, step: Step) -> Payload:
        payload = honest_payload(session, step)
        changed = {name: change(getattr(payload, name)) for name, change in fields.items()}
        forged: Payload = with_fields(payload, **changed)
        return forged

    return forge


def flipped(content: bytes) -> bytes:
    """The bytes with their last bit but a few flipped: still a scalar, a hash, a tag of its size."""
    return bytes([content[0] ^ 1]) + content[1:]


def silent(session: HostileSession, step: Step) -> None:
    """Nothing at all."""


def with_head(seat_of: Callable[[HostileSession], Seat], head: Callable[[Head], Head]) -> Twist:
    """The body with one head changed."""

    def twist(session: HostileSession, body: LaneBody) -> LaneBody:
        seat = seat_of(session)
        heads = tuple(
            head(one) if number == seat else one for number, one in enumerate(body.heads)
        )
        return with_fields(body, heads=heads)

    return twist


def next_seat(session: HostileSession) -> Seat:
    """The seat after the hostile one."""
    return (session.seat + 1) % len(session.draft.seats)


def other_seats(session: HostileSession) -> list[Seat]:
    """All seats but the hostile one."""
    return [seat for seat in range(len(session.draft.seats)) if seat != session.seat]


def send_two(
    second: Callable[[HostileSession, LaneBody], LaneBody], is_second: Callable[[int, int], bool]
) -> Tell:
    """Two stories with one number: `is_second(seat, number of others)` get the second one."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        other = sign_body(second(session, signed.body), session.secrets.sign)
        others = other_seats(session)
        effects: list[Effect] = [Store(session.seat, signed.number, signed.frame)]
        for place, seat in enumerate(others):
            story = other if is_second(place, len(others)) else signed
            effects.append(Send(story.frame, seat))
        return effects

    return tell


def with_other_digest(session: HostileSession, body: LaneBody) -> LaneBody:
    """Another story: any change makes one."""
    return with_fields(body, digest=flipped(body.digest))


def with_payload(change: Callable[[Any], Any]) -> Callable[[HostileSession, LaneBody], LaneBody]:
    """Another story by another payload."""
    return lambda session, body: with_fields(body, payload=change(body.payload))


def resigned(session: HostileSession, signed: Signed, signature: bytes) -> bytes:
    """The frame with another signature."""
    lane: Lane = decode(signed.frame, Lane)
    return encode(with_fields(lane, signature=signature))


__all__ = [
    "SIGNATURE_LABEL",
    "HostileSession",
    "Misdeed",
    "Sequence",
    "altered",
    "flipped",
    "hostile",
    "honest_payload",
    "message_hash",
    "next_seat",
    "other_seats",
    "replace",
    "resigned",
    "send_two",
    "silent",
    "statement",
    "with_head",
    "with_other_digest",
    "with_payload",
]
