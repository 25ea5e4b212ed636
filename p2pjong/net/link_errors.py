"""Why a link failed or ended, in words for people and in codes for the mesh."""

from collections.abc import Sequence

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address
from p2pjong.net.identity import fingerprint
from p2pjong.wire.handshake import CloseCode

LOST = "lost"
OTHER_PROGRAM = (
    "another program may be listening there: check the address and port on the host's screen"
)

_BY_PEER = {
    CloseCode.GOING: ("has ended in order", "", Exit.NO_CONNECTION),
    CloseCode.REPLACED: (
        "has a newer link with this identity",
        "is the program running twice? one identity plays in one place",
        Exit.NO_CONNECTION,
    ),
    CloseCode.DUPLICATE: ("has another link with us already", "", Exit.NO_CONNECTION),
    CloseCode.FULL: (
        "takes no more connections",
        "the table is full: wait, or ask its host",
        Exit.NO_CONNECTION,
    ),
    CloseCode.REFUSED: (
        "does not let this identity in",
        "the game has begun without you, or its host has removed you: ask them",
        Exit.NO_CONNECTION,
    ),
    CloseCode.PROBE: ("only looked whether we answer", "", Exit.NO_CONNECTION),
    CloseCode.VERSION: (
        "speaks another version of the protocol",
        "bring p2pjong to the same version on all machines",
        Exit.MISMATCH,
    ),
    CloseCode.OWN_KEY: (
        "has the same identity",
        "two peers on one machine need a --home each",
        Exit.NO_CONNECTION,
    ),
    CloseCode.WRONG_KEY: ("looked for someone else", "", Exit.NO_CONNECTION),
    CloseCode.BAD_PROOF: (
        "saw another proof of identity than we gave",
        "someone may sit between the two machines",
        Exit.NO_CONNECTION,
    ),
    CloseCode.MALFORMED: (
        "did not understand us",
        "bring p2pjong to the same version on all machines",
        Exit.MISMATCH,
    ),
    CloseCode.TIMEOUT: ("waited for us too long", "", Exit.NO_CONNECTION),
    CloseCode.SLOW: ("found us reading too slowly", "", Exit.NO_CONNECTION),
}


class LinkError(P2PJongError):
    """A link that did not open, or has ended.

    `close` is what we tell the peer (None: nothing, or it is gone), `told` what it told us. The
    message reads on after the peer's address: "192.0.2.7:4711 has ended in order".
    """

    def __init__(
        self,
        message: str,
        close: CloseCode | None = None,
        *,
        told: CloseCode | None = None,
        hint: str = "",
        code: Exit = Exit.NO_CONNECTION,
    ) -> None:
        if close is CloseCode.VERSION:
            _, hint, code = _BY_PEER[close]
        super().__init__(message, hint, code)
        self.close = close
        self.told = told

    def at(self, address: Address) -> "LinkError":
        """The same, naming the address."""
        text = f"{address} {self.message}"
        return LinkError(text, self.close, told=self.told, hint=self.hint, code=self.code)

    @property
    def reason(self) -> str:
        """The code of what happened, whoever found it: a CloseCode's text, or "lost"."""
        return str(self.told or self.close or LOST)


def closed_by_peer(code: CloseCode) -> LinkError:
    """What it means that the peer closed the link with this code."""
    message, hint, exit_code = _BY_PEER[code]
    return LinkError(message, told=code, hint=hint, code=exit_code)


def broken_off() -> LinkError:
    """The connection ended without a word."""
    return LinkError("broke off the connection")


def unreachable(why: str) -> LinkError:
    """No TCP connection came about."""
    return LinkError(
        f"cannot be reached: {why}",
        hint="is p2pjong still running there, on the same network, and allowed by its firewall?",
    )


def most_telling(errors: Sequence[LinkError]) -> LinkError:
    """Of the failures at several addresses of one peer, the one that says most about it."""
    answered = [error for error in errors if error.reason != LOST]
    return (answered or list(errors))[0]


def stranger(key: bytes) -> LinkError:
    """Who answered has another key than the one looked for."""
    return LinkError(
        f"is someone else ({fingerprint(key)[:9]}) than was looked for",
        CloseCode.WRONG_KEY,
        hint="another program may have taken over its address; look for the table again",
    )


def crossing() -> LinkError:
    """Two connections of the same two peers met, and this is the one that does not stay."""
    return LinkError("crossed another link of the two of us", CloseCode.DUPLICATE)
