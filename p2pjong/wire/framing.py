"""Frames on a byte stream: four bytes of length, big-endian, then as many bytes of msgpack.

Implements "Frames" of `protocol/handshake.md`. A pure state machine: bytes in, frames out.
"""

from p2pjong.wire.codec import FRAME_BYTES_MAX, DecodeError

HEADER_BYTES = 4


def encode_frame(body: bytes) -> bytes:
    """The bytes that carry `body` on a stream; the caller keeps to 1..FRAME_BYTES_MAX bytes."""
    assert 0 < len(body) <= FRAME_BYTES_MAX, f"a frame of {len(body)} bytes"
    return len(body).to_bytes(HEADER_BYTES, "big") + body


class FrameDecoder:
    """Cuts a stream into frames: `feed` what arrived, then ask `next_frame` until it is None.

    A header beyond the limit, or of an empty frame, raises DecodeError before any of its body is
    kept; from then on the stream has no meaning, and every later call raises the same.
    """

    def __init__(self, frame_bytes_max: int = FRAME_BYTES_MAX) -> None:
        self.frame_bytes_max = frame_bytes_max
        self._buffer = bytearray()
        self._error: DecodeError | None = None

    @property
    def buffered_bytes(self) -> int:
        """How much of frames not yet handed out is kept."""
        return len(self._buffer)

    def feed(self, chunk: bytes) -> None:
        """Takes in what the stream brought."""
        if self._error is not None:
            raise self._error
        self._buffer += chunk

    def next_frame(self) -> bytes | None:
        """The next whole frame, or None until more is fed."""
        if self._error is not None:
            raise self._error
        if len(self._buffer) < HEADER_BYTES:
            return None
        length = int.from_bytes(self._buffer[:HEADER_BYTES], "big")
        self._check_length(length)
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        return body

    def _check_length(self, length: int) -> None:
        if 0 < length <= self.frame_bytes_max:
            return
        self._buffer.clear()
        self._error = DecodeError(
            f"a frame of {length} bytes, the limit is {self.frame_bytes_max}"
            if length
            else "an empty frame"
        )
        raise self._error
