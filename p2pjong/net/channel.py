"""Frames over one TLS connection, before anyone has proved anything."""

import asyncio
import socket

from p2pjong.net.address import Address, remote_address
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import LinkError, broken_off
from p2pjong.wire.codec import FRAME_BYTES_MAX, encode
from p2pjong.wire.framing import FrameDecoder, encode_frame
from p2pjong.wire.handshake import HANDSHAKE_BYTES_MAX, Close, CloseCode

READ_BYTES = 1 << 16


class Channel:
    """One connection: frames in and out, with their limits."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits
    ) -> None:
        self.address: Address = remote_address(writer.get_extra_info("peername"))
        self.local_host = remote_address(writer.get_extra_info("sockname")).host.partition("%")[0]
        self.limits = limits
        self._reader = reader
        self._writer = writer
        # Frames leave at once: held back until the last one is acknowledged (Nagle), a move comes
        # 40 ms late. asyncio sees to it only for sockets that were made with a protocol number.
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._decoder = FrameDecoder(HANDSHAKE_BYTES_MAX)

    def peer_certificate(self) -> bytes:
        """The certificate that the accepting end showed us, in DER."""
        certificate = self._writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        if not certificate:
            raise LinkError("showed no certificate", CloseCode.MALFORMED)
        return bytes(certificate)

    def lift_limit(self) -> None:
        """From here on frames may have their full size: the peer has proved who it is."""
        self._decoder.frame_bytes_max = FRAME_BYTES_MAX

    def send(self, body: bytes) -> None:
        """Queues a frame; on a connection that is going down it is dropped."""
        if not self._writer.is_closing():
            self._writer.write(encode_frame(body))

    @property
    def pending_bytes(self) -> int:
        """How much of what was sent has not left for the network."""
        return self._writer.transport.get_write_buffer_size()

    async def drain(self) -> None:
        """Waits until little is pending. Raises OSError when the connection is lost."""
        await self._writer.drain()

    def next_frame(self) -> bytes | None:
        """A frame that has arrived whole, or None. Raises DecodeError."""
        return self._decoder.next_frame()

    async def read(self) -> int:
        """Waits for more bytes and returns how many came. Raises LinkError at the end."""
        try:
            chunk = await self._reader.read(READ_BYTES)
        except OSError as error:
            raise broken_off() from error
        if not chunk:
            raise broken_off()
        self._decoder.feed(chunk)
        return len(chunk)

    async def receive(self) -> bytes:
        """The next frame."""
        while (frame := self.next_frame()) is None:
            await self.read()
        return frame

    async def close(self, code: CloseCode | None = None) -> None:
        """Says why, if there is a code, and closes; within `closing_s`, whatever the peer does."""
        if code is not None:
            self.send(encode(Close(code)))
        self._writer.close()
        try:
            async with asyncio.timeout(self.limits.closing_s + 1):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            pass  # how a connection that we gave up ends is nobody's concern
        finally:
            self.abort()

    def abort(self) -> None:
        """Ends the connection at once; what was not sent is lost."""
        self._writer.transport.abort()
