"""Samurai Warfare's words, gathered for `p2pjong.ui.render`."""

from p2pjong.games.samurai_warfare.state import TARGET
from p2pjong.ui.samurai_warfare.cards import card
from p2pjong.ui.samurai_warfare.choices import forced_lines, question, status
from p2pjong.ui.samurai_warfare.forces import score_lines
from p2pjong.ui.samurai_warfare.news import event_lines
from p2pjong.ui.samurai_warfare.table import table_lines
from p2pjong.ui.text import plural

HAND = "turn"
RULES = (
    "The highest total of force in play wins the turn's Victory Token. In a battle one card of "
    "each type may lie before you, more with extras; who can play must."
)
MARKS: tuple[str, ...] = (
    "On the screen:",
    "> whose go,",
    "? awaited,",
    "hand cards held,",
    "force sum of the cards in play with bonuses,",
    "9+3 own force and a bonus,",
    "lost destroyed,",
    ".. more than fits (t shows all),",
    "in battle traits; what it does when laid out,",
    "in Tactics what its type does instead,",
    "a card without a number cannot be played now,",
    "3b card 3 at aim b.",
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
    "card",
    "event_lines",
    "forced_lines",
    "goal",
    "question",
    "score_lines",
    "status",
    "table_lines",
]
