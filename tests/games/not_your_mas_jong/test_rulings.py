"""Sets (N2), what the rulings for all games mean here, and what anybody may rule out."""

from collections.abc import Iterator

import pytest

from p2pjong.games.game import NOBODY, Action, Facts, IllegalAction
from p2pjong.games.not_your_mas_jong.events import events as seen_between
from p2pjong.games.not_your_mas_jong.sets import SETS
from p2pjong.games.not_your_mas_jong.state import State
from tests.support.mas_jong_rulings import READY, WINNING
from tests.support.mas_jong_scene import GAME, Scene

# --- N2: sets -----------------------------------------------------------------------------------


def test_n2_the_sets_are_all_triplets_and_the_sequences_of_colours_and_seasons() -> None:
    colours = [(f"{c}{n}", f"{c}{n + 1}", f"{c}{n + 2}") for c in "RBG" for n in range(1, 5)]
    seasons = [("S1", "S2", "S3"), ("S2", "S3", "S4")]
    triplets = {(face,) * 3 for face in GAME.deck}
    assert triplets | {*colours, *seasons} == SETS


# --- G3, G7, G8, G9 -----------------------------------------------------------------------------


def test_g3_going_out_opens_the_whole_hand_and_no_other() -> None:
    scene = Scene({0: WINNING})
    scene.do(0, "go_out")
    assert scene.view(NOBODY).shown == tuple("R1 R1 B1 B1 B1 B3 B4 B5 G2 G2 G2".split())
    assert set(scene.table.dealer.known(1)) == {*scene.state.hands[1], *scene.state.hands[0]}


def test_g3_a_drawn_card_is_shuffled_into_the_hand_before_the_choice() -> None:
    scene = Scene({0: "R5"}, draws="E3")
    before = scene.state.hands[1]
    scene.play("R5")
    assert not set(before) & set(scene.state.hands[1])
    assert dict(scene.view(1).hand)[scene.view(1).drawn] == "E3"
    assert scene.view(0).drawn == -1


def test_g7_each_answers_once() -> None:
    scene = Scene({0: "R5"})
    scene.discard("R5")
    scene.force(Action(1, "pass"))
    with pytest.raises(IllegalAction):
        scene.force(Action(1, "call_win"))


def test_g8_the_default_discards_the_drawn_card_and_passes() -> None:
    scene = Scene({0: "E3"}, draws="R1")
    scene.force(scene.table.default(0))  # nothing drawn: the last of the sorted hand
    assert scene.state.discards[-1].face == "E3"
    assert scene.table.default(1) == Action(1, "pass")
    scene.call()
    scene.force(scene.table.default(1))
    assert scene.state.discards[-1].face == "R1"


def test_g8_the_default_shows_the_first_set_in_the_order_of_codes() -> None:
    scene = Scene({0: "R4", 1: "R5 R6 R2 R3"})
    scene.discard("R4")
    scene.call(s1="set", s2="set")
    assert scene.choices(1) == ["show_set R5 R6", "show_set R3 R5", "show_set R2 R3", "wrong"]
    assert scene.read(scene.table.default(1)) == "show_set R2 R3"
    scene.do(1, "wrong")
    assert scene.read(scene.table.default(2)) == "wrong"


def test_g8_the_default_shows_a_winning_hand_that_was_called() -> None:
    scene = Scene({0: "R1", 1: READY})
    scene.discard("R1")
    scene.call(s1="win")
    assert scene.table.default(1) == Action(1, "show_win")
    assert GAME.default(scene.state, 1, {}) == Action(1, "wrong")


def test_g9_going_out_on_a_draw_is_not_forced() -> None:
    scene = Scene({1: READY, 0: "R5"}, draws="R1")
    scene.play("R5")
    assert {"go_out", "discard R1"} <= set(scene.choices(1))


# --- What anybody may rule out ------------------------------------------------------------------


def mistakes(state: State) -> Iterator[Action]:
    """Actions that no hand allows now."""
    for seat in range(-1, 4):
        yield Action(seat, "pass", (1,))
        yield Action(seat, "call_win", (), 2)
        yield Action(seat, "wrong")
        yield Action(seat, "show_win")
        yield Action(seat, "show_set", (1, 2))


def test_what_no_hand_allows_is_refused() -> None:
    scene = Scene({0: "R5"})
    for action in mistakes(scene.state):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (action,))
    with pytest.raises(IllegalAction):
        GAME.decide(scene.state, ())


def test_an_onlooker_learns_nothing_of_hands() -> None:
    scene = Scene({0: "R5"})
    view = scene.view(NOBODY)
    assert view.hand == ()
    assert view.awaited == (0,)


def test_events_of_an_operation_that_nobody_sees_are_none() -> None:
    scene = Scene({0: "R5"})
    assert seen_between(scene.state, Facts(), scene.state) == ()
