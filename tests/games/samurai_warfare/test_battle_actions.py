"""Every card in the Battle Phase: its own effect, also where there is nothing for it to touch."""

import pytest

from p2pjong.games.game import NOBODY, Draw, Give, Open, Reveil, Show, Shuffle, Toss
from p2pjong.games.samurai_warfare.cards import CARDS, FACES
from tests.support.driven import named
from tests.support.samurai_scene import Scene

TROOPS = {
    "yari-spearmen": 2,
    "yumi-archers": 4,
    "matchlock-gunners": 6,
    "clan-swordsmen": 3,
    "naginata": 4,
    "bushi-archers": 5,
    "horse-archers": 7,
    "heavy-cavalry": 8,
    "sohei-warrior-monks": 6,
    "ronin-mercenaries": 5,
    "portuguese-soldiers": 7,
    "cannons": 9,
}
# Giver, a card of its trait, what the two are worth together, a card of another trait.
BONUSES = [
    ("takeda", "cannons", 7 + 12, "yumi-archers"),
    ("castle", "matchlock-gunners", 9 + 9, "heavy-cavalry"),
    ("minamoto", "horse-archers", 6 + 10, "cannons"),
    ("fortress", "yumi-archers", 10 + 7, "naginata"),
    ("fukushima", "sohei-warrior-monks", 5 + 9, "yumi-archers"),
    ("counterattack", "yari-spearmen", 6 + 5, "cannons"),
    ("musashi", "ronin-mercenaries", 8 + 8, "naginata"),
    ("naomasa", "heavy-cavalry", 5 + 11, "yumi-archers"),
]
# Giver, two cards of the type that it gives an extra of.
EXTRAS = [
    ("motonari", "river", "forest"),
    ("nobunaga", "naginata", "heavy-cavalry"),
    ("toyotomi", "siege", "reserves"),
    ("retainer", "honda", "takeda"),
    ("stronghold", "naginata", "naginata"),
    ("roads", "yari-spearmen", "yumi-archers"),
    ("allied-clan", "clan-swordsmen", "horse-archers"),
    ("forced-march", "yumi-archers", "yumi-archers"),
]
DRAWS = [("tokugawa", 2), ("masashige", 1), ("forest", 1), ("reserves", 1)]
LOSSES = [
    ("masamune", 1),
    ("treacherous-terrain", 1),
    ("cut-off-supplies", 1),
    ("betrayal", 1),
    ("rebellion", 2),
]
LOOKS = ["honda", "spies"]
STEALS = ["river", "superior-tactics"]
# Destroyer, a card that fits, one that does not.
DESTROYERS = [
    ("explosives", "fortress", "honda"),
    ("ninja-assassin", "honda", "fortress"),
    ("seppuku", "tokugawa", "heavy-cavalry"),
    ("open-ground", "naginata", "clan-swordsmen"),
    ("difficult-terrain", "sohei-warrior-monks", "ronin-mercenaries"),
    ("mountain", "horse-archers", "bushi-archers"),
    ("thunderstorm", "cannons", "castle"),
    ("heavy-snow", "yumi-archers", "bushi-archers"),
    ("invasion-fleet", "river", "castle"),
    ("siege", "castle", "river"),
    ("surprise-attack", "matchlock-gunners", "cannons"),
    ("ambush", "matchlock-gunners", "yumi-archers"),
    ("surrounded", "heavy-cavalry", "yari-spearmen"),
]


def test_every_card_has_a_test_of_its_own_effect_here() -> None:
    rows: list[tuple[object, ...]] = [*BONUSES, *EXTRAS, *DRAWS, *LOSSES, *DESTROYERS]
    listed = [*TROOPS, *LOOKS, *STEALS, "campaign", *(str(row[0]) for row in rows)]
    assert sorted(listed) == sorted(FACES)


# --- Cards without an action --------------------------------------------------------------------


@pytest.mark.parametrize(("card", "force"), TROOPS.items())
def test_a_troop_adds_its_force_and_does_nothing_else(card: str, force: int) -> None:
    scene = Scene({0: f"{card} honda", 1: "siege", 2: "river"})
    events = scene.do(0, f"play {card}")
    assert [event.verb for event in events] == ["played"]
    assert events[0].faces == (card,) and events[0].target == NOBODY
    assert (scene.in_play(0), scene.view(0).forces[0]) == ([card], force)
    assert scene.awaited == (1, "battle")


# --- Bonuses and extras -------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "bearer", "worth", "other"), BONUSES)
def test_a_bonus_counts_for_earlier_and_later_cards_of_its_trait(
    card: str, bearer: str, worth: int, other: str
) -> None:
    earlier = Scene({0: card}, in_play={0: f"{bearer} {other}"})
    earlier.do(0, f"play {card}")
    later = Scene({0: bearer}, in_play={0: f"{card} {other}"})
    later.do(0, f"play {bearer}")
    for scene in (earlier, later):
        assert scene.view(0).forces == (worth + CARDS[other].force, 0, 0)


@pytest.mark.parametrize("card", [row[0] for row in BONUSES])
def test_a_bonus_is_for_its_owner_alone(card: str) -> None:
    troops = "cannons yumi-archers naginata clan-swordsmen horse-archers"
    scene = Scene({0: card}, in_play={1: troops})
    before = scene.view(0).forces[1]
    scene.do(0, f"play {card}")
    assert scene.view(0).forces == (CARDS[card].force, before, 0)


@pytest.mark.parametrize(("card", "one", "two"), EXTRAS)
def test_an_extra_raises_the_limit_of_its_type_by_one(card: str, one: str, two: str) -> None:
    in_play = {0: "" if CARDS[card].type == CARDS[one].type else one}
    scene = Scene({0: f"{card} {two}", 1: "yari-spearmen"}, in_play=in_play)
    assert scene.choices(0) == [f"play {card}"]
    scene.do(0, f"play {card}")
    scene.do(1, "play yari-spearmen")
    assert scene.awaited == (0, "battle")
    assert all(choice.startswith(f"play {two}") for choice in scene.choices(0))


def test_the_extra_strategy_of_a_campaign_is_one_beside_itself() -> None:
    scene = Scene({0: "campaign siege reserves"})
    scene.do(0, "play campaign")
    assert scene.choices(0) == ["play siege", "play reserves"]
    scene.do(0, "play siege")
    assert scene.choices(0) == ["pass"]


# --- Draws --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "cards"), DRAWS)
def test_a_draw_takes_the_top_of_the_deck(card: str, cards: int) -> None:
    scene = Scene({0: f"{card} siege", 1: "cannons"}, deck="honda castle spies")
    events = scene.do(0, f"play {card}")
    assert [(event.verb, event.number) for event in events] == [("played", 0), ("drew", cards)]
    assert sorted(scene.hand(0)) == sorted(["siege", *["honda", "castle"][:cards]])
    assert scene.deck()[0] == ["honda", "castle", "spies"][cards]


@pytest.mark.parametrize(("card", "cards"), DRAWS)
def test_a_draw_from_an_empty_deck_shuffles_the_discards(card: str, cards: int) -> None:
    scene = Scene({0: card, 1: "cannons"}, discards="siege honda castle", rest="hand:2")
    events = scene.do(0, f"play {card}")
    assert [(event.verb, event.number) for event in events][:3] == [
        ("played", 0),
        ("reshuffled", 3),
        ("drew", cards),
    ]
    assert len(scene.hand(0)) == cards and len(scene.deck()) == 3 - cards
    assert scene.discards() == []
    assert scene.in_play(0) == [card]  # it is in play, not among the discards (S4)


@pytest.mark.parametrize("card", [row[0] for row in DRAWS])
def test_a_draw_with_both_piles_empty_draws_nothing(card: str) -> None:
    scene = Scene({0: card, 1: "cannons"}, rest="hand:2")
    events = scene.do(0, f"play {card}")
    assert [event.verb for event in events] == ["played"]
    assert scene.hand(0) == [] and not scene.asked_of(Draw)


def test_a_draw_that_the_deck_serves_in_part_goes_on_with_the_discards() -> None:
    scene = Scene({0: "tokugawa", 1: "cannons"}, deck="honda", discards="siege", rest="hand:2")
    events = scene.do(0, "play tokugawa")
    verbs = [(event.verb, event.number) for event in events]
    assert verbs[1:4] == [("drew", 1), ("reshuffled", 1), ("drew", 1)]
    assert scene.hand(0) == ["honda", "siege"]


# --- Discards of a target -----------------------------------------------------------------------


@pytest.mark.parametrize(("card", "cards"), LOSSES)
def test_the_target_chooses_what_it_discards(card: str, cards: int) -> None:
    scene = Scene({0: card, 1: "cannons", 2: "honda siege river"})
    assert scene.choices(0) == [f"play {card} @1", f"play {card} @2"]
    scene.do(0, f"play {card} @2")
    assert scene.awaited == (2, "discard")
    assert (scene.view(2).least, scene.view(2).most) == (cards, cards)
    lost = ["siege", "honda"][:cards]
    events = scene.do(2, f"discard {' '.join(lost)}")
    assert sorted(scene.discards()) == sorted(lost)
    (event,) = named(events, "discarded")
    assert (event.seat, event.number, event.details) == (2, cards, (("effect", 1),))
    assert scene.awaited == (1, "battle")


@pytest.mark.parametrize(("card", "cards"), LOSSES)
def test_a_target_with_no_more_cards_loses_what_it_has_unasked(card: str, cards: int) -> None:
    scene = Scene({0: card, 1: "cannons", 2: "honda"})
    scene.do(0, f"play {card} @2")
    assert scene.discards() == ["honda"]
    assert scene.awaited == (1, "battle")


@pytest.mark.parametrize("card", [row[0] for row in LOSSES])
def test_with_only_empty_hands_a_discard_is_played_without_effect(card: str) -> None:
    scene = Scene({0: f"{card} honda"})
    assert f"play {card}" in scene.choices(0)
    assert next(event.verb for event in scene.do(0, f"play {card}")) == "played"
    assert scene.discards() == []


def test_cards_of_one_history_lost_at_once_are_mixed_first() -> None:
    scene = Scene({0: "rebellion", 2: "honda siege"}, traces=[2])
    scene.do(0, "play rebellion @2")
    assert [type(operation) for operation in scene.asked[:3]] == [Open, Reveil, Open]
    assert sorted(scene.discards()) == ["honda", "siege"]


# --- Looks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", LOOKS)
def test_a_look_shows_the_hand_to_the_looker_alone(card: str) -> None:
    scene = Scene({0: card, 1: "cannons", 2: "takeda siege"})
    assert scene.choices(0) == [f"play {card} @1", f"play {card} @2"]
    events = scene.do(0, f"play {card} @2")
    assert [(e.verb, e.seat, e.target, e.number, e.faces) for e in named(events, "looked")] == [
        ("looked", 0, 2, 2, ())
    ]
    assert len(scene.asked_of(Show)) == 1
    (seen,) = [seen for seen in scene.view(0).seen if seen.verb == "looked"]
    assert (seen.seat, seen.target, seen.faces) == (0, 2, ("takeda", "siege"))
    assert [seen.verb for seen in scene.view(2).seen] == ["looked"]
    assert scene.view(1).seen == () and scene.view(NOBODY).seen == ()
    assert scene.hand(2) == ["takeda", "siege"]


@pytest.mark.parametrize("card", LOOKS)
def test_a_look_with_only_empty_hands_shows_nothing(card: str) -> None:
    scene = Scene({0: card})
    assert scene.choices(0) == [f"play {card}"]
    scene.do(0, f"play {card}")
    assert not scene.asked_of(Show)


# --- Steals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", STEALS)
def test_a_steal_takes_a_tossed_card_that_only_two_seats_see(card: str) -> None:
    scene = Scene({0: card, 1: "cannons", 2: "honda castle spies"}, tosses=[2])
    assert scene.choices(0) == [f"play {card} @1", f"play {card} @2"]
    events = scene.do(0, f"play {card} @2")
    assert scene.asked_of(Toss) == [Toss(3)]
    assert len(scene.asked_of(Give)) == 1
    (event,) = named(events, "stole")
    assert (event.seat, event.target, event.faces) == (0, 2, ())
    assert (scene.hand(0), scene.hand(2)) == (["spies"], ["honda", "castle"])
    for seat in (0, 2):
        (seen,) = [seen for seen in scene.view(seat).seen if seen.verb == "stole"]
        assert (seen.seat, seen.target, seen.faces) == (0, 2, ("spies",))
    assert scene.view(1).seen == ()


@pytest.mark.parametrize("card", STEALS)
def test_the_only_card_of_a_hand_is_stolen_without_a_toss(card: str) -> None:
    scene = Scene({0: card, 1: "cannons", 2: "honda"})
    scene.do(0, f"play {card} @2")
    assert not scene.asked_of(Toss)
    assert (scene.hand(0), scene.hand(2)) == (["honda"], [])


@pytest.mark.parametrize("card", STEALS)
def test_a_steal_with_only_empty_hands_steals_nothing(card: str) -> None:
    scene = Scene({0: card})
    assert scene.choices(0) == [f"play {card}"]
    scene.do(0, f"play {card}")
    assert not scene.asked_of(Give) and scene.hand(0) == []


# --- Destroyers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "prey", "spared"), DESTROYERS)
def test_a_destroyer_discards_an_opponents_card_that_fits(
    card: str, prey: str, spared: str
) -> None:
    scene = Scene({0: card, 1: "spies"}, in_play={1: spared, 2: prey})
    assert scene.choices(0) == [f"play {card} x {prey} @2"]
    events = scene.do(0, f"play {card} x {prey} @2")
    (event,) = named(events, "destroyed")
    assert (event.seat, event.target, event.faces) == (0, 2, (prey,))
    assert scene.in_play(2) == [] and scene.in_play(1) == [spared]
    assert scene.discards() == [prey]
    assert scene.view(0).fallen == ((), (), (prey,))
    assert scene.view(0).forces[0] == CARDS[card].force


@pytest.mark.parametrize(("card", "prey", "spared"), DESTROYERS)
def test_a_destroyer_with_nothing_that_fits_does_nothing(card: str, prey: str, spared: str) -> None:
    own = prey if CARDS[prey].type != CARDS[card].type else ""
    scene = Scene({0: card, 1: "spies"}, in_play={0: own, 1: spared})
    assert scene.choices(0) == [f"play {card}"]
    events = scene.do(0, f"play {card}")
    assert not named(events, "destroyed")
    assert scene.discards() == [] and scene.in_play(1) == [spared]


def test_a_destroyer_chooses_among_all_that_fit() -> None:
    scene = Scene(
        {0: "surrounded", 1: "spies"},
        in_play={0: "naginata", 1: "naginata heavy-cavalry", 2: "heavy-cavalry"},
    )
    assert scene.choices(0) == [
        "play surrounded x naginata @1",
        "play surrounded x heavy-cavalry @1",
        "play surrounded x heavy-cavalry @2",
    ]


@pytest.mark.parametrize("face", FACES)
def test_every_card_can_be_played_into_an_empty_field(face: str) -> None:
    scene = Scene({0: face}, rest="deck")
    scene.do(0, scene.choices(0)[0])
    assert scene.in_play(0) == [face]
    assert not scene.asked_of(Shuffle)
