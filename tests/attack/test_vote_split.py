"""A silent seat comes back to some of those who would vote it absent: all voters vote alike."""

from collections.abc import Iterable

from p2pjong.games.game import Seat
from p2pjong.session.effects import Send, VotedOut
from p2pjong.session.session import Session
from p2pjong.wire.messages import Payload
from tests.support.sim import Peer, SessionMaker, SimTable, choose_default, tiny_draft


class Whisperer(Session):
    """Once `is_mute`, it sends nothing of its lane."""

    is_mute = False

    def _say(self, payload: Payload) -> None:
        before = len(self._effects)
        super()._say(payload)
        if self.is_mute:
            said = self._effects[before:]
            unsaid = [effect for effect in said if not isinstance(effect, Send)]
            self._effects[before:] = unsaid


def deliver_all(table: SimTable) -> None:
    """In order; and nothing that the cheat would tell by itself."""
    cheat = len(table.peers) - 1
    while table.wires or any(peer.asked for peer in table.peers):
        for sender, to in sorted(table.wires):
            frames = table.wires.pop((sender, to))
            for frame in frames if sender != cheat else []:
                table.hand_over(sender, to, frame)
        for seat, peer in enumerate(table.peers):
            if peer.asked is not None:
                table.choose_for(seat)


def mute_table(seats: int) -> tuple[SimTable, bytes]:
    """All wait for the last seat, which has its answer ready and tells nobody."""
    draft = tiny_draft(seats, target=2)
    makers: dict[Seat, SessionMaker] = {seats - 1: Whisperer}
    table = SimTable(seats, 1, draft=draft, makers=makers, choose=choose_default).start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    cheat = table.peers[seats - 1].session
    assert isinstance(cheat, Whisperer)
    cheat.is_mute = True
    deliver_all(table)
    seconds(table, 2)  # nobody forwards any more to whom the cheat is linked with
    waits = {peer.session.course.missing() for peer in table.honest()}
    lengths = {len(peer.session.lanes.accepted[seats - 1]) for peer in table.honest()}
    assert waits == {(seats - 1,)} and len(lengths) == 1
    return table, cheat.lanes.accepted[seats - 1][lengths.pop()].frame


def propose(table: SimTable, seats: Iterable[Seat]) -> None:
    for seat in seats:
        table.at(seat, lambda session: session.propose_absent(len(table.peers) - 1))
        deliver_all(table)


def seconds(table: SimTable, count: int) -> None:
    for _ in range(count):
        table.tick()
        deliver_all(table)


def voted_out(peer: Peer) -> list[Seat]:
    return [effect.seat for effect in peer.seen if isinstance(effect, VotedOut)]


def assert_only_the_silent_one_is_out(table: SimTable) -> None:
    seconds(table, 8)
    assert table.is_finished() and len(table.outcomes()) == 1
    assert all(voted_out(peer) == [len(table.peers) - 1] for peer in table.honest())
    assert all(not peer.session.course.faults for peer in table.honest())


def test_who_would_vote_is_not_split_from_the_others_by_an_answer_to_it_alone() -> None:
    table, answer = mute_table(4)
    propose(table, (0, 1))
    table.hand_over(3, 0, answer)
    deliver_all(table)
    propose(table, (2,))
    assert_only_the_silent_one_is_out(table)


def test_of_three_seats_two_vote_alike_whatever_one_of_them_is_told() -> None:
    table, answer = mute_table(3)
    propose(table, (0,))
    table.hand_over(2, 0, answer)
    deliver_all(table)
    propose(table, (1,))
    assert_only_the_silent_one_is_out(table)


def test_who_voted_first_is_not_left_alone_with_its_vote() -> None:
    """Of five, three are answered, two of which would vote: these vote as the first did."""
    table, answer = mute_table(5)
    propose(table, (0, 1))
    for seat in (0, 1, 3):
        table.hand_over(4, seat, answer)
    propose(table, (2,))
    assert_only_the_silent_one_is_out(table)


def test_who_comes_back_before_enough_have_voted_plays_on() -> None:
    table, answer = mute_table(4)
    propose(table, (0,))
    table.hand_over(3, 0, answer)
    assert table.peers[0].session.course.missing() != (3,), "it has answered"
    cheat = table.peers[3].session
    assert isinstance(cheat, Whisperer)
    cheat.is_mute = False
    table.finish(ticks=12)
    assert table.is_finished() and len(table.outcomes()) == 1
    assert not any(voted_out(peer) for peer in table.peers)
