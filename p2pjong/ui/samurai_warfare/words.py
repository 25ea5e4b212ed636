"""Samurai Warfare's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.samurai_warfare.state import TARGET
from p2pjong.ui.samurai_warfare.choices import forced_lines, question, status
from p2pjong.ui.samurai_warfare.forces import score_lines
from p2pjong.ui.samurai_warfare.news import event_lines
from p2pjong.ui.samurai_warfare.table import table_lines
from p2pjong.ui.text import plural

HAND = "turn"
WINDOW = ""  # nothing is answered by all at once


def goal(target: int, rounds: int, seats: int) -> tuple[str, str]:
    """What the game is played to."""
    return "to win", plural(target or TARGET, "token")


__all__ = [
    "HAND",
    "WINDOW",
    "event_lines",
    "forced_lines",
    "goal",
    "question",
    "score_lines",
    "status",
    "table_lines",
]
