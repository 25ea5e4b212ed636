"""Listening sockets of a peer, and the limits on who may knock and how often.

Implements "Limits" of `protocol/handshake.md` for connections that have proved nothing yet.
"""

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from typing import TypeAlias

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address, remote_address
from p2pjong.net.limits import LIMITS, Limits

BACKLOG = 64
PORT_TRIES = 16
ADDRESSES_REMEMBERED_MAX = 1024
LOG_EVERY_S = 10.0
# Out of descriptors or memory: there is nothing to do but to wait for some to come free.
ACCEPT_PAUSE_S = 0.5

# Takes a connection, and the function to call once it has proved itself or is gone.
OnAccept: TypeAlias = Callable[[socket.socket, Address, Callable[[], None]], None]

_log = logging.getLogger(__name__)


class Listener:
    """Listens on one TCP port, by IPv4 and IPv6 where the machine has them."""

    def __init__(self, sockets: list[socket.socket], limits: Limits = LIMITS) -> None:
        assert sockets, "a listener without a socket"
        self._sockets = sockets
        self._limits = limits
        self._half_open: dict[str, int] = {}
        self._rates: dict[str, _Bucket] = {}
        self.port: int = sockets[0].getsockname()[1]

    @classmethod
    def open(cls, port: int = 0, bind: str | None = None, limits: Limits = LIMITS) -> "Listener":
        """Binds (port 0: any free one; `bind`: one address alone). Raises P2PJongError."""
        try:
            return cls(_bind_one(bind, port) if bind else _bind_all(port), limits)
        except OSError as error:
            raise _cannot_listen(port, bind, error) from error

    def close(self) -> None:
        """Stops listening; whoever was accepted stays."""
        for sock in self._sockets:
            sock.close()

    async def accept_forever(self, on_accept: OnAccept) -> None:
        """Hands each connection that the limits allow to `on_accept`, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for sock in self._sockets:
                group.create_task(self._accept_forever(sock, on_accept))

    async def _accept_forever(self, listening: socket.socket, on_accept: OnAccept) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, peername = await loop.sock_accept(listening)
            except OSError as error:
                # The peer was gone already, or we are out of something.
                _log.warning("cannot accept a connection: %s", error.strerror)
                await asyncio.sleep(ACCEPT_PAUSE_S)
                continue
            address = remote_address(peername)
            if self._is_welcome(address.host, loop.time()):
                on_accept(sock, address, self._take_half_open(address.host))
            else:
                sock.close()

    def _is_welcome(self, host: str, now_s: float) -> bool:
        bucket = self._bucket(host, now_s)
        has_rate = bucket.take(now_s)
        total, of_host = sum(self._half_open.values()), self._half_open.get(host, 0)
        if not has_rate:
            bucket.log(now_s, "%s connects too often; closed", host)
        elif total >= self._limits.half_open or of_host >= self._limits.half_open_per_address:
            bucket.log(now_s, "%s: too many connections not yet proved; closed", host)
        else:
            return True
        return False

    def _bucket(self, host: str, now_s: float) -> "_Bucket":
        if host not in self._rates and len(self._rates) >= ADDRESSES_REMEMBERED_MAX:
            self._rates.pop(next(iter(self._rates)))
        bucket = self._rates.pop(host, None) or _Bucket(self._limits, now_s)
        self._rates[host] = bucket  # the one longest unseen is the first to be forgotten
        return bucket

    def _take_half_open(self, host: str) -> Callable[[], None]:
        self._half_open[host] = self._half_open.get(host, 0) + 1
        is_taken = True

        def release() -> None:
            nonlocal is_taken
            if is_taken:
                is_taken = False
                self._half_open[host] -= 1
                if not self._half_open[host]:
                    del self._half_open[host]

        return release


class _Bucket:
    """How many connections an address has left; it earns `connections_per_s`."""

    def __init__(self, limits: Limits, now_s: float) -> None:
        self._limits = limits
        self._left = float(limits.connections_burst)
        self._at_s = now_s
        self._logged_at_s = -LOG_EVERY_S

    def take(self, now_s: float) -> bool:
        earned = (now_s - self._at_s) * self._limits.connections_per_s
        self._left = min(float(self._limits.connections_burst), self._left + earned)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def log(self, now_s: float, text: str, host: str) -> None:
        if now_s - self._logged_at_s >= LOG_EVERY_S:  # a flood must not flood the log
            self._logged_at_s = now_s
            _log.warning(text, host)


def _bind_all(port: int) -> list[socket.socket]:
    for _ in range(PORT_TRIES):
        try:
            return _bind_both(port)
        except OSError as error:
            # A free port of IPv4 may be taken on IPv6: draw again.
            if port or error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no port is free")


def _bind_both(port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    try:
        for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            try:
                sockets.append(_listening(family, (host, port)))
            except OSError as error:
                if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                    raise
            else:
                port = sockets[0].getsockname()[1]
    except OSError:
        for sock in sockets:
            sock.close()
        raise
    if not sockets:
        raise OSError(errno.EAFNOSUPPORT, "neither IPv4 nor IPv6 is to be had")
    return sockets


def _bind_one(host: str, port: int) -> list[socket.socket]:
    info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return [_listening(info[0], info[4])]


def _listening(family: int, address: tuple[object, ...]) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # what SO_REUSEADDR should mean on Windows
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.setblocking(False)
        sock.bind(address)
        sock.listen(BACKLOG)
    except BaseException:
        sock.close()
        raise
    return sock


def _cannot_listen(port: int, bind: str | None, error: OSError) -> P2PJongError:
    where = f"port {port}" if port else "any port"
    if bind:
        where += f" of {bind}"
    hint = "--port 0 takes any free port; --bind takes an address of this machine"
    return P2PJongError(
        f"cannot listen on {where}: {error.strerror}", hint=hint, code=Exit.NO_CONNECTION
    )
