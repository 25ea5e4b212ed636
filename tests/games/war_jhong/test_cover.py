"""How many cards Formations can use, against trying all of them."""

from collections import Counter
from itertools import combinations_with_replacement
from random import Random

from p2pjong.games.war_jhong.cover import honor_cover, merge_covers, most_used, suit_cover
from p2pjong.games.war_jhong.faces import DECK, pack
from p2pjong.games.war_jhong.formations import CARDS, JUNKS, RUSE, SUIT_PATTERNS


def tried(hand: list[str], patterns: range, formations: int) -> int:
    """The most cards of the hand that so many of these patterns use."""
    held = Counter(hand)
    chosen = combinations_with_replacement([Counter(CARDS[p]) for p in patterns], formations)
    return max((held & sum(group, Counter())).total() for group in chosen)


def test_one_suit_is_covered_as_well_as_trying_everything_does() -> None:
    rng = Random(5)
    infantry = [face for face in DECK if face[0] == "I"]
    for size in (1, 3, 5, 6, 7, 8, 9, 10):
        hand = rng.sample(infantry, size)
        cover = suit_cover(pack(hand))
        for formations in (0, 1, 2, 3):
            assert cover[formations] == tried(hand, range(SUIT_PATTERNS), formations), hand


def test_four_formations_of_one_suit_use_all_of_a_full_hand() -> None:
    hand = "I1 I1 I1 I2 I3 I4 I5 I6 I7 I7 I8 I9".split()
    assert suit_cover(pack(hand)) == (0, 3, 6, 9, 12)


def test_whole_hands_are_covered_as_well_as_trying_everything_does() -> None:
    rng = Random(6)
    naturals = [face for face in DECK if face not in "GT"]
    for size in (4, 7, 7, 7):
        hand = rng.sample(naturals, size)
        for formations in (1, 2):
            assert most_used(pack(hand), formations) == tried(hand, range(RUSE), formations), hand


def test_junks_and_forts_are_covered_in_threes() -> None:
    assert honor_cover(4, 2) == (0, 3, 5, 6, 6)
    assert honor_cover(13, 0) == (0, 3, 6, 9, 12)
    assert most_used(pack("J J J J F F".split()), 3) == 6
    assert tried("J J J J F F".split(), range(JUNKS, RUSE), 3) == 6


def test_merged_covers_share_the_formations_out() -> None:
    assert merge_covers((0, 3, 5, 6, 6), (0, 2, 4, 4, 4)) == (0, 3, 5, 7, 9)


def test_generals_and_tactics_are_no_natural_cards() -> None:
    assert most_used(pack("G G G T T T".split()), 4) == 0
