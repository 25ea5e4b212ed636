"""Errors for people: what happened, and what to do now."""

import errno
import re
from enum import IntEnum

# What Python makes of bytes that the locale cannot decode, and how it prints them in quotes.
UNDECODED = re.compile("[\udc80-\udcff]")
UNDECODED_IN_QUOTES = re.compile(r"(?:\\udc[89a-f][0-9a-f])+")


class Exit(IntEnum):
    """Exit codes of the command line; scripts rely on them."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    NOTHING_FOUND = 3
    NO_CONNECTION = 4
    WRONG_CODE = 5
    MISMATCH = 6
    FAULT = 7
    LEFT = 8
    STORAGE = 9
    INTERRUPTED = 130


# What a disk answers that takes no more, or has failed.
FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
UNWRITABLE = FULL | {errno.EIO, errno.EROFS}


def storage_hint(error: OSError, otherwise: str = "write to another place") -> str:
    """What to do about a file that cannot be written."""
    if error.errno in FULL:
        return f"free some space on that disk, or {otherwise}"
    return otherwise


class P2PJongError(Exception):
    """A failure that a person can do something about: `message` says what, `hint` says what now."""

    def __init__(self, message: str, hint: str = "", code: Exit = Exit.UNEXPECTED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class Departure(P2PJongError):
    """No failure: somebody chose to go, or was sent away. Told as it is, without "error"."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, Exit.LEFT)


def readable(text: str) -> str:
    """The text, with what the locale could not decode read as UTF-8, as terminals send it.

    Not for paths: the system knows those by their bytes.
    """
    if UNDECODED.search(text):
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return UNDECODED_IN_QUOTES.sub(_decoded, text)


def visible(text: str) -> str:
    """The text with whatever a terminal would act on written out, as in \\x1b. Lines stay lines."""
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in text
    )


def _decoded(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("\\udc", "")).decode("utf-8", "replace")
