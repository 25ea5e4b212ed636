"""The games by name: one entry says all that the rest of the program must know of a game.

The rules stand in the entry. Every other part is named by its module, and imported where it is
needed: the process of a bot has no use for what a terminal shows.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from p2pjong.games.game import Game

# The options of a table that say how long its game is; the rest of the program knows both.
TARGET, ROUNDS = "target", "rounds"


@dataclass(frozen=True)
class Length:
    """How long a game is: the option that says so, in which unit, and what holds without it.

    `usual` is that number at a table of so many seats.
    """

    option: str  # TARGET or ROUNDS
    unit: str  # "points"
    usual: Callable[[int], int]


@dataclass(frozen=True)
class Entry:
    """A game of the program."""

    rules: Game
    page: str  # the package that holds its `rules.txt`
    words: str  # the module of what screens say of it: `ui.game_words.GameWords`
    greedy: str  # the module of the bot whose `choose` plays it
    answers: str  # the module whose `SCORER` is what `p2pjong score` asks
    hand: str  # what it calls one deal
    scored: str  # what its scores count
    length: Length
    # What all may do when one has discarded ("claims"), or "" if there is no such thing.
    window: str = ""
    pause_ms: int = 500  # how long the bots seem to think that a person has started

    @property
    def name(self) -> str:
        """What it is called on command lines and on the wire."""
        return self.rules.name


ENTRIES: dict[str, Entry] = {}


def register(entry: Entry) -> None:
    """From now on the program has this game, too."""
    ENTRIES[entry.name] = entry


def part(module: str) -> Any:
    """A part of a game, by the name of its module."""
    return import_module(module)


def hand_of(game: str) -> str:
    """What a game calls one deal: "hand", "round", "turn"."""
    return ENTRIES[game].hand if game in ENTRIES else "hand"


class Games(Mapping[str, Game]):
    """The rules of all games that are registered, by name."""

    def __getitem__(self, name: str) -> Game:
        return ENTRIES[name].rules

    def __iter__(self) -> Iterator[str]:
        return iter(ENTRIES)

    def __len__(self) -> int:
        return len(ENTRIES)
