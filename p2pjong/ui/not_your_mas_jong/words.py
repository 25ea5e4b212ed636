"""Not Your Ma's Jong's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.not_your_mas_jong.state import ROUNDS
from p2pjong.ui.not_your_mas_jong.cards import card
from p2pjong.ui.not_your_mas_jong.choices import forced_lines, question, right_actions, status
from p2pjong.ui.not_your_mas_jong.news import event_lines, hand_after_lines, hit_lines
from p2pjong.ui.not_your_mas_jong.points import score_lines
from p2pjong.ui.not_your_mas_jong.table import board_lines, table_lines

HAND = "round"
WINDOW = "calls"
RULES = (
    "You go out with three sets and a pair. A set is one card three times, or three in a row of "
    "one colour or of Seasons. If you steal to win, each other player pays you 1, otherwise 2; "
    "Ma pays and is paid double."
)
MARKS: tuple[str, ...] = (
    "On the screen:",
    "> whose turn,",
    "? still to choose,",
    "+ just drawn,",
    "Ma the dealer (pays and is paid double),",
    "skips turns lost by wrong calls,",
    "[ ] a locked set,",
    "R Red,",
    "B Blue,",
    "G Green (1-6),",
    "S1 Spring,",
    "S2 Summer,",
    "S3 Fall,",
    "S4 Winter,",
    "E1 Love,",
    "E2 Joy,",
    "E3 Anger (no order),",
    "B2 x2 two of them,",
    "2 unseen: neither in your hand nor face up.",
)


def goal(target: int, rounds: int, seats: int) -> tuple[str, str]:
    """How long the game is."""
    return "rounds", str(rounds) if rounds else f"{ROUNDS.get(seats, '?')} with {seats} players"


__all__ = [
    "HAND",
    "MARKS",
    "RULES",
    "WINDOW",
    "board_lines",
    "card",
    "event_lines",
    "forced_lines",
    "goal",
    "hand_after_lines",
    "hit_lines",
    "question",
    "right_actions",
    "score_lines",
    "status",
    "table_lines",
]
