"""Two worlds that differ only in what an honest seat hides: its messages must not differ otherwise.

The worlds share everything up to the first toss. Then one seat shuffles by other secrets, so that
the cards lie otherwise. Of those worlds in which the cards that all see are the same, everything
that is no ciphertext, commitment or proof must be the same, too.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any, get_args

import pytest

from p2pjong.games.game import Action
from p2pjong.session.seed import Seed
from p2pjong.session.session import Session
from p2pjong.wire.messages import (
    Act,
    ActCommit,
    ActOpen,
    Echo,
    KeyCommit,
    KeyOpen,
    LaneBody,
    Leave,
    NonceCommit,
    NonceOpen,
    Payload,
    Settled,
    Shares,
    Shuffled,
    Sign,
    TossCommit,
    TossOpen,
)
from tests.support.sim import SimTable, begun_by, choose_default

# The fields of each payload that hide nothing; all others may differ, in content but not in length.
PUBLIC: dict[type[Any], tuple[str, ...]] = {
    NonceCommit: (),
    NonceOpen: (),
    Sign: (),
    Echo: (),
    TossCommit: (),
    TossOpen: (),
    KeyCommit: (),
    KeyOpen: (),
    Shuffled: (),
    Shares: (),
    ActCommit: (),
    Act: ("verb", "slots", "target"),
    ActOpen: ("act",),
    Settled: ("result",),
    Leave: (),
}


def public_part(body: LaneBody) -> tuple[Any, ...]:
    """What of a message everyone may read; of the rest its size."""
    kind = type(body.payload)
    fields = body.payload.__struct_fields__
    lengths = [len(getattr(body.payload, name)) for name in fields if name not in PUBLIC[kind]]
    shown = [getattr(body.payload, name) for name in PUBLIC[kind]]
    heads = [head.length for head in body.heads]
    numbers = (body.seat, body.incarnation, body.epoch, body.step)
    return (kind.__name__, numbers, heads, body.table, body.place, body.digest, lengths, shown)


class World:
    """One game whose cards lie as `shuffled_by` has it."""

    def __init__(self, shuffled_by: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = SimTable(2, 2, draft=begun_by(0, 2, seed=2), choose=choose_default).start()
        honest = self.table.peers[0].session
        self.table.run_until(lambda table: honest.play.state.die > 0)
        honest._seed.value = bytes([shuffled_by]) * 32
        # Which of equal cards is named is drawn by lot, and tested below.
        for peer in self.table.peers:
            monkeypatch.setattr(peer.session, "_any_twin", lambda action: action)
        self.hands: list[tuple[str, ...]] = []
        self.run(honest)

    def run(self, honest: Session) -> None:
        turn = 0
        while self.table.step():
            state = honest.play.state
            if state.turns > turn and state.phase == "turn":
                turn = state.turns
                known = honest.dealer.known(0)
                self.hands.append(tuple(sorted(known[slot] for slot in state.hands[0])))
        self.faces = list(shown_faces(honest))
        self.lanes = [
            [public_part(signed.body) for signed in lane] for lane in honest.lanes.accepted
        ]


def shown_faces(session: Session) -> Iterator[str]:
    """The cards that were discarded, in the order of steps."""
    acts = [
        (signed.body.step, signed.body.payload.slots)
        for lane in session.lanes.accepted
        for signed in lane
        if isinstance(signed.body.payload, Act)
    ]
    for _, slots in sorted(acts):
        yield from (session.dealer.known(0)[slot] for slot in slots)


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return [World(shuffled_by, monkeypatch) for shuffled_by in range(1, 13)]


def test_every_payload_is_tagged() -> None:
    untagged = {kind.__name__ for kind in set(get_args(Payload)) - set(PUBLIC)}
    assert untagged == {
        *("Switched", "ProvenAmong", "Ordered", "Convict", "PutOut"),
        "KeyPublished",
    }, "those that this game has no use for with shut books"


def test_worlds_that_look_alike_are_alike_in_all_that_is_public(worlds: list[World]) -> None:
    compared = hidden = 0
    for one, other in combinations(worlds, 2):
        if one.faces == other.faces:
            assert one.lanes == other.lanes
            compared += 1
            hidden += one.hands != other.hands
    assert compared >= 2, "some worlds show the same cards"
    assert hidden >= 1, "and hide different ones"


def test_up_to_the_first_card_shown_all_worlds_are_alike(worlds: list[World]) -> None:
    def before_first(world: World) -> list[list[Any]]:
        steps = [part for lane in world.lanes for part in lane if part[0] == "Act"]
        first = min(part[1][3] for part in steps)
        return [[part for part in lane if part[1][3] <= first + 1] for lane in world.lanes]

    assert len({str(before_first(world)) for world in worlds}) == 1
    assert len({str(world.hands[0]) for world in worlds}) > 3


def equal_cards(session: Session) -> tuple[int, ...]:
    """Slots of the own hand that bear the same face, the most of one kind."""
    hand, known = session.play.state.hands[session.me], session.dealer.known(session.me or 0)
    face, _ = Counter(known[slot] for slot in hand).most_common(1)[0]
    return tuple(slot for slot in hand if known[slot] == face)


def test_of_equal_cards_any_is_played_so_that_the_choice_tells_nothing() -> None:
    """Always the first would tell how many there are of it behind."""
    for seed in range(20):
        table = SimTable(2, seed, choose=choose_default).start()
        table.run_until(lambda table: any(peer.asked for peer in table.peers))
        seat = next(seat for seat, peer in enumerate(table.peers) if peer.asked)
        session = table.peers[seat].session
        same = equal_cards(session)
        if len(same) > 1:
            break
    played: Counter[tuple[int, ...]] = Counter()
    for number in range(200):
        session._seed = Seed(number.to_bytes(32, "big"))
        action = session._any_twin(Action(seat, "discard", same[:1]))
        played[action.slots] += 1
        assert session._any_twin(Action(seat, "discard", same[:1])) == action, "the same again"
    assert set(played) == {(slot,) for slot in same}
    assert min(played.values()) > 200 / len(same) / 2
