"""What a person may do in Samurai Warfare: the question with its numbers, its aims and its keys.

A card is named by its number in the hand (or by its name), and what it aims at by a letter behind
the number: "3b". So one line answers, whatever the card needs.
"""

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
from p2pjong.ui.samurai_warfare.table import PHASES, faces_of, hand_lines, screenful, why_not
from p2pjong.ui.text import bold, commas, dim, plural, rule, wrap

Asker = Callable[[Ask, SamuraiWarfareView, Names], Question[Action]]

KEEP_KEY = "k"
PASS_KEY = "p"
DISCARD_HELP = "Type the numbers of the cards, apart by blanks, like 2 5. k keeps all, if offered."
TAKE_HELP = "Type the number of the one card that comes into your hand."
PLAY_HELP = (
    "Type a card's number or name; where it has several aims, with the aim's letter, like 3b. "
    "If your time runs out, you pass, or the first card that you must play is played."
)
SAME_AS_NONE = ("0", "none", "keep", "pass")


def question(ask: Ask, names: Names) -> Question[Action]:
    """The question that the session asks, for a person."""
    view = ask.view
    assert isinstance(view, SamuraiWarfareView)
    return ASKERS[view.choice](ask, view, names)


def forced_lines(ask: Ask) -> list[str]:
    """That there is one card that may be played, or none."""
    view = ask.view
    assert isinstance(view, SamuraiWarfareView)
    if view.choice != "battle":
        return []
    if ask.actions[0].verb == "pass":
        return [dim("You have no card that you may play now.")]
    face = dict(view.hand)[ask.actions[0].slots[0]]
    return [dim(f"{CARDS[face].name} is all that you may play now.")]


# --- Discards -------------------------------------------------------------------------------------


def _strategy(ask: Ask, view: SamuraiWarfareView, names: Names) -> Question[Action]:
    told = f"Discard up to {view.most} cards, and draw as many new ones; or keep all."
    return _discards(ask, view, names, told)


def _end(ask: Ask, view: SamuraiWarfareView, names: Names) -> Question[Action]:
    told = "Discard one card, to draw another in the next turn; or keep all."
    return _discards(ask, view, names, told)


def _discard(ask: Ask, view: SamuraiWarfareView, names: Names) -> Question[Action]:
    told = f"Discard {plural(view.least, 'card')} of your choice."
    return _discards(ask, view, names, told)


def _discards(ask: Ask, view: SamuraiWarfareView, names: Names, told: str) -> Question[Action]:
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
    lines = screenful(view, names, [bold(f" {told}")])
    return Question(prompt, keys, lines, also=also, spell=in_any_order, help=DISCARD_HELP)


def _discard_prompt(view: SamuraiWarfareView) -> str:
    held = len(view.hand)
    if view.most == 1:
        return f"discard one of 1-{held}" if held > 1 else "discard 1"
    example = " ".join(str(number) for number in range(1, min(view.most, held) + 1))
    count = f"{view.least} of" if view.least else f"up to {view.most} of"
    return f"discard {count} 1-{held}, like {example}"


# --- The card taken of those looked at ------------------------------------------------------------


def _take(ask: Ask, view: SamuraiWarfareView, names: Names) -> Question[Action]:
    by_slot = {action.slots[0]: action for action in ask.actions}
    offered = [(slot, face) for _, slot, face in view.deck_seen if slot in by_slot]
    keys = {str(number): by_slot[slot] for number, (slot, _) in enumerate(offered, 1)}
    rows = [(str(number), face) for number, (_, face) in enumerate(offered, 1)]
    lines = [
        *hand_lines(view),
        rule(f"the next {plural(len(offered), 'card')} of the deck, the first on top"),
        *card_lines(rows, tactics_notes(face for _, face in offered), "in Tactics"),
        bold(" Take one; the others stay where they are, and only you know them."),
    ]
    also = _by_name((face, keys[number]) for number, face in rows)
    return Question(f"take 1-{len(offered)}", keys, tuple(lines), also=also, help=TAKE_HELP)


def _by_name(named: Iterator[tuple[Face, Action]]) -> dict[str, Action]:
    """The code of a card, and its name, for its number."""
    words: dict[str, Action] = {}
    for face, action in named:
        words.setdefault(face, action)
        words.setdefault(CARDS[face].name.lower(), action)
    return words


# --- Cards played ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Aim:
    """One way to play a card: a letter, what it aims at in words, and the action."""

    letter: str
    text: str
    action: Action


def _tactics(ask: Ask, view: SamuraiWarfareView, names: Names) -> Question[Action]:
    told = "Play a card for what its type does (on the right); it is gone then. Or pass."
    passing = next(action for action in ask.actions if action.verb == "pass")
    asked = _plays(ask, view, names, told)
    keys = {**asked.keys, PASS_KEY: passing}
    also = {**asked.also, **dict.fromkeys((*SAME_AS_NONE, KEEP_KEY), passing)}
    prompt = f"{asked.prompt}, {PASS_KEY}: pass"
    return replace(asked, prompt=prompt, keys=keys, also=also)


def _battle(ask: Ask, view: SamuraiWarfareView, names: Names) -> Question[Action]:
    told = "Lay out a card: you must while you can. One of each type, more with extras."
    return _plays(ask, view, names, told)


def _plays(ask: Ask, view: SamuraiWarfareView, names: Names, told: str) -> Question[Action]:
    keys: dict[str, Action] = {}
    also: dict[str, Action] = {}
    hints: dict[str, str] = {}
    aimed: dict[int, list[_Aim]] = {}
    numbers = []
    for number, (slot, face) in enumerate(view.hand, 1):
        aims = _aims(slot, ask.actions, view, names)
        if not aims:
            continue
        numbers.append(number)
        words = (str(number), face, CARDS[face].name.lower())
        aimed[number] = aims
        if len(aims) == 1:
            keys[words[0]] = aims[0].action
            also.update({word: aims[0].action for word in words[1:] if word not in also})
            if aims[0].text:  # an aim where there is but one is no mistake
                also.update({f"{number}{gap}{aims[0].letter}": aims[0].action for gap in ("", " ")})
            continue
        keys.update({f"{number}{aim.letter}": aim.action for aim in aims})
        for word in words:
            also.update({f"{word} {aim.letter}": aim.action for aim in aims})
            hints[word] = _hint(number, aims)
    lines = screenful(view, names, [bold(f" {told}"), *_aim_lines(aimed, view)])
    hints = {**_letter_hints(aimed), **_barred_hints(view, aimed), **hints}
    prompt = f"play {_spans(numbers)}"
    return Question(prompt, keys, lines, also=also, hints=hints, help=PLAY_HELP)


def _letter_hints(aimed: Mapping[int, Sequence[_Aim]]) -> dict[str, str]:
    """What to say to a letter behind the number that is no aim of the card."""
    return {
        f"{number}{gap}{letter}": _hint(number, aims)
        for number, aims in aimed.items()
        for letter in ascii_lowercase[len(aims) if aims[0].text else 0 :]
        for gap in ("", " ")
    }


def _barred_hints(view: SamuraiWarfareView, aimed: Mapping[int, object]) -> dict[str, str]:
    """What to say to the number of a card that may not be played now, with or without an aim."""
    reasons = why_not(view) if view.phase == BATTLE else {}
    hints = {}
    for number, (_, face) in enumerate(view.hand, 1):
        if number not in aimed and face in reasons:
            told = f"{CARDS[face].name} may not be played now: {unstyle(reasons[face])} already"
            hints.update({f"{number}{letter}": told for letter in ("", *ascii_lowercase)})
    return hints


def _aims(
    slot: Slot, actions: Sequence[Action], view: SamuraiWarfareView, names: Names
) -> list[_Aim]:
    """All ways to play the card in this slot; of one way alone nothing need be said."""
    ways = [action for action in actions if action.verb == "play" and action.slots[0] == slot]
    return [
        _Aim(letter, _aim_text(action, view, names), action)
        for letter, action in zip(_letters(), ways, strict=False)
    ]


def _letters() -> Iterator[str]:
    """a, b, ... z, aa, ab, ..."""
    for first in ("", *ascii_lowercase):
        for letter in ascii_lowercase:
            yield first + letter


def _aim_text(action: Action, view: SamuraiWarfareView, names: Names) -> str:
    if action.target == NOBODY:
        return ""
    if len(action.slots) == 1:
        cards = plural(view.hand_sizes[action.target], "card")
        return f"{names.plain(action.target)} ({cards})"
    place = [c.slot for c in view.in_play[action.target]].index(action.slots[1])
    line = faces_of(view.in_play[action.target])
    face, worth = shares(line, view.fallen[action.target])[place]
    return f"{names.whose(action.target)} {card(face)} {worth}"


def _hint(number: int, aims: Sequence[_Aim]) -> str:
    if len(aims) == 1:
        return f"{number} needs no aim: type {number}"
    ways = [f"{number}{aim.letter} {aim.text}" for aim in aims]
    return f"{number} needs an aim: {', '.join(ways)}"


def _aim_lines(aimed: Mapping[int, Sequence[_Aim]], view: SamuraiWarfareView) -> list[str]:
    """What the letters mean; cards that may aim at the same are told of together."""
    several = {n: [(a.letter, a.text) for a in aims] for n, aims in aimed.items() if len(aims) > 1}
    lines: list[str] = []
    for told, group in groupby(sorted(several, key=several.__getitem__), key=several.__getitem__):
        numbers = list(group)
        ways = [f"{bold(letter)} {text}" for letter, text in told]
        head = f"{_spans(numbers)} with an aim, like {numbers[0]}{told[0][0]}:"
        lines += wrap([head, *ways], " ", "  ", hang="    ")
    return lines + wrap(commas(_sure_aims(aimed, view)), " ")


def _sure_aims(aimed: Mapping[int, Sequence[_Aim]], view: SamuraiWarfareView) -> list[str]:
    """In a battle: cards that destroy the only one that fits, or find none."""
    prey: dict[str, list[int]] = {}
    for number, (aim, *others) in aimed.items():
        action = CARDS[view.hand[number - 1][1]].action
        if view.phase == BATTLE and isinstance(action, Destroy) and not others:
            prey.setdefault(aim.text or "nothing now", []).append(number)
    return [
        f"{_spans(numbers)} {'destroys' if len(numbers) == 1 else 'destroy'} {text}"
        for text, numbers in prey.items()
    ]


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
