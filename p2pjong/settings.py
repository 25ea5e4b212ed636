"""What one peer was told to do by its command line, and how its game came out. Pure values."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from p2pjong.errors import Exit, P2PJongError
from p2pjong.wire.ranges import check_times

CLOCK_S = 60.0
WINDOW_S = 2.0
GRACE_S = 60.0
PAUSE_S = 20.0
NAME_CHARS_MAX = 32
CODE_VARIABLE = "P2PJONG_CODE"  # of the environment: a command line can be seen by others

Role = Literal["host", "join", "bot"]


@dataclass(frozen=True)
class PeerSettings:
    """All options of a table (host only) and of a peer. `check` says what cannot be.

    `seats` counts the host and its bots in; a host may start with fewer taken. `strategy` names
    the bot that plays this seat (for role "bot", or `--auto`); "" means a person does.
    """

    role: Role
    name: str
    home: Path
    # The table: the host's to decide.
    game: str = ""
    table: str = ""  # joiners: the table's name, "" for the only one
    seats: int = 0
    bots: int = 0
    bot_strategy: str = "greedy"
    target: int = 0  # 0: the game's own, as for `rounds`
    rounds: int = 0
    clock_s: float = CLOCK_S
    window_s: float = WINDOW_S
    grace_s: float = GRACE_S
    is_open_books: bool = False
    is_private: bool = False
    code: str = field(default="", repr=False)  # of a private table; a host's "": a random one
    # The network.
    port: int = 0
    bind: str = ""
    connect: str = ""  # "host:port"
    wait_s: float = 10.0  # how long a joiner looks for its table
    # This seat.
    strategy: str = ""
    delay_ms: int = 0
    is_oldest: bool = False
    may_err: bool = True  # --no-mistakes: answers that the rules find wrong are not offered
    is_plain: bool = False
    pause_s: float = PAUSE_S  # how long the end of a hand stays, unless its person goes on
    # What is written.
    events: Path | None = None
    record: Path | None = None
    is_json: bool = False
    is_debug: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether this peer says that a bot plays it: no person sits here who could be warned,
        think, or give something away by thinking."""
        return self.is_automatic

    @property
    def is_automatic(self) -> bool:
        """Whether no person sits here, so that no terminal is needed."""
        return bool(self.strategy)

    def check(self) -> None:
        """Raises P2PJongError (usage) on settings that contradict each other."""
        if self.role == "host":
            _check_seats(self)
            if self.code and not self.is_private:
                raise usage("a code is for a private table", "add --private, or leave --code out")
        try:
            check_times(self.clock_s, self.window_s, self.grace_s)
        except ValueError as error:
            raise usage(_with_options(str(error))) from error
        if self.events and self.record and self.events.absolute() == self.record.absolute():
            raise usage(
                f"--events and --record both name {self.events}", "name a file for each of them"
            )
        names = [("name", self.name)]
        if self.role == "host":  # joiners may add the fingerprint of its host
            names.append(("table", self.table or "-"))
        for option, name in names:
            if not 0 < len(name.strip()) <= NAME_CHARS_MAX:
                raise usage(f"--{option} is 1 to {NAME_CHARS_MAX} characters")


def _check_seats(settings: PeerSettings) -> None:
    if settings.bots >= settings.seats:
        raise usage(
            f"{settings.bots} bots and you do not fit on {settings.seats} seats",
            "raise --seats or lower --bots",
        )


def _with_options(text: str) -> str:
    """What is wrong with the times, with the options by which they are given."""
    return re.sub(r"\b(clock|window|grace)\b", r"--\1", text)


def usage(message: str, hint: str = "") -> P2PJongError:
    """A usage error: exit code 2. Without a hint the command's own help is pointed to."""
    return P2PJongError(message, hint, Exit.USAGE)


@dataclass(frozen=True)
class OutcomeSeat:
    """One seat of a finished game: its name and its whole identity key in hex."""

    name: str
    key: str


@dataclass(frozen=True)
class OutcomeFault:
    """Who broke which rule, in words."""

    seat: int
    rule: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """How a game ended; equal on every peer. `outcome`: finished, abandoned or fault."""

    game: str
    table: str
    outcome: Literal["finished", "abandoned", "fault"]
    seats: tuple[OutcomeSeat, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    hands: int
    digest: str
    fault: OutcomeFault | None = None
    has_left: bool = field(default=False, compare=False)  # our seat left before the end
    failure: P2PJongError | None = field(default=None, compare=False)  # of what was asked beside it

    @property
    def code(self) -> Exit:
        """The exit code that goes with it."""
        if self.has_left:
            return Exit.LEFT
        return {"finished": Exit.OK, "abandoned": Exit.LEFT, "fault": Exit.FAULT}[self.outcome]

    def as_json(self) -> dict[str, Any]:
        """The object of `--json`, field by field as scripts rely on it."""
        fault = self.fault
        return {
            "game": self.game,
            "table": self.table,
            "outcome": self.outcome,
            "seats": [{"name": seat.name, "key": seat.key} for seat in self.seats],
            "scores": list(self.scores),
            "winners": list(self.winners),
            "hands": self.hands,
            "digest": self.digest,
            "fault": fault and {"seat": fault.seat, "rule": fault.rule, "message": fault.message},
        }
