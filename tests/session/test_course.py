"""The course: steps that close on complete sets, and the same verdict on every peer."""

from collections.abc import Generator, Iterable, Mapping
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.games.game import Seat
from p2pjong.session.course import Course, HandVoid, Place, Step
from p2pjong.session.faults import Fault, PeerFault
from p2pjong.session.history import Signed
from p2pjong.session.lanes import Lanes
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Echo, Leave, Settled
from tests.support.hostile import flipped
from tests.support.scribe import TABLE, ZERO, Scribe, keys_of, lane_of

GOOD, BAD = Echo(ZERO), Echo(b"\xff" * 32)


def refuse_bad(seat: Seat, payload: Echo) -> None:
    """The check of every step below."""
    if payload == BAD:
        raise PeerFault("bad")


def step(*seats: Seat, reason: str = "") -> Step:
    return Step(Echo, seats, reason, refuse_bad)


class Story:
    """A program of steps for tests: it plays `plan` through, without those who are out. What came
    of each step is kept. With `has_epochs` every second step begins a new epoch."""

    def __init__(self, plan: Iterable[tuple[Seat, ...]], has_epochs: bool) -> None:
        self.plan = list(plan)
        self.has_epochs = has_epochs
        self.course: Course | None = None
        self.came: list[Any] = []
        self.out: set[Seat] = set()

    def program(self) -> Generator[Step, Mapping[Seat, Any], None]:
        for number, seats in enumerate(self.plan):
            if self.has_epochs and number % 2 and self.course:
                self.course.epoch += 1
            left = tuple(seat for seat in seats if seat not in self.out)
            if not left:
                continue
            try:
                answers = yield step(*left)
            except HandVoid as void:
                self.out |= set(void.out)
                self.came.append(void.out)
            else:
                self.came.append(sorted(answers))


class Peer:
    """Lanes and a course without a session: what one peer makes of what it hears."""

    def __init__(self, plan: Iterable[tuple[Seat, ...]], has_epochs: bool = False) -> None:
        self.story = Story(plan, has_epochs)
        self.lanes = Lanes(TABLE, keys_of(3))
        self.course = Course(3, TABLE, self.story.program(), lambda: ZERO)
        self.story.course = self.course
        self.course.begin()

    def hear(self, *messages: Signed) -> "Peer":
        for signed in messages:
            if signed.body.seat in self.lanes.closed:
                continue
            assert self.lanes.add(lane_of(signed)) is None
            while (ready := self.lanes.next_ready()) is not None:
                self.course.judge(ready)
                if self.course.is_closed(ready.body.seat):
                    self.lanes.close(ready.body.seat)
                while self.course.close_step():
                    pass
        return self

    @property
    def rules(self) -> list[tuple[Seat, str]]:
        return [(fault.seat, fault.rule) for fault in self.course.faults]

    def state(self) -> tuple[Any, ...]:
        """All that peers must agree on."""
        course = self.course
        faults = sorted(course.faults, key=lambda fault: fault.rank)
        return (faults, course.step, course.chain, course.required, self.story.came)


ALL = (0, 1, 2)


def answers(peer: Peer, *seats: Seat, **fields: Any) -> list[Signed]:
    """What honest seats would say now, having seen what this peer has accepted."""
    said = []
    for seat in seats:
        scribe = Scribe(seat)
        scribe.heads = list(peer.lanes.heads())
        said.append(scribe.draft(step=peer.course.step, **fields))
    return said


# --- Steps ------------------------------------------------------------------------------------


def test_a_step_closes_when_every_awaited_seat_has_answered() -> None:
    peer = Peer([ALL, (1,)])
    first, second, third = answers(peer, 0, 1, 2)
    peer.hear(first, third)
    assert (peer.course.step, peer.course.missing()) == (0, (1,))
    assert peer.course.is_awaited(1)
    assert not peer.course.is_awaited(0)
    peer.hear(second)
    assert (peer.course.step, peer.course.missing()) == (1, (1,))
    assert peer.story.came == [[0, 1, 2]]


def test_the_program_ends_and_then_nothing_is_awaited() -> None:
    peer = Peer([(0,)])
    peer.hear(*answers(peer, 0))
    assert peer.course.current is None
    assert peer.course.missing() == ()
    assert not peer.course.close_step()
    peer.hear(*answers(peer, 1))
    assert peer.rules == [(1, "out-of-turn")]


def test_the_chain_names_all_answers_in_the_order_of_seats_not_of_arrival() -> None:
    chains = set()
    said = answers(Peer([ALL]), 0, 1, 2)
    for order in permutations(said):
        chains.add(Peer([ALL]).hear(*order).course.chain)
    assert len(chains) == 1
    other = answers(Peer([ALL]), 0, payload=Echo(flipped(ZERO)))
    assert Peer([ALL]).hear(*other, *said[1:]).course.chain not in chains


def test_a_context_names_place_epoch_step_chain_and_seat() -> None:
    peer = Peer([ALL, ALL])
    before = peer.course.context(1)
    assert decode(before, Place) == Place(TABLE, 0, 0, ZERO, 1)
    peer.hear(*answers(peer, 0, 1, 2))
    peer.course.epoch = 4
    assert decode(peer.course.context(2), Place) == Place(TABLE, 4, 1, peer.course.chain, 2)
    assert len({before, peer.course.context(0), peer.course.context(1)}) == 3


# --- What no honest seat says -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"place": ZERO}, "wrong-place"),
        ({"epoch": 1}, "wrong-place"),
        ({"digest": flipped(ZERO)}, "digest"),
        ({"payload": Settled(ZERO)}, "wrong-kind"),
        ({"payload": BAD}, "bad"),
    ],
)
def test_each_lie_in_an_answer_has_its_rule(fields: dict[str, Any], rule: str) -> None:
    peer = Peer([ALL])
    peer.hear(*answers(peer, 1, **fields))
    assert peer.rules == [(1, rule)]
    assert peer.course.is_closed(1)
    assert not peer.course.is_awaited(1)


def test_an_answer_to_another_step_is_out_of_turn() -> None:
    for number in (1, 7):
        scribe = Scribe(1)
        assert Peer([ALL]).hear(scribe.draft(step=number)).rules == [(1, "out-of-turn")]


def test_an_answer_to_a_step_of_others_is_out_of_turn() -> None:
    peer = Peer([(0,)])
    assert peer.hear(*answers(peer, 1)).rules == [(1, "out-of-turn")]


def test_a_second_answer_is_out_of_turn() -> None:
    peer = Peer([ALL])
    peer.hear(*answers(peer, 1))
    assert peer.hear(*answers(peer, 1)).rules == [(1, "out-of-turn")]


def test_an_answer_that_has_not_seen_what_closed_the_steps_before_is_out_of_turn() -> None:
    peer = Peer([ALL, ALL])
    first = answers(peer, 0, 1, 2)
    peer.hear(*first)
    blind = Scribe(1).see(first[1]).draft(step=1)
    assert peer.hear(blind).rules == [(1, "out-of-turn")]


def test_one_own_answer_is_not_checked_but_its_place_is() -> None:
    """What we made ourselves was checked when it was made, and proofs cost time."""
    peer = Peer([ALL])
    (signed,) = answers(peer, 1, payload=BAD)
    assert peer.course.judge(signed, is_own=True) is None


def test_a_fault_names_the_message_and_holds_it_as_evidence() -> None:
    peer = Peer([ALL])
    (signed,) = answers(peer, 2, payload=BAD)
    peer.hear(signed)
    assert peer.course.faults == [Fault(0, 2, 0, "bad", (signed.frame,))]


# --- Going ------------------------------------------------------------------------------------


def test_a_step_waits_for_the_others_when_a_seat_has_left_and_is_then_void() -> None:
    peer = Peer([ALL, ALL])
    peer.hear(*answers(peer, 1, payload=Leave()))
    assert peer.course.missing() == (0, 2)
    peer.hear(*answers(peer, 0, 2))
    assert peer.story.came == [(1,)]
    assert peer.course.missing() == (0, 2)


def test_a_leave_has_no_other_duties() -> None:
    """Who leaves may be anywhere: only its chain and its signature must hold."""
    peer = Peer([(0,)])
    peer.hear(*answers(peer, 1, payload=Leave(), place=ZERO, epoch=9, digest=flipped(ZERO)))
    assert peer.rules == []
    assert peer.course.is_closed(1)


def test_who_answered_before_it_left_has_answered() -> None:
    plan = [ALL, ALL]
    early, late = Peer(plan), Peer(plan)
    first = answers(early, 0, 1, 2)
    going = Scribe(1).see(first[1]).draft(payload=Leave())
    early.hear(first[1], going, first[0], first[2])
    late.hear(*first, going)
    assert early.story.came == late.story.came == [[0, 1, 2]]
    assert early.state() == late.state()
    assert early.course.missing() == (0, 2)


def test_when_all_awaited_are_gone_the_step_closes_at_once() -> None:
    peer = Peer([(1,), (0,)])
    peer.hear(*answers(peer, 1, payload=Leave()))
    assert peer.story.came == [(1,)]
    assert peer.course.missing() == (0,)


def test_two_who_go_at_once_are_out_together() -> None:
    peer = Peer([ALL, ALL])
    leaving = answers(peer, 0, 2, payload=Leave())
    peer.hear(*leaving, *answers(peer, 1))
    assert peer.story.came == [(0, 2)]


def test_a_fault_found_in_the_outcome_names_the_last_answer_of_its_seat() -> None:
    peer = Peer([(1,), ALL])
    (signed,) = answers(peer, 1)
    peer.hear(signed)
    fault = peer.course.blame(1, "foul")
    assert fault == Fault(0, 1, 0, "foul", (signed.frame,))
    assert peer.course.faults == [fault]
    assert peer.course.missing() == (0, 2)


def test_two_stories_outweigh_what_was_wrong_with_one_of_them() -> None:
    """A peer that heard the good story first must come to the same verdict."""
    peer = Peer([ALL])
    peer.hear(*answers(peer, 1, payload=BAD), *answers(peer, 2, payload=BAD))
    equivocation = Fault(0, 1, 0, "equivocation")
    peer.course.convict(equivocation)
    assert peer.rules == [(2, "bad"), (1, "equivocation")]


def test_an_earlier_fault_stands_beside_later_two_stories() -> None:
    peer = Peer([ALL])
    peer.hear(*answers(peer, 1, payload=BAD))
    peer.course.convict(Fault(0, 1, 3, "equivocation"))
    assert peer.rules == [(1, "bad"), (1, "equivocation")]


def test_the_verdict_is_the_least_fault_by_epoch_seat_and_number() -> None:
    faults = [Fault(1, 0, 0, "a"), Fault(0, 2, 1, "b"), Fault(0, 1, 9, "c"), Fault(0, 1, 3, "d")]
    assert [fault.rule for fault in sorted(faults, key=lambda fault: fault.rank)] == [*"dcba"]


# --- The same on every peer -------------------------------------------------------------------

MISDEEDS: list[dict[str, Any]] = [
    {"payload": BAD},
    {"payload": Leave()},
    {"payload": Settled(ZERO)},
    {"digest": flipped(ZERO)},
    {"place": ZERO},
    {"epoch": 9},
    {"step": 0},
    {"step": 2},
    {"step": 9},
]


def scripted(rng: Random, plan: list[tuple[Seat, ...]]) -> tuple[list[Signed], set[Seat]]:
    """All that is said at a table where up to two seats err or leave at some moment of theirs,
    awaited or not, and which of them did more than leave. What others hear, they hear in a random
    order."""
    peers = {seat: Peer(plan, has_epochs=True) for seat in range(3)}
    wires: list[tuple[Seat, Signed]] = []
    moments = {seat: rng.randrange(6) for seat in rng.sample(range(3), rng.randint(0, 2))}
    said: list[Signed] = []
    erring: set[Seat] = set()

    def say(seat: Seat, **fields: Any) -> None:
        scribe = Scribe(seat)
        scribe.heads = list(peers[seat].lanes.heads())
        course = peers[seat].course
        signed = scribe.draft(**{"step": course.step, "epoch": course.epoch} | fields)
        said.append(signed)
        peers[seat].hear(signed)
        wires.extend((other, signed) for other in range(3) if other != seat)

    def act(seat: Seat) -> None:
        peer = peers[seat]
        if seat in peer.lanes.closed:
            return
        errs = seat in moments and moments[seat] == len(peer.lanes.accepted[seat])
        if errs and (peer.course.is_awaited(seat) or rng.random() < 0.5):
            misdeed = rng.choice(MISDEEDS)
            say(seat, **misdeed)
            if misdeed != {"payload": Leave()}:
                erring.add(seat)
        elif peer.course.is_awaited(seat):
            say(seat)

    while True:
        lengths = len(said)
        for seat in rng.sample(range(3), 3):
            act(seat)
        if wires:
            to, signed = wires.pop(rng.randrange(len(wires)))
            peers[to].hear(signed)
        elif lengths == len(said):
            return said, erring


def any_plan(rng: Random) -> list[tuple[Seat, ...]]:
    return [tuple(rng.sample(ALL, rng.randint(1, 3))) for _ in range(rng.randint(2, 8))]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32))
def test_all_peers_come_to_the_same_whatever_the_order_of_arrival(seed: int) -> None:
    rng = Random(seed)
    plan = any_plan(rng)
    said, erring = scripted(rng, plan)
    states = []
    for _ in range(3):
        rng.shuffle(said)
        peer = Peer(plan, has_epochs=True).hear(*said)
        assert {seat for seat, _ in peer.rules} <= erring, "no honest seat is ever at fault"
        states.append(peer.state())
    assert states[0] == states[1] == states[2]
