"""The greedy bot goes out, comes nearer, and makes the most of it."""

from random import Random

import pytest

from p2pjong.arena import run
from p2pjong.bots.greedy import choose
from p2pjong.games.game import Options, Seat
from tests.support.scene import Scene

READY = "I1 I2 I3 A4 A5 A6 C7 C7 C7 J J A9"


def chosen(scene: Scene, seat: Seat) -> str:
    """What the bot would do, in faces."""
    action = choose(scene.view(seat), scene.table.legal(seat), Random(0))
    return scene.read(action)


def test_it_goes_out_on_a_draw() -> None:
    assert chosen(Scene({0: READY}, draws="J"), 0) == "go_out"


def test_it_goes_out_on_a_claim() -> None:
    scene = Scene({0: "J", 1: READY})
    scene.discard("J")
    assert chosen(scene, 1) == "claim_go_out"


def test_it_throws_what_it_has_no_use_for() -> None:
    scene = Scene({0: "I1 I2 I3 A4 A5 A6 C7 C7 C7 J J A9"}, draws="C2")
    assert chosen(scene, 0) in ("discard C2", "discard A9")


def test_it_throws_generals_which_count_once_thrown() -> None:
    scene = Scene({0: "I1 I2 I3 A4 A5 A6 C7 C7 C7 J J G"}, draws="C2")
    assert chosen(scene, 0) == "discard G"


def test_it_keeps_wild_cards() -> None:
    scene = Scene({0: "I1 I9 A4 A8 C2 C6 F J T T T A1"}, draws="C9")
    assert chosen(scene, 0) != "discard T"


def test_it_passes_what_brings_it_no_nearer() -> None:
    scene = Scene({0: "A5", 1: READY})  # it has A4 A5 A6 already
    scene.discard("A5")
    assert chosen(scene, 1) == "pass"


@pytest.mark.parametrize("seed", [1, 2])
def test_it_beats_random_bots(seed: int) -> None:
    bots = ["greedy", "random", "random", "random"]
    report = run("war-jhong", bots, games=4, seed=seed, options=Options(target=20))
    greedy, random = report.rows
    assert greedy.win_share == 1
    assert greedy.mean_points > 8 * random.mean_points
