"""What screens say of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from p2pjong.games.game import NOBODY, Action, Event, Face
from p2pjong.session.effects import Ask
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question
from tests.fourth_game.answers import answer

RULES = "All show a card at once, and the lowest gets a strike."
MARKS = ("On the screen:", "> whose turn.")
SENT: Mapping[str, str] = {}
ENTER: Mapping[str, str] = {"show": "show it"}
CHOICES = ("shown",)
FOULS = {"not-all-equal": "{who} showed a whole hand that was not all equal"}


def purpose(reason: str) -> str:
    return "to choose a card"


def card(face: Face) -> str:
    return face


def event_lines(event: Event, view: Any, names: Names) -> list[str]:
    if event.verb == "dealt":
        return [f"Everyone has {event.number} cards."]
    if event.verb == "shown":
        return [f"{names.does(event.seat, 'show')} {' '.join(event.faces)}"]
    if event.verb == "lost":
        return [
            f"{names.does(event.seat, 'get')} a strike" if event.seat != NOBODY else "All are safe"
        ]
    return ["The hand is void; the cards are dealt anew."]


def hand_after_lines(event: Event, view: Any, names: Names) -> list[str]:
    return []


def hit_lines(event: Event, view: Any, names: Names) -> list[str]:
    return []


def board_lines(view: Any, names: Names) -> list[str]:
    return [f" strikes: {names.tally(view.scores)}"]


def table_lines(view: Any, names: Names) -> list[str]:
    return [*board_lines(view, names), f" your hand: {' '.join(face for _, face in view.hand)}"]


def question(ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
    faces = dict(ask.view.hand)
    keys = {
        "a" if one.verb == "show_all" else str(number): one
        for number, one in enumerate(ask.actions, 1)
    }
    held = [f"{key}: {faces[one.slots[0]] if one.slots else 'all'}" for key, one in keys.items()]
    lines = (*hits, *table_lines(ask.view, names))
    return Question(f"show {', '.join(held)}", keys, lines, again=lines)


def forced_lines(ask: Ask) -> list[str]:
    return []


def done_for(ask: Ask, action: Action) -> str:
    return "{cards} was shown for you"


def right_actions(ask: Ask) -> tuple[Action, ...]:
    return ask.actions


def status(view: Any) -> str:
    return ""


def score_lines(asked: Mapping[str, Any]) -> list[str]:
    told = answer(asked)
    return ["a safe hand" if told["is_safe"] else f"the best card is {told['best']}"]
