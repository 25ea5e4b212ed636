"""Programs at the door that are not ours, or not of our version: both ends are told."""

import asyncio
import ssl
from pathlib import Path

import pytest

from p2pjong.app.peer import run_peer
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net import link_handshake
from p2pjong.net.link_errors import OTHER_PROGRAM
from p2pjong.net.tls import ServerTls
from tests.support.peers import BIND, free_port, front, host_settings, join_settings, start_host


def test_a_host_is_told_of_a_joiner_of_another_version_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> list[str]:
        port = free_port()
        own = front(is_scripted=True)
        hosting = await start_host(host_settings(tmp_path, port=port, seats=3), own)
        monkeypatch.setattr(link_handshake, "PROTOCOL_VERSION", 2)
        for _ in range(2):
            with pytest.raises(P2PJongError) as caught:
                await run_peer(join_settings(tmp_path, port), front())
            assert caught.value.code == Exit.MISMATCH
        await own.until(lambda: any("another version" in line for line in own.said))
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)
        return [line for line in own.said if "another version" in line]

    assert asyncio.run(scene()) == [
        "Somebody at 127.0.0.1 tried to join with another version of p2pjong; "
        "everyone needs the same."
    ]


def test_a_web_server_is_said_to_be_another_program(tmp_path: Path) -> None:
    """It speaks TLS 1.3 as a table does, and then HTTP."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async def scene() -> P2PJongError:
        tls: ssl.SSLContext = ServerTls().context
        server = await asyncio.start_server(answer, BIND, 0, ssl=tls)
        async with server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(P2PJongError) as caught:
                await run_peer(join_settings(tmp_path, port), front())
        return caught.value

    error = asyncio.run(scene())
    assert (error.code, error.hint) == (Exit.NO_CONNECTION, OTHER_PROGRAM)
    assert "does not answer as a table of p2pjong does" in error.message
