"""The seam between a peer's machinery and whoever sits in front of it: a person or a bot.

The driver shows effects and awaits choices; a front never touches the session, the network or the
disk. Every coroutine here may be cancelled at any moment by the driver.
"""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from p2pjong.games.game import Action, Seat
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Blame,
    Books,
    Finished,
    Happened,
    Left,
    Progress,
    VotedOut,
    Words,
)
from p2pjong.session.lobby_view import LobbyCommand, LobbySeat, LobbyView, TableOffer


@dataclass(frozen=True)
class Clocks:
    """How long this table waits, in seconds; 0: without end."""

    clock_s: float
    window_s: float
    grace_s: float


@dataclass(frozen=True)
class TimeUp:
    """Our person's time is up: `action` is what was done in its place (G8)."""

    ask: Ask
    action: Action


@dataclass(frozen=True)
class Linked:
    """The seats that we have an open link with; told whenever they change."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Lingering:
    """We stay a while longer, for this reason: a word of it is due when it takes its time."""

    reason: str


@dataclass(frozen=True)
class Stuck:
    """A seat is silent, and there is no majority to vote it absent.

    `has_voted`: our seat would, but too few others; else there cannot be a majority at all.
    """

    seat: Seat
    waited_s: float
    present: int  # seats in the game
    has_voted: bool
    cost: str  # of leaving
    is_linked: bool = True


@dataclass(frozen=True)
class Parted:
    """Our seat leaves the game; so many others go on with it. 0: it ends for all with that."""

    others: int


Told: TypeAlias = (
    Happened
    | Awaiting
    | Progress
    | Words
    | Books
    | Blame
    | Left
    | VotedOut
    | Finished
    | Clocks
    | TimeUp
    | Stuck
    | Parted
)
Shown: TypeAlias = Told | Linked | Lingering

STAY = "stay"
LEAVE = "leave"


class Front(Protocol):
    """What the driver needs of a person's terminal, or of a bot in its place."""

    def say(self, text: str) -> None:
        """One plain line: a log line or a warning."""

    def lobby(self, lobby: LobbyView) -> None:
        """The lobby changed."""

    def seated(self, seats: tuple[LobbySeat, ...], me: Seat) -> None:
        """Play begins: the charter's seats in their order, and which of them is ours."""

    def show(self, effect: Shown) -> None:
        """Something happened, or somebody is awaited."""

    def found(self, offer: TableOffer) -> None:
        """A table was found, while we look for one."""

    async def pick_table(self, offers: tuple[TableOffer, ...]) -> TableOffer | None:
        """Which of two or more tables to join; None to join none."""

    def offers(self, offers: tuple[TableOffer, ...]) -> None:
        """The tables to choose from, while that is asked: each has kept its number."""

    async def table_code(self) -> str | None:
        """The code of a private table, as its host told it; None to give up."""

    async def command(self) -> LobbyCommand:
        """The next thing our person asks of the lobby."""

    async def choose(self, ask: Ask, timeout_s: float | None) -> Action:
        """One of `ask.actions`. The driver cancels this on Withdraw, or when time is up."""

    async def reconsider(self, ask: Ask, action: Action) -> Action:
        """Another one of `ask.actions`, if our person thinks better of this one before it leaves.

        The driver cancels this when the time for it is over; a bot's never returns.
        """

    async def next_hand(self, timeout_s: float) -> None:
        """Returns when our person has seen the end of a hand; a bot at once."""

    async def interrupted(self) -> None:
        """Returns each time our person wants to break off (Ctrl-C); a bot's never returns."""

    async def gone(self) -> None:
        """Returns when nobody is there any more to see or answer; a bot always is."""

    async def confirm_leave(self, cost: str) -> str:
        """`STAY` or `LEAVE`, after telling what leaving now costs."""

    async def vote_absent(self, seat: Seat, waited_s: float) -> bool:
        """Whether to vote absent a seat that has been silent for so long (see `--grace`)."""

    async def rematch(self) -> bool:
        """Whether to play again with the same seats."""
