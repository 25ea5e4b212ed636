"""A record: one file with a table's draft and all its lanes, and never a secret.

Implements "Records" of `protocol/audit.md`: length-prefixed frames, first a header, then the signed
lane messages in an order in which each one's causal past comes before it.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from p2pjong.errors import Exit, P2PJongError
from p2pjong.wire.codec import DecodeError, Message, decode, encode
from p2pjong.wire.framing import FrameDecoder, encode_frame
from p2pjong.wire.messages import Draft, Lane

RECORD_VERSION = 1
RECORD_BYTES_MAX = 1 << 30
READ_BYTES = 1 << 16


class RecordHeader(Message, tag="p2pjong-record", frozen=True):
    """The first frame of a record."""

    version: Annotated[int, Meta(ge=1, le=255)]
    draft: Draft


def write_record(path: Path, draft: Draft, frames: Iterable[bytes]) -> None:
    """Write the record, whole or not at all; raises P2PJongError when the disk refuses."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(encode_frame(encode(RecordHeader(RECORD_VERSION, draft))))
            for frame in frames:
                file.write(encode_frame(frame))
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise P2PJongError(
            f"the record could not be written to {path}: {error.strerror}",
            "name a file in a folder that exists and that you may write to",
            Exit.STORAGE,
        ) from error


def read_record(path: Path) -> tuple[Draft, list[Lane]]:
    """The draft and the lane messages of a record.

    Raises P2PJongError on a damaged file, and on one of another version.
    """
    frames = _frames(path)
    try:
        header: RecordHeader = decode(next(frames, b""), RecordHeader)
    except DecodeError as error:
        raise _damaged(path, "it does not begin like a record") from error
    if header.version != RECORD_VERSION:
        raise P2PJongError(
            f"{path} is a record of version {header.version}, this program reads {RECORD_VERSION}",
            "use the version of p2pjong that wrote it",
            Exit.MISMATCH,
        )
    lanes: list[Lane] = []
    for frame in frames:
        try:
            lanes.append(decode(frame, Lane))
        except DecodeError as error:
            raise _damaged(path, f"message {len(lanes)} is malformed") from error
    return header.draft, lanes


def _frames(path: Path) -> Iterator[bytes]:
    decoder = FrameDecoder()
    try:
        if path.stat().st_size > RECORD_BYTES_MAX:
            raise _damaged(path, "it is larger than any record")
        with path.open("rb") as file:
            while piece := file.read(READ_BYTES):
                decoder.feed(piece)
                while (frame := decoder.next_frame()) is not None:
                    yield frame
    except OSError as error:
        raise P2PJongError(
            f"{path} could not be read: {error.strerror}", "name a record file", Exit.USAGE
        ) from error
    except DecodeError as error:
        raise _damaged(path, str(error)) from error
    if decoder.buffered_bytes:
        raise _damaged(path, "it ends in the middle of a message")


def _damaged(path: Path, why: str) -> P2PJongError:
    return P2PJongError(
        f"{path} is damaged or no record: {why}",
        "get the record again from a peer that played at the table",
        Exit.FAULT,
    )
