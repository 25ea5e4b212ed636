"""Private tables before clients that are not ours, hosts that only pose, and men in the middle."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app import host as host_module
from p2pjong.app.peer import run_peer
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import (
    CodeAnswer,
    CodePassed,
    CodeProof,
    CodeStart,
    Join,
    LobbyMessage,
    Ready,
    Refused,
)
from tests.support.between import man_in_the_middle
from tests.support.loopback import Peer
from tests.support.peers import BIND, front, join_settings
from tests.support.private_table import CODE, ELEMENT, Table, at_a_table, heard, send

pytestmark = pytest.mark.timeout(60)


async def is_let_go(peer: Peer) -> list[Any]:
    """What the peer hears until its link ends."""
    await peer.until(lambda: not peer.mesh.linked())
    return heard(peer)


# --- Clients that are not ours --------------------------------------------------------------------


JOIN = Join(1, "stranger", False, False, 4711, ())


def test_a_join_before_the_check_is_refused(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with table.stranger() as peer:
            send(peer, JOIN)
            (refused,) = await is_let_go(peer)
            assert refused.reason == "code"
        # Nor in the midst of it, nor after an answer was got.
        async with table.stranger(10) as peer:
            send(peer, CodeStart(ELEMENT))
            send(peer, JOIN)
            answer, refused = await is_let_go(peer)
            assert isinstance(answer, CodeAnswer) and refused.reason == "code"

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert all(len(lobby.seats) == 1 for lobby in own.lobbies)


@pytest.mark.slow
@pytest.mark.parametrize(
    "messages",
    [(), (Ready(True, bytes(32), bytes(32)),), (CodeStart(ELEMENT),)],
    ids=["silence", "ready", "half a check"],
)
def test_who_does_not_go_on_is_sent_away_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, messages: tuple[LobbyMessage, ...]
) -> None:
    monkeypatch.setattr(host_module, "JOIN_WITHIN_S", 0.3)

    async def scene(table: Table) -> None:
        async with table.stranger() as peer:
            for message in messages:
                send(peer, message)
            told = await is_let_go(peer)
            assert not any(isinstance(message, Refused) for message in told)

    asyncio.run(at_a_table(tmp_path, scene))


@pytest.mark.parametrize(
    "message",
    [CodeProof(bytes(32)), CodePassed(bytes(32)), CodeAnswer(ELEMENT), CodeStart(bytes(32))],
    ids=lambda message: type(message).__name__,
)
def test_what_no_joiner_sends_does_not_bring_it_in(tmp_path: Path, message: LobbyMessage) -> None:
    async def scene(table: Table) -> None:
        async with table.stranger() as peer:
            send(peer, message)
            send(peer, JOIN)
            told = await is_let_go(peer)
            assert all(isinstance(each, Refused) for each in told)

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert all(len(lobby.seats) == 1 for lobby in own.lobbies)


class FakeHost(Peer):
    """Poses as a host, and answers what it is sent as `answers` say."""

    def __init__(self, answers: dict[type, LobbyMessage]) -> None:
        super().__init__(3)
        self.answers = answers

    def _on_frame(self, key: bytes, frame: bytes) -> None:
        super()._on_frame(key, frame)
        answer = self.answers.get(type(decode(frame, LobbyMessage)))
        if answer is not None:
            self.mesh.send(key, encode(answer))


IMPOSTORS: dict[str, tuple[dict[type, LobbyMessage], Exit]] = {
    "takes every code": (
        {CodeStart: CodeAnswer(ELEMENT), CodeProof: CodePassed(bytes(32))},
        Exit.FAULT,
    ),
    "answers with no element": ({CodeStart: CodeAnswer(bytes(32))}, Exit.FAULT),
    "skips the check": ({CodeStart: CodePassed(bytes(32))}, Exit.FAULT),
    "says that it is open": ({CodeStart: Refused("code-none", "")}, Exit.WRONG_CODE),
    "answers with a lie": ({CodeStart: Refused("nonsense", "trust me")}, Exit.NO_CONNECTION),
}


@pytest.mark.parametrize(("answers", "code"), IMPOSTORS.values(), ids=IMPOSTORS)
def test_who_poses_as_the_host_without_the_code_is_found_out(
    tmp_path: Path, answers: dict[type, LobbyMessage], code: Exit
) -> None:
    async def scene() -> P2PJongError:
        impostor = FakeHost(answers)
        impostor.mesh.start()
        try:
            settings = join_settings(tmp_path, impostor.address.port, code=CODE)
            with pytest.raises(P2PJongError) as caught:
                await run_peer(settings, front())
            assert not any(
                isinstance(decode(frame, LobbyMessage), Join) for _, frame in impostor.frames
            ), "it learns nothing of us"
            return caught.value
        finally:
            await impostor.mesh.close()

    error = asyncio.run(scene())
    assert error.code == code and error.message and error.hint
    assert "trust me" not in error.message


# --- Somebody in between ------------------------------------------------------------------------


def test_through_a_terminating_proxy_the_check_does_not_even_begin(tmp_path: Path) -> None:
    async def scene(table: Table) -> None:
        async with man_in_the_middle(Address(BIND, table.port)) as between:
            through = join_settings(
                tmp_path, between.port, code=CODE, connect=f"{BIND}:{between.port}"
            )
            with pytest.raises(P2PJongError) as caught:
                await run_peer(through, front())
        assert caught.value.code != Exit.WRONG_CODE
        assert "in between" in caught.value.message + caught.value.hint
        assert table.seated == ["host"]

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert not own.said, "and it was no guess"


def test_a_relay_with_an_identity_of_its_own_cannot_use_a_friends_answers(tmp_path: Path) -> None:
    """It makes a proper link with either end, and passes on every message of the check."""

    async def scene(table: Table) -> None:
        relay = Peer(5)
        relay.mesh.start()
        host = await relay.mesh.connect([Address(BIND, table.port)])

        async def pass_on() -> None:
            passed = 0
            while True:
                await relay.until(lambda: len(relay.frames) > passed)  # noqa: B023 - as it is now
                key, frame = relay.frames[passed]
                passed += 1
                ends = [end for end in relay.mesh.linked() if end != key]
                for end in ends if key == host else [host]:
                    relay.mesh.send(end, frame)

        passing = asyncio.create_task(pass_on())
        settings = join_settings(tmp_path, relay.address.port, code=CODE)
        try:
            with pytest.raises(P2PJongError) as caught:
                await run_peer(settings, front())
        finally:
            passing.cancel()
            await asyncio.gather(passing, return_exceptions=True)
            await relay.mesh.close()
        sent = [type(decode(frame, LobbyMessage)) for _, frame in relay.frames]
        assert sent == [CodeStart, CodeAnswer, CodeProof, Refused]
        assert caught.value.code == Exit.WRONG_CODE
        assert table.seated == ["host"]

    own = asyncio.run(at_a_table(tmp_path, scene))
    assert own.said == ["somebody tried a wrong code (1 of 10, then the code changes)"]
