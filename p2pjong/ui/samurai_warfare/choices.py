"""What a person may do in Samurai Warfare: the question with its numbers, targets and keys.

A card is named by its number in the hand (or by its name), and its target by the letter of the
seat behind the number: "3b". A seat keeps its letter for the whole game; one of several cards in
play before it is named by its place there, too: "3b2". So one line answers, whatever is needed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from string import ascii_lowercase

from click import unstyle

from p2pjong.games.game import NOBODY, Action, Face, Slot
from p2pjong.games.samurai_warfare.battlefield import shares
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.effects import Destroy
from p2pjong.games.samurai_warfare.state import BATTLE
from p2pjong.games.samurai_warfare.view import SamuraiWarfareView
from p2pjong.session.effects import Ask
from p2pjong.ui.names import Names
from p2pjong.ui.question import Question, in_any_order
from p2pjong.ui.samurai_warfare.cards import card, card_lines, tactics_notes
from p2pjong.ui.samurai_warfare.table import (
    PHASES,
    board_lines,
    faces_of,
    hand_line,
    hand_lines,
    letter,
    why_not,
)
from p2pjong.ui.text import bold, commas, dim, lines_in_sight, plural, rule, wrap

Hits = Sequence[str]  # what others have done to us since we chose last
Asker = Callable[[Ask, SamuraiWarfareView, Names, Hits], Question[Action]]

KEEP_KEY = "k"
PASS_KEY = "p"
DISCARD_HELP = (
    "Type the numbers of the cards, separated by spaces, like 2 5. k keeps all, if offered."
)
TAKE_HELP = "Type the number of the one card that comes into your hand."
PLAY_HELP = (
    "Type a card's number or name. If it has several targets, add the letter of a player, like 3b, "
    "and if they have several such cards, the card's place in play, like 3b2. If your time runs "
    "out, you pass, or your first playable card is played."
)
SAME_AS_NONE = ("0", "none", "keep", "pass")


def question(ask: Ask, names: Names, hits: Hits = ()) -> Question[Action]:
    """The question that the session asks, for a person, with what was done to them."""
    view = ask.view
    assert isinstance(view, SamuraiWarfareView)
    return ASKERS[view.choice](ask, view, names, hits)


def _told(text: str) -> list[str]:
    """What there is to do, below the cards."""
    return [bold(line) for line in wrap(text.split(), " ")]


def _below_board(
    question: Question[Action], view: SamuraiWarfareView, names: Names, again: Sequence[str]
) -> Question[Action]:
    """The question with these lines, below as much of the table as the screen has room for."""
    room = max(1, lines_in_sight() - len(again))
    lines = (*board_lines(view, names, room), *again)
    return replace(question, lines=lines, again=tuple(again))


def forced_lines(ask: Ask) -> list[str]:
    """That there is one card that may be played, or none."""
    view = ask.view
    assert isinstance(view, SamuraiWarfareView)
    if view.choice != "battle":
        return []
    if ask.actions[0].verb == "pass":
        return [dim("You have no card that you can play now.")]
    face = dict(view.hand)[ask.actions[0].slots[0]]
    return [dim(f"{CARDS[face].name} is the only card that you can play now.")]


# --- Discards -------------------------------------------------------------------------------------


def _strategy(ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits) -> Question[Action]:
    told = f"Discard up to {view.most} cards and draw as many new ones, or keep all."
    return _discards(ask, view, names, [*hits, *hand_lines(view), *_told(told)])


def _end(ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits) -> Question[Action]:
    told = "Discard one card, to draw another next turn, or keep all."
    return _discards(ask, view, names, [*hits, *hand_lines(view), *_told(told)])


def _discard(ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits) -> Question[Action]:
    told = f"Discard {plural(view.least, 'card')} of your choice."
    return _discards(ask, view, names, [*hits, *hand_lines(view), *_told(told)])


def _discards(
    ask: Ask, view: SamuraiWarfareView, names: Names, again: Sequence[str]
) -> Question[Action]:
    number = {slot: place for place, (slot, _) in enumerate(view.hand, 1)}
    keys: dict[str, Action] = {}
    for action in ask.actions:
        if action.verb == "discard":
            keys[" ".join(map(str, sorted(number[slot] for slot in action.slots)))] = action
    keeping = [action for action in ask.actions if action.verb == "pass"]
    prompt = _discard_prompt(view)
    also: dict[str, Action] = {}
    if keeping:
        keys[KEEP_KEY] = keeping[0]
        also = dict.fromkeys((*SAME_AS_NONE, PASS_KEY), keeping[0])
        prompt += f", {KEEP_KEY}: keep all"
    asked = Question(prompt, keys, also=also, spell=in_any_order, help=DISCARD_HELP)
    return _below_board(asked, view, names, again)


def _discard_prompt(view: SamuraiWarfareView) -> str:
    held = len(view.hand)
    if view.most == 1:
        return f"discard one of 1-{held}" if held > 1 else "discard 1"
    example = " ".join(str(number) for number in range(1, min(view.most, held) + 1))
    count = f"{view.least} of" if view.least else f"up to {view.most} of"
    return f"discard {count} 1-{held}, like {example}"


# --- The card taken of those looked at ------------------------------------------------------------


def _take(ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits) -> Question[Action]:
    by_slot = {action.slots[0]: action for action in ask.actions}
    offered = [(slot, face) for _, slot, face in view.deck_seen if slot in by_slot]
    keys = {str(number): by_slot[slot] for number, (slot, _) in enumerate(offered, 1)}
    rows = [(str(number), face) for number, (_, face) in enumerate(offered, 1)]
    lines = [
        *hits,
        *hand_line(view),
        rule(f"the next {plural(len(offered), 'card')} of the deck, the first on top"),
        *card_lines(rows, tactics_notes(face for _, face in offered), "in Tactics"),
        *_told("Take one. The others stay where they are, and only you know them."),
    ]
    also = _by_name((face, keys[number]) for number, face in rows)
    prompt, again = f"take 1-{len(offered)}", tuple(lines)
    return Question(prompt, keys, again, also=also, help=TAKE_HELP, again=again)


def _by_name(named: Iterator[tuple[Face, Action]]) -> dict[str, Action]:
    """The code of a card, and its name, for its number."""
    words: dict[str, Action] = {}
    for face, action in named:
        words.setdefault(face, action)
        words.setdefault(CARDS[face].name.lower(), action)
    return words


# --- Cards played ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Target:
    """One way to play a card: what is typed behind its number, in words, and the action.

    `also` is a longer way to type the same.
    """

    key: str
    text: str
    action: Action
    also: str = ""


def _tactics(ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits) -> Question[Action]:
    told = "Play a card for its effect in Tactics (the card is gone then), or pass."
    passing = next(action for action in ask.actions if action.verb == "pass")
    asked = _plays(ask, view, names, hits, told)
    keys = {**asked.keys, PASS_KEY: passing}
    also = {**asked.also, **dict.fromkeys((*SAME_AS_NONE, KEEP_KEY), passing)}
    prompt = f"{asked.prompt}, {PASS_KEY}: pass"
    return replace(asked, prompt=prompt, keys=keys, also=also)


def _battle(ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits) -> Question[Action]:
    told = "You must play a card if you can. One of each type, more with extras."
    if len(ask.actions) == 1:
        told = ""  # there is nothing to choose, which is told below
    return _plays(ask, view, names, hits, told)


def _plays(
    ask: Ask, view: SamuraiWarfareView, names: Names, hits: Hits, told: str
) -> Question[Action]:
    keys: dict[str, Action] = {}
    also: dict[str, Action] = {}
    hints: dict[str, str] = {}
    ways: dict[int, list[_Target]] = {}
    for number, (slot, face) in enumerate(view.hand, 1):
        targets = _targets(slot, ask.actions, view, names)
        if not targets:
            continue
        ways[number] = targets
        words = (str(number), face, CARDS[face].name.lower())
        typed = {
            f"{word}{gap}{key}": target.action
            for target in targets
            for key in (target.key, target.also)
            for word in words
            for gap in ("", " ")
            if key
        }
        also.update(typed)
        if len(targets) == 1:
            keys[words[0]] = targets[0].action
            also.update({word: targets[0].action for word in words[1:] if word not in also})
            continue
        keys.update({f"{number}{target.key}": target.action for target in targets})
        hints.update(dict.fromkeys(words, _hint(number, targets)))
    again = [*hits, *hand_lines(view), *_told(told), *_target_lines(ways, view)]
    hints = {**_letter_hints(ways), **_barred_hints(view, ways), **hints}
    prompt = f"play {_spans(list(ways))}"
    asked = Question(prompt, keys, also=also, hints=hints, help=PLAY_HELP)
    return _below_board(asked, view, names, again)


def _letter_hints(ways: Mapping[int, Sequence[_Target]]) -> dict[str, str]:
    """What to say to a letter behind the number that is no target of the card."""
    return {
        f"{number}{gap}{letter}": _hint(number, targets)
        for number, targets in ways.items()
        for letter in ascii_lowercase
        for gap in ("", " ")
    }


def _barred_hints(view: SamuraiWarfareView, ways: Mapping[int, object]) -> dict[str, str]:
    """What to say to the number of a card that may not be played now, with or without a target."""
    reasons = why_not(view) if view.phase == BATTLE else {}
    hints = {}
    for number, (_, face) in enumerate(view.hand, 1):
        if number not in ways and face in reasons:
            told = f"{CARDS[face].name} cannot be played now: {unstyle(reasons[face])} already"
            hints.update({f"{number}{letter}": told for letter in ("", *ascii_lowercase)})
    return hints


def _targets(
    slot: Slot, actions: Sequence[Action], view: SamuraiWarfareView, names: Names
) -> list[_Target]:
    """All ways to play the card in this slot, in the order of the seats."""
    ways = [action for action in actions if action.verb == "play" and action.slots[0] == slot]
    at = Counter(action.target for action in ways)
    return sorted(
        (_target(action, view, names, at[action.target] == 1) for action in ways),
        key=lambda target: (target.key[:1], len(target.key), target.key),
    )


def _target(action: Action, view: SamuraiWarfareView, names: Names, is_sole: bool) -> _Target:
    """`is_sole`: the card has no other target at this seat, so that its letter is enough."""
    if action.target == NOBODY:
        return _Target("", "", action)
    key = letter(action.target)
    if len(action.slots) == 1:
        cards = plural(view.hand_sizes[action.target], "card")
        return _Target(key, f"{names.plain(action.target)} ({cards})", action)
    place = [c.slot for c in view.in_play[action.target]].index(action.slots[1])
    line = faces_of(view.in_play[action.target])
    face, worth = shares(line, view.fallen[action.target])[place]
    text = f"{names.whose(action.target)} {card(face)} {worth}"
    exact = f"{key}{place + 1}"
    return _Target(key, text, action, exact) if is_sole else _Target(exact, text, action)


def _hint(number: int, targets: Sequence[_Target]) -> str:
    if not targets[0].text:
        return f"{number} needs no target: type {number}"
    told = [f"{number}{target.key} {target.text}" for target in targets]
    if len(targets) == 1:
        return f"{number} has one target now: {told[0]}"
    return f"{number} needs a target: {', '.join(told)}"


def _target_lines(ways: Mapping[int, Sequence[_Target]], view: SamuraiWarfareView) -> list[str]:
    """What the letters mean; cards that may have the same targets are told of together."""
    several = {n: [(t.key, t.text) for t in found] for n, found in ways.items() if len(found) > 1}
    lines: list[str] = []
    for told, group in groupby(sorted(several, key=several.__getitem__), key=several.__getitem__):
        numbers = list(group)
        shown = [f"{bold(key)} {text}" for key, text in told]
        head = f"{_spans(numbers)} with a target, like {numbers[0]}{told[0][0]}:"
        lines += wrap([head, *shown], " ", "  ", hang="    ")
    return lines + wrap(commas(_sure_targets(ways, view)), " ")


def _sure_targets(ways: Mapping[int, Sequence[_Target]], view: SamuraiWarfareView) -> list[str]:
    """In a battle: cards that destroy the only one that fits, or find none."""
    prey: dict[str, list[int]] = {}
    for number, (target, *others) in ways.items():
        action = CARDS[view.hand[number - 1][1]].action
        if view.phase == BATTLE and isinstance(action, Destroy) and not others:
            prey.setdefault(target.text, []).append(number)
    return [_sure_text(numbers, text) for text, numbers in prey.items()]


def _sure_text(numbers: Sequence[int], text: str) -> str:
    if not text:
        return f"{_spans(numbers)} would have no effect now"
    return f"{_spans(numbers)} {'destroys' if len(numbers) == 1 else 'destroy'} {text}"


def _spans(numbers: Sequence[int]) -> str:
    """ "1-3, 5": numbers in as few words as they need."""
    spans: list[str] = []
    for _, group in groupby(enumerate(sorted(numbers)), key=lambda item: item[1] - item[0]):
        run = [number for _, number in group]
        spans.append(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)))
    return ", ".join(spans)


ASKERS: Mapping[str, Asker] = {
    "strategy": _strategy,
    "tactics": _tactics,
    "take": _take,
    "battle": _battle,
    "discard": _discard,
    "end": _end,
}


def status(view: SamuraiWarfareView) -> str:
    """How our line stands while a battle goes on; else the phase."""
    if view.phase != BATTLE or view.seat == NOBODY:
        return PHASES[view.phase] if view.phase in PHASES else ""
    others = [view.forces[seat] for seat in range(view.seats) if seat != view.seat]
    return f"your force {view.forces[view.seat]}, the best other {max(others)}"
