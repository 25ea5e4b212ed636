"""Steps by themselves: what closes one, who has signed, what a new beginning leaves of it."""

from typing import Any

import pytest

from p2pjong.audit.faults import Fault
from p2pjong.audit.lanes import Lanes, Message
from p2pjong.audit.steps import Step, Steps, Void
from p2pjong.wire.messages import (
    Echo,
    Head,
    KeyPublished,
    LaneBody,
    Leave,
    Payload,
    PutOut,
    Settled,
    Tallied,
    VoteAbsent,
)
from tests.support.scribe import ZERO, keys_of

PLACE, ELSEWHERE, RESULT = b"\1" * 32, b"\2" * 32, b"\3" * 32


class Table:
    """Steps without a program, and messages that nobody signed."""

    def __init__(self, seats: int = 3) -> None:
        self.seats = seats
        self.steps = Steps(Lanes(ZERO, keys_of(seats)), seats, PLACE)
        self.lengths = [0] * seats

    def open(self, kind: type[Any] = Echo) -> None:
        seats = tuple(range(self.seats))
        self.steps.open(Step(kind, seats, "", lambda seat, said: said), RESULT)

    def say(self, seat: int, payload: Payload, **fields: Any) -> Message:
        heads = tuple(Head(length, bytes([length]) * 32) for length in self.lengths)
        named = {"place": self.steps.place, "step": self.steps.number, "epoch": self.steps.epoch}
        body = LaneBody(
            table=ZERO,
            seat=seat,
            incarnation=0,
            heads=heads,
            digest=RESULT,
            payload=payload,
            **{**named, **fields},
        )
        message = Message(body, bytes([seat]) * 32, self.lengths[seat], 1)
        self.lengths[seat] += 1
        self.steps.note(message)
        self.steps.keep(message)
        return message

    def answer(self, seat: int, payload: Payload, **fields: Any) -> Message:
        message = self.say(seat, payload, **fields)
        self.steps.judge(message)
        return message


def test_a_step_closes_with_what_its_check_makes_of_each_answer() -> None:
    table = Table()
    table.open()
    for seat in (2, 0, 1):
        assert seat in table.steps.missing()
        table.answer(seat, Echo(ZERO))
    assert table.steps.missing() == ()
    assert table.steps.close() == dict.fromkeys(range(3), Echo(ZERO))
    assert (table.steps.number, table.steps.required) == (1, [1, 1, 1])


def test_who_leaves_before_it_answers_makes_a_step_void_and_who_leaves_after_does_not() -> None:
    table = Table()
    table.open()
    table.steps.go(table.say(0, Leave()))
    table.answer(1, Echo(ZERO))
    table.steps.go(table.say(1, Leave()))
    table.answer(2, Echo(ZERO))
    with pytest.raises(Void) as void:
        table.steps.close()
    assert void.value.out == (0,)
    assert table.steps.required == [1, 1, 1], "an answer closes, and not the leave after it"


def test_a_message_of_another_place_is_a_fault_until_a_hand_was_turned_back() -> None:
    table = Table()
    table.open()
    table.answer(0, Echo(ZERO), place=ELSEWHERE)
    assert [fault.rule for fault in table.steps.faults] == ["wrong-place"]
    table.steps.begin_anew(ELSEWHERE, 0, set(), set())
    table.open()
    assert table.steps.is_elsewhere(table.say(1, Echo(ZERO), place=PLACE))
    assert not table.steps.is_elsewhere(table.say(1, Echo(ZERO)))


def test_who_has_said_a_word_signs_no_result_after_it() -> None:
    table = Table()
    table.say(0, Settled(RESULT))
    table.say(1, PutOut(2))
    table.say(1, Settled(RESULT))
    table.say(2, Settled(RESULT), place=ELSEWHERE)
    assert table.steps.signers(RESULT, PLACE) == {0}
    assert table.steps.signers(RESULT, ELSEWHERE) == {2}
    assert table.steps.signers(ZERO, PLACE) == set()


def test_a_new_beginning_strikes_faults_that_rested_on_the_hand() -> None:
    table = Table()
    rested, proven, before = (
        Fault(1, 0, 3, "digest"),
        Fault(1, 1, 3, "vote"),
        Fault(1, 2, 3, "digest"),
    )
    table.steps.faults = [rested, proven, before]
    table.steps.gone = {fault.seat: table.say(fault.seat, Echo(ZERO)) for fault in (rested, before)}
    table.steps.begin_anew(ELSEWHERE, 4, {2}, set())
    assert table.steps.faults == [proven, before]
    assert list(table.steps.gone) == [2]
    assert (table.steps.place, table.steps.chain) == (ELSEWHERE, ELSEWHERE)
    assert (table.steps.epoch, table.steps.number) == (4, 0)


@pytest.mark.parametrize("kind", [Tallied, Settled, KeyPublished])
def test_a_step_open_when_the_hand_turned_back_can_be_closed_later(
    kind: type[Any],
) -> None:
    table = Table()
    table.open(kind)
    payload = kind(*[RESULT][: len(kind.__struct_fields__)])
    table.answer(0, payload)
    vote = table.say(1, VoteAbsent(2, 0))
    word = table.say(1, PutOut(2))
    leave = table.say(2, Leave())
    point = table.steps.suspend(2)
    table.steps.gone = {2: leave}
    assert point is not None and table.steps.missing() == ()
    first = {seat: table.steps.first_of(point.said[seat]) for seat in range(3)}
    assert first[0] is not None and first[1] is word and vote in point.said[1]
    assert first[2] is leave
    assert table.steps.close_at(point, {0: first[0], 2: leave}, {2}) == (2,)
    assert table.steps.required == [1, 0, 1]
    assert table.steps.before is not None and table.steps.before.step is point.step


def test_what_came_after_a_step_was_turned_back_is_still_heard_in_it() -> None:
    table = Table()
    table.open(Settled)
    point = table.steps.suspend(2)
    assert point is not None and table.steps.first_of(point.said[1]) is None
    answer = table.say(1, Settled(RESULT))
    assert table.steps.first_of(point.said[1]) is answer
    table.steps.begin_anew(ELSEWHERE, 0, set(), {2})
    table.steps.require([0, 1, 0])
    assert table.steps.first_of(point.said[1]) is answer, "for more seats may be put out"


def test_answers_of_the_hand_are_forgotten_when_it_turns_back() -> None:
    table = Table()
    table.open()
    table.answer(0, Echo(ZERO))
    table.steps.suspend(2)
    assert table.steps.current is None and table.steps.missing() == ()
    table.open()
    assert table.steps.missing() == (0, 1, 2)


def test_what_came_after_the_last_answers_is_nothing_at_the_end() -> None:
    table = Table()
    table.steps.require([5, 5, 5])
    late, in_time, of_old, stories = (
        Fault(1, 0, 5, "out-of-turn"),
        Fault(1, 1, 4, "digest"),
        Fault(0, 2, 9, "digest"),
        Fault(1, 0, 7, "equivocation"),
    )
    table.steps.faults = [late, in_time, of_old, stories]
    table.steps.conclude((0, 1))
    assert table.steps.faults == [in_time, of_old, stories]
