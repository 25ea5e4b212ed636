"""War Jhong's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.war_jhong.state import TARGET
from p2pjong.ui.text import plural
from p2pjong.ui.war_jhong.cards import card
from p2pjong.ui.war_jhong.choices import forced_lines, question, status
from p2pjong.ui.war_jhong.news import event_lines, hand_after_lines, hit_lines
from p2pjong.ui.war_jhong.points import score_lines
from p2pjong.ui.war_jhong.table import board_lines, table_lines

HAND = "hand"
WINDOW = "claims"
RULES = (
    "You go out with four Formations; one card is left over. A Formation is three numbers in a "
    "row of one suit, one card three times, J J J, F F F or T T T."
)
MARKS: tuple[str, ...] = (
    "On the screen:",
    "> whose turn,",
    "? still to choose,",
    "+ just drawn,",
    "gen Generals discarded,",
    "face up Formations shown,",
    "[ ] face up,",
    "I Infantry,",
    "A Archers,",
    "C Cavalry (1-9),",
    "J Junks,",
    "F Forts,",
    "T Tactics (wild),",
    "G General (a point if you discard it and then go out),",
    "J x2 two Junks,",
    "2 unseen: neither in your hand nor face up,",
    "T=A4 Tactics that stand for A4.",
)


def goal(target: int, rounds: int, seats: int) -> tuple[str, str]:
    """What the game is played to."""
    return "to win", plural(target or TARGET, "point")


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
    "score_lines",
    "status",
    "table_lines",
]
