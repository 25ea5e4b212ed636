"""War Jhong's words, gathered for `p2pjong.ui.game_words`."""

from p2pjong.games.game import Action
from p2pjong.session.effects import Ask
from p2pjong.ui.war_jhong.cards import card
from p2pjong.ui.war_jhong.choices import forced_lines, question, status
from p2pjong.ui.war_jhong.news import event_lines, hand_after_lines, hit_lines
from p2pjong.ui.war_jhong.points import score_lines
from p2pjong.ui.war_jhong.table import board_lines, table_lines

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


SENT = {
    "claim_formation": "You claim {card} for a Formation.",
    "claim_go_out": "You claim {card} to go out.",
    "pass": "You pass.",
}
ENTER = {"pass": "pass", "go_out": "go out"}
CHOICES = ("discarded",)
FOULS = {
    "claim-without-formation": "{who} claimed a Formation without the cards for it",
    "hand-does-not-go-out": "{who} tried to go out with a hand that does not go out",
}
PURPOSES = {"discard": "to discard or go out", "answer-discard": "to answer the discard"}
DONE_FOR = {
    "discard": "{cards} was discarded for you",
    "go_out": "you went out",
    "pass": "you passed",
}


def purpose(reason: str) -> str:
    """What a seat is awaited for."""
    return PURPOSES[reason]


def done_for(ask: Ask, action: Action) -> str:
    """What was done in our person's place."""
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
