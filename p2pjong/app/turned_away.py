"""Why there is no seat for us at a host's table, as a joiner's person is told."""

from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.session.joiner_lobby import LobbyClosed

_EXITS = {
    "version": Exit.MISMATCH,
    "game": Exit.MISMATCH,
    "options": Exit.MISMATCH,
    "broken": Exit.FAULT,
    "switched": Exit.FAULT,
    "code": Exit.WRONG_CODE,
    "code-wrong": Exit.WRONG_CODE,
    "code-none": Exit.WRONG_CODE,
}
# Of the reasons that name the table: what happened, and what to do now.
_NAMING = {
    "full": (
        "{} is full: every seat is taken",
        "ask its host for a larger one (--seats), or see p2pjong tables for others",
    ),
    "started": (
        "{} is already playing",
        "join it before its next game, or see p2pjong tables for others",
    ),
}
_DEPARTURES = {
    "removed": "the host removed you from {}",
    "closed": "the host closed {} before the game",
    "no-rematch": "the host plays no other game at {}",
}
_HINTS = {
    "options": "its host may run another version of p2pjong: bring both to the same",
    "broken": "its host's program does not behave as it should: join another table",
    "switched": "nothing was signed: join again if you trust its host, or join another table",
    "unready": "join it again, and be ready when it begins",
    "code": "its host's screen shows the code; give it with --code CODE",
    "code-wrong": "after ten wrong ones a table has a new code: ask its host for the present one",
    "code-none": "is it the table that you were told of? without --code you join it",
}


def refused(closed: LobbyClosed, table: str) -> P2PJongError:
    """The host of `table`, as its person knows it, has said no, or said what cannot be."""
    if closed.reason in _DEPARTURES:
        return Departure(_DEPARTURES[closed.reason].format(table), "p2pjong tables lists others")
    if closed.reason in _NAMING:
        message, hint = _NAMING[closed.reason]
        return P2PJongError(message.format(table), hint, Exit.NO_CONNECTION)
    hint = _HINTS.get(closed.reason, "ask its host, or join another table (p2pjong tables)")
    code = _EXITS.get(closed.reason, Exit.NO_CONNECTION)
    return P2PJongError(closed.text or "the host did not give you a seat", hint, code)


def silent() -> P2PJongError:
    """The host is there and says nothing."""
    return P2PJongError(
        "the host's machine is connected but does not answer",
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
