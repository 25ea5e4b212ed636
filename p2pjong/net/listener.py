"""Listening sockets of a peer, and the limits on who may knock and how often.

Implements "Limits" of `protocol/handshake.md` for connections that have proved nothing yet.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address, origin_of, remote_address
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
        # Connections that have proved nothing yet, the oldest first, and where each comes from.
        self._half_open: dict[socket.socket, str] = {}
        self._rates: dict[str, _Bucket] = {}
        self._failures = _Pause(LOG_EVERY_S)
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
                if self._failures.is_over(loop.time()):
                    _log.warning("cannot accept a connection: %s", error.strerror)
                await asyncio.sleep(ACCEPT_PAUSE_S)
                continue
            address = remote_address(peername)
            origin = origin_of(address.host)
            if self._bucket(origin, loop.time()).take(loop.time()):
                on_accept(sock, address, self._take_half_open(sock, origin))
            else:
                sock.close()

    def _bucket(self, origin: str, now_s: float) -> "_Bucket":
        if origin not in self._rates and len(self._rates) >= ADDRESSES_REMEMBERED_MAX:
            self._rates.pop(next(iter(self._rates)))
        bucket = self._rates.pop(origin, None) or _Bucket(origin, self._limits, now_s)
        self._rates[origin] = bucket  # the one longest unseen is the first to be forgotten
        return bucket

    def _take_half_open(self, sock: socket.socket, origin: str) -> Callable[[], None]:
        """A place for a new connection; where there is none, an older one gives way."""
        crowd = self._from(origin)
        if len(crowd) >= self._limits.half_open_per_address:
            self._turn_out(crowd[0])
        elif len(self._half_open) >= self._limits.half_open:
            self._turn_out(self._longest_of_the_busiest())
        self._half_open[sock] = origin
        return lambda: self._leave_half_open(sock)

    def _from(self, origin: str) -> list[socket.socket]:
        return [sock for sock, where in self._half_open.items() if where == origin]

    def _longest_of_the_busiest(self) -> socket.socket:
        # Silence is cheap, and an honest handshake is short: who came last is the likeliest friend.
        crowds = Counter(self._half_open.values())
        most = max(crowds.values())
        return next(sock for sock, origin in self._half_open.items() if crowds[origin] == most)

    def _turn_out(self, sock: socket.socket) -> None:
        _log.info("%s: too many connections not yet proved; one closed", self._half_open[sock])
        self._leave_half_open(sock)
        with contextlib.suppress(OSError):  # it may be gone already
            sock.shutdown(socket.SHUT_RDWR)  # whoever serves it sees it end

    def _leave_half_open(self, sock: socket.socket) -> None:
        self._half_open.pop(sock, None)


class _Pause:
    """So that what happens without end is told once in a while."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._told_at_s = -every_s

    def is_over(self, now_s: float) -> bool:
        """Whether it may be told now; then the next pause begins."""
        if now_s - self._told_at_s < self._every_s:
            return False
        self._told_at_s = now_s
        return True


class _Bucket:
    """How many connections an origin has left; it earns `connections_per_s`."""

    def __init__(self, origin: str, limits: Limits, now_s: float) -> None:
        self._origin = origin
        self._limits = limits
        self._left = float(limits.connections_burst)
        self._at_s = now_s
        self._pause = _Pause(LOG_EVERY_S)

    def take(self, now_s: float) -> bool:
        earned = (now_s - self._at_s) * self._limits.connections_per_s
        self._left = min(float(self._limits.connections_burst), self._left + earned)
        self._at_s = now_s
        if self._left < 1:
            if self._pause.is_over(now_s):  # a flood must not flood the log
                _log.info("%s connects too often; closed", self._origin)
            return False
        self._left -= 1
        return True


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
