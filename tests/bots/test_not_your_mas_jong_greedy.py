"""The greedy bot of Not Your Ma's Jong goes out, comes nearer, and never calls wrongly."""

from collections import Counter
from random import Random

import pytest

from p2pjong.arena import run
from p2pjong.bots.greedy import choose
from p2pjong.bots.not_your_mas_jong_greedy import Outlook, best_discard, best_steal
from p2pjong.engine.table import Table
from p2pjong.games.game import Action, Event, Options, Seat
from p2pjong.games.not_your_mas_jong.faces import DECK
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView, right_answers
from tests.support.mas_jong_scene import GAME, Scene
from tests.support.tables import make_table, steps

NAME = "not-your-mas-jong"
READY = "B1 B1 B1 B3 B4 B5 G2 G2 G2 R1"
FAR = "R1 R4 B1 B4 G1 G4 S1 S4 E1 E2"


def chosen(scene: Scene, seat: Seat) -> str:
    """What the bot would do, in faces."""
    return scene.read(choose(scene.view(seat), scene.table.legal(seat), Random(0)))


def outlook_for(*gone: str) -> Outlook:
    """Three rivals, and all cards out of sight but those."""
    unseen = Counter(DECK)
    unseen.subtract(card for cards in gone for card in cards.split())
    return Outlook(unseen, rivals=3)


def test_it_goes_out_on_a_draw() -> None:
    assert chosen(Scene({0: f"{READY} R1"}), 0) == "go_out"


def test_it_calls_to_win_and_shows_it() -> None:
    scene = Scene({0: "R1", 1: READY})
    scene.discard("R1")
    assert chosen(scene, 1) == "call_win"
    scene.call(s1="win")
    assert chosen(scene, 1) == "show_win"


def test_it_calls_for_a_set_that_brings_it_nearer_and_shows_it() -> None:
    scene = Scene({0: "R5", 1: "R5 R5 B1 B1 B1 G1 G4 S1 S4 E2"})
    scene.discard("R5")
    assert chosen(scene, 1) == "call_set"
    scene.call(s1="set")
    assert chosen(scene, 1) == "show_set R5 R5"


def test_it_passes_a_set_that_brings_it_no_nearer() -> None:
    # It has B1 B2 B3 already; the stolen B2 would only take the place of its own.
    scene = Scene({0: "B2", 1: "B1 B2 B3 G4 G4 G4 S1 S2 S3 E1"})
    scene.discard("B2")
    assert "call_set" in right_answers(scene.view(1))
    assert chosen(scene, 1) == "pass"


def test_it_passes_where_a_call_would_be_wrong() -> None:
    scene = Scene({0: "E3", 1: FAR})
    scene.discard("E3")
    assert chosen(scene, 1) == "pass"


def test_it_says_that_it_was_wrong_where_that_is_all_it_can() -> None:
    scene = Scene({0: "E3", 1: FAR})
    scene.discard("E3")
    scene.call(s1="win")
    assert chosen(scene, 1) == "wrong"


def test_it_shows_a_set_that_it_was_given_to_show_even_if_it_gains_nothing() -> None:
    scene = Scene({0: "B2", 1: "B1 B2 B3 G4 G4 G4 S1 S2 S3 E1"})
    scene.discard("B2")
    scene.call(s1="set")
    assert chosen(scene, 1) == "show_set B1 B3"


def test_it_throws_what_it_has_no_use_for() -> None:
    assert chosen(Scene({0: "B1 B1 B1 B3 B4 B5 G2 G2 S1 S2 E1"}), 0) == "discard E1"


def test_it_keeps_the_wait_of_which_more_copies_are_left() -> None:
    hand = "B1 B1 B1 B3 B4 B5 G2 G2 G2 R1 E1"
    # One of R1 and E1 stays as half of the pair; of E1 two copies are gone.
    _, face = best_discard(hand.split(), [], outlook_for(hand, "E1"))
    assert face == "E1"
    _, face = best_discard(hand.split(), [], outlook_for(hand, "R1"))
    assert face == "R1"


def test_it_shows_the_pair_that_leaves_the_better_hand() -> None:
    hand = "R2 R3 R5 R6 B1 B1 B1 G2 G2 E1"
    pairs = [("R2", "R3"), ("R3", "R5"), ("R5", "R6")]
    # R2 R3 then await R1 as well as R4.
    assert best_steal(hand.split(), [], "R4", pairs, outlook_for(hand, "R4")) == ("R5", "R6")
    # Without any R1 left R5 R6 are as good, and the first pair will do.
    gone = outlook_for(hand, "R4 R1 R1 R1")
    assert best_steal(hand.split(), [], "R4", pairs, gone) == ("R2", "R3")
    assert best_steal(FAR.split(), [], "R5", [], outlook_for(FAR)) is None


def greedy(table: Table, seat: Seat, rng: Random) -> Action:
    return choose(table.view(seat), table.legal(seat), rng)


@pytest.mark.slow
def test_it_never_calls_wrongly_and_needs_no_luck_to_end_rounds() -> None:
    seen: list[Event] = []
    for seed in range(4):
        table = make_table(GAME, 3 + seed % 2, seed, target=4)
        for events in steps(table, seed, greedy):
            seen += events
    ended = Counter(event.verb for event in seen)
    assert ended["called"] > 10
    assert ended["wrong_call"] == 0
    assert ended["went_out"] > 5 * ended["washed_out"]


def test_its_calls_are_right_answers() -> None:
    table = make_table(GAME, 4, 3, target=2)

    def checked(table: Table, seat: Seat, rng: Random) -> Action:
        view, action = table.view(seat), greedy(table, seat, rng)
        assert isinstance(view, NotYourMasJongView)
        if view.phase == "call":
            assert action.verb in right_answers(view)
        return action

    for _ in steps(table, 3, checked):
        pass


@pytest.mark.slow
def test_it_beats_chance_by_far() -> None:
    report = run(NAME, ["greedy", "random", "random"], 4, seed=5, options=Options(rounds=4))
    rows = {row.strategy: row for row in report.rows}
    assert rows["greedy"].games_won >= 3
    assert rows["greedy"].points > 0 > rows["random"].points
