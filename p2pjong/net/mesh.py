"""All links of a peer: dials and accepts those it expects, asks a gate about the others.

Implements "Which link stays" of `protocol/handshake.md`. One link for each identity:

    nothing --dial or accept, proved, admitted--> linked --ended, or replaced by a newer--> nothing

Both ends may dial at once. The dialler does not prove itself where a link came about meanwhile;
and while the lower key has its own proof under way, it refuses the higher's. So exactly one of two
crossing connections opens, and neither end ever closes an open link for a crossing one. A
connection that began after the present link opened is no crossing one: its dialler has lost that
link or was started again, and the newer replaces the older.
"""

import asyncio
import logging
import secrets
import socket
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from typing import Any

from p2pjong.net.address import Address, is_loopback, with_zones
from p2pjong.net.callbacks import Callbacks
from p2pjong.net.connection import accept_channel, dial_channel
from p2pjong.net.identity import Identity, fingerprint
from p2pjong.net.limits import LIMITS, Limits
from p2pjong.net.link import Link
from p2pjong.net.link_errors import (
    LinkError,
    crossing,
    most_telling,
    stranger,
    unreachable,
)
from p2pjong.net.link_handshake import LocalEnd, accept_handshake, dial_handshake
from p2pjong.net.listener import Listener
from p2pjong.net.racing import race
from p2pjong.net.redial import Redial
from p2pjong.net.tls import ServerTls, client_context
from p2pjong.wire.handshake import INSTANCE_BYTES, CloseCode, Hello, Role

__all__ = ["Callbacks", "Mesh"]

CROSSINGS_MAX = 5

_log = logging.getLogger(__name__)


class Mesh:
    """The links of one identity. `start` it, `close` it; everything in one event loop."""

    def __init__(
        self,
        identity: Identity,
        listener: Listener | None,
        callbacks: Callbacks,
        limits: Limits = LIMITS,
    ) -> None:
        self.key = identity.key
        self._end = LocalEnd(identity, secrets.token_bytes(INSTANCE_BYTES))
        self._tls = ServerTls()
        self._client = client_context()
        self._listener = listener
        self._callbacks = callbacks
        self._limits = limits
        self._links: dict[bytes, Link] = {}
        self._proving: set[bytes] = set()  # whom we are about to prove ourselves to, as diallers
        self._redials: dict[bytes, Redial] = {}  # the expected peers
        self._redial_tasks: dict[bytes, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._serving: set[asyncio.Task[None]] = set()  # those of them that serve a link
        self._is_closed = False

    # --- for the owner ------------------------------------------------------------------------

    def start(self) -> None:
        """Begins to accept connections."""
        if self._listener is not None:
            self._spawn(self._listener.accept_forever(self._on_accept))

    async def close(self) -> None:
        """Ends all links in order ("going"); no callback is called any more."""
        self._is_closed = True
        for task in self._tasks - self._serving:
            task.cancel()
        for link in self._links.values():
            link.fail(LinkError("was told that we go", CloseCode.GOING))
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._listener is not None:
            self._listener.close()

    def expect(self, peers: Mapping[bytes, Iterable[Address]]) -> None:
        """From now on exactly these identities are dialled and let in without asking the gate.

        Replaces the earlier set. Open links of others stay open: `drop` ends them.
        """
        for key in self._redials.keys() - peers.keys():
            del self._redials[key]
            self._redial_tasks.pop(key).cancel()
        for key, addresses in peers.items():
            if key != self.key:
                self._expect_one(key, tuple(addresses))

    async def connect(
        self, addresses: Iterable[Address], host_fingerprint: str | None = None
    ) -> bytes:
        """Links with whoever answers at the addresses, once, and returns its key.

        With a fingerprint it must be that identity. Raises LinkError naming what failed.
        """

        def check(hello: Hello) -> None:
            if host_fingerprint not in (None, fingerprint(hello.key)):
                raise stranger(hello.key)

        for _ in range(CROSSINGS_MAX):
            key = await self._dial(tuple(addresses), check)
            if key in self._links:
                return key
            # It was dialling us at the same time and that connection went first.
            await asyncio.sleep(self._limits.redial_min_s)
        raise LinkError("keeps dialling us and never gets through", hint="try again")

    def send(self, key: bytes, frame: bytes) -> bool:
        """Queues a frame for a linked peer. False if there is no link: it will not arrive.

        True is no promise that it does; what was on a link that went down is lost.
        """
        link = self._links.get(key)
        return link is not None and link.send(frame)

    def linked(self) -> frozenset[bytes]:
        """The identities that we have an open link with."""
        return frozenset(self._links)

    def link(self, key: bytes) -> Link | None:
        """The open link with this identity: its address, transcript, pending bytes, drain."""
        return self._links.get(key)

    async def silent(self, keys: Iterable[bytes], within_s: float) -> frozenset[bytes]:
        """Those of these identities that have no link, or do not answer on it in time."""
        links = {key: self._links.get(key) for key in keys}
        asked = [link for link in links.values() if link is not None]
        alive = await asyncio.gather(*(link.is_alive(within_s) for link in asked))
        answered = {link.key for link, is_alive in zip(asked, alive, strict=True) if is_alive}
        return frozenset(links) - answered

    def drop(self, key: bytes, code: CloseCode) -> None:
        """Ends the link with this identity; if it is expected, it is dialled again later."""
        link = self._links.get(key)
        if link is not None:
            link.fail(LinkError(f"was dropped: {code}", code))

    def move(self, key: bytes, addresses: Iterable[Address]) -> None:
        """An expected peer is now at these addresses; if they are new it is dialled at once."""
        redial = self._redials.get(key)
        if redial is not None:
            redial.move(tuple(addresses))

    def leave_all_but(self, hosts: Collection[str]) -> None:
        """Ends the links that go from an address which this machine has no more (loopback aside).

        They would seem to be up until pings have gone unanswered for long.
        """
        for link in self._links.values():
            if link.local_host not in hosts and not is_loopback(link.local_host):
                error = LinkError("was over an address that is gone", CloseCode.TIMEOUT)
                link.fail(error)

    # --- dialling -----------------------------------------------------------------------------

    def _expect_one(self, key: bytes, addresses: tuple[Address, ...]) -> None:
        if key in self._redials:
            self._redials[key].move(addresses)
            return
        redial = Redial(
            addresses,
            lambda current: self._dial_expected(key, current),
            lambda: key in self._links,
            self._limits,
        )
        self._redials[key] = redial
        self._redial_tasks[key] = self._spawn(redial.run())

    async def _dial_expected(self, key: bytes, addresses: tuple[Address, ...]) -> None:
        def check(hello: Hello) -> None:
            if hello.key != key:
                raise stranger(hello.key)

        try:
            await self._dial(addresses, check)
        except LinkError as error:
            _log.debug("%s: %s", fingerprint(key)[:9], error)
            raise
        if key not in self._links:
            raise crossing()

    async def _dial(self, addresses: tuple[Address, ...], check: Callable[[Hello], None]) -> bytes:
        """Reaches the peer that `check` accepts through the first address where it answers.

        Returns its key, also where its own connection to us went first and is not open yet.
        """
        candidates = with_zones(addresses)
        if not candidates:
            raise unreachable("no address of it is known")
        errors: list[LinkError] = []

        async def attempt(address: Address) -> bytes:
            try:
                return await self._dial_one(address, check)
            except LinkError as error:
                errors.append(error.at(address))
                raise

        try:
            return await race(candidates, attempt, self._limits.stagger_s, lambda key: None)
        except LinkError as error:
            raise most_telling(errors) from error

    async def _dial_one(self, address: Address, check: Callable[[Hello], None]) -> bytes:
        met: list[bytes] = []
        proving: list[bytes] = []

        def before_proof(hello: Hello) -> None:
            check(hello)
            if self._is_closed:
                raise LinkError("comes too late, we are going", CloseCode.GOING)
            met.append(hello.key)
            if hello.key in self._links or hello.key in self._proving:
                raise crossing()
            self._proving.add(hello.key)
            proving.append(hello.key)

        channel = await dial_channel(address, self._client, self._limits)
        try:
            handshake = await dial_handshake(channel, self._end, before_proof)
            self._open(Link(channel, handshake, Role.DIALLER))
        except LinkError as error:
            if error.reason != CloseCode.DUPLICATE or not met:
                raise
            _log.debug("%s %s", address, error)
        finally:
            self._proving.difference_update(proving)
        return met[0]

    # --- accepting ----------------------------------------------------------------------------

    def _on_accept(
        self, sock: socket.socket, address: Address, release: Callable[[], None]
    ) -> None:
        self._spawn(self._accept(sock, address, release))

    async def _accept(
        self, sock: socket.socket, address: Address, release: Callable[[], None]
    ) -> None:
        began_at = asyncio.get_running_loop().time()
        try:
            channel = await accept_channel(sock, self._tls, self._limits)
            handshake = await accept_handshake(
                channel,
                self._end,
                self._tls.certificate,
                lambda hello: self._admit(hello, address, began_at),
            )
            self._open(Link(channel, handshake, Role.ACCEPTOR))
        except LinkError as error:
            # What strangers do on the network is no news for who plays: it is for --debug.
            is_usual = error.reason in (CloseCode.DUPLICATE, CloseCode.PROBE)
            _log.log(logging.DEBUG if is_usual else logging.INFO, "%s %s", address, error)
            if error.close is CloseCode.VERSION:
                self._callbacks.on_other_version(address)
        finally:
            release()

    def _admit(self, hello: Hello, address: Address, began_at: float) -> None:
        """Raises LinkError unless a link with this proved identity shall open now."""
        present = self._links.get(hello.key)
        if present is not None and present.instance == hello.instance:
            if began_at < present.opened_at:
                raise crossing()
        elif hello.key in self._proving and self.key < hello.key:
            raise crossing()
        if hello.key not in self._redials and not self._callbacks.may_link(hello.key, address):
            raise LinkError(f"({fingerprint(hello.key)[:9]}) is not wanted", CloseCode.REFUSED)
        if present is None and self._free_links(hello.key) <= 0:
            raise LinkError(f"({fingerprint(hello.key)[:9]}): no link is free", CloseCode.FULL)

    def _free_links(self, key: bytes) -> int:
        # Those who are expected find a free link, whoever else crowds in.
        kept = set() if key in self._redials else self._redials.keys() - self._links.keys()
        return self._limits.links - len(self._links) - len(kept)

    # --- links --------------------------------------------------------------------------------

    def _open(self, link: Link) -> None:
        older = self._links.pop(link.key, None)
        if older is not None:
            older.fail(LinkError("has a newer link, this one ends", CloseCode.REPLACED))
            self._tell_down(link.key, CloseCode.REPLACED)
        self._links[link.key] = link
        _log.debug("%s is linked", link)
        serving = self._spawn(self._serve(link))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)
        if self._is_closed:
            link.fail(LinkError("comes too late, we are going", CloseCode.GOING))
        else:
            self._callbacks.on_up(link.key)

    async def _serve(self, link: Link) -> None:
        try:
            error = await link.run(lambda frame: self._on_frame(link, frame))
            _log.info("%s %s", link, error)
            if self._links.get(link.key) is link:
                self._ended(link, error)
        finally:
            if self._links.get(link.key) is link:  # a callback has raised
                del self._links[link.key]
            await link.close()

    def _on_frame(self, link: Link, frame: bytes) -> None:
        # What still arrives on a replaced link would come after the down of its key.
        if self._links.get(link.key) is link and not self._is_closed:
            self._callbacks.on_frame(link.key, frame)

    def _ended(self, link: Link, error: LinkError) -> None:
        del self._links[link.key]
        redial = self._redials.get(link.key)
        if redial is not None:
            redial.ended(error, asyncio.get_running_loop().time() - link.opened_at)
        self._tell_down(link.key, error.reason)

    def _tell_down(self, key: bytes, reason: str) -> None:
        if not self._is_closed:
            self._callbacks.on_down(key, reason)

    # --- tasks --------------------------------------------------------------------------------

    def _spawn(self, steps: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(steps)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            context = {"message": "a task of the mesh failed", "exception": task.exception()}
            task.get_loop().call_exception_handler(context)
