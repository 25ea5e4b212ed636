"""Samurai Warfare's words, gathered for `p2pjong.ui.game_words`."""

from p2pjong.games.game import Action
from p2pjong.session.effects import Ask
from p2pjong.ui.samurai_warfare.cards import card
from p2pjong.ui.samurai_warfare.choices import forced_lines, question, status
from p2pjong.ui.samurai_warfare.forces import score_lines
from p2pjong.ui.samurai_warfare.news import event_lines, hand_after_lines, hit_lines
from p2pjong.ui.samurai_warfare.table import board_lines, table_lines
from p2pjong.ui.text import plural

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


SENT: dict[str, str] = {}  # nothing is answered by all at once
ENTER = {"pass": "pass", "play": "play it"}
CHOICES = ("discarded", "played", "passed")
FOULS = {
    "card-not-playable": "{who} played a card that could not be played then",
    "wrong-target": "{who} played a card with a wrong target, or with none where there was one",
}
PURPOSES = {
    "play-in-battle": "to play a card",
    "play-in-tactics": "to play a card for its effect or pass",
    "take-seen": "to take one of the cards looked at",
    "discard-up-to-1": "to discard a card or none",
}
DONE_FOR = {
    "discard": "{cards} was discarded for you",
    "pass": "you passed",
    "play": "{cards} was played for you",
    "take": "{cards} was taken for you",
}
KEPT = ("strategy", "end")  # where a pass means that all cards are kept


def purpose(reason: str) -> str:
    """What a seat is awaited for."""
    if reason in PURPOSES:
        return PURPOSES[reason]
    number = reason.rsplit("-", 1)[1]
    up_to = "up to " if reason.startswith("discard-up-to-") else ""
    return f"to discard {up_to}{plural(int(number), 'card')}"


def done_for(ask: Ask, action: Action) -> str:
    """What was done in our person's place."""
    if action.verb == "pass" and getattr(ask.view, "choice", "") in KEPT:
        return "you kept all your cards"
    return DONE_FOR[action.verb]


def right_actions(ask: Ask) -> tuple[Action, ...]:
    """The rules find no mistakes: what is offered is allowed."""
    return ask.actions


__all__ = [
    "CHOICES",
    "ENTER",
    "FOULS",
    "MARKS",
    "RULES",
    "SENT",
    "board_lines",
    "card",
    "done_for",
    "event_lines",
    "forced_lines",
    "hand_after_lines",
    "hit_lines",
    "purpose",
    "question",
    "right_actions",
    "score_lines",
    "status",
    "table_lines",
]
