"""Why there is no seat for us at a host's table, as a joiner's person is told."""

from p2pjong.errors import Exit, P2PJongError
from p2pjong.session.lobby import LobbyClosed

_EXITS = {
    "version": Exit.MISMATCH,
    "game": Exit.MISMATCH,
    "code": Exit.WRONG_CODE,
    "code-wrong": Exit.WRONG_CODE,
    "code-none": Exit.WRONG_CODE,
}
_HINTS = {
    "code": "its host's screen shows the code; give it with --code CODE",
    "code-wrong": "after ten wrong ones a table has a new code: ask its host for the present one",
    "code-none": "is it the table that you were told of? without --code you join it",
}


def refused(closed: LobbyClosed) -> P2PJongError:
    """The host has said no, or what it said cannot be."""
    hint = _HINTS.get(closed.reason, "ask its host, or join another table (p2pjong tables)")
    code = _EXITS.get(closed.reason, Exit.NO_CONNECTION)
    return P2PJongError(closed.text or "the host gives no seat", hint, code)


def silent() -> P2PJongError:
    """The host is there and says nothing."""
    return P2PJongError(
        "the host is linked but does not answer",
        "its table may be closing; try again, or ask its host",
        Exit.NO_CONNECTION,
    )


def gone(reason: str) -> P2PJongError:
    """The link with the host is down for good."""
    return P2PJongError(f"the host is gone: {reason}", "ask its host to open a table", Exit.LEFT)


def impostor() -> P2PJongError:
    """The host asked for the code and does not know it."""
    return P2PJongError(
        "whoever opened this table does not know its code",
        "another table may pose as the one you were told of: compare the fingerprint with its host",
        Exit.FAULT,
    )
