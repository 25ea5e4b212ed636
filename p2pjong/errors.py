"""Errors for people: what happened, and what to do now."""

from enum import IntEnum


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
