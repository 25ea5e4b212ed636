"""Hostile clients for tests: the real session with ONE named misdeed, which it commits once.

A `Misdeed` says when the client errs (`kind`, `reason`, `nth`, or `when` for odd moments) and how:
by another payload (`forge`, and `follow` for what must fit it later), by another signed body
(`twist`), or by what it sends to whom (`tell`). Around that the client is honest, and judges its
own misdeed as everybody else does. The list of misdeeds is in `misdeeds.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import getclosurevars
from typing import Any, TypeAlias

from msgspec.structs import replace as with_fields

from p2pjong.games.game import NOBODY, Action, Game, Seat
from p2pjong.session.conduct import Secrets
from p2pjong.session.course import Step
from p2pjong.session.effects import Effect, Send, Store
from p2pjong.session.history import Signed
from p2pjong.session.lanes import sign_body
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Draft, Head, Lane, LaneBody, Payload

Forge: TypeAlias = Callable[["HostileSession", Step], "Payload | Later | None"]
Twist: TypeAlias = Callable[["HostileSession", LaneBody], LaneBody]
Tell: TypeAlias = Callable[["HostileSession", Signed], list[Effect]]
When: TypeAlias = Callable[["HostileSession", Step], bool]


class Later:
    """What a forgery answers as long as it lacks what it needs."""


LATER = Later()


@dataclass(frozen=True)
class Misdeed:
    """One misdeed, and what honest peers must make of it.

    `rule` is the fault that all honest peers name; "" where they name none. Then the misdeed is
    harmless, or, with `is_silent`, the table waits for the seat for ever and nobody is blamed.
    """

    name: str
    kind: str  # the payload class at which it happens
    rule: str = ""
    forge: Forge | None = None
    is_silent: bool = False
    follow: Mapping[str, Forge] = field(default_factory=dict)
    twist: Twist | None = None
    tell: Tell | None = None
    reason: str = ""  # of the step, where steps of one kind differ
    nth: int = 0  # which of the seat's answers of that kind
    when: When | None = None  # in place of kind, reason and nth
    seats_min: int = 2  # with fewer it cannot be done


class HostileSession(Session):
    """A session that commits its misdeed once, and is honest otherwise."""

    def __init__(self, misdeed: Misdeed, draft: Draft, game: Game, secrets: Secrets) -> None:
        super().__init__(draft, game, secrets)
        self.misdeed = misdeed
        self.secrets = secrets
        self.has_erred = False
        self.erred_after = 0  # how many results had closed when it erred
        self.also: Signed | None = None  # what it says in the same breath, see `and_then`
        self.kept: Payload | None = None  # what a forgery keeps for its second part
        self.kept_seat = NOBODY  # whom it copies
        self._met: list[int] = []  # the steps that it might have erred at

    @property
    def seat(self) -> Seat:
        """Its seat."""
        return self.secrets.seat

    def mute(self) -> None:
        """Say nothing any more."""
        self._has_left = True

    def _do_duty(self, step: Step) -> bool:
        if self._has_left:
            return False
        if self.has_erred and step.kind.__name__ in self.misdeed.follow:
            return self._err(step, self.misdeed.follow[step.kind.__name__])
        if self.has_erred or not self._is_moment(step):
            return super()._do_duty(step)
        return self._err(step, self.misdeed.forge or honest_payload)

    def _is_moment(self, step: Step) -> bool:
        misdeed = self.misdeed
        if misdeed.when:
            return misdeed.when(self, step)
        is_kind = step.kind.__name__ == misdeed.kind and misdeed.reason in step.reason
        if not is_kind or not self.course.is_awaited(self.seat):
            return False
        if self.course.step not in self._met:
            self._met.append(self.course.step)
        return len(self._met) > misdeed.nth

    def _err(self, step: Step, forge: Forge) -> bool:
        if not self.has_erred:
            self.erred_after = self.play.results_closed()
        is_awaited = self.course.is_awaited(self.seat)
        payload = forge(self, step)
        if isinstance(payload, Later):
            return False
        if payload is None:
            self.has_erred = True
            self.mute()
            return False
        body = self.body(payload)
        if self.misdeed.twist and not self.has_erred:
            body = self.misdeed.twist(self, body)
        signed = sign_body(body, self.secrets.sign)
        if self.misdeed.tell and not self.has_erred:
            self._effects += self.misdeed.tell(self, signed)
        else:
            self._effects += [Store(self.seat, signed.number, signed.frame), Send(signed.frame)]
        self.has_erred = True
        if body.seat == self.seat and signed.number == len(self.lanes.accepted[self.seat]):
            self._go_on_after(signed)
        else:
            self.mute()  # it has lost the thread of its own lane
        return is_awaited

    def _go_on_after(self, signed: Signed) -> None:
        self.lanes.accept_own(signed)
        self._judge(signed, is_own=False)
        if self.also is not None:
            more, self.also = self.also, None
            self.lanes.accept_own(more)
            self._judge(more, is_own=False)

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


def acting(verb: str, slots_of: Callable[[HostileSession], tuple[int, ...]]) -> Forge:
    """An action that its own client would refuse."""

    def forge(session: HostileSession, step: Step) -> Payload:
        assert step.answer is not None
        return step.answer(Action(session.seat, verb, slots_of(session)))

    return forge


def flipped(content: bytes) -> bytes:
    """The bytes with one bit of the first one flipped."""
    return bytes([content[0] ^ 1]) + content[1:]


def silent(session: HostileSession, step: Step) -> None:
    """Nothing at all."""


def next_seat(session: HostileSession) -> Seat:
    """The seat after the hostile one."""
    return (session.seat + 1) % len(session.draft.seats)


def other_seats(session: HostileSession) -> list[Seat]:
    """All seats but the hostile one."""
    return [seat for seat in range(len(session.draft.seats)) if seat != session.seat]


def last_payload(session: Session, seat: Seat, kind: type[Payload]) -> Any:
    """The last payload of that kind in a lane, or None."""
    payloads = [signed.body.payload for signed in session.lanes.accepted[seat]]
    return next((payload for payload in reversed(payloads) if isinstance(payload, kind)), None)


def with_head(seat_of: Callable[[HostileSession], Seat], change: Callable[[Head], Head]) -> Twist:
    """The body with one head changed."""

    def twist(session: HostileSession, body: LaneBody) -> LaneBody:
        heads = list(body.heads)
        heads[seat_of(session)] = change(heads[seat_of(session)])
        return with_fields(body, heads=tuple(heads))

    return twist


def twisted(**fields: Callable[[Any], Any]) -> Twist:
    """The body with some fields changed by functions of their honest values."""

    def twist(session: HostileSession, body: LaneBody) -> LaneBody:
        changed = {name: change(getattr(body, name)) for name, change in fields.items()}
        return with_fields(body, **changed)

    return twist


def two_stories(second: Twist = twisted(digest=flipped)) -> Tell:  # noqa: B008 (a function)
    """Two messages with one number: the first of the others gets the second story, the rest the
    other; with a single other seat it gets both."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        other = sign_body(second(session, signed.body), session.secrets.sign)
        first_seat, *rest = other_seats(session)
        effects: list[Effect] = [Store(session.seat, signed.number, signed.frame)]
        effects.append(Send(other.frame, first_seat))
        effects += [Send(signed.frame, seat) for seat in rest or [first_seat]]
        return effects

    return tell


def one_more(change: Twist) -> Tell:
    """The honest message, and right after it another one of the same lane; then nothing more."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        heads = list(signed.body.heads)
        heads[session.seat] = Head(signed.number + 1, signed.hash)
        body = change(session, with_fields(signed.body, heads=tuple(heads)))
        session.mute()
        more = sign_body(body, session.secrets.sign)
        return [Send(signed.frame), Send(more.frame)]

    return tell


def and_then(change: Twist) -> Tell:
    """The honest message, and right after it another one of the same lane; then it goes on."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        heads = list(signed.body.heads)
        heads[session.seat] = Head(signed.number + 1, signed.hash)
        body = change(session, with_fields(signed.body, heads=tuple(heads)))
        more = session.also = sign_body(body, session.secrets.sign)
        both = (signed, more)
        stored: list[Effect] = [Store(session.seat, one.number, one.frame) for one in both]
        return [*stored, *(Send(one.frame) for one in both)]

    return tell


def with_frames(frames: Callable[[HostileSession, Signed], list[bytes]]) -> Tell:
    """These frames in place of the honest message; then nothing more."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        session.mute()
        return [Send(frame) for frame in frames(session, signed)]

    return tell


def with_more_frames(frames: Callable[[HostileSession, Signed], list[bytes]]) -> Tell:
    """The honest message, and these frames after it; then it goes on."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        honest: list[Effect] = [Store(session.seat, signed.number, signed.frame)]
        more = frames(session, signed)
        return [*honest, Send(signed.frame), *(Send(frame) for frame in more)]

    return tell


def with_signature(change: Callable[[bytes], bytes]) -> Tell:
    """The honest message under another signature."""

    def tell(session: HostileSession, signed: Signed) -> list[Effect]:
        lane: Lane = decode(signed.frame, Lane)
        session.mute()
        return [Send(encode(with_fields(lane, signature=change(lane.signature))))]

    return tell
