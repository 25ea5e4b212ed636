"""What a hand scored, explained combo by combo."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from p2pjong.games.game import Face
from p2pjong.games.war_jhong.answers import Question, read_question
from p2pjong.games.war_jhong.scoring import (
    Group,
    Reading,
    distance,
    ready_discards,
    score,
    waits,
)
from p2pjong.ui.text import aligned, bold, dim, plural, wrap
from p2pjong.ui.war_jhong.cards import card

# In the order of the chart; each says what the hand must show for it (W10).
COMBOS = {
    "going_out": ("Going Out", ""),
    "double_formation": ("Double Formation", "Formations in pairs with the same numbers, 3 a pair"),
    "triple_formation": ("Triple Formation", "three or more Formations with the same numbers"),
    "high_low": ("High/Low", "all numbers within 1-5, or all within 5-9"),
    "fleet": ("Fleet", "one Formation of Junks"),
    "double_fleet": ("Double Fleet", "two Formations of Junks"),
    "triple_fleet": ("Triple Fleet", "three Formations of Junks"),
    "armada": ("Armada", "four Formations of Junks"),
    "wall": ("Wall", "one Formation of Forts"),
    "border_wall": ("Border Wall", "two Formations of Forts"),
    "great_wall": ("Great Wall", "three or more Formations of Forts"),
    "great_formation": ("Great Formation", "all four of one Common suit"),
    "general": ("Generals", "discarded in this hand, 1 each"),
    "all_triplets": ("All Triplets", "four Common Triplets"),
    "all_sequences": ("All Sequences", "four Common Sequences"),
    "identical_double_formation": ("Identical Double", "pairs alike in suit too, 6 a pair"),
    "identical_triple_formation": ("Identical Triple", "three or more alike in suit too"),
    "split_army": ("Split Army", "two of one Common suit, two of another"),
    "grand_formation": ("Grand Formation", "1-2-3, 4-5-6 and 7-8-9 of one suit"),
    "grand_maneuver": ("Grand Maneuver", "three of one Common suit, one of Honors"),
    "ruse": ("Ruse", "one Formation of Tactics"),
    "great_ruse": ("Great Ruse", "two or more Formations of Tactics"),
    "diplomatic_solution": ("Diplomatic Solution", "no Formation, numbers three apart"),
}


def combo_lines(combos: Iterable[tuple[str, int]], total: int) -> list[str]:
    """A line for each combo with its points and its reason, and the sum."""
    rows = [
        ("", combo_name(name), str(points), dim(COMBOS.get(name, ("", ""))[1]))
        for name, points in combos
    ]
    rows.append(("", bold("total"), bold(str(total)), ""))
    return [f"  {line}" for line in aligned(rows, right=(2,))]


def combo_name(name: str) -> str:
    """A combo as players call it."""
    return COMBOS[name][0] if name in COMBOS else name.replace("_", " ").capitalize()


def reading_lines(reading: Reading) -> list[str]:
    """How the cards of a hand that goes out lie together, and what was left over."""
    groups = [reading.solution] if reading.solution else list(reading.formations)
    shown = [_group(group) for group in groups]
    if reading.left_over:
        shown.append(dim("left over:") + f" {card(reading.left_over)}")
    return wrap(shown, indent="    ", gap="   ")


def _group(group: Group) -> str:
    shown = [
        card(face) if face == meaning else f"{card(face)}={card(meaning)}"
        for face, meaning in zip(group.cards, group.stands_for, strict=True)
    ]
    return f"[{' '.join(shown)}]" if group.is_face_up else " ".join(shown)


def score_lines(asked: Mapping[str, Any]) -> list[str]:
    """What `p2pjong score` tells a person about a question; raises BadQuestion."""
    question = read_question(asked)
    reading = score(question.hand, question.melds, question.generals)
    if reading is None:
        return _short_of_out(question)
    return [
        bold(f"goes out: {plural(reading.total, 'point')}"),
        *reading_lines(reading),
        *combo_lines(reading.combos, reading.total),
    ]


def _short_of_out(question: Question) -> list[str]:
    hand, melds = question.hand, question.melds
    away = distance(hand, melds)
    lines = [bold("does not go out"), f"  {plural(away, 'card')} short of going out"]
    if len(hand) % 3 == 0:
        return lines + _awaited(waits(hand, melds), "  waiting for")
    for face, awaited in ready_discards(hand, melds).items():
        lines += _awaited(awaited, f"  discard {card(face)}: waiting for")
    return lines


def _awaited(faces: Sequence[Face], head: str) -> list[str]:
    return wrap([head, *map(card, faces)]) if faces else []
