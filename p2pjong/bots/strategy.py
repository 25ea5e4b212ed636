"""What a bot is: a function from what a seat may know and do to what it does."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from p2pjong.games.game import Action, View


class Rng(Protocol):
    """The part of a seeded `Random` that bots use."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to `stop` - 1."""

    def random(self) -> float:
        """A number from 0 up to, without, 1."""


Strategy: TypeAlias = Callable[[View, tuple[Action, ...], Rng], Action]
