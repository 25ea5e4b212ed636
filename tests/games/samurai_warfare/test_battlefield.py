"""Limits and extras, force and bonuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pjong.games.samurai_warfare.battlefield import force, limit, playable_types, shares
from p2pjong.games.samurai_warfare.cards import CARDS, FACES
from p2pjong.games.samurai_warfare.effects import TYPES, Bonus

DATA = Path(__file__).parents[2] / "data" / "samurai_warfare_force.json"
CASES: list[dict[str, Any]] = json.loads(DATA.read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: "+".join(case["played"]))
def test_force_is_as_in_the_cases(case: dict[str, Any]) -> None:
    left = list(case["played"])
    for face in case["destroyed"]:
        left.remove(face)
    assert force(tuple(left), tuple(case["destroyed"])) == case["force"]


def test_nothing_in_play_has_no_force() -> None:
    assert force((), ()) == 0
    assert force((), ("castle", "cannons")) == 0


@pytest.mark.parametrize(
    ("giver", "bearers", "others"),
    [
        ("takeda", "matchlock-gunners portuguese-soldiers cannons", "heavy-cavalry fortress"),
        ("castle", "matchlock-gunners portuguese-soldiers cannons", "yari-spearmen honda"),
        ("minamoto", "yumi-archers bushi-archers horse-archers", "heavy-cavalry naginata"),
        ("fortress", "yumi-archers bushi-archers horse-archers", "cannons siege"),
        ("fukushima", "yari-spearmen naginata sohei-warrior-monks", "clan-swordsmen spies"),
        ("counterattack", "yari-spearmen naginata sohei-warrior-monks", "yumi-archers"),
        ("musashi", "clan-swordsmen ronin-mercenaries", "naginata yari-spearmen"),
        ("naomasa", "horse-archers heavy-cavalry", "bushi-archers cannons"),
    ],
)
def test_s8_a_bonus_counts_for_each_card_of_its_trait(
    giver: str, bearers: str, others: str
) -> None:
    line = (*bearers.split(), giver, *others.split())
    worth = dict(shares(line, ()))
    for face in bearers.split():
        assert worth[face] == CARDS[face].force + 3
    for face in (giver, *others.split()):
        assert worth[face] == CARDS[face].force
    assert force(line, ()) == sum(CARDS[face].force for face in line) + 3 * len(bearers.split())


def test_the_givers_of_bonuses_are_all_tested_above() -> None:
    givers = [face for face, card in CARDS.items() if isinstance(card.action, Bonus)]
    assert len(givers) == 8


def test_s8_bonuses_add_up_and_two_traits_get_both() -> None:
    line = ("horse-archers", "minamoto", "fortress", "naomasa")
    assert dict(shares(line, ()))["horse-archers"] == 7 + 3 + 3 + 3


def test_s8_a_bonus_lasts_when_its_card_is_destroyed_and_not_for_fallen_cards() -> None:
    assert force(("cannons",), ("takeda", "matchlock-gunners")) == 9 + 3


def test_s7_one_of_each_type_and_extras_add_up() -> None:
    assert playable_types((), ()) == TYPES
    assert limit("samurai", (), ()) == 1
    assert "samurai" not in playable_types(("naginata",), ())
    givers = ("nobunaga", "stronghold", "allied-clan")
    assert limit("samurai", givers, ()) == 4
    assert "samurai" in playable_types((*givers, *["naginata"] * 2, "heavy-cavalry"), ())
    assert "samurai" not in playable_types((*givers, *["naginata"] * 2, *["heavy-cavalry"] * 2), ())


def test_s8_an_extra_lasts_when_its_card_is_destroyed() -> None:
    assert limit("terrain", (), ("motonari",)) == 2
    assert playable_types(("river",), ("motonari",)) == TYPES


@given(st.lists(st.sampled_from(FACES), max_size=9), st.lists(st.sampled_from(FACES), max_size=4))
def test_the_shares_add_up_whatever_the_order(line: list[str], fallen: list[str]) -> None:
    total = force(tuple(line), tuple(fallen))
    assert total == sum(worth for _, worth in shares(tuple(line), tuple(fallen)))
    assert total == force(tuple(sorted(line)), tuple(reversed(fallen)))
    assert total >= sum(CARDS[face].force for face in line)
