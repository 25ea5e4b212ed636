"""Hosts that are not ours: what a joiner's person is told, and that it never signs or hangs."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2pjong.app.peer import run_peer
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.identity import Identity
from p2pjong.session.draft import table_id
from p2pjong.session.lobby_view import SetReady
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    Begin,
    Bye,
    Draft,
    Have,
    Join,
    LobbyMessage,
    LobbySeatState,
    LobbyState,
    Ready,
    SeatEntry,
    TableMessage,
    TableOptions,
)
from tests.support.loopback import Peer
from tests.support.peers import ScriptedFront, front, join_settings

pytestmark = pytest.mark.timeout(60)

OPTIONS = TableOptions(
    target=1, rounds=0, clock_ms=0, window_ms=0, grace_ms=60_000, is_open_books=False
)
LOBBY_ID = bytes([4]) * 16
FRIEND, STRANGER = (Identity.from_seed(bytes([seed]) * 32).key for seed in (5, 6))


class LyingHost(Peer):
    """A host that answers `join` with a lobby and `ready` with `begin`, but for its lie."""

    def __init__(self, lie: str) -> None:
        super().__init__(3)
        self.lie = lie
        self.guest: Join | None = None
        self.other = FRIEND if lie == "switches" else b""  # who is called Ben
        self.heard: list[LobbyMessage | TableMessage] = []

    def _on_frame(self, key: bytes, frame: bytes) -> None:
        super()._on_frame(key, frame)
        message = decode(frame, LobbyMessage | TableMessage)
        self.heard.append(message)
        if isinstance(message, Join):
            self.guest = message
            self._answer(key)
        elif isinstance(message, Ready):
            if self.lie == "switches":
                self.other = STRANGER
                self.mesh.send(key, encode(self._lobby(key)))
            self.mesh.send(key, encode(self._begin(key, message.nonce)))

    def _answer(self, key: bytes) -> None:
        if self.lie == "floods":
            for _ in range(300):
                self.mesh.send(key, encode(Have(bytes(32), (0, 0), 0)))
        self.mesh.send(key, encode(self._lobby(key)))
        if self.lie == "does not wait":
            self.mesh.send(key, encode(self._begin(key, bytes([7]) * 32)))

    def _lobby(self, key: bytes) -> LobbyState:
        assert self.guest is not None
        options = replace(OPTIONS, rounds=3) if self.lie == "odd options" else OPTIONS
        is_bot = self.guest.is_bot ^ (self.lie == "other kind")
        seats = (
            LobbySeatState("host", self.key, False, True),
            LobbySeatState(self.guest.name, key, is_bot, False),
            *([LobbySeatState("Ben", self.other, False, True)] if self.other else []),
        )
        return LobbyState(LOBBY_ID, "a table", "war-jhong", options, len(seats), seats)

    def _begin(self, key: bytes, nonce: bytes) -> Begin:
        assert self.guest is not None
        is_oldest = self.guest.is_oldest ^ (self.lie == "other age")
        seats = (
            SeatEntry("host", self.key, False, False),
            SeatEntry(self.guest.name, key, self.guest.is_bot, is_oldest),
            *([SeatEntry("Ben", self.other, False, False)] if self.other else []),
        )
        nonce = bytes(32) if self.lie == "old table" else nonce
        nonces = (nonce, *[bytes(32)] * bool(self.other))
        table = table_id(LOBBY_ID, nonces)
        draft = Draft(1, table, "a table", "war-jhong", OPTIONS, seats)
        return Begin(draft, ((),) * len(seats), nonces)


async def says_ready_once(own: ScriptedFront) -> None:
    """As a person does, who cannot look again in an instant; a bot would say it again by itself."""
    await own.until(lambda: own.lobbies)
    own.commands.put_nowait(SetReady(True))


async def met(home: Path, host: LyingHost) -> P2PJongError:
    """What a joiner says who meets this host."""
    host.mesh.start()
    own = front(is_scripted=True)
    readying = asyncio.create_task(says_ready_once(own))
    try:
        with pytest.raises(P2PJongError) as caught:
            await run_peer(join_settings(home, host.address.port), own)
        await host.until(lambda: not host.mesh.linked())
        return caught.value
    finally:
        readying.cancel()
        await host.mesh.close()


@pytest.mark.parametrize(
    ("lie", "code", "words"),
    [
        ("odd options", Exit.MISMATCH, "options do not fit its game"),
        ("other kind", Exit.FAULT, "our seat as what it is not"),
        ("other age", Exit.FAULT, "our seat as what it is not"),
        ("old table", Exit.FAULT, "may be an old one"),
        ("switches", Exit.FAULT, "changed who sits at the table"),
        ("does not wait", Exit.NO_CONNECTION, "before we were ready"),
    ],
)
def test_a_lie_is_told_in_clear_words_and_nothing_is_signed(
    tmp_path: Path, lie: str, code: Exit, words: str
) -> None:
    host = LyingHost(lie)
    error = asyncio.run(met(tmp_path, host))
    assert (error.code, words in error.message) == (code, True), error.message
    assert error.hint
    assert not any(isinstance(message, TableMessage) for message in host.heard)
    assert not list((tmp_path / "guest" / "tables").glob("*.sqlite*")), "no seed was made for it"
    has_begun = lie not in ("odd options", "other kind")
    assert (Bye() in host.heard) == has_begun, "who has begun need not wait"


def test_a_host_that_floods_before_play_loses_its_joiner(tmp_path: Path) -> None:
    host = LyingHost("floods")
    error = asyncio.run(met(tmp_path, host))
    assert "the host is gone" in error.message
    assert not any(isinstance(message, TableMessage) for message in host.heard)
