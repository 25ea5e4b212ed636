"""From turn to turn, ruling by ruling: the sword, drawing, how a turn is won (S1-S4, S10, S11)."""

import pytest

from p2pjong.games.game import NOBODY, Facts, Options, Over, Result, Settle, Shuffle, Toss
from p2pjong.games.samurai_warfare.state import BATTLE, END, STRATEGY, TACTICS
from tests.support.driven import named
from tests.support.samurai_scene import GAME, Scene

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
