"""Samurai Warfare's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.samurai_warfare.state import TARGET
from p2pjong.ui.samurai_warfare.cards import card
from p2pjong.ui.samurai_warfare.choices import forced_lines, question, status
from p2pjong.ui.samurai_warfare.forces import score_lines
from p2pjong.ui.samurai_warfare.news import event_lines, hand_after_lines, hit_lines
from p2pjong.ui.samurai_warfare.table import board_lines, table_lines
from p2pjong.ui.text import plural

HAND = "turn"
RULES = (
    "The highest total of force in play wins the turn's Victory Token. In a battle you may have "
    "one card of each type in play, more with extras; you must play a card if you can."
)
MARKS: tuple[str, ...] = (
    "On the screen:",
    "> whose turn,",
    "? still to choose,",
    "a b c players as targets,",
    "9+3 force and bonus,",
    "lost: destroyed,",
    ".. more cards (t shows all),",
    "! done to you,",
    "in Tactics: its effect in the Tactics Phase,",
    "no number: cannot be played now,",
    "3b card 3 at player b,",
    "3b2 at their second card in play.",
)
WINDOW = ""  # nothing is answered by all at once


def goal(target: int, rounds: int, seats: int) -> tuple[str, str]:
    """What the game is played to."""
    return "to win", plural(target or TARGET, "token")


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
