"""What a game's own words on the screen must cover, and where they are found."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from p2pjong.games import ENTRIES, part
from p2pjong.games.game import Action, Event, Face
from p2pjong.session.effects import Ask
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question


class GameWords(Protocol):
    """What a game's own words must cover; `view` is its own view.

    RULES is the game's course in a line or two, and MARKS explains what its screens abbreviate.
    SENT says, by the verb of an answer to a discard, what our person has just answered; ENTER what
    the Enter key does where nothing else can be done. CHOICES are the events by which a seat's own
    choice is seen. FOULS has the rules that opened cards may show to be broken, as sentences that
    tell what {who} did, without their full stop.
    """

    RULES: str
    MARKS: tuple[str, ...]
    SENT: Mapping[str, str]
    ENTER: Mapping[str, str]
    CHOICES: tuple[str, ...]
    FOULS: Mapping[str, str]

    def purpose(self, reason: str) -> str:
        """What a seat is awaited for in a decision: "to answer the discard"."""

    def card(self, face: Face) -> str:
        """A card as the screen shows it."""

    def event_lines(self, event: Event, view: Any, names: Names) -> list[str]:
        """The event in words, without any hand that goes on; [] for what needs none."""

    def hand_after_lines(self, event: Event, view: Any, names: Names) -> list[str]:
        """Our own hand, if the event has changed it; numbers belong to a question alone."""

    def hit_lines(self, event: Event, view: Any, names: Names) -> list[str]:
        """What the event did to our own seat, where that must be in sight when we act; else []."""

    def table_lines(self, view: Any, names: Names) -> list[str]:
        """The whole table as the view's seat sees it, its hand without numbers."""

    def board_lines(self, view: Any, names: Names) -> list[str]:
        """The table without the own hand."""

    def question(self, ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
        """What to ask a person, below what was done to them, and what each key means."""

    def forced_lines(self, ask: Ask) -> list[str]:
        """Why there is but one thing to do, where that needs a word; else []."""

    def done_for(self, ask: Ask, action: Action) -> str:
        """What was done in our person's place, such as "you passed"; {cards} are those it names."""

    def right_actions(self, ask: Ask) -> tuple[Action, ...]:
        """The actions that are no mistake which the rules find out; of most games all."""

    def status(self, view: Any) -> str:
        """A few words on our own hand while others act, or ""."""

    def score_lines(self, asked: Mapping[str, Any]) -> list[str]:
        """What a hand is worth and why, for `p2pjong score`; raises BadQuestion."""


def words_of(game: str) -> GameWords:
    """The words of a game that is registered."""
    words: GameWords = part(ENTRIES[game].words)
    return words
