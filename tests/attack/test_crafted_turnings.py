"""Hands turned back around a result, by messages that no client would send in such an order.

Peer and auditor must make the very same of each such record; in the real games the tests' second
verifier, too.
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from p2pjong.session.unsettled import Held, Unsettled
from p2pjong.session.votes import bits_of
from p2pjong.wire.messages import Draft, Leave, Settled
from tests.session.test_books import opened
from tests.support.crafted import Crafted, scribble
from tests.support.marks import first_quick
from tests.support.sim import make_draft, tiny_draft
from tests.support.verified import check_record, recorded

AT_ONCE = 60  # records of one test


@cache
def result_of(draft: Draft) -> Crafted:
    return Crafted(draft)


def check(record: Crafted) -> None:
    """Who hears it message by message, and both who read it whole, make the same of it."""
    verdict = check_record(record.draft, recorded(record.frames))
    listener = record.listener
    assert verdict.fault == min(listener.course.faults, key=lambda one: one.rank, default=None)
    assert verdict.digest == listener.play.public_digest()


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(12), quick=2))
def test_peer_and_auditor_agree_on_whatever_is_said_around_a_result(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = count_closings(monkeypatch)
    for place in range(AT_ONCE):
        draft = tiny_draft(3 + (seed + place) % 3)
        record = result_of(opened(draft) if place % 3 == 0 else draft).begin()
        scribble(record, seed * AT_ONCE + place)
        check(record)
    assert closed["Settled"] > 3, "the turnings closed nothing that was open"


def count_closings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    closed: Counter[str] = Counter()
    close = Unsettled._close

    def counted(self: Unsettled, held: Held, *more: Any) -> None:
        closed[held.point.step.kind.__name__] += 1
        close(self, held, *more)

    monkeypatch.setattr(Unsettled, "_close", counted)
    return closed


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(8))
def test_both_agree_in_a_real_game(seed: int) -> None:
    draft = make_draft(3, target=1, is_open_books=seed % 4 == 0)
    record = result_of(draft).begin()
    scribble(record, 1000 + seed)
    check(record)


def test_who_leaves_beside_the_words_of_others_is_out_by_the_step() -> None:
    record = result_of(tiny_draft(4)).begin()
    result = record.where()["digest"]
    for seat in (2, 3):
        assert record.say(seat, Settled(result))
    assert record.say(0, Leave())
    for seat in (2, 3):
        record.convict(seat, 1)
    check(record)
    assert record.listener.play.results_closed() == 1
    assert 0 in record.listener.play.base_out


@pytest.mark.timeout(120)
@pytest.mark.parametrize("is_real", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_step_that_closes_in_a_later_turning_is_judged_as_it_was_then(is_real: bool) -> None:
    """A wrong place was a fault in the first hand, before any was turned back."""
    record = result_of(make_draft(4, target=1) if is_real else tiny_draft(4)).begin()
    liar, two_faced, silent, honest = range(4)
    result = record.where()["digest"]
    assert record.say(honest, Settled(result))
    assert record.say(liar, Settled(result), place=bytes([7]) * 32)
    for seat in (silent, honest, liar):
        record.convict(seat, two_faced)
    assert record.listener.course.is_turned, "the silent one had not signed the result"
    electorate = bits_of((liar, silent, honest))
    for seat in (honest, liar):
        record.put_out(seat, silent, (honest, liar), electorate=electorate)
    check(record)
    faults = {(fault.seat, fault.rule) for fault in record.listener.course.faults}
    assert (liar, "wrong-place") in faults
    assert record.listener.play.results_closed() == 1
