"""Not Your Ma's Jong's words, gathered for `p2pjong.ui.game_words`."""

from p2pjong.games.game import Action
from p2pjong.session.effects import Ask
from p2pjong.ui.not_your_mas_jong.cards import card
from p2pjong.ui.not_your_mas_jong.choices import forced_lines, question, right_actions, status
from p2pjong.ui.not_your_mas_jong.news import event_lines, hand_after_lines, hit_lines
from p2pjong.ui.not_your_mas_jong.points import score_lines
from p2pjong.ui.not_your_mas_jong.table import board_lines, table_lines

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


SENT = {
    "call_set": "You call {card} for a set.",
    "call_win": "You call {card} to win.",
    "pass": "You pass.",
}
ENTER = {"pass": "pass", "go_out": "go out", "wrong": "say so"}
CHOICES = ("discarded",)
FOULS = {
    "hand-does-not-go-out": "{who} tried to go out with a hand that does not go out",
    "steal-without-set": "{who} stole a discard without the cards for a set",
}
PURPOSES = {
    "discard": "to discard or go out",
    "answer-discard": "to answer the discard",
    "show-call": "to show what they called for",
}
DONE_FOR = {
    "discard": "{cards} was discarded for you",
    "go_out": "you went out",
    "pass": "you passed",
    "show_set": "the set with {cards} was shown for you",
    "show_win": "your whole hand was shown for you",
    "wrong": "your call counts as a mistake",
}


def purpose(reason: str) -> str:
    """What a seat is awaited for."""
    return PURPOSES[reason]


def done_for(ask: Ask, action: Action) -> str:
    """What was done in our person's place."""
    return DONE_FOR[action.verb]


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
