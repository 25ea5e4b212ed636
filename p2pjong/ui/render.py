"""Everything that a terminal shows, as lines of text: lobby, events, questions, results. Pure.

What is one game's own lies in a module of that game; see `GAME_WORDS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from p2pjong.games.game import Action, Event, Seat, View
from p2pjong.session.effects import Ask, Blame, Finished, Happened, Left, VotedOut, Words
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong import words as not_your_mas_jong_words
from p2pjong.ui.question import Question
from p2pjong.ui.samurai_warfare import words as samurai_warfare_words
from p2pjong.ui.text import alarm, aligned, bold, clean, dim, duration, plural, rule
from p2pjong.ui.war_jhong import words as war_jhong_words


class GameWords(Protocol):
    """What a game's own words must cover; `view` is its own view.

    HAND is what the game calls one deal; WINDOW what all may do after a discard, or "".
    """

    HAND: str
    WINDOW: str

    def goal(self, target: int, rounds: int, seats: int) -> tuple[str, str]:
        """What a table with these options (0: the game's own) is played to: a name and a text."""

    def event_lines(self, event: Event, view: Any, names: Names) -> list[str]:
        """The event in words; [] for what needs none."""

    def table_lines(self, view: Any, names: Names) -> list[str]:
        """The whole table as the view's seat sees it."""

    def question(self, ask: Ask, names: Names) -> Question[Action]:
        """What to ask a person, and what each key means."""

    def forced_lines(self, ask: Ask) -> list[str]:
        """Why there is but one thing to do, where that needs a word; else []."""

    def status(self, view: Any) -> str:
        """A few words on our own hand while others act, or ""."""

    def score_lines(self, asked: Mapping[str, Any]) -> list[str]:
        """What a hand is worth and why, for `p2pjong score`; raises BadQuestion."""


GAME_WORDS: dict[str, GameWords] = {
    "not-your-mas-jong": not_your_mas_jong_words,
    "samurai-warfare": samurai_warfare_words,
    "war-jhong": war_jhong_words,
}
# Of games in which a legal action can be a mistake that the rules find out: those that are none.
RIGHT_ACTIONS: dict[str, Callable[[Ask], tuple[Action, ...]]] = {
    "not-your-mas-jong": not_your_mas_jong_words.right_actions,
}

HELP = (
    "Type the number or letter of your choice, then Enter. At any time:",
    "  t  the table and your hand        e  the last events",
    "  ?  this help                      q  leave (asks first; Ctrl-C does the same)",
    "`p2pjong rules GAME`, in another terminal, shows the rules.",
)


def table_lines(view: View, names: Names) -> list[str]:
    """The table as the view's seat sees it."""
    return GAME_WORDS[view.game].table_lines(view, names)


def question(ask: Ask, names: Names) -> Question[Action]:
    """What to ask a person."""
    return GAME_WORDS[ask.view.game].question(ask, names)


def forced_lines(ask: Ask) -> list[str]:
    """Why the one action of the question is not asked for; [] where that needs no word."""
    return GAME_WORDS[ask.view.game].forced_lines(ask)


def without_mistakes(ask: Ask) -> Ask:
    """The question without the answers that would be a mistake (`--no-mistakes`)."""
    right = RIGHT_ACTIONS.get(ask.view.game)
    return replace(ask, actions=right(ask)) if right else ask


def status(view: View) -> str:
    """A few words on our own hand while others act, or ""."""
    return GAME_WORDS[view.game].status(view)


def happened_lines(effect: Happened, names: Names) -> list[str]:
    """An event in words; one that a game adds and nobody taught us is named as it is."""
    event = effect.event
    if event.verb == "game_over":
        return []  # `Finished` tells it, with the digest
    return GAME_WORDS[effect.view.game].event_lines(event, effect.view, names)


def words_lines(effect: Words) -> list[str]:
    """The table words, and what they are for."""
    return [
        f"Table words: {bold(' '.join(effect.words))}",
        dim("Read them aloud: the same on all screens means that nobody sits between you."),
    ]


def blame_lines(effect: Blame, names: Names) -> list[str]:
    """Who broke which rule."""
    said = clean(effect.message, 200)
    who = names.plain(effect.seat)
    return [
        alarm(f"{who} broke the rules: {said} [{clean(effect.rule)}]"),
        f"{names.does(effect.seat, 'are')} out; the evidence is in the record.",
    ]


def left_lines(effect: Left, names: Names) -> list[str]:
    """Who left."""
    return [bold(f"{names.does(effect.seat, 'have')} left the game.")]


def voted_out_lines(effect: VotedOut, names: Names) -> list[str]:
    """Who was voted absent, and by whom: it is a vote, not a verdict."""
    voters = names.listed(effect.voters)
    return [bold(f"{names.does(effect.seat, 'are')} voted absent by {voters}.")]


def finished_lines(
    effect: Finished, names: Names, game: str = "", have_left: bool = False
) -> list[str]:
    """How the game ended: the standings, best first, and the digest that all peers share.

    `have_left`: it ended for us alone, since we left it.
    """
    over = effect.over
    order = sorted(range(len(over.scores)), key=lambda seat: (-over.scores[seat], seat))
    rows = [
        (
            "*" if seat in over.winners else "",
            names.plain(seat) + (" (you)" if seat == names.me else ""),
            str(over.scores[seat]),
        )
        for seat in order
    ]
    return [
        rule("the game is over"),
        bold("You left the game." if have_left else _ending(effect, names)),
        *(f" {line}" for line in aligned(rows, right=(2,))),
        dim(f" after {plural(over.hands, hand_of(game))}; digest {effect.digest.hex()[:16]}"),
    ]


def hand_of(game: str) -> str:
    """What the game calls one deal: "hand", "round", "turn"."""
    return GAME_WORDS[game].HAND if game in GAME_WORDS else "hand"


def _ending(effect: Finished, names: Names) -> str:
    winners = effect.over.winners
    if effect.fault is not None:
        return "A proven fault ended the game; nobody wins."
    if effect.over.outcome != "finished":
        return "The game was abandoned: too few seats are left, so nobody wins."
    if len(winners) == 1:
        return f"{names.does(winners[0], 'win')} the game."
    return f"{names.listed(winners)} share the win."


def awaiting_text(seats: Sequence[Seat], reason: str, names: Names, waited_s: float) -> str:
    """Who is awaited, for what, and how long already."""
    if not seats:
        return ""
    if list(seats) == [names.me]:
        return f"your turn {reason}".strip()
    who = names.listed(tuple(seats))
    return f"waiting for {who} {reason}, {duration(waited_s)}"


def progress_text(task: str, done: int, total: int) -> str:
    """A bar of twenty: "shuffling [#####---------------] 1/4"."""
    full = 20 * done // total if total else 20
    return f"{task} [{'#' * full}{'-' * (20 - full)}] {done}/{total}"
