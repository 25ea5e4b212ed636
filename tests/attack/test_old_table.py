"""A host that brings an old table's id back, and with it what honest seats once signed there."""

import itertools

import pytest
from msgspec.structs import replace

from p2pjong.session.charter import draft_hash
from p2pjong.session.draft import table_id
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.joiner_lobby import JoinerLobby, LobbyClosed
from p2pjong.session.lanes import read_lane
from p2pjong.session.lobby import Begun, Guest, HostLobby, Tell
from p2pjong.session.lobby_view import Start
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    PROTOCOL_VERSION,
    Begin,
    Draft,
    Evidence,
    Join,
    Lane,
    LobbyMessage,
    TableOptions,
)
from tests.support.sim import ALL_GAMES, SimTable, signing_key, tiny_draft

HOST, ANN = (signing_key(seat).public_key().public_bytes_raw() for seat in range(2))
OPTIONS = TableOptions(
    target=1, rounds=0, clock_ms=0, window_ms=0, grace_ms=60_000, is_open_books=False
)
LOBBY_ID = bytes(16)  # the host always names the same


def gather(nonce: bytes) -> tuple[JoinerLobby, Begin]:
    """Ann sits down and is ready; the host begins. What she is then told, and what she makes of
    it is for the test."""
    game = tiny_draft(2).game
    own = Guest("host", HOST, False, False, False, ())
    lobby = HostLobby(LOBBY_ID, "a table", game, OPTIONS, 2, 2, own)
    ann = JoinerLobby(ANN, HOST, ALL_GAMES, nonce)
    for effect in lobby.receive(ANN, Join(PROTOCOL_VERSION, "ann", False, False, 4711, ())):
        if isinstance(effect, Tell):
            ann.receive(decode(effect.frame, LobbyMessage))
    lobby.receive(ANN, ann.ready(True))
    for effect in lobby.command(Start()):
        if isinstance(effect, Tell):
            message = decode(effect.frame, LobbyMessage)
            if isinstance(message, Begin):
                return ann, message
            ann.receive(message)
    raise AssertionError("the host did not begin")


def begun(nonce: bytes) -> Draft:
    ann, begin = gather(nonce)
    (effect,) = ann.receive(begin)
    assert isinstance(effect, Begun)
    return effect.draft


# The tables of the simulator take their keys from the first byte of the id: two nonces that fit.
NONCES = (number.to_bytes(32, "big") for number in itertools.count())
FITTING = (nonce for nonce in NONCES if not table_id(LOBBY_ID, (nonce,))[0])
OLD, NEW = itertools.islice(FITTING, 2)


def test_one_lobby_that_is_told_twice_becomes_two_tables() -> None:
    first, second = begun(OLD), begun(NEW)
    assert first.table == table_id(LOBBY_ID, (OLD,)) != second.table
    assert replace(first, table=second.table) == second


@pytest.mark.parametrize("keeps_nonces", [True, False])
def test_an_old_draft_is_not_signed_again(keeps_nonces: bool) -> None:
    """The host begins with the draft of the game before, for which it has Ann's signatures."""
    _, old = gather(OLD)
    ann, new = gather(NEW)
    again = old if keeps_nonces else Begin(old.draft, old.addresses, new.nonces)
    with pytest.raises(LobbyClosed) as closed:
        ann.receive(again)
    assert closed.value.reason == "broken"
    assert ann.receive(new), "her own is another one"


def test_another_seats_nonce_is_not_taken_for_ones_own() -> None:
    ann, begin = gather(NEW)
    table = table_id(LOBBY_ID, (OLD,))
    with pytest.raises(LobbyClosed):
        ann.receive(Begin(replace(begin.draft, table=table), begin.addresses, (OLD,)))


def old_messages(draft: Draft) -> list[Lane]:
    """What Ann signed at the first table."""
    table = SimTable(2, seed=1, draft=draft)
    table.start().run()
    return [decode(frame, Lane) for frame in table.peers[1].journal]


@pytest.mark.slow
def test_what_was_signed_at_the_old_table_is_refused_at_the_new_and_nobody_is_blamed() -> None:
    """The whole replay: another seed, so that every old message contradicts a new one."""
    old = old_messages(begun(OLD))
    old_stamp = read_lane(old[0], draft_hash(begun(OLD)), 2).stamp
    assert len(old) > 10
    table = SimTable(2, seed=2, draft=begun(NEW)).start()
    assert table.run_until(lambda table: table.delivered >= 10)
    for lane in old:
        for seat in range(2):
            with pytest.raises(OtherTable):
                table.peers[seat].session.receive(1 - seat, lane)
    new = table.peers[1].session.lanes.accepted[1][0].stamp
    with pytest.raises(Refusal, match="does not hold"):
        held_up = Evidence(table.peers[0].session.gossip.draft, old_stamp, new)
        table.peers[0].session.receive(1, held_up)
    table.finish()
    assert table.is_finished() and table.faults() == []
    assert all(verdict.is_valid for verdict in table.audits())


def test_without_a_new_id_the_replay_would_blame_the_honest_seat() -> None:
    """What the nonce is there for: under one id, two runs of one honest seat make two stories."""
    draft = begun(OLD)
    table = SimTable(2, seed=2, draft=draft)
    table.begin()
    new = table.peers[1].session.lanes.accepted[1][0].stamp
    before = SimTable(2, 1, draft=draft).start()
    old = before.peers[1].session.lanes.accepted[1][0].stamp
    found = table.peers[0].session.lanes.compare(old, new)
    assert (found.first.seat, found.first.number) == (1, 0)
