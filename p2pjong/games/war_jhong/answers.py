"""Questions about a hand from outside (`p2pjong score`), and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from p2pjong.games.game import Face
from p2pjong.games.question import BadQuestion, read_cards, read_count
from p2pjong.games.war_jhong.scoring import Group, Reading, score
from p2pjong.games.war_jhong.waits import check_question, distance, ready_discards, waits

Answer: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A hand of a deal that can be; `score` takes it as it is."""

    hand: tuple[Face, ...]
    melds: tuple[tuple[Face, ...], ...]
    generals: int


def read_question(asked: Mapping[str, Any]) -> Question:
    """The question in `{"hand": [..], "melds": [[..]], "generals": n}`; raises BadQuestion.

    `melds` and `generals` may be missing; keys that mean nothing here are passed over.
    """
    hand = read_cards(asked.get("hand"), "hand")
    melds = asked.get("melds", [])
    if not isinstance(melds, list | tuple):
        raise BadQuestion("melds is a list of face-up Formations")
    question = Question(
        hand,
        tuple(read_cards(meld, "a face-up Formation") for meld in melds),
        read_count(asked.get("generals", 0), "generals"),
    )
    check_question(question.hand, question.melds, question.generals)
    return question


def answer(asked: Mapping[str, Any]) -> Answer:
    """What the hand is worth, as JSON: null, {} and [] where it does not go out."""
    question = read_question(asked)
    reading = score(question.hand, question.melds, question.generals)
    return {
        "goes_out": reading is not None,
        "total": reading and reading.total,
        "combos": dict(reading.combos) if reading else {},
        "formations": [list(group.cards) for group in reading.formations] if reading else [],
        "stands_for": [list(group.stands_for) for group in reading.formations] if reading else [],
        "solution": _solution(reading.solution) if reading and reading.solution else None,
        "left_over": reading and reading.left_over,
    }


def _solution(group: Group) -> Answer:
    return {"cards": list(group.cards), "stands_for": list(group.stands_for)}


def explain(asked: Mapping[str, Any]) -> list[str]:
    """The answer in lines for people; a hand that does not go out is told what it lacks."""
    question = read_question(asked)
    reading = score(question.hand, question.melds, question.generals)
    return explain_reading(reading) if reading else _explain_lack(question)


def explain_reading(reading: Reading) -> list[str]:
    """How the hand was read, and its points combo by combo, in lines for people."""
    groups = [*reading.formations, *([reading.solution] if reading.solution else [])]
    left = [f"left over: {reading.left_over}"] if reading.left_over else []
    width = max(len(name) for name, _ in reading.combos)
    points = [f"{name_combo(name):{width}} {value:3}" for name, value in reading.combos]
    return [*map(_explain_group, groups), *left, *points, f"{'total':{width}} {reading.total:3}"]


def name_combo(name: str) -> str:
    """A combo's name as the chart prints it."""
    return "High/Low" if name == "high_low" else name.replace("_", " ").title()


def _explain_group(group: Group) -> str:
    wild = " ".join(group.stands_for)
    meaning = f" for {wild}" if group.cards != group.stands_for else ""
    return f"{' '.join(group.cards)}{meaning}{' (face up)' if group.is_face_up else ''}"


def _explain_lack(question: Question) -> list[str]:
    hand, melds = question.hand, question.melds
    away = distance(hand, melds)
    lines = [f"does not go out; {away} {'card' if away == 1 else 'cards'} away from it"]
    if awaited := (waits(hand, melds) if _has_discarded(question) else ()):
        lines.append(f"awaits {' '.join(awaited)}")
    elif not _has_discarded(question):
        ready = ready_discards(hand, melds)
        lines += [f"discard {face}: awaits {' '.join(faces)}" for face, faces in ready.items()]
    return lines


def _has_discarded(question: Question) -> bool:
    return len(question.hand) % 3 == 0
