"""The greedy bot: always what promises the most points now, game by game."""

from p2pjong.bots import random_bot
from p2pjong.bots.strategy import Rng
from p2pjong.games import ENTRIES, part
from p2pjong.games.game import Action, View


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """The action that promises most; any action in a game that it has no judgement of."""
    if view.game not in ENTRIES:
        return random_bot.choose(view, actions, rng)
    chosen: Action = part(ENTRIES[view.game].greedy).choose(view, actions, rng)
    return chosen
