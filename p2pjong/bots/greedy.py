"""The greedy bot: always what promises the most points now, game by game."""

from p2pjong.bots import random_bot, war_jhong_greedy
from p2pjong.bots.strategy import Rng, Strategy
from p2pjong.games.game import Action, View

CHOOSERS: dict[str, Strategy] = {
    "war-jhong": war_jhong_greedy.choose,
}


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that promises most; any action in a game that it has no judgement of."""
    return CHOOSERS.get(view.game, random_bot.choose)(view, actions, rng)
