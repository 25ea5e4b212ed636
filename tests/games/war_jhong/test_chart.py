"""Every line of the scoring chart, by name, with hands whose answers were worked out by hand."""

import pytest

from p2pjong.games.war_jhong.chart import CHART_ORDER, combos, diplomatic_combos, points
from p2pjong.games.war_jhong.formations import CARDS

OUT = ("going_out", 1)


def patterns_of(*groups: str) -> tuple[int, ...]:
    """The patterns that show these cards: "I1 I2 I3"."""
    return tuple(sorted(CARDS.index(tuple(group.split())) for group in groups))


def scored(*groups: str, generals: int = 0) -> dict[str, int]:
    patterns = patterns_of(*groups)
    found = combos(patterns, generals)
    assert sum(value for _, value in found) == points(patterns) + generals
    return dict(found)


JUNKS, FORTS, TACTICS = "J J J", "F F F", "T T T"
PLAIN = ("I1 I2 I3", "A5 A5 A5", "C6 C7 C8", "I9 I9 I9")  # nothing but going out


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (PLAIN, {}),
        # Same numbers (W10): of any suits, sequences and triplets alike.
        (("I1 I2 I3", "A1 A2 A3", "C7 C7 C7", "C9 C9 C9"), {"double_formation": 3}),
        (("I4 I4 I4", "A4 A4 A4", "C7 C8 C9", JUNKS), {"double_formation": 3, "fleet": 2}),
        (
            ("I1 I2 I3", "A1 A2 A3", "I7 I7 I7", "C7 C7 C7"),
            {"double_formation": 6},
        ),
        (("I1 I2 I3", "A1 A2 A3", "C1 C2 C3", JUNKS), {"triple_formation": 9, "fleet": 2}),
        (
            ("I4 I5 I6", "A4 A5 A6", "C4 C5 C6", "C4 C5 C6"),
            {"triple_formation": 9, "identical_double_formation": 6, "all_sequences": 4},
        ),
        # Identical (W10): it adds to the same numbers.
        (
            ("I4 I5 I6", "I4 I5 I6", "C1 C1 C1", FORTS),
            {"double_formation": 3, "identical_double_formation": 6, "wall": 3},
        ),
        (
            ("I4 I4 I4", "I4 I4 I4", "I4 I4 I4", FORTS),
            {
                "triple_formation": 9,
                "identical_triple_formation": 18,
                "grand_maneuver": 7,
                "wall": 3,
            },
        ),
        (
            ("I4 I5 I6",) * 2 + ("C2 C3 C4",) * 2,
            {
                "double_formation": 6,
                "identical_double_formation": 12,
                "split_army": 3,
                "all_sequences": 4,
            },
        ),
        (
            ("I4 I5 I6",) * 4,
            {
                "triple_formation": 9,
                "identical_triple_formation": 18,
                "great_formation": 6,
                "all_sequences": 4,
            },
        ),
        # High/Low: all four Common, within 1-5 or within 5-9.
        (("I1 I2 I3", "A3 A4 A5", "C5 C5 C5", "I2 I2 I2"), {"high_low": 5}),
        (("I7 I8 I9", "A5 A6 A7", "C5 C5 C5", "I9 I9 I9"), {"high_low": 5}),
        (("I7 I8 I9", "A5 A6 A7", "C4 C4 C4", "I9 I9 I9"), {}),
        (("I1 I2 I3", "A3 A4 A5", "C5 C5 C5", JUNKS), {"fleet": 2}),
        # Fleets, Walls, Ruses: the tiers exclude one another.
        (("I1 I2 I3", "A5 A5 A5", JUNKS, JUNKS), {"double_fleet": 4}),
        (("I1 I2 I3", JUNKS, JUNKS, JUNKS), {"triple_fleet": 8}),
        ((JUNKS,) * 4, {"armada": 16}),
        (("I1 I2 I3", "A5 A5 A5", "A6 A6 A6", FORTS), {"wall": 3}),
        (("I1 I2 I3", "A5 A5 A5", FORTS, FORTS), {"border_wall": 9}),
        (("I1 I2 I3", FORTS, FORTS, FORTS), {"great_wall": 27}),
        ((FORTS,) * 4, {"great_wall": 27}),
        (("I1 I2 I3", "A5 A5 A5", "C7 C8 C9", TACTICS), {"ruse": 5}),
        (("I1 I2 I3", "A5 A5 A5", TACTICS, TACTICS), {"great_ruse": 25}),
        (
            (JUNKS, FORTS, TACTICS, "A5 A5 A5"),
            {"fleet": 2, "wall": 3, "ruse": 5},
        ),
        # Armies.
        (("I1 I2 I3", "I2 I2 I2", "I5 I6 I7", "I9 I9 I9"), {"great_formation": 6}),
        (("I1 I2 I3", "I2 I2 I2", "C5 C6 C7", "C9 C9 C9"), {"split_army": 3}),
        (("I1 I2 I3", "I2 I2 I2", "I7 I8 I9", "C5 C6 C7"), {}),
        (("I1 I2 I3", "I2 I2 I2", "C5 C6 C7", JUNKS), {"fleet": 2}),
        (("I1 I2 I3", "I2 I2 I2", JUNKS, JUNKS), {"double_fleet": 4}),
        (("I1 I2 I3", "I2 I2 I2", "I7 I8 I9", JUNKS), {"grand_maneuver": 7, "fleet": 2}),
        (("C1 C2 C3", "C2 C2 C2", "C7 C8 C9", FORTS), {"grand_maneuver": 7, "wall": 3}),
        (("I1 I2 I3", "I2 I2 I2", "I7 I8 I9", TACTICS), {"ruse": 5}),
        # Kinds: all four Common.
        (("I1 I1 I1", "A3 A3 A3", "C7 C7 C7", "I9 I9 I9"), {"all_triplets": 4}),
        (("I1 I2 I3", "A3 A4 A5", "C6 C7 C8", "I7 I8 I9"), {"all_sequences": 4}),
        (("I1 I2 I3", "A3 A4 A5", "C6 C7 C8", JUNKS), {"fleet": 2}),
        # Grand Formation: the run 1-9 of one suit among the four.
        (
            ("A1 A2 A3", "A4 A5 A6", "A7 A8 A9", "C2 C2 C2"),
            {"grand_formation": 10},
        ),
        (
            ("A1 A2 A3", "A4 A5 A6", "A7 A8 A9", TACTICS),
            {"grand_formation": 10, "ruse": 5},
        ),
        (("A1 A2 A3", "I4 I5 I6", "A7 A8 A9", "C2 C2 C2"), {}),
    ],
)
def test_four_formations_score_these_combos_and_no_other(
    groups: tuple[str, ...], expected: dict[str, int]
) -> None:
    assert scored(*groups) == dict([OUT]) | expected


def test_generals_score_one_each_w12() -> None:
    assert scored(*PLAIN, generals=3) == {"going_out": 1, "general": 3}
    assert "general" not in scored(*PLAIN, generals=0)


def test_a_diplomatic_solution_scores_going_out_itself_and_generals_w11() -> None:
    assert diplomatic_combos(0) == (OUT, ("diplomatic_solution", 2))
    assert diplomatic_combos(2) == (OUT, ("general", 2), ("diplomatic_solution", 2))


def test_combos_come_in_the_order_of_the_chart() -> None:
    found = combos(patterns_of(*["C1 C2 C3"] * 4), 2)
    names = [name for name, _ in found]
    assert names == [name for name in CHART_ORDER if name in names]
    assert names[:2] == ["going_out", "triple_formation"]
