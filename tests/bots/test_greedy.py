"""The greedy bot goes out, comes nearer, and makes the most of it."""

from collections import Counter
from random import Random

import pytest

from p2pjong.arena import run
from p2pjong.bots import war_jhong_greedy
from p2pjong.bots.greedy import choose
from p2pjong.bots.war_jhong_eval import Outlook, rank_discards
from p2pjong.games.game import Face, Options, Seat
from p2pjong.games.war_jhong.choices import partners
from p2pjong.games.war_jhong.faces import DECK, GENERAL
from p2pjong.games.war_jhong.formations import MeldFaces
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


def test_it_claims_a_formation_that_brings_it_nearer() -> None:
    scene = Scene({0: "J", 1: "J J J J J J J J I1 A9 C5 C9"})
    scene.discard("J")
    assert chosen(scene, 1) == "claim_formation J J"


def test_it_waits_where_a_later_win_is_worth_more(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Scene({0: READY}, draws="J")
    claimed = Scene({0: "J", 1: READY})
    claimed.discard("J")
    monkeypatch.setattr(war_jhong_greedy, "pays_to_go_out", lambda *hand: False)
    monkeypatch.setattr(war_jhong_greedy, "pays_to_claim_out", lambda *hand: False)
    assert chosen(drawn, 0).startswith("discard")
    assert chosen(claimed, 1) != "claim_go_out"


@pytest.mark.parametrize("melds", [0, 1, 2, 3])
def test_it_always_finds_something_to_discard(melds: int) -> None:
    rng = Random(melds)
    for _ in range(12):
        deck = rng.sample(DECK, len(DECK))
        laid = [draw_formation(deck) for _ in range(melds)]
        hand = [deck.pop() for _ in range(13 - 3 * melds)]
        outlook = Outlook(Counter(deck), rng.randrange(70), (0, 1, 2), 0)
        assert {face for face, _ in rank_discards(hand, laid, outlook)} <= set(hand)
        assert rank_discards(hand, laid, outlook)


def draw_formation(deck: list[Face]) -> MeldFaces:
    """Takes some Formation out of the deck."""
    one = deck.pop()
    while one == GENERAL:
        one = deck.pop()
    pair = next(pair for pair in partners(one) if not Counter(pair) - Counter(deck))
    for face in pair:
        deck.remove(face)
    return (*pair, one)


@pytest.mark.parametrize("seed", [1, 2])
def test_it_beats_random_bots(seed: int) -> None:
    bots = ["greedy", "random", "random", "random"]
    report = run("war-jhong", bots, games=4, seed=seed, options=Options(target=20))
    greedy, random = report.rows
    assert greedy.win_share == 1
    assert greedy.mean_points > 8 * random.mean_points
