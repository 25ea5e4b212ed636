"""Targets and the Battle of Samurai Warfare, ruling by ruling (S6-S9)."""

import pytest

from p2pjong.games.game import Action, IllegalAction, ProveAmong, Settle
from p2pjong.games.samurai_warfare.cards import CARDS
from tests.support.driven import named
from tests.support.samurai_scene import GAME, Scene

# --- Targets ------------------------------------------------------------------------------------


def test_s6_a_target_must_be_named_where_there_is_one() -> None:
    scene = Scene({0: "betrayal", 1: "siege", 2: ""})
    assert scene.choices(0) == ["play betrayal @1"]


def test_s6_the_discard_of_a_target_is_made_before_play_goes_on() -> None:
    scene = Scene({0: "betrayal", 1: "siege", 2: "river honda"})
    scene.do(0, "play betrayal @2")
    assert scene.awaited == (2, "discard") and scene.view(0).turn == 0
    scene.do(2, "discard river")
    assert scene.awaited == (1, "battle")


def test_s6_all_cards_are_chosen_at_once() -> None:
    scene = Scene({0: "rebellion", 2: "river honda siege"})
    scene.do(0, "play rebellion @2")
    assert len(scene.choices(2)) == 3
    assert all(len(action.slots) == 2 for action in scene.table.legal(2))


def test_s6_a_target_with_fewer_cards_loses_what_it_has() -> None:
    scene = Scene({0: "rebellion", 2: "river"})
    scene.do(0, "play rebellion @2")
    assert scene.hand(2) == [] and scene.discards() == ["river"]


# --- Battle -------------------------------------------------------------------------------------


def test_s7_of_each_type_one_card_may_be_in_play() -> None:
    scene = Scene({0: "honda takeda river", 1: "siege"})
    scene.do(0, "play takeda")
    scene.do(1, "play siege")
    assert scene.choices(0) == ["play river"]


def test_s7_a_pass_is_proven_by_the_types_that_may_not_be_played() -> None:
    scene = Scene({0: "honda naginata"}, in_play={0: "takeda heavy-cavalry"}, discards="masamune")
    assert scene.choices(0) == ["pass"]
    event = named(scene.do(0, "pass"), "passed")[0]
    assert (event.seat, event.number) == (0, 1)
    (proof,) = scene.asked_of(ProveAmong)
    assert isinstance(proof, ProveAmong)
    assert (proof.seat, proof.slots) == (0, (0, 1))
    assert {CARDS[face].type for face in proof.faces} == {"shogun", "samurai"}
    # Cards that all see to lie elsewhere need not be proven absent.
    assert not {"takeda", "masamune"} & set(proof.faces)
    assert {"honda", "naginata", "heavy-cavalry"} <= set(proof.faces)


def test_s7_a_pass_with_a_playable_card_is_refused_and_could_not_be_proven() -> None:
    scene = Scene({0: "honda naginata"}, in_play={0: "takeda"})
    with pytest.raises(IllegalAction):
        scene.table.choose(Action(0, "pass"))
    forced = GAME.decide(scene.state, (Action(0, "pass"),))  # nobody can rule it out
    proof = GAME.pending(forced)
    assert isinstance(proof, ProveAmong)
    with pytest.raises(AssertionError):
        scene.dealer.begin(proof)


def test_s7_where_every_type_is_playable_nobody_believes_a_pass() -> None:
    scene = Scene({0: "honda"})
    assert Action(0, "pass") not in GAME.legal(scene.state, 0, {})
    with pytest.raises(IllegalAction):
        GAME.decide(scene.state, (Action(0, "pass"),))


def test_s7_passing_binds_nobody_and_who_can_play_again_must() -> None:
    scene = Scene(
        {0: "river", 1: "explosives surrounded", 2: "ambush"}, in_play={0: "castle", 2: "siege"}
    )
    scene.do(0, "pass")
    scene.do(1, "play explosives x castle @0")
    scene.do(2, "pass")
    assert scene.awaited == (0, "battle")
    assert scene.choices(0) == ["play river @1", "play river @2"]


def test_s7_a_proof_holds_while_no_card_comes_in_and_its_types_stay_barred() -> None:
    scene = Scene({0: "river", 1: "naginata honda cannons"}, in_play={0: "castle"})
    scene.do(0, "pass")
    for _ in range(3):
        seat, _ = scene.awaited
        assert seat == 1
        scene.do(1, scene.choices(1)[0])
    assert len(scene.asked_of(ProveAmong)) == 1
    assert isinstance(scene.pending, Settle)


def test_s7_a_card_that_comes_in_makes_a_new_proof_due() -> None:
    scene = Scene(
        {0: "river honda", 1: "explosives naomasa"}, in_play={0: "castle takeda"}, tosses=[0]
    )
    scene.do(0, "pass")
    scene.do(1, "play explosives x castle @0")
    scene.do(0, "play river @1")  # steals a Shogun, which is barred as its other card is
    assert scene.hand(0) == ["honda", "naomasa"]
    assert (scene.awaited, scene.choices(0)) == ((0, "battle"), ["pass"])
    scene.do(0, "pass")
    assert len(scene.asked_of(ProveAmong)) == 2
    assert isinstance(scene.pending, Settle)


def test_s7_the_phase_ends_when_all_present_pass_in_a_row() -> None:
    scene = Scene({0: "honda", 1: "river"}, in_play={0: "takeda", 1: "castle"}, seats=4, out=[3])
    scene.do(0, "pass")
    assert scene.view(0).passes == 1
    scene.do(1, "pass")  # seat 2 has no cards, seat 3 is out
    assert isinstance(scene.pending, Settle)
    passes = [(event.seat, event.number) for event in named(scene.seen, "passed")]
    assert passes == [(0, 1), (1, 1), (2, 0)]


def test_s7_a_full_line_passes_unasked() -> None:
    line = "honda river naginata yari-spearmen siege spies"
    scene = Scene({0: "takeda", 1: "cannons"}, in_play={0: line})
    assert scene.awaited == (1, "battle")
    assert not scene.asked_of(ProveAmong)


def test_s8_a_battle_action_cannot_be_declined() -> None:
    scene = Scene({0: "siege", 1: "honda"}, in_play={1: "castle"})
    assert scene.choices(0) == ["play siege x castle @1"]


def test_s8_bonus_and_extra_last_when_the_card_that_gave_them_is_destroyed() -> None:
    scene = Scene({0: "honda cannons", 1: "ninja-assassin"}, in_play={0: "takeda"}, turn=1)
    scene.do(1, "play ninja-assassin x takeda @0")
    scene.do(0, "play cannons")
    assert scene.view(0).forces[0] == 9 + 3


def test_s9_own_cards_never_fit() -> None:
    scene = Scene({0: "siege"}, in_play={0: "castle"})
    assert scene.choices(0) == ["play siege"]


def test_s9_the_place_of_a_destroyed_card_is_free_for_a_card_with_its_effect() -> None:
    scene = Scene(
        {0: "spies", 1: "ninja-assassin cannons", 2: "honda siege"}, in_play={2: "takeda"}, turn=1
    )
    scene.do(1, "play ninja-assassin x takeda @2")
    assert scene.awaited == (2, "battle")
    scene.do(2, "play honda @0")
    assert scene.in_play(2) == ["honda"]
    assert scene.view(2).seen[-1].verb == "looked"


def test_s9_the_action_of_a_destroyed_card_is_not_undone() -> None:
    scene = Scene({0: "tokugawa", 1: "seppuku"}, deck="honda siege")
    scene.do(0, "play tokugawa")
    scene.do(1, "play seppuku x tokugawa @0")
    assert len(scene.hand(0)) == 2 and scene.discards() == ["tokugawa"]
