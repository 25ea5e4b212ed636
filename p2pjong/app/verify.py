"""`verify`: read a record file, audit it, and say what it proves."""

from collections.abc import Callable, Iterator
from pathlib import Path

from p2pjong.audit import Verdict, audit
from p2pjong.errors import Exit, P2PJongError
from p2pjong.games import GAMES
from p2pjong.store.record import RecordReader, open_record
from p2pjong.wire.messages import PROTOCOL_VERSION, Evidence, Lane

Progress = Callable[[int, int], None]
TOLD_TIMES = 1000  # how often at the most


class Damaged(P2PJongError):
    """A record that cannot be read on, and the verdict on what stands before that place."""

    def __init__(self, damage: P2PJongError, first_part: Verdict) -> None:
        super().__init__(damage.message, damage.hint, damage.code)
        self.first_part = first_part


def verify_record(path: Path, progress: Progress = lambda done_bytes, total_bytes: None) -> Verdict:
    """The verdict on a record, from the file alone, of which never more than a message is held.

    Raises P2PJongError: no such file (USAGE), damaged (FAULT; `Damaged` unless at its very start),
    another version or game (MISMATCH).
    """
    with open_record(path) as record:
        return _verdict(path, record, progress)


def _verdict(path: Path, record: RecordReader, progress: Progress) -> Verdict:
    draft = record.draft
    if draft.version != PROTOCOL_VERSION:
        raise _unreadable(path, f"it was written for protocol version {draft.version}")
    if draft.game not in GAMES:
        raise _unreadable(path, f"it is a game that this version does not know: {draft.game}")
    damages: list[P2PJongError] = []
    try:
        verdict = audit(draft, _up_to_damage(_followed(record, progress), damages), GAMES)
    except ValueError as error:
        raise _unreadable(path, str(error)) from error
    if damages:
        raise Damaged(damages[0], verdict) from damages[0]
    progress(record.size_bytes, record.size_bytes)
    return verdict


def _up_to_damage(
    messages: Iterator[Lane | Evidence], damages: list[P2PJongError]
) -> Iterator[Lane | Evidence]:
    """The messages that can be read, and in `damages` what kept the others from it."""
    try:
        yield from messages
    except P2PJongError as error:
        if error.code != Exit.FAULT:
            raise
        damages.append(error)


def _followed(record: RecordReader, progress: Progress) -> Iterator[Lane | Evidence]:
    told_bytes, apart_bytes = 0, record.size_bytes // TOLD_TIMES
    for message in record:
        if record.at_byte >= told_bytes + apart_bytes:
            told_bytes = record.at_byte
            progress(told_bytes, max(told_bytes, record.size_bytes))
        yield message


def _unreadable(path: Path, why: str) -> P2PJongError:
    return P2PJongError(
        f"{path} cannot be verified here: {why}",
        "use the version of p2pjong that wrote it",
        Exit.MISMATCH,
    )
