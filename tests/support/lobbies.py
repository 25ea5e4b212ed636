"""Lobbies of a host and of a joiner, as the tests of both begin."""

from msgspec.structs import replace as with_fields

from p2pjong.games import GAMES
from p2pjong.session.draft import table_id
from p2pjong.session.joiner_lobby import JoinerLobby
from p2pjong.session.lobby import Guest, HostLobby
from p2pjong.wire.messages import (
    PROTOCOL_VERSION,
    Begin,
    Draft,
    Join,
    PeerAddress,
    Ready,
    TableOptions,
)

HOST, ANN, BEN, CAT = (bytes([number]) * 32 for number in range(2, 6))
NONCE = bytes([9]) * 32
OTHER_NONCE = bytes([8]) * 32
WAIT = Ready(False, NONCE, bytes(32))
OPTIONS = TableOptions(20, 0, 0, 2000, 60_000, False)


def open_lobby(seats: int = 3) -> HostLobby:
    host = Guest("Host", HOST, False, False, False, (PeerAddress("10.0.0.1", 7000),))
    return HostLobby(bytes(16), "a table", "war-jhong", OPTIONS, seats, 2, host)


def ask(name: str = "Ann", **fields: object) -> Join:
    join = Join(PROTOCOL_VERSION, name, False, False, 7001, ("10.0.0.2",))
    return with_fields(join, **fields)


def seated(*keys: bytes, seats: int = 3) -> HostLobby:
    lobby = open_lobby(seats)
    for number, key in enumerate(keys):
        lobby.receive(key, ask(f"guest {number}"))
    return lobby


def ready(lobby: HostLobby) -> Ready:
    """The word of a joiner that is ready for those who sit here now."""
    return Ready(True, NONCE, lobby.shown)


def joiner() -> JoinerLobby:
    return JoinerLobby(ANN, HOST, {"war-jhong": GAMES["war-jhong"]}, NONCE)


def begin_of(lobby: HostLobby) -> Begin:
    seats = [guest.entry() for guest in lobby._all()]
    nonces = tuple(NONCE if guest.key == ANN else OTHER_NONCE for guest in lobby.guests)
    table = table_id(lobby.table, nonces)
    draft = Draft(1, table, lobby.name, lobby.game, lobby.options, tuple(seats))
    return Begin(draft, tuple(guest.addresses for guest in lobby._all()), nonces)
