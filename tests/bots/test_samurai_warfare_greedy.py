"""The greedy bot of Samurai Warfare: targets, combos, discards, and better than chance."""

from random import Random

import pytest

from p2pjong.arena import run
from p2pjong.bots import STRATEGIES
from p2pjong.bots.samurai_warfare_eval import (
    DRAWN,
    LOST,
    Field,
    best_of,
    draw_gains,
    gain,
    least_lost,
    line,
    worth,
)
from p2pjong.games.game import Action, Decide, Options
from p2pjong.games.samurai_warfare.state import END, STRATEGY, TACTICS
from tests.support.samurai_scene import Scene


def choice(scene: Scene) -> str:
    """What the bot does now, as a scene reads it."""
    assert isinstance(scene.pending, Decide)
    seat = scene.pending.seats[0]
    chosen: Action = STRATEGIES["greedy"]()(scene.view(seat), scene.table.legal(seat), Random(1))
    assert chosen in scene.table.legal(seat)
    return scene.read(chosen)


# --- Battle -------------------------------------------------------------------------------------


def test_a_bonus_is_played_before_its_troops() -> None:
    scene = Scene({0: "matchlock-gunners takeda cannons", 1: "honda"})
    assert choice(scene) == "play takeda"


def test_an_extra_is_played_before_its_troops() -> None:
    scene = Scene({0: "naginata heavy-cavalry nobunaga", 1: "honda"})
    assert choice(scene) == "play nobunaga"


def test_hands_are_touched_first_and_what_destroys_comes_last() -> None:
    scene = Scene({0: "naginata betrayal siege", 1: "honda roads"}, in_play={1: "castle"})
    assert choice(scene) == "play betrayal @1"
    scene = Scene({0: "naginata siege", 1: "honda roads"}, in_play={1: "castle"})
    assert choice(scene) == "play naginata"


def test_destroy_strikes_what_hurts_most() -> None:
    scene = Scene(
        {0: "surrounded"},
        in_play={1: "clan-swordsmen heavy-cavalry naomasa fortress", 2: "naginata"},
    )
    assert choice(scene) == "play surrounded x heavy-cavalry @1"


def test_destroy_strikes_the_leader_rather_than_the_biggest_card() -> None:
    scene = Scene(
        {0: "surrounded"},
        in_play={1: "bushi-archers honda fortress cannons campaign", 2: "heavy-cavalry"},
    )
    assert choice(scene) == "play surrounded x bushi-archers @1"


def test_the_most_dangerous_rival_is_the_target() -> None:
    scene = Scene({0: "river", 1: "honda", 2: "siege takeda roads"}, in_play={2: "cannons"})
    assert choice(scene) == "play river @2"
    scene = Scene({0: "river", 1: "honda", 2: "siege"}, scores=(0, 4, 0))
    assert choice(scene) == "play river @1"


def test_of_one_type_the_best_card_takes_the_place() -> None:
    assert choice(Scene({0: "yari-spearmen matchlock-gunners", 1: "honda"})) == (
        "play matchlock-gunners"
    )
    # With its bonus in play the archer is better than the gunner.
    scene = Scene({0: "yumi-archers matchlock-gunners", 1: "honda"}, in_play={0: "fortress"})
    assert choice(scene) == "play yumi-archers"


def test_what_waits_for_an_extra_is_not_played_without_it() -> None:
    scene = Scene({0: "allied-clan naginata cannons"}, in_play={0: "heavy-cavalry"})
    assert choice(scene) == "play allied-clan"


# --- Discards, tactics --------------------------------------------------------------------------


def test_cards_that_find_no_place_are_swapped() -> None:
    hand = (
        "yari-spearmen yari-spearmen yumi-archers matchlock-gunners cannons honda castle campaign"
    )
    chosen = choice(Scene({0: hand, 1: "siege"}, phase=STRATEGY)).split()
    assert chosen[0] == "discard"
    assert {"yari-spearmen"} <= set(chosen[1:]) <= {"yari-spearmen", "yumi-archers"}


def test_a_hand_without_waste_is_kept() -> None:
    hand = "matchlock-gunners heavy-cavalry honda cannons fortress campaign"
    for phase in (STRATEGY, END):
        assert choice(Scene({0: hand, 1: "siege"}, phase=phase)) == "pass"


def test_what_is_spared_best_is_discarded_where_it_must_be() -> None:
    scene = Scene({0: "rebellion", 1: "matchlock-gunners yari-spearmen yumi-archers honda"})
    scene.do(0, "play rebellion @1")
    assert choice(scene) == "discard yari-spearmen yumi-archers"


def test_a_spare_card_is_played_for_its_effect_and_a_needed_one_is_not() -> None:
    spare = "yari-spearmen matchlock-gunners heavy-cavalry cannons fortress campaign"
    assert choice(Scene({0: spare, 1: "siege"}, phase=TACTICS)) == "play yari-spearmen"
    needed = "cannons"
    assert choice(Scene({0: needed, 1: "siege"}, phase=TACTICS)) == "pass"


def test_tactics_strike_the_most_dangerous_rival() -> None:
    hand = "heavy-cavalry fortress roads honda"
    scene = Scene({0: hand, 1: "siege", 2: "river takeda"}, phase=TACTICS)
    assert choice(scene) == "play roads @2"


def test_the_best_of_the_cards_looked_at_is_taken() -> None:
    scene = Scene(
        {0: "honda fortress", 1: "siege"}, phase=TACTICS, deck="roads yari-spearmen cannons seppuku"
    )
    scene.do(0, "play honda")
    assert choice(scene) == "take cannons"


# --- Values -------------------------------------------------------------------------------------


def test_a_card_is_worth_its_force_its_bonuses_and_its_action() -> None:
    assert worth("cannons", (), Field()) == 9
    assert worth("cannons", (), Field(in_play=("takeda",), fallen=("castle",))) == 15
    assert worth("tokugawa", (), Field()) == 8 + 2 * DRAWN
    assert worth("rebellion", (), Field()) == 3 + 2 * LOST
    assert worth("rebellion", (), Field(can_touch=False)) == 3
    assert worth("takeda", (), Field(in_play=("cannons",))) == 7 + 3


def test_a_destroyer_is_worth_more_where_there_is_prey() -> None:
    prey = Field(prey=(("castle", 9), ("honda", 10)))
    assert worth("siege", (), prey) > worth("siege", (), Field()) > 7
    assert worth("siege", (), Field(can_touch=False)) == 7


def test_a_line_has_the_best_of_each_type_and_what_extras_make_room_for() -> None:
    hand = ("naginata", "heavy-cavalry", "clan-swordsmen", "honda", "takeda")
    assert [face for _, face in line(hand, Field()).cards["samurai"]] == ["heavy-cavalry"]
    more = line((*hand, "stronghold"), Field())
    assert [face for _, face in more.cards["samurai"]] == ["heavy-cavalry", "naginata"]
    assert more.total == pytest.approx(line(hand, Field()).total + 7 + 4)


def test_a_gain_is_what_the_line_grows_by() -> None:
    hand = ("naginata", "honda")
    now = line(hand, Field())
    assert gain("heavy-cavalry", hand, now, Field()) == 8 - 4
    assert gain("clan-swordsmen", hand, now, Field()) == 0
    assert gain("cannons", hand, now, Field()) == 9
    full = Field(in_play=("ronin-mercenaries",))
    assert gain("cannons", hand, line(hand, full), full) == 0


def test_the_best_of_several_draws_is_better_than_one() -> None:
    assert best_of([(6.0, 1), (2.0, 1)], 1) == 4
    assert best_of([(6.0, 1), (2.0, 1)], 2) == pytest.approx(6 * 3 / 4 + 2 / 4)
    gains = draw_gains(("honda",), Field(), {"cannons": 1, "takeda": 1, "river": 0})
    assert [count for _, count in gains] == [1, 1]
    assert gains[0][0] == 9


def test_the_card_that_is_needed_least_costs_nothing() -> None:
    assert least_lost(("honda", "yari-spearmen", "yumi-archers"), Field()) == (0, 1)


@pytest.mark.parametrize("seats", [2, 5])
def test_it_beats_the_random_bot(seats: int) -> None:
    bots = ["greedy", *["random"] * (seats - 1)]
    report = run("samurai-warfare", bots, games=4, seed=3, options=Options(target=3))
    greedy, others = report.rows
    assert greedy.games_won >= 3
    assert greedy.mean_points > 2 * others.mean_points
