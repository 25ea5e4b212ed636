"""Whole tables at which one seat, or two, are played by twins: any two stories a client can tell.

The twins part at some moment near the end of a hand, and tell each of the others the one story or
the other one. People vote out whom they wait for in vain.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random

import pytest

from p2pjong.games.game import Seat
from p2pjong.session.session import Session
from p2pjong.wire.messages import ActOpen, KeyPublished, Payload, Settled
from tests.session.test_books import opened
from tests.support.marks import first_quick
from tests.support.sim import Peer, audit_journal, tiny_draft
from tests.support.twins import TwinTable

MOMENTS: tuple[type[Payload], ...] = (Settled, KeyPublished, ActOpen)
PATIENCE_TICKS, VOTES_TICKS = 3, 40


@dataclass
class Parting:
    """When the twins of a seat part: when a peer opens the nth step of this kind."""

    kind: type[Payload]
    watched: Seat
    nth: int
    friends: set[Seat]
    against: Seat | None  # whom the one twin votes absent right away, so that it has another story
    seen: list[object] = field(default_factory=list)

    def is_now(self, table: TwinTable) -> bool:
        step = table.peers[self.watched].session.course.current
        if step is None or step.kind is not self.kind or step in self.seen[-1:]:
            return False
        self.seen.append(step)
        return len(self.seen) == self.nth


def parting(rng: Random, twin: Seat, honest: list[Seat], seats: int) -> Parting:
    others = [seat for seat in range(seats) if seat != twin]
    friends = set(rng.sample(others, rng.randint(1, len(others) - 1)))
    kind = rng.choice(MOMENTS)
    against = rng.choice(others) if rng.random() < 0.7 else None
    return Parting(kind, rng.choice(honest), rng.choice([1, 1, 2]), friends, against)


class Told:
    """How many results each honest peer has seen closed, at most, and by now."""

    def __init__(self) -> None:
        self.most: dict[int, int] = {}

    def look(self, table: TwinTable) -> None:
        for place, peer in enumerate(table.honest()):
            hands = peer.session.play.results_closed()
            assert hands >= self.most.get(place, 0), "a result that was closed was undone"
            self.most[place] = hands


def moves(table: TwinTable) -> Iterator[None]:
    while table.step():
        yield


def play(table: TwinTable, partings: dict[Seat, Parting], told: Told) -> None:
    """Until all is done, or nothing more comes of voting."""
    rng, parted = table.rng, set[Seat]()
    table.start()
    for _ in moves(table):
        for twin, parting in partings.items():
            if twin not in parted and parting.is_now(table):
                table.part(twin, parting.friends)
                parted.add(twin)
                if parting.against is not None:
                    table.vote(twin, parting.against)
        if rng.random() < 0.02 and not table.is_finished():
            table.tick(rng.randrange(len(table.peers)))
            told.look(table)
    for tick in range(VOTES_TICKS):
        if table.is_finished():
            break
        table.tick()
        table.run()
        told.look(table)
        if tick >= PATIENCE_TICKS:
            vote(table, set(partings))
            table.run()
            told.look(table)


def vote(table: TwinTable, twins: set[Seat]) -> None:
    """Who waits for a twin would vote it absent."""
    for seat, peer in enumerate(table.peers):
        if peer.is_honest and not peer.finished:
            for absent in sorted(twins.intersection(peer.session._missing())):
                table.at(seat, partial(Session.propose_absent, seat=absent))


def check(table: TwinTable, twins: set[Seat]) -> None:
    """Nobody honest is blamed, and all who are honest have the same results, at one place."""
    honest = table.honest()
    for peer in honest:
        faults = {fault.seat for fault in peer.session.course.faults}
        assert faults | {seat for seat, _ in peer.blames()} <= twins
    assert len({peer.session.standing().hands for peer in honest}) == 1
    assert len({peer.session.play.public_digest() for peer in honest if peer.finished}) <= 1
    for peer in honest:
        check_record(table, peer)
    if len(table.peers) > 3:
        # Those who stay are more than half, so nobody waits for ever.
        assert table.is_finished()
        assert len(table.outcomes()) == 1


def check_record(table: TwinTable, peer: Peer) -> None:
    verdict, standing = audit_journal(table.draft, peer.journal), peer.session.standing()
    assert (verdict.hands, verdict.scores) == (standing.hands, standing.scores)
    if peer.finished:
        assert verdict.digest == peer.finished.digest
        assert verdict.outcome == peer.finished.over.outcome


def run(seats: int, twins: list[Seat], seed: int) -> None:
    rng = Random(seed)
    honest = [seat for seat in range(seats) if seat not in twins]
    draft = tiny_draft(seats, target=rng.choice([1, 2]))
    if rng.random() < 0.3:
        draft = opened(draft)
    table = TwinTable(seats, seed, twins, draft=draft)
    play(table, {twin: parting(rng, twin, honest, seats) for twin in twins}, Told())
    check(table, set(twins))


@pytest.mark.parametrize("seed", first_quick(range(12), quick=3))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_two_whole_stories_of_one_seat_part_nobody_and_undo_nothing(seats: int, seed: int) -> None:
    run(seats, [seed % seats], seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(12), quick=2))
@pytest.mark.parametrize("seats", [5, 6])
def test_two_whole_stories_of_two_seats_part_nobody_and_undo_nothing(seats: int, seed: int) -> None:
    run(seats, [seed % seats, (seed + 1 + seed % 2) % seats], seed)
