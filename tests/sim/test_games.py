"""Whole games over a network that delays, reorders, repeats and loses: everyone ends the same."""

from dataclasses import replace

import pytest

from p2pjong.session.effects import Happened
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import Lane
from tests.support.scenario import ROUGH, draw, play
from tests.support.sim import Chaos, SimTable, make_draft, tiny_draft

slow = pytest.mark.slow


def check_whole(table: SimTable) -> None:
    """One end, one digest, one story; and every journal is a record that an auditor believes."""
    (over,) = table.outcomes()
    (digest,) = table.digests()
    assert over.outcome == "finished"
    assert table.faults() == []
    events = {
        tuple(one.event for one in peer.seen if isinstance(one, Happened)) for peer in table.peers
    }
    assert len(events) == 1
    for verdict, peer in zip(table.audits(), table.peers, strict=True):
        assert verdict.is_valid
        assert (verdict.outcome, verdict.digest) == ("finished", digest)
        assert (verdict.scores, verdict.winners) == (over.scores, over.winners)
        assert (verdict.hands, verdict.left) == (over.hands, ())
        assert verdict.messages == len(peer.journal)


@pytest.mark.parametrize("seats", [2, 3, 5, pytest.param(8, marks=slow)])
def test_honest_peers_end_the_same_whatever_the_order_of_arrival(seats: int) -> None:
    draft = tiny_draft(seats, target=2 if seats < 5 else 1)
    check_whole(SimTable(seats, seed=seats, draft=draft).start().run())


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=slow) for seed in range(2, 20))])
def test_a_rough_network_changes_nothing(seed: int) -> None:
    check_whole(SimTable(3, seed, chaos=ROUGH).start().finish(ticks=40))


def test_frames_that_come_twice_change_nothing() -> None:
    check_whole(SimTable(3, seed=7, chaos=Chaos(twice=0.5)).start().run())


def test_two_who_can_reach_each_other_through_a_third_alone_play_without_a_tick() -> None:
    check_whole(SimTable(3, seed=8).start(apart=[(0, 2)]).run())


def test_a_row_of_peers_plays_by_forwarding() -> None:
    table = SimTable(4, seed=9)
    table.start(apart=[(0, 2), (0, 3), (1, 3)])
    check_whole(table.finish(ticks=40))


def test_peers_whose_links_come_up_late_catch_up() -> None:
    table = SimTable(3, seed=10)
    for pair in table.pairs():
        table.cut(*pair)
    table.begin()
    table.bring_up(0, 1)
    table.run()
    assert not table.is_finished()
    table.bring_up(1, 2)
    table.finish(ticks=40)
    check_whole(table)


def test_a_link_that_was_down_brings_what_was_missed_without_a_tick() -> None:
    table = SimTable(2, seed=11).start()
    for at in (3, 9, 20, 31):
        table.run_until(lambda table: table.delivered >= at)  # noqa: B023
        table.cut(0, 1)
        table.bring_up(0, 1)
    check_whole(table.run())


def test_everyone_signs_every_result_and_the_last_one_names_the_end() -> None:
    table = SimTable(3, seed=12, draft=tiny_draft(3, target=2)).start().run()
    for seat in range(3):
        bodies = [decode(frame, Lane) for frame in table.peers[seat].journal]
        assert bodies
        assert len(table.peers[seat].session.play.results) == 2


WAR_JHONG = [
    pytest.param(2, 1, 1),
    pytest.param(3, 2, 10, marks=slow),
    pytest.param(5, 3, 5, marks=slow),
    pytest.param(8, 4, 1, marks=[slow, pytest.mark.timeout(120)]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "seed", "target"), WAR_JHONG)
def test_war_jhong_is_played_to_its_end(seats: int, seed: int, target: int) -> None:
    draft = make_draft(seats, target=target)
    table = SimTable(seats, seed, draft=draft).start().run(200_000)
    check_whole(table)
    (over,) = table.outcomes()
    assert max(over.scores) >= target, "W13: the first with the points wins"


@slow
@pytest.mark.timeout(120)
def test_war_jhong_on_a_rough_network() -> None:
    draft = make_draft(3, target=5)
    check_whole(SimTable(3, seed=5, draft=draft, chaos=ROUGH).start().finish(ticks=60))


@pytest.mark.parametrize("seed", range(6))
def test_what_must_hold_holds_for_any_table(seed: int) -> None:
    play(draw(seed))


@slow
@pytest.mark.parametrize("seed", range(6, 120))
def test_what_must_hold_holds_for_many_tables(seed: int) -> None:
    play(draw(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(n, marks=slow) for n in range(4, 60))])
def test_no_honest_seat_is_blamed_however_wildly_people_vote(seed: int) -> None:
    play(replace(draw(seed), is_impatient=True))
