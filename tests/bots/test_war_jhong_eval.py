"""What the greedy bot makes of its hand."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from p2pjong.bots.war_jhong_eval import (
    Outlook,
    choose_claim,
    hand_prospect,
    pays_to_claim_out,
    pays_to_go_out,
    rank_discards,
)
from p2pjong.games.game import Face
from p2pjong.games.war_jhong.faces import COPIES, DECK
from p2pjong.games.war_jhong.scoring import distance

Melds = Sequence[tuple[Face, ...]]
MELD = ("I4", "I5", "I6")


def outlook(
    hand: Sequence[Face],
    melds: Melds = (),
    rivals: tuple[int, ...] = (0, 0, 0),
    deck_size: int = 72,
    generals: int = 0,
) -> Outlook:
    left = Counter(COPIES)
    left.subtract([*hand, *(face for meld in melds for face in meld)])
    left["G"] -= generals
    return Outlook(left, deck_size, rivals, generals)


def best_discard(hand: str, *melds: tuple[Face, ...]) -> Face:
    faces = hand.split()
    return rank_discards(faces, melds, outlook(faces, melds))[0][0]


def test_a_general_is_discarded_first_w12() -> None:
    assert best_discard("I1 I2 I3 A5 A6 C1 C9 J J F F C5 G") == "G"
    assert best_discard("J J J F F C5 C6 C9 A1 G", MELD) == "G"


def test_a_card_without_neighbours_goes_before_one_with_them() -> None:
    assert best_discard("J J J F F F C5 C6 A1 A9", MELD) in ("A1", "A9")
    assert best_discard("J J J F F F C5 C6 C9 I9 I1 A4 A5") in ("C9", "I9", "I1")


def test_the_wider_wait_is_kept_where_the_points_are_equal() -> None:
    # A wait on both sides of 5-6, or on the middle of 1-3.
    ranked = dict(rank_discards(*_hand("J J J F F F C1 C3 A5 A6", MELD)))
    assert max(ranked["C1"], ranked["C3"]) > max(ranked.get("A5", 0), ranked.get("A6", 0))


def _hand(hand: str, *melds: tuple[Face, ...]) -> tuple[list[Face], Melds, Outlook]:
    faces = hand.split()
    return faces, melds, outlook(faces, melds)


def test_more_points_are_chased_where_the_way_is_as_long() -> None:
    # Three Fort Formations are a Great Wall.
    ranked = dict(rank_discards(*_hand("F F F F F A5 A6 A9 J J", ("F", "F", "F"))))
    assert max(ranked, key=lambda face: ranked[face]) not in ("F", "T")
    walls = hand_prospect(*_hand("F F F F F J J J A9", ("F", "F", "F")))
    fleet = hand_prospect(*_hand("J J J J J F F F A9", ("C1", "C2", "C3")))
    assert walls > 1.5 * fleet


def test_tactics_are_not_thrown_away() -> None:
    rng = Random(4)
    for _ in range(25):
        hand = [*rng.sample([face for face in DECK if face != "T"], 12), "T"]
        assert rank_discards(hand, (), outlook(hand))[0][0] != "T", hand


def test_a_claim_that_brings_the_hand_nearer_is_made() -> None:
    hand = "J J J A1 A2 C5 C6 I9 C1 F F G".split()
    assert choose_claim(hand, (), "F", [("F", "F")], outlook(hand)) == ("F", "F")


def test_a_claim_that_breaks_a_better_formation_is_passed() -> None:
    hand = "F F F C4 C5 C6 A1 A2 I9".split()
    melds = [("F", "F", "F")]
    assert choose_claim(hand, melds, "C7", [("C5", "C6")], outlook(hand, melds)) is None


def test_the_better_of_two_pairs_is_chosen() -> None:
    hand = "C3 C4 C4 C6 J J J F F".split()
    melds = [("C3", "C4", "C5")]
    pair = choose_claim(hand, melds, "C5", [("C3", "C4"), ("C4", "C6")], outlook(hand, melds))
    assert pair == ("C3", "C4")  # identical to the one that lies there


def test_nothing_to_claim_with_is_a_pass() -> None:
    hand = "J J J A1 A2 C5 C6 I9 C1 F F G".split()
    assert choose_claim(hand, (), "C9", [], outlook(hand)) is None


def test_a_good_hand_goes_out_at_once() -> None:
    hand = "F F F F F F C1 C2 C3 A1 A2 A3 G".split()
    assert pays_to_go_out(hand, (), outlook(hand))


def test_a_poor_hand_waits_while_nobody_is_near_and_a_general_can_go_w12() -> None:
    hand = "I1 I2 I3 A5 A5 A5 C7 C8 C9 I9 I9 I9 G".split()
    early = outlook(hand, rivals=(0,), deck_size=95)
    assert not pays_to_go_out(hand, (), early)
    late = outlook(hand, rivals=(3, 2, 3), deck_size=30)
    assert pays_to_go_out(hand, (), late)


def test_with_the_deck_run_out_a_hand_goes_out_w8() -> None:
    hand = "I1 I2 I3 A5 A5 A5 C7 C8 C9 I9 I9 I9 G".split()
    assert pays_to_go_out(hand, (), outlook(hand, rivals=(0,), deck_size=1))


def test_a_hand_that_would_fall_apart_by_waiting_goes_out() -> None:
    hand = "I1 I2 I3 A5 A5 A5 C7 C8 C9 I9 I9 I9 I5".split()
    assert pays_to_go_out(hand, (), outlook(hand, rivals=(0, 0, 0), deck_size=60))


def test_a_ready_hand_goes_out_on_a_claim_that_pays() -> None:
    hand = "I1 I2 I3 A4 A5 A6 C7 C7 C7 J J A9".split()
    assert pays_to_claim_out(hand, (), "J", outlook(hand))


def test_a_claim_to_go_out_is_passed_where_a_better_card_is_sure_to_come() -> None:
    hand, melds = "J J J C5 C6 I9".split(), [("C4", "C5", "C6")] * 2
    assert pays_to_claim_out(hand, melds, "C7", outlook(hand, melds))
    only_c4 = Outlook(Counter(C4=1, G=1), 40, (0,), 0)
    assert not pays_to_claim_out(hand, melds, "C7", only_c4)


def test_the_hazard_grows_with_the_rounds_and_with_face_up_formations() -> None:
    hand = list(DECK[:13])
    first = outlook(hand, deck_size=72).hazard
    later = outlook(hand, deck_size=40).hazard
    melded = outlook(hand, rivals=(3, 1, 0), deck_size=72).hazard
    assert 0 < first < later and first < melded
    assert outlook(hand, rivals=(0,), deck_size=96).hazard < first


def test_nearer_hands_are_worth_more() -> None:
    far = hand_prospect(*_hand("J J J F F A1 C5 C9 I1", MELD))
    near = hand_prospect(*_hand("J J J F F F C5 C9 I1", MELD))
    ready = hand_prospect(*_hand("J J J F F F C5 C6 I1", MELD))
    complete = hand_prospect(*_hand("J J J F F F C5 C6 C7", MELD))
    assert 0 < far < near < ready < complete


def test_discards_hang_on_the_cards_alone_not_on_their_order() -> None:
    rng = Random(5)
    for _ in range(10):
        hand = rng.sample(DECK, 13)
        ranked = rank_discards(hand, (), outlook(hand))
        assert ranked == rank_discards(sorted(hand), (), outlook(sorted(hand)))
        assert {face for face, _ in ranked} <= set(hand) and ranked


def draws_until_ready(seed: int, discard: Callable[[list[Face], Outlook], Face]) -> int:
    """How many cards a lone seat draws until its hand is one card from going out; at most 30."""
    deck = list(DECK)
    Random(seed).shuffle(deck)
    hand, deck = deck[:12], deck[12:42]
    unseen = Counter(COPIES)
    unseen.subtract(hand)
    for drawn, face in enumerate(deck):
        if distance(hand, ()) <= 1:
            return drawn
        hand.append(face)
        unseen[face] -= 1
        hand.remove(discard(hand, Outlook(unseen, 72 - drawn, (0, 0, 0), 0)))
    return len(deck)


def test_ranked_discards_are_ready_far_sooner_than_random_ones() -> None:
    rng = Random(6)
    ranked = [
        draws_until_ready(seed, lambda hand, seen: rank_discards(hand, (), seen)[0][0])
        for seed in range(25)
    ]
    blind = [draws_until_ready(seed, lambda hand, _: rng.choice(hand)) for seed in range(25)]
    assert 3 * sum(ranked) < sum(blind)
    assert sum(ranked) / len(ranked) < 12
