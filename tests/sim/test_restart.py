"""The same seed and the same inputs give the same bytes, and other inputs give other secrets."""

from collections.abc import Iterator
from typing import Any

import pytest

from p2pjong.session.effects import Ask, Send
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    KeyOpen,
    Lane,
    LaneBody,
    Shares,
    Shuffled,
    TableMessage,
)
from tests.support.sim import Peer, SimTable, choose_default, make_session, tiny_draft


def body_of(frame: bytes) -> LaneBody:
    lane: Lane = decode(frame, Lane)
    body: LaneBody = decode(lane.body, LaneBody)
    return body


def replay(peer: Peer, seat: int, seed: int, up_to: int) -> list[bytes]:
    """A client that lost all but its journal, its seed and its person's choices does it all again.
    Returns what it says, as far as `up_to` of its journal."""
    session = make_session(peer.session.draft, seat, seed)
    chosen = iter(peer.chosen)
    said: list[bytes] = []
    asked: list[Ask] = []

    def note(effects: list[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Ask):
                asked.append(effect)
            elif isinstance(effect, Send) and isinstance(decode(effect.frame, TableMessage), Lane):
                if body_of(effect.frame).seat == seat:
                    said.append(effect.frame)

    note(session.begin())
    for frame in peer.journal[:up_to]:
        if body_of(frame).seat != seat:
            note(session.receive(body_of(frame).seat, decode(frame, Lane)))
        elif frame not in said:
            question = asked.pop()
            note(session.answer(question.question, next(chosen)))
            assert frame in said, "the same choice gives the same message"
    return said


@pytest.mark.parametrize("seat", range(3))
def test_who_does_it_all_again_says_the_same_byte_for_byte(seat: int) -> None:
    draft = tiny_draft(3, target=2)
    table = SimTable(3, seed=3, draft=draft).start().finish()
    peer = table.peers[seat]
    own = [frame for frame in peer.journal if body_of(frame).seat == seat]
    assert replay(peer, seat, 3, len(peer.journal)) == own
    assert len(own) > 20


def test_who_was_stopped_anywhere_says_nothing_else_than_before() -> None:
    table = SimTable(2, seed=4).start().finish()
    peer = table.peers[1]
    own = [frame for frame in peer.journal if body_of(frame).seat == 1]
    for stopped in range(0, len(peer.journal), 9):
        said = replay(peer, 1, 4, stopped)
        assert said == own[: len(said)]


# --- Nonces -----------------------------------------------------------------------------------


def one_time(table: SimTable, seat: int) -> Iterator[tuple[bytes, bytes]]:
    """Every point that a seat made of a one-time secret, with the message it was made for."""
    for signed in table.peers[0].session.lanes.accepted[seat]:
        payload = signed.body.payload
        if isinstance(payload, KeyOpen):
            yield payload.proof[:32], signed.hash
        elif isinstance(payload, Shares):
            yield payload.proof[:32], signed.hash
        elif isinstance(payload, Shuffled):
            yield payload.proof[:32], signed.hash
            yield from ((payload.cards[at : at + 32], signed.hash) for at in slots(payload))


def slots(deck: Shuffled) -> range:
    return range(0, len(deck.cards), 64)


def test_no_nonce_serves_two_statements_not_even_after_a_restart_from_a_backup() -> None:
    """Seat 0 has the same seed in all worlds; the other one plays, or is, otherwise."""
    made: dict[bytes, bytes] = {}
    count = 0
    for other in range(6):
        table = SimTable(2, seed=1, choose=choose_default)
        table.peers[1].session = make_session(table.draft, 1, seed=100 + other % 3)
        if other >= 3:
            table.choose = lambda ask, rng: ask.actions[0]
        table.start().finish()
        for point, message in one_time(table, 0):
            assert made.setdefault(point, message) == message
            count += 1
    assert len(made) > 60
    assert count > len(made), "up to where the worlds part, everything is the same"


def test_other_seeds_give_other_secrets() -> None:
    points: list[bytes] = []
    for seed in range(3):
        table = SimTable(2, seed, choose=choose_default).start().finish()
        points += [point for seat in range(2) for point, _ in one_time(table, seat)]
    assert len(set(points)) == len(points)
