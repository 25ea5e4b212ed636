"""A bot that takes any legal action, each as likely as another: it must stumble on every rule."""

from p2pjong.bots.strategy import Rng
from p2pjong.games.game import Action, View


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    """One of the actions."""
    return actions[rng.randrange(len(actions))]
