"""The deck of Samurai Warfare: as many cards of each kind as the rules' list has."""

from collections import Counter

import pytest

from p2pjong.games.samurai_warfare.cards import CARDS, COPIES, DECK, FACES, RANK
from p2pjong.games.samurai_warfare.effects import TACTICS, TRAITS, TYPES, Bonus, Destroy, Extra
from p2pjong.games.samurai_warfare.targets import fits


def test_there_are_71_cards_of_six_types() -> None:
    assert len(DECK) == sum(COPIES.values()) == 71
    assert Counter(CARDS[face].type for face in DECK) == {
        "shogun": 12,
        "terrain": 12,
        "samurai": 12,
        "ashigaru": 12,
        "strategy": 12,
        "special": 11,
    }


def test_a_code_is_the_name_in_lower_case_with_hyphens() -> None:
    assert CARDS["sohei-warrior-monks"].name == "Sohei Warrior Monks"
    assert all(card.code == code for code, card in CARDS.items())
    assert sorted(RANK, key=RANK.__getitem__) == list(FACES)


@pytest.mark.parametrize(
    ("trait", "copies"),
    [("spear", 7), ("archer", 9), ("guns", 6), ("sword", 3), ("cavalry", 6), ("fort", 3)],
)
def test_traits_are_borne_by_cards_of_any_type(trait: str, copies: int) -> None:
    assert sum(card.copies for card in CARDS.values() if card.is_a(trait)) == copies


def test_kinds_that_effects_name_are_types_or_traits() -> None:
    for card in CARDS.values():
        assert card.type in TYPES and set(card.traits) <= set(TRAITS)
        if isinstance(card.action, Destroy):
            assert card.action.kind in (*TYPES, *TRAITS)
        if isinstance(card.action, Extra):
            assert card.action.type in TYPES
        if isinstance(card.action, Bonus):
            assert card.action.trait in TRAITS and card.action.force == 3
    assert set(TACTICS) == set(TYPES) and not set(TYPES) & set(TRAITS)


def test_only_troops_have_several_copies_and_troops_have_no_action() -> None:
    for card in CARDS.values():
        is_troop = card.type in ("ashigaru", "samurai")
        assert (card.copies > 1) == is_troop
        assert not (is_troop and card.action)


@pytest.mark.parametrize(
    ("destroyer", "fitting"),
    [
        ("explosives", 12),
        ("invasion-fleet", 9),  # no Fort
        ("siege", 3),
        ("ninja-assassin", 12),
        ("seppuku", 12),
        ("open-ground", 7),
        ("difficult-terrain", 7),
        ("mountain", 6),
        ("thunderstorm", 6),
        ("ambush", 6),
        ("heavy-snow", 12),
        ("surprise-attack", 12),
        ("surrounded", 12),
    ],
)
def test_a_destroyer_fits_so_many_cards(destroyer: str, fitting: int) -> None:
    action = CARDS[destroyer].action
    assert isinstance(action, Destroy)
    assert sum(fits(action, face) for face in DECK) == fitting
