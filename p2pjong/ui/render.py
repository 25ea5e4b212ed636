"""Everything that a terminal shows, as lines of text: lobby, events, questions, results. Pure.

What is one game's own lies in a module of that game; see `GAME_WORDS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from p2pjong.games.game import Action, Event, Face, Seat, View
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Blame,
    Books,
    Finished,
    Happened,
    Left,
    VotedOut,
    Words,
)
from p2pjong.ui.front import Clocks, Stuck, TimeUp
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong import words as not_your_mas_jong_words
from p2pjong.ui.question import Question
from p2pjong.ui.samurai_warfare import words as samurai_warfare_words
from p2pjong.ui.text import alarm, aligned, bold, clean, dim, duration, plural, rule, wrap
from p2pjong.ui.war_jhong import words as war_jhong_words


class GameWords(Protocol):
    """What a game's own words must cover; `view` is its own view.

    HAND is what the game calls one deal; WINDOW what all may do after a discard, or ""; MARKS
    explains what its screens abbreviate, and RULES its course in a line or two.
    """

    HAND: str
    WINDOW: str
    RULES: str
    MARKS: tuple[str, ...]

    def card(self, face: Face) -> str:
        """A card as the screen shows it."""

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

KEYS = (
    "At any time:",
    "t table and hand",
    "e last events",
    "? help",
    "q leave (asks first; so does Ctrl-C).",
    "`p2pjong rules GAME` elsewhere: all rules.",
)


def help_lines(view: View | None, now: Question[Any] | None, awaited: str) -> list[str]:
    """What can be done now, what the screen abbreviates, and the keys that always work."""
    lines = [rule("help"), *(_now_lines(now) if now else _idle_lines(awaited))]
    if view is not None:
        words = GAME_WORDS[view.game]
        lines += [*map(dim, _paragraph(words.RULES)), *wrap(words.MARKS, gap="   ")]
    return [*lines, *wrap(KEYS, gap="   ")]


def _now_lines(now: Question[Any]) -> list[str]:
    how = "(one key)" if now.is_instant else "(then Enter)"
    told = wrap(f"You may now: {now.prompt} {how}".split(" "), hang="  ")
    return [*map(bold, told), *_paragraph(now.help)]


def _paragraph(text: str) -> list[str]:
    return wrap(text.split(" ")) if text else []


def _idle_lines(awaited: str) -> list[str]:
    told = "Nothing is asked of you now" + (f": {awaited}" if awaited else ".")
    return [*map(bold, wrap(told.split(" "), hang="  "))]


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


def books_lines(effect: Books, names: Names, game: str) -> list[str]:
    """What everybody held when a hand ended, at a table with open books."""
    which = f"{hand_of(game)} {effect.hand}"
    lines = [
        *(
            line
            for seat, faces in effect.hands
            for line in _cards_of(game, f"{names.plain(seat)} still held:", sorted(faces))
        ),
        *_cards_of(game, "left in the deck:", effect.deck),
    ]
    unopened = [
        f"the books of {which} were not opened by {names.plain(seat)} (seat {seat})"
        for seat in effect.unopened
    ]
    return [f"The books of {which}:", *lines, *unopened] if lines else unopened


def _cards_of(game: str, head: str, faces: Sequence[Face]) -> list[str]:
    if not faces or "" in faces:
        return []
    cards = [GAME_WORDS[game].card(face) for face in faces]
    return wrap([head, *cards], indent=" ", hang="  ")


def blame_lines(effect: Blame, names: Names) -> list[str]:
    """Who broke which rule."""
    said = clean(effect.message, 200)
    who = names.plain(effect.seat)
    return [
        alarm(f"{who} broke the rules: {said} [{clean(effect.rule)}]"),
        f"{names.does(effect.seat, 'are')} out; the evidence is in the record.",
    ]


def left_lines(effect: Left, names: Names, game: str = "") -> list[str]:
    """Who left, and what becomes of the hand (G6), once there is a game."""
    lines = [bold(f"{names.does(effect.seat, 'have')} left the game.")]
    if game and effect.seat != names.me:
        needed = "is void once that seat is needed for it; until then choose as usual."
        lines.append(dim(f"This {hand_of(game)} {needed}"))
    return lines


def voted_out_lines(effect: VotedOut, names: Names) -> list[str]:
    """Who was voted absent, and by whom: it is a vote, not a verdict."""
    voters = names.listed(effect.voters)
    return [bold(f"{names.does(effect.seat, 'are')} voted absent by {voters}.")]


def finished_lines(
    effect: Finished, names: Names, game: str = "", have_left: bool = False
) -> list[str]:
    """How the game ended: the standings, best first, and the digest that all peers share.

    `have_left`: it ended for us, since we left it, and there is nothing more to tell.
    """
    if have_left:
        return [bold("You left the game.")]
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
        bold(_ending(effect, names)),
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


DONE_FOR = {
    "pass": "you passed",
    "discard": "{cards} was discarded for you",
    "play": "{cards} was played for you",
    "take": "{cards} was taken for you",
    "go_out": "you went out",
    "show_win": "your whole hand was shown for you",
    "show_set": "the set with {cards} was shown for you",
    "wrong": "your call counts as a mistake",
}
KEPT = ("strategy", "end")  # where a pass means that all cards are kept


def time_up_lines(effect: TimeUp) -> list[str]:
    """What was done for a person whose time ran out (G8)."""
    ask, action = effect.ask, effect.action
    if len(ask.actions) == 1:
        return []
    card = GAME_WORDS[ask.view.game].card
    held = dict(ask.view.hand)
    seen = {slot: face for _, slot, face in getattr(ask.view, "deck_seen", ())}
    named = [card(face) for slot in action.slots if (face := held.get(slot) or seen.get(slot))]
    done = DONE_FOR.get(action.verb, action.verb.replace("_", " "))
    if action.verb == "pass" and getattr(ask.view, "choice", "") in KEPT:
        done = "you kept all your cards"
    done = done.format(cards=" and ".join(named))
    if len(named) > 1:
        done = done.replace(" was ", " were ")
    return wrap(f"Time is up: {done}.".split(" "), hang="  ")


def stuck_lines(effect: Stuck, names: Names) -> list[str]:
    """That a silent seat cannot be voted absent, why, and what can be done."""
    name, present = names.plain(effect.seat), effect.present
    if effect.has_voted:
        need = present // 2 + 1
        why = f"You would vote it absent, but that takes {need} of the {present} seats, and too "
        why += "few others would."
    elif present <= 2:
        why = "Of two seats none can be voted absent, for one is no majority."
    else:
        why = "It cannot be voted absent now."
    text = f"{name} has been silent for {duration(effect.waited_s)}. {why} You can wait, since "
    text += f"{name} may come back, or leave with q. {effect.cost}"
    return [bold(line) for line in wrap(text.split(" "))]


def vote_lines(seat: Seat, waited_s: float, names: Names, view: View | None) -> list[str]:
    """What voting a silent seat absent would mean."""
    present = sum(view.present) if view else len(names.seats)
    hand = hand_of(view.game) if view else "hand"
    text = (
        f"{names.plain(seat)} has been silent for {duration(waited_s)}. Vote it absent? If "
        f"{present // 2 + 1} of the {present} seats do, it is out, this {hand} is void, and you "
        "others play on or, if too few are left, the game is abandoned. You may as well wait."
    )
    return wrap(text.split(" "))


SHORT_S = 2.0  # a duty of a machine that takes no longer needs no clock on the screen


def awaiting_text(
    awaiting: Awaiting, names: Names, waited_s: float, clocks: Clocks | None = None
) -> str:
    """Who is awaited, for what, and how much longer."""
    if not awaiting.seats:
        return ""
    if list(awaiting.seats) == [names.me]:
        return f"your turn {awaiting.reason}".strip()
    who = names.listed(awaiting.seats)
    return f"waiting for {who} {awaiting.reason}{_time_left(awaiting, waited_s, clocks)}"


def _time_left(awaiting: Awaiting, waited_s: float, clocks: Clocks | None) -> str:
    """All that is shown of time counts down; without a clock nothing can."""
    if clocks is None:
        return ""
    if not awaiting.is_decision:
        left_s = clocks.grace_s - waited_s
        return "" if waited_s < SHORT_S else _countdown(left_s, "for its machine to answer")
    limit_s = (clocks.window_s if awaiting.is_answer else 0) or clocks.clock_s
    if not limit_s:
        return ", no clock"
    if waited_s < limit_s:
        return _countdown(limit_s - waited_s, "left")
    return _countdown(limit_s + clocks.grace_s - waited_s, "of grace left")


def _countdown(left_s: float, what: str) -> str:
    return f", {duration(left_s + 0.5)} {what}" if left_s > 0 else ", overdue"


def progress_text(task: str, done: int, total: int) -> str:
    """A bar of twenty: "shuffling [#####---------------] 1/4"."""
    full = 20 * done // total if total else 20
    return f"{task} [{'#' * full}{'-' * (20 - full)}] {done}/{total}"
