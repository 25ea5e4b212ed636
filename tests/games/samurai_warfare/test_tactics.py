"""The Tactics Phase: what each type of card does, also where there is nothing for it to touch."""

import pytest

from p2pjong.games.game import Draw, Give, Open, Peek, Reveil, Show, Shuffle, Toss
from p2pjong.games.samurai_warfare.cards import CARDS, FACES
from p2pjong.games.samurai_warfare.state import TACTICS
from tests.support.driven import named
from tests.support.samurai_scene import Scene

TEN = "honda siege river spies cannons naginata castle takeda ambush roads"
NEXT = "forest mountain betrayal rebellion surrounded masamune"
TARGETING = ["river", "siege", "spies"]  # a Terrain, a Strategy and a Special card


def tactics(hands: dict[int, str], **options: object) -> Scene:
    return Scene(hands, phase=TACTICS, **options)  # type: ignore[arg-type]


# --- One card each, or none ---------------------------------------------------------------------


def test_each_seat_may_play_one_card_in_turn_or_pass() -> None:
    scene = tactics({0: "yari-spearmen honda", 1: "siege naginata", 2: "cannons"})
    assert scene.awaited == (0, "tactics")
    events = scene.do(0, "pass")
    assert [(e.verb, e.seat, e.number, e.details) for e in events] == [
        ("passed", 0, 0, (("tactics", 1),))
    ]
    scene.do(1, "play naginata")
    scene.do(1, scene.choices(1)[0])
    assert scene.awaited == (2, "tactics")
    scene.do(2, "pass")
    assert scene.state.phase == "battle"
    assert scene.awaited == (0, "battle")


def test_a_seat_with_an_empty_hand_is_not_asked() -> None:
    scene = tactics({0: "honda", 2: "siege"})
    scene.do(0, "pass")
    assert scene.awaited == (2, "tactics")


def test_the_card_played_is_discarded_and_does_not_enter_the_battle() -> None:
    scene = tactics({0: "honda", 1: "siege", 2: "river"}, deck=NEXT)
    events = scene.do(0, "play honda")
    assert [(e.verb, e.faces, e.details) for e in named(events, "played")] == [
        ("played", ("honda",), (("tactics", 1),))
    ]
    card = scene.view(1).playing
    assert card is not None and card.face == "honda" and scene.discards() == []
    scene.do(0, "take forest")
    assert scene.view(1).playing is None
    assert scene.discards() == ["honda"] and scene.in_play(0) == []


@pytest.mark.parametrize("face", FACES)
def test_every_card_may_be_played_for_the_effect_of_its_type(face: str) -> None:
    scene = tactics({0: face, 1: "cannons" if face != "cannons" else "spies"})
    targeted = CARDS[face].type in ("terrain", "strategy", "special")
    assert scene.choices(0) == ["pass", f"play {face} @1" if targeted else f"play {face}"]
    events = scene.do(0, scene.choices(0)[1])
    verb = {
        "shogun": "peeked",
        "terrain": "stole",
        "samurai": "drew",
        "ashigaru": "drew",
        "strategy": "drew",
        "special": "discarded",
    }[CARDS[face].type]
    assert [event.verb for event in events][:2] == ["played", verb]


# --- Shogun: look at the next five cards, take one (S5) -----------------------------------------


def test_s5_a_shogun_shows_the_next_five_to_its_seat_alone() -> None:
    scene = tactics({0: "honda", 1: "siege"}, deck=NEXT)
    scene.do(0, "play honda")
    assert scene.asked_of(Peek) == [Peek(0, scene.state.deck[:5])]
    assert scene.awaited == (0, "take")
    seen = scene.view(0).deck_seen
    assert [(place, face) for place, _, face in seen] == list(enumerate(NEXT.split()[:5]))
    assert [s.verb for s in scene.view(0).seen] == ["peeked"]
    assert scene.view(1).deck_seen == () and scene.view(1).seen == ()


def test_s5_the_card_taken_leaves_its_place_and_the_others_stay_in_order() -> None:
    scene = tactics({0: "honda", 1: "siege"}, deck=NEXT)
    scene.do(0, "play honda")
    events = scene.do(0, "take betrayal")
    (took,) = named(events, "took")
    assert (took.seat, took.number, took.faces) == (0, 2, ())  # the place is public
    assert scene.deck()[:5] == "forest mountain rebellion surrounded masamune".split()
    assert scene.hand(0) == ["betrayal"]
    assert scene.view(0).seen[-1].faces == ("betrayal",)
    assert [place for place, _, _ in scene.view(0).deck_seen] == [0, 1, 2, 3]


def test_s5_with_fewer_than_five_left_those_are_looked_at() -> None:
    scene = tactics({0: "honda", 1: "siege"}, deck="forest river", rest="discards")
    scene.do(0, "play honda")
    assert not scene.asked_of(Shuffle)
    assert scene.choices(0) == ["take forest", "take river"]
    scene.do(0, "take river")
    assert scene.deck() == ["forest"]


def test_s5_the_last_card_of_the_deck_is_taken_unasked() -> None:
    scene = tactics({0: "honda", 1: "siege"}, deck="forest", rest="discards")
    scene.do(0, "play honda")
    assert scene.hand(0) == ["forest"] and scene.deck() == []
    assert scene.awaited == (1, "tactics")


def test_s5_with_an_empty_deck_the_discards_are_shuffled_and_looked_at() -> None:
    scene = tactics({0: "honda", 1: "siege"}, discards=NEXT, rest="hand:2")
    events = scene.do(0, "play honda")
    assert [event.verb for event in events] == ["played", "reshuffled", "peeked"]
    assert scene.awaited == (0, "take")
    assert len(scene.choices(0)) == 5
    assert "honda" not in scene.deck()  # a card being played is not among the discards (S4)


def test_s5_with_both_piles_empty_nothing_is_taken() -> None:
    scene = tactics({0: "honda", 1: "siege"}, rest="hand:2")
    events = scene.do(0, "play honda")
    assert [event.verb for event in events] == ["played"]
    assert scene.hand(0) == [] and scene.discards() == ["honda"]


def test_s5_cards_looked_at_are_drawn_and_looked_at_by_others_later() -> None:
    scene = tactics({0: "honda", 1: "takeda", 2: "yari-spearmen"}, deck=NEXT)
    scene.do(0, "play honda")
    scene.do(0, "take forest")
    scene.do(1, "play takeda")
    assert scene.choices(1)[0] == "take mountain"
    assert len(scene.view(1).deck_seen) == 5 and len(scene.view(0).deck_seen) == 4
    scene.do(1, "take surrounded")
    scene.do(2, "play yari-spearmen")
    assert scene.hand(2) == ["betrayal", "mountain"]
    # Seat 0 still knows what lies third; not what seat 1 saw beyond.
    assert [(place, face) for place, _, face in scene.view(0).deck_seen] == [(0, "rebellion")]
    assert [place for place, _, _ in scene.view(1).deck_seen] == [0, 1]


# --- Terrain: steal a random card ---------------------------------------------------------------


def test_a_terrain_steals_a_random_card_of_the_target() -> None:
    scene = tactics({0: "river", 1: "siege", 2: "honda castle spies"}, tosses=[1])
    scene.do(0, "play river @2")
    assert scene.asked_of(Toss) == [Toss(3)]
    assert len(scene.asked_of(Give)) == 1
    assert (scene.hand(0), scene.hand(2)) == (["castle"], ["honda", "spies"])


# --- Samurai: draw three, discard two -----------------------------------------------------------


def test_a_samurai_draws_three_and_discards_two_of_the_whole_hand() -> None:
    scene = tactics({0: "naginata honda", 1: "siege"}, deck=NEXT)
    scene.do(0, "play naginata")
    assert scene.awaited == (0, "discard")
    assert scene.hand(0) == ["honda", "betrayal", "mountain", "forest"]
    scene.do(0, "discard honda forest")
    assert sorted(scene.hand(0)) == ["betrayal", "mountain"]
    assert sorted(scene.discards()) == ["forest", "honda", "naginata"]


def test_a_samurai_with_both_piles_empty_still_discards_two() -> None:
    scene = tactics({0: "naginata honda siege castle", 1: "river"}, rest="hand:2")
    scene.do(0, "play naginata")
    assert scene.awaited == (0, "discard")
    scene.do(0, "discard honda siege")
    assert scene.hand(0) == ["castle"]


@pytest.mark.parametrize("held", ["", "honda", "honda siege"])
def test_a_samurai_with_no_more_than_two_cards_discards_them_unasked(held: str) -> None:
    scene = tactics({0: f"naginata {held}", 1: "river"}, rest="hand:2")
    scene.do(0, "play naginata")
    assert scene.hand(0) == []
    assert scene.discards() == [*held.split(), "naginata"]
    assert scene.awaited == (1, "tactics")


# --- Ashigaru: draw two -------------------------------------------------------------------------


def test_an_ashigaru_draws_two() -> None:
    scene = tactics({0: "yari-spearmen", 1: "siege"}, deck=NEXT)
    events = scene.do(0, "play yari-spearmen")
    assert [(event.verb, event.number) for event in events] == [("played", 0), ("drew", 2)]
    assert sorted(scene.hand(0)) == ["forest", "mountain"]
    assert scene.discards() == ["yari-spearmen"]


def test_an_ashigaru_reshuffles_in_the_midst_of_its_effect_without_itself() -> None:
    scene = tactics(
        {0: "yari-spearmen", 1: "siege"}, deck="honda", discards="cannons roads", rest="hand:2"
    )
    events = scene.do(0, "play yari-spearmen")
    assert [(event.verb, event.number) for event in events][1:] == [
        ("drew", 1),
        ("reshuffled", 2),
        ("drew", 1),
    ]
    (shuffle,) = scene.asked_of(Shuffle)
    assert isinstance(shuffle, Shuffle)
    assert shuffle.faces == ("cannons", "roads") and not shuffle.fresh_keys
    assert min(shuffle.slots) >= 71  # slots are never used twice
    assert scene.discards() == ["yari-spearmen"]


def test_an_ashigaru_with_both_piles_empty_draws_nothing() -> None:
    scene = tactics({0: "yari-spearmen", 1: "siege"}, rest="hand:2")
    scene.do(0, "play yari-spearmen")
    assert scene.hand(0) == [] and not scene.asked_of(Draw)


# --- Strategy: draw one, then look --------------------------------------------------------------


def test_a_strategy_draws_first_and_then_looks() -> None:
    scene = tactics({0: "siege", 1: "river", 2: "honda castle"}, deck=NEXT)
    events = scene.do(0, "play siege @2")
    assert [event.verb for event in events] == ["played", "drew", "looked"]
    assert [type(operation) for operation in scene.asked] == [Open, Draw, Show]
    assert scene.hand(0) == ["forest"]
    assert scene.view(0).seen[-1].faces == ("honda", "castle")


def test_a_strategy_with_no_target_still_draws() -> None:
    scene = tactics({0: "siege"}, deck=NEXT)
    assert scene.choices(0) == ["pass", "play siege"]
    scene.do(0, "play siege")
    assert scene.hand(0) == ["forest"] and not scene.asked_of(Show)


def test_a_strategy_with_both_piles_empty_still_looks() -> None:
    scene = tactics({0: "siege", 1: "river"}, rest="hand:2")
    scene.do(0, "play siege @1")
    assert scene.hand(0) == [] and len(scene.asked_of(Show)) == 1


# --- Special: the target discards at random -----------------------------------------------------


def test_a_special_has_the_target_discard_a_random_card_face_up() -> None:
    scene = tactics({0: "spies", 1: "river", 2: "honda castle siege"}, tosses=[1])
    events = scene.do(0, "play spies @2")
    (event,) = named(events, "discarded")
    assert (event.seat, event.faces, event.details) == (2, ("castle",), (("random", 1),))
    assert scene.hand(2) == ["honda", "siege"]
    assert scene.discards() == ["castle", "spies"]


def test_a_special_takes_the_only_card_without_a_toss() -> None:
    scene = tactics({0: "spies", 2: "honda"})
    scene.do(0, "play spies @2")
    assert not scene.asked_of(Toss) and scene.hand(2) == []


# --- No target, a hand of ten -------------------------------------------------------------------


@pytest.mark.parametrize("face", ["river", "spies"])
def test_with_only_empty_hands_there_is_no_target_and_no_effect(face: str) -> None:
    scene = tactics({0: f"{face} honda"})
    assert f"play {face}" in scene.choices(0)
    events = scene.do(0, f"play {face}")
    assert next(event.verb for event in events) == "played"
    assert scene.hand(0) == ["honda"] and scene.discards() == [face]


@pytest.mark.parametrize("face", TARGETING)
def test_a_hand_of_ten_is_a_target_like_any(face: str) -> None:
    ten = TEN.replace(face, "counterattack")
    scene = tactics({0: face, 1: ten}, tosses=[9], traces=[1])
    scene.do(0, f"play {face} @1")
    assert len(scene.hand(1)) == (10 if face == "siege" else 9)
    reveil = scene.asked_of(Reveil)[0]
    assert isinstance(reveil, Reveil) and len(reveil.slots) == 10


def test_a_hand_of_ten_draws_and_discards_as_told() -> None:
    scene = tactics({0: TEN, 1: "clan-swordsmen"}, deck=NEXT)
    scene.do(0, "play naginata")
    assert len(scene.hand(0)) == 12
    assert len(scene.table.legal(0)) == 12 * 11 // 2
    scene.do(0, "discard honda siege")
    assert len(scene.hand(0)) == 10
