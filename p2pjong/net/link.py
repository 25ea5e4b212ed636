"""A link: frames to and from one peer whose identity is proved.

Implements "Link upkeep" of `protocol/handshake.md`. Whether a peer is wanted is for the mesh to
say; what the frames mean is for the session.
"""

import asyncio
import itertools
from collections.abc import Callable

from p2pjong.net.channel import Channel
from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import LinkError, closed_by_peer
from p2pjong.net.link_handshake import Handshake
from p2pjong.wire.codec import DecodeError, encode
from p2pjong.wire.handshake import (
    Close,
    CloseCode,
    LinkMessage,
    Ping,
    Pong,
    Role,
    decode_link_message,
    is_link_frame,
)

PROOFS_FROM = 1 << 16  # numbers of pings that are waited for; those in silence are few
PINGS_MAX = 16  # of the peer, answered together; it has no need of so many
# What a frame costs beside its bytes, when the inbound pace is reckoned.
FRAME_COST_BYTES = 1024


class Link:
    """An open link to the peer with identity `key`, whose running program is `instance`."""

    def __init__(self, channel: Channel, handshake: Handshake, our_role: Role) -> None:
        peer = handshake.acceptor if our_role is Role.DIALLER else handshake.dialler
        self.key = peer.key
        self.instance = peer.instance
        self.our_role = our_role
        self.transcript = handshake.transcript()
        self.address = channel.address
        self.local_host = channel.local_host  # the address of this machine that it goes from
        self.opened_at = asyncio.get_running_loop().time()
        self._channel = channel
        self._asked: dict[int, asyncio.Future[None]] = {}  # pings whose answers are waited for
        self._numbers = itertools.count(PROOFS_FROM)
        self._failure: asyncio.Future[LinkError] = asyncio.get_running_loop().create_future()
        self._allowance = float(channel.limits.inbound_burst_bytes)
        self._allowance_at = self.opened_at
        self._unanswered: list[int] = []  # pings of the peer
        self._ponging: asyncio.TimerHandle | None = None  # when they will be answered
        channel.lift_limit()

    def __str__(self) -> str:
        return f"{fingerprint(self.key)[:9]} at {self.address}"

    def send(self, frame: bytes) -> bool:
        """Queues a frame; False if the link is going down. A reader that has stopped is dropped."""
        assert not is_link_frame(frame), "tags that begin with link- are the link's own"
        if self._failure.done():
            return False
        self._channel.send(frame)
        pending = self._channel.pending_bytes
        if pending > self._channel.limits.write_buffer_bytes:
            self.fail(LinkError(f"does not read: {pending} bytes wait for it", CloseCode.SLOW))
        return not self._failure.done()

    @property
    def pending_bytes(self) -> int:
        """How much of what was sent has not left for the network."""
        return self._channel.pending_bytes

    async def is_alive(self, within_s: float) -> bool:
        """Whether the peer answers in time: a link seems up for long while its machine sleeps."""
        number = next(self._numbers)
        asked = self._asked[number] = asyncio.get_running_loop().create_future()
        self._channel.send(encode(Ping(number)))
        try:
            either = (asked, self._failure)
            await asyncio.wait(either, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
            return asked.done()
        finally:
            del self._asked[number]

    async def drain(self) -> None:
        """Waits until little is pending, or the link is lost."""
        try:
            await self._channel.drain()
        except OSError:
            return

    def fail(self, error: LinkError) -> None:
        """Ends the link from our side; `run` returns this error. Later calls change nothing."""
        if not self._failure.done():
            self._failure.set_result(error)

    async def run(self, on_frame: Callable[[bytes], None]) -> LinkError:
        """Hands each frame to `on_frame` until the link ends; returns why. `close` it then."""
        reading = asyncio.ensure_future(self._read(on_frame))
        try:
            await asyncio.wait((reading, self._failure), return_when=asyncio.FIRST_COMPLETED)
            # Our own reason goes first: what is read after we gave up has no say.
            error = self._failure.result() if self._failure.done() else await reading
            self.fail(error)
            return error
        finally:
            reading.cancel()
            await asyncio.wait((reading,))

    async def close(self) -> None:
        """Tells the peer why the link ends, if it is still there, and closes the connection."""
        if self._ponging is not None:
            self._ponging.cancel()
        await self._channel.close(self._failure.result().close if self._failure.done() else None)

    async def _read(self, on_frame: Callable[[bytes], None]) -> LinkError:
        pings = 0
        try:
            while True:
                self._hand_out(on_frame)
                await self._keep_pace()
                try:
                    async with asyncio.timeout(self._channel.limits.ping_s):
                        self._allowance -= await self._channel.read()
                    pings = 0
                except TimeoutError:
                    pings = self._ping(pings)
        except LinkError as error:
            return error
        except DecodeError as error:
            return LinkError(f"sent {error}", CloseCode.MALFORMED)

    def _hand_out(self, on_frame: Callable[[bytes], None]) -> None:
        # A link that was ended by what a frame brought about hands out no more.
        while not self._failure.done() and (frame := self._channel.next_frame()) is not None:
            self._allowance -= FRAME_COST_BYTES
            if is_link_frame(frame):
                self._upkeep(decode_link_message(frame))
            else:
                on_frame(frame)

    def _upkeep(self, message: LinkMessage) -> None:
        match message:
            case Ping(number):
                self._pong(number)
            case Pong(number):
                # Of a ping that only asks for a sign of life, that it came is all that counts.
                if (asked := self._asked.get(number)) is not None and not asked.done():
                    asked.set_result(None)
            case Close(code):
                raise closed_by_peer(code)
            case _:
                raise DecodeError("a handshake message after the handshake")

    def _pong(self, number: int) -> None:
        """Not when the peer likes: answered at once, many pings would time what we are doing, and
        so tell whether a person is being asked just now."""
        if len(self._unanswered) < PINGS_MAX:
            self._unanswered.append(number)
        if self._ponging is None:
            loop, every_s = asyncio.get_running_loop(), self._channel.limits.pong_s
            self._ponging = loop.call_at((loop.time() // every_s + 1) * every_s, self._send_pongs)

    def _send_pongs(self) -> None:
        for number in self._unanswered:
            self._channel.send(encode(Pong(number)))
        self._ponging, self._unanswered = None, []

    def _ping(self, unanswered: int) -> int:
        # Counted in pings and not in time: a machine that slept wakes up to a peer in good health.
        if unanswered >= self._channel.limits.pings_unanswered:
            raise LinkError("has been silent for too long", CloseCode.TIMEOUT)
        self._channel.send(encode(Ping(unanswered)))
        return unanswered + 1

    async def _keep_pace(self) -> None:
        limits = self._channel.limits
        now = asyncio.get_running_loop().time()
        earned = (now - self._allowance_at) * limits.inbound_bytes_per_s
        self._allowance = min(limits.inbound_burst_bytes, self._allowance + earned)
        self._allowance_at = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / limits.inbound_bytes_per_s)
