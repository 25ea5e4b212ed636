"""What may be chosen: exact for who knows the hand, and no narrower than the truth for others."""

import pytest

from p2pjong.games.game import NOBODY, Action, IllegalAction, twins
from p2pjong.games.samurai_warfare.state import BATTLE, END, STRATEGY, TACTICS
from tests.support.samurai_scene import GAME, Scene


def test_verbs_of_the_strategy_phase() -> None:
    scene = Scene({0: "honda siege river spies", 1: "castle"}, phase=STRATEGY)
    legal = scene.table.legal(0)
    assert legal == tuple(sorted(legal)) == GAME.legal(scene.state, 0, {})
    assert {action.verb for action in legal} == {"discard", "pass"}
    assert max(len(action.slots) for action in legal) == 3
    assert GAME.legal(scene.state, 1, {}) == ()


def test_verbs_of_the_end_phase() -> None:
    scene = Scene({0: "honda siege"}, phase=END)
    assert scene.choices(0) == ["discard honda", "discard siege", "pass"]


@pytest.mark.parametrize("phase", [TACTICS, BATTLE])
def test_strangers_list_all_that_some_hand_may_do(phase: str) -> None:
    scene = Scene({0: "honda siege", 1: "cannons", 2: "roads"}, phase=phase, in_play={})
    public = set(GAME.legal(scene.state, 0, {}))
    assert set(scene.table.legal(0)) < public
    assert {action.target for action in public if action.verb == "play"} == {NOBODY, 1, 2}
    assert (Action(0, "pass") in public) == (phase == TACTICS)


def test_strangers_rule_out_targets_of_no_card_that_may_be_played() -> None:
    # Only a Samurai may be played, and Samurai have no Battle Action.
    line = "honda river yumi-archers siege cannons"
    scene = Scene({0: "naginata takeda", 1: "spies"}, in_play={0: line, 1: "castle"})
    public = GAME.legal(scene.state, 0, {})
    assert [(action.verb, len(action.slots), action.target) for action in public] == [
        ("pass", 0, NOBODY),
        ("play", 1, NOBODY),
        ("play", 1, NOBODY),
    ]


def test_who_knows_a_playable_card_of_a_hand_rules_out_its_pass() -> None:
    scene = Scene({0: "naginata takeda"}, in_play={0: "honda"})
    known = {scene.slot(0, "naginata"): "naginata"}
    assert Action(0, "pass") not in GAME.legal(scene.state, 0, known)
    known = {scene.slot(0, "takeda"): "takeda"}
    assert Action(0, "pass") in GAME.legal(scene.state, 0, known)


def test_equal_cards_are_twins_and_victims_are_not() -> None:
    scene = Scene(
        {0: "heavy-snow naginata naginata"}, in_play={1: "yari-spearmen", 2: "yari-spearmen"}
    )
    known = scene.dealer.known(0)
    plays = scene.table.legal(0)
    troops = [action for action in plays if len(action.slots) == 1]
    assert twins(GAME, scene.state, troops[0], known) == tuple(troops)
    first, second = (action for action in plays if len(action.slots) == 2)
    assert (first.target, second.target) == (1, 2)
    assert twins(GAME, scene.state, first, known) == (first,)


def test_discards_that_are_no_set_of_the_hand_are_refused() -> None:
    scene = Scene({0: "honda siege river spies", 1: "castle"}, phase=STRATEGY)
    a, b, c, d = scene.state.hands[0]
    for slots in ((), (b, a), (a, a), (a, b, c, d), (a, scene.state.hands[1][0]), (99,)):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (Action(0, "discard", slots),))
    for action in (
        Action(0, "discard", (a,), 1),
        Action(0, "pass", (a,)),
        Action(0, "pass", (), 1),
        Action(0, "play", (a,)),
        Action(1, "discard", (scene.state.hands[1][0],)),
    ):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (action,))


def test_what_must_be_discarded_must_be() -> None:
    scene = Scene({0: "rebellion", 1: "honda siege river"})
    scene.do(0, "play rebellion @1")
    a, b, c = scene.state.hands[1]
    for action in (
        Action(1, "pass"),
        Action(1, "discard", (a,)),
        Action(1, "discard", (a, b, c)),
        Action(0, "discard", (a, b)),
    ):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (action,))
    assert len(GAME.legal(scene.state, 1, {})) == 3


def test_only_a_place_that_was_looked_at_is_taken() -> None:
    scene = Scene(
        {0: "honda", 1: "siege"}, phase=TACTICS, deck="river spies takeda cannons forest roads"
    )
    scene.do(0, "play honda")
    assert len(GAME.legal(scene.state, 0, {})) == 5
    deck = scene.state.deck
    for action in (
        Action(0, "take", (deck[5],)),
        Action(0, "take", deck[:2]),
        Action(0, "take"),
        Action(0, "take", deck[:1], 1),
        Action(0, "pass"),
        Action(1, "take", deck[:1]),
    ):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (action,))


def test_two_choices_for_one_are_refused() -> None:
    scene = Scene({0: "naginata", 1: "honda"})
    action = scene.table.legal(0)[0]
    for actions in ((), (action, action), (Action(1, "pass"),)):
        with pytest.raises(IllegalAction, match="not the seats"):
            GAME.decide(scene.state, actions)


def test_the_default_needs_no_knowledge_of_the_hand() -> None:
    for phase in (STRATEGY, TACTICS, BATTLE, END):
        scene = Scene({0: "honda siege", 1: "river"}, phase=phase)
        assert GAME.default(scene.state, 0, {}) in GAME.legal(scene.state, 0, {})


@pytest.mark.parametrize(
    ("phase", "reason"),
    [
        (STRATEGY, "discard-up-to-3"),
        (TACTICS, "play-in-tactics"),
        (BATTLE, "play-in-battle"),
        (END, "discard-up-to-1"),
    ],
)
def test_everyone_is_told_what_a_seat_is_awaited_for(phase: str, reason: str) -> None:
    scene = Scene({0: "honda siege", 1: "river"}, phase=phase)
    view = scene.view(1)
    assert (view.awaited, view.reason, view.choice) == ((0,), reason, phase)


@pytest.mark.parametrize(
    ("card", "reason"), [("betrayal", "discard-1"), ("rebellion", "discard-2")]
)
def test_everyone_is_told_how_many_cards_must_be_discarded(card: str, reason: str) -> None:
    scene = Scene({0: card, 1: "river honda siege"})
    scene.do(0, f"play {card} @1")
    view = scene.view(2)
    assert (view.reason, view.choice, view.turn) == (reason, "discard", 0)


def test_while_machines_work_nothing_may_be_chosen() -> None:
    scene = Scene({0: "honda siege", 1: "river cannons"}, phase=STRATEGY)
    before = GAME.decide(scene.state, (Action(0, "discard", scene.state.hands[0][:1]),))
    assert GAME.legal(before, 0, {}) == () and GAME.view(before, 0, {}).choice == ""
    with pytest.raises(IllegalAction):
        GAME.decide(before, (Action(0, "pass"),))
