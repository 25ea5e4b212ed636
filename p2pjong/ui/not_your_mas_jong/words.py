"""Not Your Ma's Jong's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.not_your_mas_jong.state import ROUNDS
from p2pjong.ui.not_your_mas_jong.choices import forced_lines, question, right_actions, status
from p2pjong.ui.not_your_mas_jong.news import event_lines
from p2pjong.ui.not_your_mas_jong.points import score_lines
from p2pjong.ui.not_your_mas_jong.table import table_lines

HAND = "round"
WINDOW = "calls"


def goal(target: int, rounds: int, seats: int) -> tuple[str, str]:
    """How long the game is."""
    return "rounds", str(rounds) if rounds else f"{ROUNDS.get(seats, '?')} with {seats} seats"


__all__ = [
    "HAND",
    "WINDOW",
    "event_lines",
    "forced_lines",
    "goal",
    "question",
    "right_actions",
    "score_lines",
    "status",
    "table_lines",
]
