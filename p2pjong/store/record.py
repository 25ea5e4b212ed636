"""A record: one file with a table's draft and all its lanes, and never a secret.

Implements "Records" of `protocol/audit.md`: length-prefixed frames, first a header, then the signed
lane messages in an order in which each one's causal past comes before it.
"""

import errno
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, BinaryIO

from msgspec import Meta

from p2pjong.errors import Exit, P2PJongError, storage_hint
from p2pjong.wire.codec import DecodeError, Message, decode, encode
from p2pjong.wire.framing import HEADER_BYTES, FrameDecoder, encode_frame
from p2pjong.wire.messages import Draft, Evidence, Lane

RECORD_VERSION = 1
RECORD_BYTES_MAX = 1 << 30
READ_BYTES = 1 << 16


class RecordHeader(Message, tag="p2pjong-record", frozen=True):
    """The first frame of a record."""

    version: Annotated[int, Meta(ge=1, le=255)]
    draft: Draft


def write_record(path: Path, draft: Draft, frames: Iterable[bytes]) -> None:
    """Write the record, whole or not at all, and over nothing that anyone has kept.

    Raises P2PJongError when the disk refuses, or somebody has used that name meanwhile.
    """
    # A name that nobody else has: another program's half-written file is not ours to remove.
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(encode_frame(encode(RecordHeader(RECORD_VERSION, draft))))
            for frame in frames:
                file.write(encode_frame(frame))
        _put_in_place(part, path)
    except OSError as error:
        raise P2PJongError(
            f"the record could not be written to {path}: {error.strerror}",
            storage_hint(error, "name a file in a folder that exists and that you may write to"),
            Exit.STORAGE,
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _put_in_place(part: Path, path: Path) -> None:
    """Raises FileExistsError rather than replace a file that holds something."""
    if not path.exists():
        try:
            path.hardlink_to(part)
        except FileExistsError:
            pass
        except (OSError, NotImplementedError):
            part.replace(path)  # a file system without hard links
            return
        else:
            return
    if path.stat().st_size:
        raise FileExistsError(errno.EEXIST, "there is such a file already")
    part.replace(path)


@contextmanager
def open_record(path: Path) -> Iterator["RecordReader"]:
    """A record to be read message by message, each of which may be damaged.

    Raises P2PJongError on a file that is no record, and on one of another version; and from within,
    on one that cannot be read on.
    """
    try:
        size_bytes = path.stat().st_size
        if size_bytes > RECORD_BYTES_MAX:
            raise _damaged(path, _TOO_LARGE)
        file = path.open("rb")
    except OSError as error:
        raise _unreadable(path, error) from error
    with file:
        yield RecordReader(path, file, size_bytes)


class RecordReader:
    """The draft of a record, and then its lane messages, and evidence of two stories at its end.

    An iterator that holds one message at a time, however long the file. Raises P2PJongError at
    what is damaged: what was read before it is then as good as nothing.
    """

    def __init__(self, path: Path, file: BinaryIO, size_bytes: int) -> None:
        self.size_bytes = size_bytes  # 0 if it cannot be told, as of a pipe
        self.at_byte = 0  # where the message begins that was read last
        self._path, self._messages = path, 0
        self._frames = _frames(path, file)
        self.draft = self._read_header()

    def __iter__(self) -> Iterator[Lane | Evidence]:
        return self

    def __next__(self) -> Lane | Evidence:
        self.at_byte, frame = next(self._frames)
        try:
            message: Lane | Evidence = decode(frame, Lane | Evidence)
        except DecodeError as error:
            why = f"message {self._messages}, at byte {self.at_byte}, is malformed"
            raise _damaged(self._path, why) from error
        self._messages += 1
        return message

    def _read_header(self) -> Draft:
        _, first = next(self._frames, (0, b""))
        try:
            header: RecordHeader = decode(first, RecordHeader)
        except DecodeError as error:
            raise _no_record(self._path, bool(first)) from error
        if header.version != RECORD_VERSION:
            raise P2PJongError(
                f"{self._path} is a record of version {header.version}, this program reads "
                f"{RECORD_VERSION}",
                "use the version of p2pjong that wrote it",
                Exit.MISMATCH,
            )
        return header.draft


def _frames(path: Path, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The frames of a file, each with the byte at which it begins."""
    decoder, at_byte, read_bytes = FrameDecoder(), 0, 0
    try:
        while piece := file.read(READ_BYTES):
            read_bytes += len(piece)
            decoder.feed(piece)
            while (frame := decoder.next_frame()) is not None:
                yield at_byte, frame
                at_byte += HEADER_BYTES + len(frame)
            # Of a pipe nobody knows before how long it is.
            if read_bytes > RECORD_BYTES_MAX:
                raise _damaged(path, _TOO_LARGE)
    except OSError as error:
        raise _unreadable(path, error) from error
    except DecodeError as error:
        # A length that no message has. At the start: whatever it is, it is no record.
        raise _damaged(path, _nonsense(at_byte)) if at_byte else _no_record(path) from error
    if decoder.buffered_bytes and at_byte:
        raise _damaged(path, f"it is cut short, {_within(at_byte, read_bytes)}")
    if decoder.buffered_bytes:
        raise _no_record(path)


def _nonsense(at_byte: int) -> str:
    return f"what stands at byte {at_byte} is no message"


def _within(at_byte: int, size_bytes: int) -> str:
    return f"at byte {size_bytes}, within the message that begins at byte {at_byte}"


def _unreadable(path: Path, error: OSError) -> P2PJongError:
    return P2PJongError(
        f"{path} could not be read: {error.strerror}", "name a record file", Exit.USAGE
    )


def _damaged(path: Path, why: str) -> P2PJongError:
    return P2PJongError(
        f"{path} is damaged: {why}",
        "get the record again from a peer that played at the table",
        Exit.FAULT,
    )


def _no_record(path: Path, has_content: bool = True) -> P2PJongError:
    return P2PJongError(
        f"{path} is not a record of p2pjong: {_NO_HEADER if has_content else 'it is empty'}",
        "name a file that --record has written; if this was one, its beginning is damaged",
        Exit.FAULT,
    )


_TOO_LARGE = "it is larger than any record"
_NO_HEADER = "from byte 0 on it does not begin like one"
