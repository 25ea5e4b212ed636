"""The greedy bot: always what promises the most points now, game by game."""

from p2pjong.bots import (
    not_your_mas_jong_greedy,
    random_bot,
    samurai_warfare_greedy,
    war_jhong_greedy,
)
from p2pjong.bots.strategy import Rng, Strategy
from p2pjong.games.game import Action, View

CHOOSERS: dict[str, Strategy] = {
    "not-your-mas-jong": not_your_mas_jong_greedy.choose,
    "samurai-warfare": samurai_warfare_greedy.choose,
    "war-jhong": war_jhong_greedy.choose,
}


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that promises most; any action in a game that it has no judgement of."""
    return CHOOSERS.get(view.game, random_bot.choose)(view, actions, rng)
