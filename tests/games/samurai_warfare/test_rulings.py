"""What the rulings for all games (G1-G9) mean in Samurai Warfare; each test names its own."""

import pytest

from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Facts,
    Foul,
    Give,
    IllegalAction,
    Open,
    Options,
    Over,
    Shuffle,
    Toss,
    Way,
)
from p2pjong.games.samurai_warfare.cards import DECK
from p2pjong.games.samurai_warfare.state import BATTLE, END, STRATEGY, TACTICS
from tests.support.driven import named
from tests.support.samurai_scene import GAME, Scene, Told
from tests.support.tables import make_table, steps


def new_table(seats: int, tosses: list[int], **options: object) -> Table:
    state = GAME.start(seats, Options(**options))  # type: ignore[arg-type]
    return Table(GAME, state, OpenDealer(seats, Told(tosses)), is_checked=True)


# --- All games ----------------------------------------------------------------------------------


def test_g1_the_first_shogun_is_tossed() -> None:
    table = new_table(4, [2])
    assert table.pending == Toss(4)
    events = table.advance()
    assert (events[0].verb, events[0].seat) == ("first_seat", 2)
    assert table.view(NOBODY).shogun == 2  # type: ignore[attr-defined]


def test_g1_exactly_one_oldest_is_the_first_shogun() -> None:
    state = GAME.start(4, Options(oldest=(2,)))
    assert state.shogun == 2 and isinstance(GAME.pending(state), Shuffle)


@pytest.mark.parametrize("oldest", [(), (0, 2)])
def test_g1_no_oldest_or_several_leave_it_to_the_toss(oldest: tuple[int, ...]) -> None:
    assert isinstance(GAME.pending(GAME.start(4, Options(oldest=oldest))), Toss)


def test_g2_every_random_card_is_tossed_by_all() -> None:
    table = make_table(GAME, 4, seed=2, target=3)
    before, given = table.pending, 0
    for _ in steps(table, 2):
        now = table.pending
        if isinstance(now, Give):
            hand = table.state.hands[now.giver]
            assert before == Toss(len(hand)) or len(hand) == 1
            given += 1
        before = now
    assert given > 5


def test_g3_every_discard_is_face_up_and_hands_are_not() -> None:
    scene = Scene({0: "honda siege", 1: "river"}, phase=STRATEGY, deck="castle spies")
    (event,) = named(scene.do(0, "discard honda"), "discarded")
    assert event.faces == ("honda",)
    view = scene.view(1)
    assert view.hand_sizes == (2, 1, 0) and view.hand == ((view.hand[0][0], "river"),)
    assert [card.face for card in view.discards] == ["honda"]


def test_g4_a_seat_that_is_out_is_passed_over_and_is_no_target() -> None:
    scene = Scene({0: "river", 1: "siege", 3: "honda spies"}, seats=4, out=[2])
    assert scene.choices(0) == ["play river @1", "play river @3"]
    scene.do(0, "play river @3")
    assert scene.awaited == (1, "battle")
    scene.do(1, "play siege")
    assert scene.awaited[0] == 3


def test_g4_with_one_seat_left_the_game_is_abandoned() -> None:
    table = new_table(2, [])
    table.advance()
    events = table.void((1,))
    assert table.pending == Over("abandoned", (0, 0), (), 0)
    assert [event.verb for event in events] == ["seat_left", "game_over"]


def test_g5_a_card_that_may_not_be_played_is_a_foul_when_it_is_opened() -> None:
    scene = Scene({0: "honda river"}, in_play={0: "takeda"})
    slot = scene.slot(0, "honda")
    with pytest.raises(IllegalAction):  # the own client refuses it
        scene.table.choose(Action(0, "play", (slot,)))
    forced = GAME.decide(scene.state, (Action(0, "play", (slot,)),))
    assert GAME.pending(forced) == Open(0, (slot,))
    with pytest.raises(Foul) as caught:
        GAME.resolve(forced, Facts(opened=((slot, "honda"),)))
    assert (caught.value.seat, caught.value.rule) == (0, "card-not-playable")


@pytest.mark.parametrize(
    ("phase", "face", "target"),
    [
        (BATTLE, "honda", NOBODY),  # must name a target
        (BATTLE, "takeda", 1),  # takes none
        (TACTICS, "river", NOBODY),
        (TACTICS, "honda", 1),
    ],
)
def test_g5_a_target_that_does_not_go_with_the_card_is_a_foul(
    phase: str, face: str, target: int
) -> None:
    scene = Scene({0: face, 1: "siege"}, phase=phase)
    action = Action(0, "play", (scene.slot(0, face),), target)
    with pytest.raises(IllegalAction):
        scene.table.choose(action)
    forced = GAME.decide(scene.state, (action,))
    with pytest.raises(Foul) as caught:
        GAME.resolve(forced, Facts(opened=((action.slots[0], face),)))
    assert (caught.value.seat, caught.value.rule) == (0, "wrong-target")


@pytest.mark.parametrize("named_prey", ["river", ""])
def test_g5_a_destroyer_that_aims_wrong_is_a_foul(named_prey: str) -> None:
    scene = Scene({0: "siege", 1: "spies"}, in_play={1: "castle", 2: "river"})
    slots = (scene.slot(0, "siege"),)
    action = Action(0, "play", slots)
    if named_prey:
        action = Action(0, "play", (*slots, scene.slot_in_play(2, named_prey)), 2)
    forced = GAME.decide(scene.state, (action,))
    with pytest.raises(Foul) as caught:
        GAME.resolve(forced, Facts(opened=((slots[0], "siege"),)))
    assert caught.value.rule == "wrong-target"


def test_g5_targets_that_nobody_can_mean_are_refused_at_once() -> None:
    scene = Scene({0: "siege river", 1: "spies"}, in_play={0: "honda", 1: "castle", 2: "retainer"})
    slot, castle = scene.slot(0, "siege"), scene.slot_in_play(1, "castle")
    for action in (
        Action(0, "play", (slot,), 0),
        Action(0, "play", (slot,), 2),  # an empty hand
        Action(0, "play", (slot,), 3),
        Action(0, "play", (slot, castle), 2),  # not its owner
        Action(0, "play", (slot, castle)),
        Action(0, "play", (slot, scene.slot_in_play(0, "honda")), 0),
        Action(0, "play", (slot, scene.slot_in_play(2, "retainer")), 2),  # no card destroys it
        Action(0, "play", (castle, slot), 1),
        Action(0, "play", (slot, slot)),
        Action(0, "play", (10**6,)),
        Action(0, "play", ()),
        Action(0, "discard", (slot,)),
        Action(1, "play", (scene.slot(1, "spies"),)),
    ):
        with pytest.raises(IllegalAction):
            GAME.decide(scene.state, (action,))
        assert action not in GAME.legal(scene.state, action.seat, {})


def test_g6_a_void_shuffles_all_cards_anew_and_keeps_tokens_and_sword() -> None:
    scene = Scene(
        {0: "siege", 1: "river honda"},
        in_play={1: "castle", 2: "spies"},
        fallen={2: "cannons"},
        scores=(1, 3, 2),
        shogun=1,
        discards="naginata",
    )
    number, next_slot = scene.view(0).hand_number, scene.state.next_slot
    events = scene.table.void((0,))
    assert [(event.verb, event.seat) for event in events] == [
        ("seat_left", 0),
        ("hand_void", NOBODY),
    ]
    shuffle = scene.pending
    assert shuffle == Shuffle(DECK, tuple(range(next_slot, next_slot + 71)), fresh_keys=True)
    scene.seen = list(scene.table.advance())
    view = scene.view(1)
    assert (view.scores, view.shogun, view.hand_number) == ((1, 3, 2), 1, number)
    assert view.hand_sizes == (0, 8, 8) and view.deck_size == 71 - 16
    assert not any(view.in_play) and not any(view.fallen) and view.discards == ()
    assert scene.awaited == (1, "strategy")


def test_g6_a_turn_whose_token_was_given_is_not_called_void_and_the_next_one_begins() -> None:
    scene = Scene({0: "honda"}, in_play={0: "takeda cannons"}, shogun=2, turn=0)
    scene.do(0, "pass")
    scene.settle()
    assert scene.awaited == (0, "end")
    number = scene.view(0).hand_number
    events = scene.table.void(())
    assert events == ()
    view = scene.view(0)
    assert (view.scores, view.shogun, view.hand_number) == ((1, 0, 0), 0, number + 1)
    assert isinstance(scene.pending, Shuffle)


def test_g7_one_seat_at_a_time_chooses_once() -> None:
    table = make_table(GAME, 4, seed=3, target=1)
    for _ in steps(table, 3):
        if isinstance(table.pending, Decide):
            assert len(table.pending.seats) == 1 and table.pending.way is Way.TURN


def test_g8_what_is_optional_is_left_alone() -> None:
    for phase in (STRATEGY, TACTICS, END):
        scene = Scene({0: "honda siege"}, phase=phase)
        assert scene.table.default(0) == Action(0, "pass")


def test_g8_a_card_that_must_be_played_is_the_first_in_the_order_of_codes() -> None:
    scene = Scene({0: "river honda yumi-archers", 1: "siege"})
    assert scene.table.default(0) == Action(0, "play", (scene.slot(0, "yumi-archers"),))


def test_g8_the_target_is_the_next_seat() -> None:
    scene = Scene({2: "honda", 0: "siege", 1: "river"}, turn=2)
    assert scene.table.default(2) == Action(2, "play", (scene.slot(2, "honda"),), 0)


def test_g8_the_card_destroyed_is_the_first_in_the_order_of_codes() -> None:
    scene = Scene({0: "surrounded"}, in_play={1: "heavy-cavalry", 2: "clan-swordsmen"})
    prey = scene.slot_in_play(2, "clan-swordsmen")
    assert scene.table.default(0) == Action(0, "play", (scene.slot(0, "surrounded"), prey), 2)


def test_g8_cards_that_must_be_discarded_or_taken_are_the_first_too() -> None:
    scene = Scene({0: "rebellion", 1: "river cannons yumi-archers"})
    scene.do(0, "play rebellion @1")
    named_slots = {scene.slot(1, "yumi-archers"), scene.slot(1, "cannons")}
    assert set(scene.table.default(1).slots) == named_slots
    scene = Scene({0: "honda", 1: "siege"}, phase=TACTICS, deck="river spies takeda cannons forest")
    scene.do(0, "play honda")
    assert scene.table.default(0).slots == (scene.state.deck[2],)


def test_g9_nothing_but_a_playable_card_in_battle_is_forced() -> None:
    for phase in (STRATEGY, TACTICS, END):
        assert "pass" in Scene({0: "honda siege", 1: "river"}, phase=phase).choices(0)
    assert "pass" not in Scene({0: "honda siege", 1: "river"}).choices(0)
