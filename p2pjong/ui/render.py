"""What a terminal shows of a game, as lines of text: events, questions, help, clocks. Pure.

What is one game's own lies in a module of that game; see `GAME_WORDS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from p2pjong.games.game import Action, Event, Face, View
from p2pjong.program_name import as_typed
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Books,
    Happened,
    Words,
)
from p2pjong.ui.front import Clocks, TimeUp
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong import words as not_your_mas_jong_words
from p2pjong.ui.question import Question
from p2pjong.ui.samurai_warfare import words as samurai_warfare_words
from p2pjong.ui.text import alarm, bold, dim, duration, rule, sentence, wrap
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


# By whether a game is on.
TABLE_KEYS = {
    True: ("t table and hand", "h how the last {hand} ended"),
    False: ("t this table",),
}
KEYS = (
    "e last events",
    "? help",
    "q leave (asks first; so does Ctrl-C)",
    "Ctrl-L redraw",
)


def help_lines(view: View | None, now: Question[Any] | None, awaited: str, game: str) -> list[str]:
    """What can be done now, what the screen abbreviates, and the keys that always work."""
    lines = [rule("help")]
    if view is not None:
        words = GAME_WORDS[view.game]
        lines += [*map(dim, _paragraph(words.RULES)), *wrap(words.MARKS, gap="   ")]
    hand = hand_of(view.game) if view is not None else ""
    table_keys = [key.format(hand=hand) for key in TABLE_KEYS[view is not None]]
    rules = as_typed(f"`p2pjong rules {game}` in another terminal: all rules.")
    lines += wrap(("At any time:", *table_keys, *KEYS, rules), gap="   ")
    # Last what is asked: where help is longer than the screen, this stays in sight.
    return [*lines, *(_now_lines(now) if now else _idle_lines(awaited))]


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


def board_lines(view: View, names: Names) -> list[str]:
    """The table without the own hand."""
    return GAME_WORDS[view.game].board_lines(view, names)


def question(ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
    """What to ask a person, and what was done to them since they chose last."""
    return GAME_WORDS[ask.view.game].question(ask, names, hits)


def forced_lines(ask: Ask) -> list[str]:
    """Why the one action of the question is not asked for; [] where that needs no word."""
    return GAME_WORDS[ask.view.game].forced_lines(ask)


def only_choice(ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
    """The question of who has but one choice, which others cannot know: Enter takes it.

    It is asked, for how quickly a seat answers must not tell what it holds.
    """
    (action,) = ask.actions
    asked = question(ask, names, hits)
    why = forced_lines(ask) or [dim("There is nothing else that you can do.")]
    prompt = f"Enter: {ENTERED.get(action.verb, 'go on')}"
    keys = asked.keys or {action.verb[:1]: action}
    return replace(
        asked,
        prompt=prompt,
        lines=(*asked.lines, *why),
        again=(*asked.again, *why),
        keys=keys,
        also={**asked.also, "": action},
    )


ENTERED = {"pass": "pass", "go_out": "go out", "wrong": "say so", "play": "play it"}


def without_mistakes(ask: Ask) -> Ask:
    """The question without the answers that would be a mistake (`--no-mistakes`)."""
    right = RIGHT_ACTIONS.get(ask.view.game)
    return replace(ask, actions=right(ask)) if right else ask


def status(view: View) -> str:
    """A few words on our own hand while others act, or ""."""
    return GAME_WORDS[view.game].status(view)


CLAIMED = {
    "claim_formation": "You claim {card} for a Formation.",
    "claim_go_out": "You claim {card} to go out.",
    "call_win": "You call {card} to win.",
    "call_set": "You call {card} for a set.",
    "pass": "You pass.",
}


def answered_lines(ask: Ask, action: Action, has_window: bool) -> list[str]:
    """What our answer to a discard was, while the others may still be thinking."""
    discards = getattr(ask.view, "discards", ())
    if action.verb not in CLAIMED or not discards:
        return []
    told = CLAIMED[action.verb].format(card=GAME_WORDS[ask.view.game].card(discards[-1].face))
    is_sent = not has_window or (ask.is_race and action.verb != "pass")
    return [told if is_sent else f"{told} {dim('You can change that until the time is up.')}"]


def happened_lines(effect: Happened, names: Names) -> list[str]:
    """An event in words; one that a game adds and nobody taught us is named as it is."""
    event = effect.event
    if event.verb == "game_over":
        return []  # `Finished` tells it
    return GAME_WORDS[effect.view.game].event_lines(event, effect.view, names)


def hand_after_lines(effect: Happened, names: Names) -> list[str]:
    """Our own hand, if the event has changed it."""
    return GAME_WORDS[effect.view.game].hand_after_lines(effect.event, effect.view, names)


def hit_lines(effect: Happened, names: Names) -> list[str]:
    """What the event did to our own seat; [] for most."""
    hits = GAME_WORDS[effect.view.game].hit_lines(effect.event, effect.view, names)
    return [f"{alarm('!')} {hits[0]}", *hits[1:]] if hits else []


def words_lines(effect: Words) -> list[str]:
    """The table words, and what they are for."""
    return [
        f"Table words: {bold(' '.join(effect.words))}",
        *map(
            dim,
            sentence(
                "Read them aloud: if all screens show the same words, nobody is listening in or "
                "changing what you send each other."
            ),
        ),
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
        f"{names.plain(seat)} (seat {seat}) did not open their books of {which}"
        for seat in effect.unopened
    ]
    return [f"The books of {which}:", *lines, *unopened] if lines else unopened


def _cards_of(game: str, head: str, faces: Sequence[Face]) -> list[str]:
    if not faces or "" in faces:
        return []
    cards = [GAME_WORDS[game].card(face) for face in faces]
    return wrap([head, *cards], indent=" ", hang="  ")


def hand_of(game: str) -> str:
    """What the game calls one deal: "hand", "round", "turn"."""
    return GAME_WORDS[game].HAND if game in GAME_WORDS else "hand"


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


def time_up_lines(effect: TimeUp, why: str = "Time is up") -> list[str]:
    """What was done for a person whose time ran out (G8)."""
    ask, action = effect.ask, effect.action
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
    return wrap(f"{why}: {done}.".split(" "), hang="  ")


SHORT_S = 2.0  # a duty of a machine that takes no longer needs no clock on the screen


def awaiting_text(
    awaiting: Awaiting,
    names: Names,
    waited_s: float,
    clocks: Clocks | None = None,
    is_cut: bool = False,
) -> str:
    """Who is awaited, for what, and how much longer; `is_cut`: one of them is out of reach."""
    if not awaiting.seats:
        return ""
    if list(awaiting.seats) == [names.me]:
        # What can be chosen, and how long, is for the prompt to say: it knows.
        return "your turn" if awaiting.is_decision else f"your machine's turn {awaiting.reason}"
    who = names.listed(awaiting.seats)
    return f"waiting for {who} {awaiting.reason}{_time_left(awaiting, waited_s, clocks, is_cut)}"


def unasked_text(
    awaiting: Awaiting, waited_s: float, clocks: Clocks | None, has_answered: bool
) -> str:
    """While answers to a discard are awaited, and our own is given or was never in question."""
    told = "your answer is given" if has_answered else "nothing for you to claim"
    return told + _time_left(awaiting, waited_s, clocks)


def _time_left(
    awaiting: Awaiting, waited_s: float, clocks: Clocks | None, is_cut: bool = False
) -> str:
    """All that is shown of time counts down; without a clock nothing can.

    The grace runs as in `pace.patience_s`: a client out of reach is not given its person's time.
    """
    if clocks is None:
        return ""
    if not awaiting.is_decision:
        left_s = clocks.grace_s - waited_s
        return "" if waited_s < SHORT_S else _countdown(left_s, "for its machine to answer")
    if is_cut:
        return _countdown(clocks.grace_s - waited_s, "of grace left, out of reach")
    limit_s = (clocks.window_s if awaiting.is_answer else 0) or clocks.clock_s
    if not limit_s:
        return ", no clock"
    if waited_s < limit_s:
        return _countdown(limit_s - waited_s, "left")
    if not clocks.clock_s:
        return ", overdue"
    return _countdown(clocks.clock_s + clocks.grace_s - waited_s, "of grace left")


def _countdown(left_s: float, what: str) -> str:
    return f", {duration(left_s + 0.5)} {what}" if left_s > 0 else ", overdue"


def progress_text(task: str, done: int, total: int) -> str:
    """A bar of twenty: "shuffling [#####---------------] 1/4"."""
    full = 20 * done // total if total else 20
    return f"{task} [{'#' * full}{'-' * (20 - full)}] {done}/{total}"
