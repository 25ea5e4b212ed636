"""TCP and TLS connections: dialling the addresses of one peer, and taking what a listener got."""

import asyncio
import os
import socket
import ssl
from typing import Any

from p2pjong.net.address import Address
from p2pjong.net.channel import Channel
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import OTHER_PROGRAM, LinkError, broken_off, unreachable
from p2pjong.net.racing import race
from p2pjong.net.tls import ServerTls

STREAM_BUFFER_BYTES = 1 << 16


async def dial_channel(address: Address, context: ssl.SSLContext, limits: Limits) -> Channel:
    """A TLS connection to the address. Raises LinkError."""
    loop = asyncio.get_running_loop()
    reader, protocol = _stream(loop)
    try:
        async with asyncio.timeout(limits.connect_s + limits.handshake_s):
            sock = await _connect(address, limits)
            transport, _ = await loop.create_connection(
                lambda: protocol,
                sock=sock,
                ssl=context,
                server_hostname="",  # no name in the clear
                ssl_handshake_timeout=limits.handshake_s,
                ssl_shutdown_timeout=limits.closing_s,
            )
    except (OSError, TimeoutError) as error:
        raise _tls_failure(error, limits) from error
    return Channel(reader, asyncio.StreamWriter(transport, protocol, reader, loop), limits)


async def _connect(address: Address, limits: Limits) -> socket.socket:
    try:
        async with asyncio.timeout(limits.connect_s):
            targets = _numeric(address) or await _looked_up(address)
            return await race(targets, _connect_socket, limits.stagger_s, socket.socket.close)
    except TimeoutError as error:
        raise unreachable(f"no answer within {limits.connect_s:g} s") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no resolver takes
        raise unreachable(_why(error)) from error


def _why(error: OSError | ValueError) -> str:
    """In the system's words: asyncio's name the call that failed, and the address once more."""
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or "no such name"


def _numeric(address: Address) -> list[tuple[int, Any]]:
    # No thread and no name service for what is no name.
    try:
        infos = socket.getaddrinfo(
            *address, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        )
    except (OSError, ValueError):
        return []
    return [(info[0], info[4]) for info in infos]


async def _looked_up(address: Address) -> list[tuple[int, Any]]:
    if not set(address.host).isdisjoint(":%"):  # an address, with a zone that is not ours: no name
        raise socket.gaierror(socket.EAI_NONAME, "no such address here")
    loop = asyncio.get_running_loop()
    infos = await loop.getaddrinfo(*address, type=socket.SOCK_STREAM)
    return [(info[0], info[4]) for info in infos]


async def _connect_socket(target: tuple[int, Any]) -> socket.socket:
    family, address = target
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, address)
    except BaseException:
        sock.close()
        raise
    return sock


async def accept_channel(sock: socket.socket, tls: ServerTls, limits: Limits) -> Channel:
    """The TLS connection on a socket that a listener accepted. Raises LinkError."""
    loop = asyncio.get_running_loop()
    reader, protocol = _stream(loop)
    try:
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            sock,
            ssl=tls.context,
            ssl_handshake_timeout=limits.handshake_s,
            ssl_shutdown_timeout=limits.closing_s,
        )
    except OSError as error:
        raise _tls_failure(error, limits) from error
    return Channel(reader, asyncio.StreamWriter(transport, protocol, reader, loop), limits)


def _stream(
    loop: asyncio.AbstractEventLoop,
) -> tuple[asyncio.StreamReader, asyncio.StreamReaderProtocol]:
    reader = asyncio.StreamReader(STREAM_BUFFER_BYTES, loop)
    return reader, asyncio.StreamReaderProtocol(reader, loop=loop)


def _tls_failure(error: OSError, limits: Limits) -> LinkError:
    match error:
        case ssl.SSLError():
            why = f"does not speak TLS 1.3 ({error.reason or 'not TLS'})"
        case ConnectionResetError() | BrokenPipeError():
            why = broken_off().message
        case ConnectionAbortedError() | TimeoutError():  # asyncio's word for its own timeout
            why = f"did not finish the TLS handshake within {limits.handshake_s:g} s"
        case _:
            why = f"failed ({error.strerror or type(error).__name__})"
    return LinkError(why, hint=OTHER_PROGRAM)
