"""What a terminal shows of a game, as lines of text: events, questions, help, clocks. Pure.

What is one game's own lies in a module of that game (`game_words`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from p2pjong.front import Clocks, TimeUp
from p2pjong.games import hand_of
from p2pjong.games.game import Action, Face, View
from p2pjong.program_name import as_typed
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Books,
    Happened,
    Words,
)
from p2pjong.ui.game_words import words_of
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question
from p2pjong.ui.text import alarm, bold, dim, duration, rule, sentence, wrap

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
        words = words_of(view.game)
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
    return words_of(view.game).table_lines(view, names)


def board_lines(view: View, names: Names) -> list[str]:
    """The table without the own hand."""
    return words_of(view.game).board_lines(view, names)


def question(ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
    """What to ask a person, and what was done to them since they chose last."""
    return words_of(ask.view.game).question(ask, names, hits)


def forced_lines(ask: Ask) -> list[str]:
    """Why the one action of the question is not asked for; [] where that needs no word."""
    return words_of(ask.view.game).forced_lines(ask)


def only_choice(ask: Ask, names: Names, hits: Sequence[str] = ()) -> Question[Action]:
    """The question of who has but one choice, which others cannot know: Enter takes it.

    It is asked, for how quickly a seat answers must not tell what it holds.
    """
    (action,) = ask.actions
    asked = question(ask, names, hits)
    why = forced_lines(ask) or [dim("There is nothing else that you can do.")]
    prompt = f"Enter: {words_of(ask.view.game).ENTER.get(action.verb, 'go on')}"
    keys = asked.keys or {action.verb[:1]: action}
    return replace(
        asked,
        prompt=prompt,
        lines=(*asked.lines, *why),
        again=(*asked.again, *why),
        keys=keys,
        also={**asked.also, "": action},
    )


def without_mistakes(ask: Ask) -> Ask:
    """The question without the answers that would be a mistake (`--no-mistakes`)."""
    return replace(ask, actions=words_of(ask.view.game).right_actions(ask))


def status(view: View) -> str:
    """A few words on our own hand while others act, or ""."""
    return words_of(view.game).status(view)


def answered_lines(ask: Ask, action: Action, has_window: bool) -> list[str]:
    """What our answer to a discard was, while the others may still be thinking."""
    discards = getattr(ask.view, "discards", ())
    words = words_of(ask.view.game)
    if action.verb not in words.SENT or not discards:
        return []
    told = words.SENT[action.verb].format(card=words.card(discards[-1].face))
    is_sent = not has_window or (ask.is_race and action.verb != "pass")
    return [told if is_sent else f"{told} {dim('You can change that until the time is up.')}"]


def happened_lines(effect: Happened, names: Names) -> list[str]:
    """An event in words; one that a game adds and nobody taught us is named as it is."""
    event = effect.event
    if event.verb == "game_over":
        return []  # `Finished` tells it
    return words_of(effect.view.game).event_lines(event, effect.view, names)


def hand_after_lines(effect: Happened, names: Names) -> list[str]:
    """Our own hand, if the event has changed it."""
    return words_of(effect.view.game).hand_after_lines(effect.event, effect.view, names)


def hit_lines(effect: Happened, names: Names) -> list[str]:
    """What the event did to our own seat; [] for most."""
    hits = words_of(effect.view.game).hit_lines(effect.event, effect.view, names)
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
    cards = [words_of(game).card(face) for face in faces]
    return wrap([head, *cards], indent=" ", hang="  ")


def time_up_lines(effect: TimeUp, why: str = "Time is up") -> list[str]:
    """What was done for a person whose time ran out (G8)."""
    ask, action = effect.ask, effect.action
    card = words_of(ask.view.game).card
    held = dict(ask.view.hand)
    seen = {slot: face for _, slot, face in getattr(ask.view, "deck_seen", ())}
    named = [card(face) for slot in action.slots if (face := held.get(slot) or seen.get(slot))]
    done = words_of(ask.view.game).done_for(ask, action).format(cards=" and ".join(named))
    if len(named) > 1:
        done = done.replace(" was ", " were ")
    return wrap(f"{why}: {done}.".split(" "), hang="  ")


SHORT_S = 2.0  # a duty of a machine that takes no longer needs no clock on the screen


def awaiting_text(
    awaiting: Awaiting,
    purpose: str,
    names: Names,
    waited_s: float,
    clocks: Clocks | None = None,
    is_cut: bool = False,
) -> str:
    """Who is awaited, for what, and how much longer; `is_cut`: one of them is out of reach.

    `purpose` is the text of its reason.
    """
    if not awaiting.seats:
        return ""
    if list(awaiting.seats) == [names.me]:
        # What can be chosen, and how long, is for the prompt to say: it knows.
        return "your turn" if awaiting.is_decision else f"your machine's turn {purpose}"
    who = names.listed(awaiting.seats)
    return f"waiting for {who} {purpose}{_time_left(awaiting, waited_s, clocks, is_cut)}"


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
