"""The plans that a bot weighs: what they promise is true, and nothing near is overlooked."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from p2pjong.bots.war_jhong_plans import Plan, list_plans
from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import COPIES, DECK, FACES
from p2pjong.games.war_jhong.scoring import distance, score
from tests.support.marks import first_quick
from tests.support.war_jhong_hands import random_question

Melds = Sequence[tuple[Face, ...]]
MELD = ("I4", "I5", "I6")


def unseen(hand: Sequence[Face], melds: Melds) -> Counter[Face]:
    left = Counter(COPIES)
    left.subtract([*hand, *(face for meld in melds for face in meld)])
    return left


def plans(hand: str, *melds: tuple[Face, ...], missing_max: int) -> list[Plan]:
    faces = hand.split()
    return list_plans(faces, melds, missing_max, unseen(faces, melds))


def some_hands(seed: int, count: int, away: int) -> list[tuple[list[Face], Melds]]:
    """Seeded hands of 13 cards, less 3 a meld, at most so far from going out."""
    rng = Random(seed)
    found: list[tuple[list[Face], Melds]] = []
    while len(found) < count:
        hand, melds, _ = random_question(rng, wilds_max=2)
        spoilt = [face if rng.random() < 0.85 else rng.choice(DECK) for face in hand]
        is_possible = min(unseen(spoilt, melds).values()) >= 0
        if is_possible and len(hand) % 3 == 1 and distance(spoilt, melds) <= away:
            found.append((spoilt, melds))
    return found


def finished(plan: Plan, hand: Sequence[Face], melds: Melds) -> int | None:
    """What the hand scores once the plan's cards are there."""
    cards = Counter([*hand, *(face for face, _ in plan.missing)])
    cards.subtract(plan.spare[:1])
    # Drop what the plan has no use for, one card of each face, until 13 are left.
    for face in plan.spare[1:]:
        if cards.total() + 3 * len(melds) > 13:
            cards[face] -= 1
    if cards.total() + 3 * len(melds) > 13:
        return None  # several cards of one face are to spare
    reading = score(list(cards.elements()), melds, 0)
    assert reading is not None, (hand, melds, plan)
    return reading.total


@pytest.mark.parametrize("seed", first_quick(range(1, 5)))
def test_a_finished_plan_scores_at_least_what_it_promises(seed: int) -> None:
    checked = 0
    for hand, melds in some_hands(seed=seed, count=10, away=3):
        for plan in list_plans(hand, melds, 2, unseen(hand, melds)):
            wanted = Counter(face for face, _ in plan.missing)
            if not wanted <= unseen(hand, melds):
                continue  # only Tactics cards can make it
            total = finished(plan, hand, melds)
            if total is not None:
                assert total >= plan.points, (hand, melds, plan)
                checked += 1
    assert checked > 50


def test_the_nearest_plan_lacks_as_many_cards_as_the_hand() -> None:
    for hand, melds in some_hands(seed=2, count=80, away=4):
        away = distance(hand, melds)
        found = list_plans(hand, melds, away, unseen(hand, melds))
        assert found and min(len(plan.missing) for plan in found) == away, (hand, melds)
        nearer = list_plans(hand, melds, away - 1, unseen(hand, melds)) if away else []
        assert not nearer, (hand, melds)


def best_draw(hand: Sequence[Face], melds: Melds) -> int:
    """The most points that one more card could bring, whatever is discarded for it."""
    totals = []
    for discard in set(hand):
        rest = list(hand)
        rest.remove(discard)
        for face in FACES:
            reading = score([*rest, face], melds, 0) if unseen(rest, melds)[face] > 0 else None
            totals.append(reading.total if reading else 0)
    return max(totals)


def test_nothing_one_card_away_is_overlooked() -> None:
    for hand, melds in some_hands(seed=3, count=12, away=1):
        if "T" in hand or distance(hand, melds) == 0:
            continue  # a plan gives a Tactics card one place; the scorer finds the best
        promised = max(p.points for p in list_plans(hand, melds, 1, unseen(hand, melds)))
        assert promised == best_draw(hand, melds), (hand, melds)


def test_a_plan_names_what_is_missing_and_what_is_to_spare() -> None:
    assert not plans("J J J F F F C7 C8 C1 G", MELD, missing_max=0)
    found = plans("J J J F F F C7 C8 C1 G", MELD, missing_max=1)
    assert {plan.missing for plan in found} >= {(("C6", True),), (("C9", True),)}
    assert all(plan.spare == ("C1", "G") for plan in found if plan.missing[0][0] in ("C6", "C9"))


def test_only_a_formations_last_card_can_be_claimed() -> None:
    found = plans("J J J F F F C7 A2 A2 A9", MELD, missing_max=2)
    wants = {want for plan in found for want in plan.missing}
    assert ("C7", False) in wants
    two_ways = plans("J J J F F C7 C8 A9 A1 G", MELD, missing_max=2)
    assert (("C6", True), ("F", True)) in {tuple(sorted(plan.missing)) for plan in two_ways}


def test_tactics_fill_the_place_with_the_fewest_copies_left() -> None:
    left = unseen("J J J F F C7 C8 T I1 G".split(), [MELD]) | Counter()
    left["C6"] = 0
    found = list_plans("J J J F F C7 C8 T I1 G".split(), [MELD], 1, left)
    with_c6 = [plan for plan in found if len(plan.missing) == 1 and plan.missing[0][0] == "F"]
    assert with_c6 and not any(plan.missing == (("C6", True),) for plan in found)


def test_a_diplomatic_solution_is_a_plan_w11() -> None:
    found = plans("I1 I4 I7 A2 A5 A8 C3 C6 C9 J J A1 G", missing_max=1)
    assert {plan.missing for plan in found} == {(("F", True),)}
    assert {plan.points for plan in found} == {3}
    assert not plans("A2 A5 A8 C3 C6 C9 J J F A1", ("I1", "I2", "I3"), missing_max=1)


def test_a_formation_may_be_made_from_nothing() -> None:
    found = plans("F G G G", MELD, ("C1", "C1", "C1"), ("A1", "A2", "A3"), missing_max=3)
    assert (("F", False), ("F", False)) in {plan.missing for plan in found}
    empty = plans("G G G G", MELD, ("C1", "C1", "C1"), ("A1", "A2", "A3"), missing_max=3)
    assert {plan.missing[0][0] for plan in empty} == {"J", "F"}
