"""The random bot: any legal action, by its own seed alone."""

from collections import Counter
from random import Random

from p2pjong.bots import STRATEGIES
from p2pjong.bots.random_bot import choose
from tests.support.scene import Scene


def test_every_action_is_as_likely_as_another() -> None:
    scene = Scene({0: "J", 1: "J J T T I1 A9"}, seats=2)
    scene.discard("J")
    view, actions = scene.view(1), scene.table.legal(1)
    rng = Random(1)
    counts = Counter(choose(view, actions, rng) for _ in range(300 * len(actions)))
    assert set(counts) == set(actions)
    assert min(counts.values()) > 200
    assert max(counts.values()) < 400


def test_its_choices_follow_the_seed() -> None:
    scene = Scene({})
    view, actions = scene.view(0), scene.table.legal(0)
    rngs = [Random(7), Random(7)]
    one, other = ([choose(view, actions, rng) for _ in range(20)] for rng in rngs)
    assert one == other


def test_it_is_registered() -> None:
    assert STRATEGIES["random"]() is choose
