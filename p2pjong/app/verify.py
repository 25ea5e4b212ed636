"""`verify`: read a record file, audit it, and say what it proves."""

from collections.abc import Callable
from pathlib import Path

from p2pjong.audit import Verdict, audit
from p2pjong.errors import Exit, P2PJongError
from p2pjong.games import GAMES
from p2pjong.store.record import read_record
from p2pjong.wire.messages import PROTOCOL_VERSION


def verify_record(
    path: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> Verdict:
    """The verdict on a record, from the file alone. `progress(done, total)` counts messages.

    Raises P2PJongError: no such file (USAGE), damaged (FAULT), another version or game (MISMATCH).
    """
    draft, lanes = read_record(path)
    if draft.version != PROTOCOL_VERSION:
        raise _unreadable(path, f"it is of protocol version {draft.version}")
    if draft.game not in GAMES:
        raise _unreadable(path, f"it is of a game that this version does not know: {draft.game}")
    try:
        return audit(draft, lanes, GAMES, progress)
    except ValueError as error:
        raise _unreadable(path, str(error)) from error


def _unreadable(path: Path, why: str) -> P2PJongError:
    return P2PJongError(
        f"{path} cannot be verified here: {why}",
        "use the version of p2pjong that wrote it",
        Exit.MISMATCH,
    )
