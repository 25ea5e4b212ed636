"""Records written by hand from the result of a hand on: what seats might sign there, and between.

A listener hears each message as soon as it is written, so what comes next can fit where it stands.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from random import Random
from typing import Any

from msgspec.structs import replace as with_fields

from p2pjong.games.game import Seat
from p2pjong.session.course import Step
from p2pjong.session.history import Signed
from p2pjong.session.lanes import sign_body, stamp_bytes
from p2pjong.session.onlooker import Onlooker
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    Convict,
    Draft,
    Echo,
    Head,
    KeyPublished,
    Lane,
    LaneBody,
    Leave,
    Payload,
    Settled,
    Stamp,
)
from tests.support.ballots import word_of
from tests.support.sim import ALL_GAMES, SimTable, choose_default, make_secrets, signing_key
from tests.support.verified import hear, recorded

SEED = 2
NOTHING = Echo(bytes(32))


class Slow(Session):
    """Signs no result."""

    def _do_duty(self, step: Step) -> bool:
        return step.kind is not Settled and super()._do_duty(step)


class Crafted:
    """A record that grows, and a listener that has heard all of it."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.seats = draft, len(draft.seats)
        makers: dict[Seat, Any] = dict.fromkeys(range(self.seats), Slow)
        table = SimTable(self.seats, SEED, draft=draft, makers=makers, choose=choose_default)
        self.frames = list(table.start().run().peers[0].journal)
        self.lanes = [list(lane) for lane in table.peers[0].session.lanes.accepted]
        assert all(lane for lane in self.lanes)

    def begin(self) -> "Crafted":
        """A copy, to go on from here."""
        new = copy(self)
        new.frames, new.lanes = list(self.frames), [list(lane) for lane in self.lanes]
        new.told = set[tuple[Seat, Seat]]()
        new.listener = Onlooker(self.draft, ALL_GAMES[self.draft.game])
        new.listener.begin()
        for message in recorded(new.frames):
            assert hear(new.listener, message)
        return new

    told: set[tuple[Seat, Seat]]  # the words: (speaker, against whom)
    listener: Onlooker

    def _secrets(self, seat: Seat) -> Any:
        return make_secrets(self.draft, seat, SEED)

    def where(self) -> dict[str, Any]:
        """What a message must name to answer the open step."""
        course = self.listener.course
        return {
            "place": course.place,
            "epoch": course.epoch,
            "step": course.step,
            "digest": course.opening_digest(),
        }

    def stories(self, seat: Seat) -> tuple[Stamp, Stamp]:
        """Two stamps of one number."""
        last = self.lanes[seat][len(self.lanes[seat]) // 2].stamp
        table, key = self.listener.gossip.draft, signing_key(seat, self.draft.table[0])
        bare = [with_fields(last, hash=bytes([mark]) * 32) for mark in (1, 2)]
        one, other = [
            with_fields(stamp, signature=key.sign(stamp_bytes(table, stamp))) for stamp in bare
        ]
        return one, other

    def say(
        self, seat: Seat, payload: Payload, heard: Mapping[Seat, int] | None = None, **fields: Any
    ) -> bool:
        """Let a seat say this, where it stands, if it is accepted. `heard`: less than all of it."""
        before = self.lanes[seat][-1].body.heads
        lengths = [
            max(before[one].length, (heard or {}).get(one, len(lane)))
            for one, lane in enumerate(self.lanes)
        ]
        lengths[seat] = len(self.lanes[seat])
        body = LaneBody(
            table=self.listener.gossip.draft,
            seat=seat,
            incarnation=0,
            heads=tuple(map(self._head, range(self.seats), lengths)),
            payload=payload,
            **{**self.where(), **fields},
        )
        signed = sign_body(body, self._secrets(seat).sign)
        if not self._is_heard(signed):
            return False
        self.lanes[seat].append(signed)
        self.frames.append(signed.frame)
        return True

    def _head(self, seat: Seat, length: int) -> Head:
        return Head(length, self.lanes[seat][length - 1].hash) if length else Head(0, bytes(32))

    def _is_heard(self, signed: Signed) -> bool:
        lanes, seat = self.listener.lanes, signed.body.seat
        is_fit = hear(self.listener, decode(signed.frame, Lane))
        lanes.early.pop((seat, signed.number), None)
        return is_fit and len(lanes.accepted[seat]) > signed.number

    def convict(self, speaker: Seat, out: Seat, **fields: Any) -> None:
        """A word with evidence, if it is the first of its speaker against that seat."""
        if speaker != out and (speaker, out) not in self.told:
            if self.say(speaker, Convict(*self.stories(out)), **fields):
                self.told.add((speaker, out))

    def put_out(self, speaker: Seat, out: Seat, voters: Iterable[Seat], **fields: Any) -> None:
        """A word with votes, if it is the first of its speaker against that seat."""
        if speaker != out and (speaker, out) not in self.told:
            place = self.where()["place"]
            if self.say(speaker, word_of(self.draft, voters, out, place, **fields)):
                self.told.add((speaker, out))


def scribble(record: Crafted, seed: int) -> None:
    """Go on with what seats might say around a result, right and wrong, and the words around it."""
    rng = Random(seed)
    wanted = rng.sample(range(record.seats), rng.choice([1, 1, 2, 2, 3]))[: record.seats - 1]
    first, listener = record.where(), record.listener
    for _ in range(rng.randint(5, 30)):
        alive = set(range(record.seats)) - listener.lanes.closed - listener._put_out_ever()
        if listener.is_over or not alive:
            return
        seat = rng.choice(sorted(alive))
        heard = _some_of(record, seat, rng)
        if listener.turning.is_open:
            _while_turned(record, seat, heard, wanted, first, rng)
        else:
            waited = sorted(alive.intersection(listener._missing()) - {wanted[0]})
            is_answer = bool(waited) and rng.random() < 0.9
            _in_a_step(record, rng.choice(waited) if is_answer else seat, heard, wanted, rng)


def _some_of(record: Crafted, seat: Seat, rng: Random) -> dict[Seat, int]:
    if rng.random() < 0.7:
        return {}
    return {
        other: rng.randint(0, len(lane))
        for other, lane in enumerate(record.lanes)
        if other != seat and rng.random() < 0.6
    }


def _while_turned(
    record: Crafted,
    seat: Seat,
    heard: dict[Seat, int],
    wanted: list[Seat],
    first: dict[str, Any],
    rng: Random,
) -> None:
    chance, out = rng.random(), sorted(record.listener.turning.out - {seat})
    if out and chance < 0.65:
        record.convict(seat, rng.choice(out), heard=heard)
    elif chance < 0.75:
        late: list[Payload] = [Settled(first["digest"]), Settled(bytes(32)), NOTHING]
        at = {**first, "step": first["step"] + rng.choice([0, 1])}
        record.say(seat, rng.choice(late), heard, **at)
    elif chance < 0.80:
        record.say(seat, Leave(), heard)
    elif chance < 0.85:
        _vote(record, seat, rng)
    else:
        record.convict(seat, rng.choice(wanted), heard=heard)


def _in_a_step(
    record: Crafted, seat: Seat, heard: dict[Seat, int], wanted: list[Seat], rng: Random
) -> None:
    step, at, chance = record.listener.course.current, record.where(), rng.random()
    kind = step.kind if step else None
    right: Payload = NOTHING
    if kind is Settled:
        right = Settled(at["digest"])
    if chance < 0.62 and kind is Settled:
        record.say(seat, right, heard)
    elif chance < 0.66:
        record.say(seat, right, heard, place=bytes([7]) * 32)
    elif chance < 0.69:
        record.say(seat, right, heard, digest=bytes(32))
    elif chance < 0.72:
        record.say(seat, Settled(bytes(32)), heard)
    elif chance < 0.75:
        record.say(seat, KeyPublished(bytes([1]) + bytes(31)), heard)
    elif chance < 0.78:
        record.say(seat, Leave(), heard)
    elif chance < 0.82:
        _vote(record, seat, rng)
    elif chance < 0.97 or kind is not Settled:
        record.convict(seat, rng.choice(wanted), heard=heard)
    else:
        _vote(record, seat, rng)


def _vote(record: Crafted, seat: Seat, rng: Random) -> None:
    """A word with votes of some, perhaps of enough."""
    others = [other for other in range(record.seats) if other != seat]
    absent = rng.choice(others)
    voters = [one for one in range(record.seats) if one != absent]
    at = record.where()
    voters = rng.sample(voters, rng.randint(1, len(voters)))
    record.put_out(seat, absent, voters, step=at["step"])
