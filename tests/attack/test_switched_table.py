"""A host that lets people get ready for one table, and begins another."""

import pytest
from msgspec.structs import replace

from p2pjong.games import GAMES
from p2pjong.session.draft import table_id
from p2pjong.session.joiner_lobby import JoinerLobby, LobbyClosed
from p2pjong.session.lobby import Changed
from p2pjong.wire.messages import (
    Begin,
    Draft,
    LobbySeatState,
    LobbyState,
    SeatEntry,
    TableOptions,
)

HOST, ANN = bytes([1]) * 32, bytes([2]) * 32
OPTIONS = TableOptions(
    target=100, rounds=0, clock_ms=60_000, window_ms=2_000, grace_ms=60_000, is_open_books=False
)


def lobby_state() -> LobbyState:
    seats = tuple(
        LobbySeatState(name, key, is_bot=False, is_ready=True)
        for name, key in (("host", HOST), ("ann", ANN))
    )
    return LobbyState(bytes(16), "a table", "war-jhong", OPTIONS, 4, seats)


@pytest.mark.parametrize(
    "switched",
    [
        replace(lobby_state(), options=replace(OPTIONS, window_ms=0)),
        replace(lobby_state(), options=replace(OPTIONS, target=1)),
        replace(lobby_state(), game="samurai-warfare"),
        replace(lobby_state(), table=bytes([9]) * 16),
        replace(lobby_state(), name="another"),
        replace(lobby_state(), seats_total=2),
    ],
)
def test_what_people_got_ready_for_does_not_change(switched: LobbyState) -> None:
    """A state with other options and, right after it, `begin`: nobody could have read them."""
    lobby = JoinerLobby(ANN, HOST, GAMES, bytes(32))
    assert lobby.receive(lobby_state()) == [Changed()]
    with pytest.raises(LobbyClosed) as closed:
        lobby.receive(switched)
    assert closed.value.reason == "broken"


def test_who_sits_at_the_table_and_who_is_ready_may_change() -> None:
    lobby = JoinerLobby(ANN, HOST, GAMES, bytes(32))
    state = lobby_state()
    lobby.receive(state)
    more = LobbySeatState("ben", bytes([3]) * 32, is_bot=True, is_ready=False)
    assert lobby.receive(replace(state, seats=(*state.seats, more))) == [Changed()]
    assert lobby.receive(state) == [Changed()]


def test_nobody_plays_with_somebody_who_took_a_seat_after_they_got_ready() -> None:
    """Ben is swapped for a stranger of his name; the host says that all are ready, and begins."""
    ben = LobbySeatState("ben", bytes([3]) * 32, is_bot=False, is_ready=True)
    friends = replace(lobby_state(), seats=(*lobby_state().seats, ben))
    stranger = replace(friends, seats=(*friends.seats[:2], replace(ben, key=bytes([4]) * 32)))
    lobby = JoinerLobby(ANN, HOST, GAMES, bytes(32))
    lobby.receive(friends)
    ready = lobby.ready(True)
    assert lobby.receive(stranger) == [Changed()]
    assert lobby.shown != ready.shown
    nonces = (ready.nonce, bytes(32))
    entries = tuple(SeatEntry(seat.name, seat.key, False, False) for seat in stranger.seats)
    table = table_id(stranger.table, nonces)
    draft = Draft(1, table, stranger.name, stranger.game, OPTIONS, entries)
    begin = Begin(draft, ((), (), ()), nonces)
    with pytest.raises(LobbyClosed) as closed:
        lobby.receive(begin)
    assert closed.value.reason == "switched"
    lobby.ready(True)
    assert lobby.receive(begin), "once she has agreed to play with them"
