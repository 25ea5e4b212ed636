"""War Jhong's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.war_jhong.state import TARGET
from p2pjong.ui.text import plural
from p2pjong.ui.war_jhong.choices import forced_lines, question, status
from p2pjong.ui.war_jhong.news import event_lines
from p2pjong.ui.war_jhong.points import score_lines
from p2pjong.ui.war_jhong.table import table_lines

HAND = "hand"
WINDOW = "claims"


def goal(target: int, rounds: int, seats: int) -> tuple[str, str]:
    """What the game is played to."""
    return "to win", plural(target or TARGET, "point")


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
