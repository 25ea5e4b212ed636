"""Its bot: the highest card, or the whole hand where that is safe."""

from p2pjong.bots.strategy import Rng
from p2pjong.games.game import Action, View


def choose(view: View, actions: tuple[Action, ...], rng: Rng) -> Action:
    faces = dict(view.hand)
    return max(actions, key=lambda one: (one.verb == "show_all", [faces[s] for s in one.slots]))
