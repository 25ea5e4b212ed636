"""Between two hands: a seat whose person still reads the end does nothing of the next one."""

import pytest

from p2pjong.session.effects import Awaiting, Books, Happened, Rest
from tests.support.sim import SimTable, make_draft, tiny_draft


def table_of(target: int = 2, readers: tuple[int, ...] = (0,), **how: bool) -> SimTable:
    """A table at which these seats have a person who reads."""
    draft = make_draft(3, "tiny-3", target, **how) if how else tiny_draft(3, target)
    table = SimTable(3, draft=draft)
    for seat in readers:
        table.peers[seat].session.resting.is_wanted = True
    return table.start().run()


def rests(table: SimTable, seat: int) -> list[int]:
    return [seen.results for seen in table.peers[seat].seen if isinstance(seen, Rest)]


def test_the_next_hand_waits_for_who_reads_and_all_see_for_whom() -> None:
    table = table_of()
    assert rests(table, 0) == [1] and rests(table, 1) == []
    for peer in table.peers:
        awaiting = [seen for seen in peer.seen if isinstance(seen, Awaiting)][-1]
        assert awaiting.seats == (0,), "bots are ready at once"
        assert peer.session.play.results_closed() == 1
    table.at(0, lambda session: session.go_on())
    table.run()
    assert table.is_finished(), "no rest after the last hand: the game is over"
    assert rests(table, 0) == [1]


def test_who_goes_on_first_waits_for_the_others() -> None:
    table = table_of(readers=(0, 1, 2))
    for seat in (2, 0):
        table.at(seat, lambda session: session.go_on())
    table.run()
    awaiting = [seen for seen in table.peers[0].seen if isinstance(seen, Awaiting)][-1]
    assert awaiting.seats == (1,)
    table.at(1, lambda session: session.go_on())
    table.run()
    assert table.is_finished()


def test_books_are_opened_before_a_person_is_given_time_to_see_them() -> None:
    table = table_of(is_open_books=True)
    kinds = [type(seen) for seen in table.peers[0].seen if isinstance(seen, Books | Rest)]
    assert kinds == [Books, Rest]


def test_what_belongs_to_a_result_is_marked() -> None:
    table = table_of(readers=())
    ends = [s.event.verb for s in table.peers[0].seen if isinstance(s, Happened) and s.is_end]
    assert ends and all("settle" in verb for verb in ends)


@pytest.mark.parametrize("voter", [1, 2])
def test_who_leaves_while_another_reads_leaves_for_all_alike(voter: int) -> None:
    table = table_of()
    table.at(voter, lambda session: session.leave())
    table.run()
    table.at(0, lambda session: session.go_on())
    assert table.finish().is_finished()
    assert len(table.digests()) == 1
