"""Samurai Warfare ruling by ruling: each test names the one it holds the game to."""

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
    ProveAmong,
    Result,
    Settle,
    Shuffle,
    Toss,
)
from p2pjong.games.samurai_warfare.cards import CARDS, DECK
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


def test_g6_a_turn_that_was_settled_keeps_its_token_when_the_end_is_void() -> None:
    scene = Scene({0: "honda"}, in_play={0: "takeda cannons"}, shogun=2, turn=0)
    scene.do(0, "pass")
    scene.settle()
    assert scene.awaited == (0, "end")
    number = scene.view(0).hand_number
    events = scene.table.void(())
    assert [event.verb for event in events] == ["hand_void"]
    view = scene.view(0)
    assert (view.scores, view.shogun, view.hand_number) == ((1, 0, 0), 0, number)


def test_g7_one_seat_at_a_time_chooses_once() -> None:
    table = make_table(GAME, 4, seed=3, target=1)
    for _ in steps(table, 3):
        if isinstance(table.pending, Decide):
            assert len(table.pending.seats) == 1 and not table.pending.secret


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


# --- Seats and the sword ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_s1_other_than_two_to_six_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 6 seats"):
        GAME.start(seats, Options())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (Options(target=-1), "target"),
        (Options(target=1001), "target"),
        (Options(rounds=3), "target, not for a number of rounds"),
        (Options(oldest=(3,)), "oldest"),
    ],
)
def test_options_out_of_range_are_refused(options: Options, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        GAME.start(3, options)


@pytest.mark.parametrize("phase", [STRATEGY, TACTICS, BATTLE, END])
def test_s1_the_shogun_acts_first_and_the_others_in_turn_order(phase: str) -> None:
    hands = {0: "naginata", 1: "yumi-archers", 2: "cannons", 3: "yari-spearmen"}
    scene = Scene(hands, phase=phase, seats=4, shogun=2, turn=2)
    acted = []
    for _ in range(4):
        seat, choice = scene.awaited
        assert choice == phase
        acted.append(seat)
        scene.do(seat, scene.choices(seat)[0] if phase == BATTLE else "pass")
    assert acted == [2, 3, 0, 1]


def test_s1_the_next_seat_takes_the_sword_of_a_shogun_who_is_out() -> None:
    scene = Scene({0: "honda", 1: "siege", 3: "river"}, seats=4, shogun=3, turn=3)
    events = scene.table.void((3, 0))
    assert [(event.verb, event.seat) for event in events] == [
        ("seat_left", 0),
        ("seat_left", 3),
        ("hand_void", NOBODY),
        ("sword_passed", 1),
    ]
    scene.table.advance()
    assert scene.view(1).shogun == 1 and scene.awaited == (1, "strategy")


def test_s1_an_oldest_who_leaves_before_the_shuffle_hands_on_the_sword() -> None:
    state = GAME.void(GAME.start(4, Options(oldest=(3,))), (3,))
    assert state.shogun == 0 and isinstance(GAME.pending(state), Shuffle)
    assert [event.verb for event in state.news] == ["seat_left", "sword_passed"]


def test_s1_a_seat_that_leaves_before_the_toss_is_not_in_it() -> None:
    state = GAME.void(GAME.start(4, Options()), (0,))
    assert GAME.pending(state) == Toss(3)
    assert GAME.resolve(state, Facts(tossed=0)).shogun == 1


# --- Preparations and Strategy ------------------------------------------------------------------


def begin_turn(hands: dict[int, str], **options: object) -> Scene:
    """A scene that has just come to Preparations: the End Phase of the last seat is over."""
    return Scene(hands, phase=END, turn=2, **options)  # type: ignore[arg-type]


def test_s2_each_draws_up_to_eight_and_who_holds_more_draws_nothing() -> None:
    nine = "honda siege river spies cannons naginata castle takeda ambush"
    scene = begin_turn({0: "forest", 1: nine, 2: "roads mountain"})
    events = scene.do(2, "pass")
    drew = [(event.seat, event.number) for event in named(events, "drew")]
    assert drew == [(0, 7), (2, 6)]
    assert scene.view(0).hand_sizes == (8, 9, 8)


def test_s2_one_seat_completes_its_draws_before_the_next() -> None:
    deck = "honda siege river spies cannons naginata castle takeda ambush forest"
    scene = begin_turn({0: "roads", 2: "mountain"}, deck=deck, rest="discards")
    drew = [(event.verb, event.seat, event.number) for event in scene.do(2, "pass")]
    assert [event for event in drew if event[0] in ("drew", "reshuffled")] == [
        ("drew", 0, 7),
        ("drew", 1, 3),
        ("reshuffled", NOBODY, 59),
        ("drew", 1, 5),
        ("drew", 2, 7),
    ]
    assert sorted(scene.hand(0)) == sorted(["roads", *deck.split()[:7]])


def test_s2_with_both_piles_empty_hands_stay_short() -> None:
    scene = begin_turn({0: "roads", 2: "mountain"}, rest="hand:1")
    events = scene.do(2, "pass")
    assert not named(events, "drew")
    assert scene.view(0).hand_sizes == (1, 69, 1)
    assert scene.awaited == (0, "strategy")


def test_s3_each_discards_up_to_three_and_draws_as_many_before_the_next() -> None:
    scene = Scene({0: "honda siege river spies", 1: "castle"}, phase=STRATEGY, deck="forest roads")
    assert (scene.view(0).least, scene.view(0).most) == (0, 3)
    assert len(scene.table.legal(0)) == 1 + 4 + 6 + 4
    events = scene.do(0, "discard honda river")
    assert [(event.verb, event.seat, event.number) for event in events] == [
        ("discarded", 0, 2),
        ("drew", 0, 2),
    ]
    assert sorted(scene.hand(0)) == ["forest", "roads", "siege", "spies"]
    assert scene.awaited == (1, "strategy")


def test_s3_who_keeps_all_draws_nothing() -> None:
    scene = Scene({0: "honda siege", 1: "castle"}, phase=STRATEGY)
    events = scene.do(0, "pass")
    assert [event.verb for event in events] == ["passed"]
    assert len(scene.hand(0)) == 2


def test_s4_the_discards_are_shuffled_only_when_a_card_is_needed() -> None:
    scene = Scene(
        {0: "honda siege", 1: "castle roads"},
        phase=STRATEGY,
        deck="forest",
        discards="spies",
        rest="hand:2",
    )
    scene.do(0, "discard honda")
    assert scene.deck() == [] and scene.discards() == ["spies", "honda"]
    assert not scene.asked_of(Shuffle)
    events = scene.do(1, "discard castle")
    assert [event.verb for event in events] == ["discarded", "reshuffled", "drew"]


def test_s4_cards_discarded_for_the_draw_are_shuffled_too() -> None:
    scene = Scene({0: "honda siege", 1: "castle"}, phase=STRATEGY, rest="hand:2")
    scene.do(0, "discard honda siege")
    (shuffle,) = scene.asked_of(Shuffle)
    assert isinstance(shuffle, Shuffle) and shuffle.faces == ("honda", "siege")
    assert sorted(scene.hand(0)) == ["honda", "siege"]


def test_s4_cards_in_play_are_not_shuffled() -> None:
    scene = Scene(
        {0: "forest", 1: "castle"},
        in_play={0: "honda", 1: "siege"},
        discards="spies",
        rest="hand:2",
    )
    scene.do(0, "play forest")
    assert scene.hand(0) == ["spies"] and scene.in_play(0) == ["honda", "forest"]


def test_s4_a_destroyed_card_is_among_the_discards_at_once() -> None:
    scene = Scene({0: "siege", 1: "forest"}, in_play={1: "castle"}, rest="hand:2")
    scene.do(0, "play siege x castle @1")
    assert scene.discards() == ["castle"]
    scene.do(1, "play forest")
    assert scene.hand(1) == ["castle"]


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


# --- Victory, Shogun, End -----------------------------------------------------------------------


def fought(in_play: dict[int, str], **options: object) -> Scene:
    """A scene in which the battle is over: nobody holds a card."""
    return Scene({}, in_play=in_play, **options)  # type: ignore[arg-type]


def test_s10_the_highest_total_wins_the_token() -> None:
    scene = fought({0: "takeda cannons", 1: "fortress", 2: "siege"}, scores=(0, 1, 2))
    assert isinstance(scene.pending, Settle)
    assert scene.pending.result == Result(
        "won", 0, (1, 0, 0), (1, 1, 2), (("force_0", 19), ("force_1", 10), ("force_2", 7))
    )
    events = scene.settle()
    assert events[0].verb == "settled" and events[0].seat == 0
    assert scene.view(0).scores == (1, 1, 2)


def test_s10_with_a_tie_nobody_wins_and_the_sword_stays() -> None:
    scene = fought({0: "siege", 1: "river", 2: "heavy-cavalry"}, shogun=1, turn=1)
    assert isinstance(scene.pending, Settle)
    result = scene.pending.result
    assert (result.kind, result.winner, result.points) == ("tied", NOBODY, (0, 0, 0))
    events = scene.settle()
    assert scene.view(0).shogun == 1 and not named(events, "sword_passed")
    assert (events[0].seat, events[0].number) == (NOBODY, 0)


def test_s10_without_any_card_in_play_all_tie() -> None:
    scene = fought({})
    assert isinstance(scene.pending, Settle) and scene.pending.result.kind == "tied"


def test_s10_a_seat_that_is_out_ties_with_nobody() -> None:
    scene = fought({0: "siege"}, out=[1])
    assert isinstance(scene.pending, Settle)
    assert scene.pending.result.details == (("force_0", 7), ("force_2", 0))


def test_s10_all_played_cards_are_discarded_and_the_winner_takes_the_sword() -> None:
    scene = fought({0: "siege", 1: "fortress spies", 2: "river"}, shogun=2, turn=2)
    events = scene.settle()
    assert [event.seat for event in named(events, "sword_passed")] == [1]
    assert scene.discards() == ["river", "siege", "fortress", "spies"]
    assert not any(scene.view(0).in_play)


def test_s10_the_first_with_five_tokens_wins_at_once() -> None:
    scene = fought({0: "siege", 1: "fortress"}, scores=(4, 4, 0))
    events = scene.settle()
    assert scene.pending == Over("finished", (4, 5, 0), (1,), 1)
    assert [(event.verb, event.seat) for event in events] == [("settled", 1), ("game_over", 1)]
    assert scene.table.awaited() == ()


def test_s10_target_sets_another_goal() -> None:
    scene = fought({0: "siege", 1: "fortress"}, scores=(0, 1, 0), target=2)
    scene.settle()
    assert isinstance(scene.pending, Over)
    scene = fought({0: "siege", 1: "fortress"}, scores=(4, 4, 0), target=6)
    scene.settle()
    assert not isinstance(scene.pending, Over)


def test_s11_from_the_new_shogun_on_each_may_discard_one_card() -> None:
    hands = {0: "takeda", 1: "castle roads", 2: "yari-spearmen"}
    in_play = {0: "siege honda", 1: "fortress surrounded spies", 2: "yumi-archers"}
    scene = Scene(hands, in_play=in_play)
    scene.pass_all()
    scene.settle()
    assert (scene.view(0).shogun, scene.awaited) == (1, (1, "end"))
    assert sorted(scene.choices(1)) == ["discard castle", "discard roads", "pass"]
    (event,) = named(scene.do(1, "discard castle"), "discarded")
    assert (event.seat, event.details) == (1, (("end", 1),))
    assert scene.awaited == (2, "end")
    scene.do(2, "pass")
    events = scene.do(0, "discard takeda")
    assert scene.hand(0) != []  # Preparations have begun
    (began,) = named(events, "turn_began")
    assert (began.seat, began.number) == (1, 2)


def test_s11_a_seat_without_cards_is_not_asked() -> None:
    scene = Scene({0: "takeda", 2: "naginata"}, phase=END)
    scene.do(0, "pass")
    assert scene.awaited == (2, "end")
