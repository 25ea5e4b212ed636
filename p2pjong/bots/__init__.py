"""Bots: choosers that see a view and the legal actions, and nothing else."""

from collections.abc import Callable

from p2pjong.bots import greedy, random_bot
from p2pjong.bots.strategy import Rng, Strategy

# Each name makes the strategy of one seat anew, so that a bot may remember its own game.
STRATEGIES: dict[str, Callable[[], Strategy]] = {
    "greedy": lambda: greedy.choose,
    "random": lambda: random_bot.choose,
}

__all__ = ["STRATEGIES", "Rng", "Strategy"]
