"""What happened at a table of Samurai Warfare, in words."""

from collections.abc import Callable, Mapping

from p2pjong.games.game import NOBODY, Event, Face, Seat
from p2pjong.games.samurai_warfare.view import SamuraiWarfareView
from p2pjong.ui.names import Names
from p2pjong.ui.samurai_warfare.cards import listed, worth
from p2pjong.ui.samurai_warfare.deeds import battle_deed, makes_discard, tactics_deed
from p2pjong.ui.samurai_warfare.forces import bonus_lines, worth_apart
from p2pjong.ui.samurai_warfare.table import PHASES, faces_of, hand_line
from p2pjong.ui.text import aligned, bold, commas, dim, fit, plural, rule, sentence, width, wrap

Teller = Callable[[Event, SamuraiWarfareView, Names], list[str]]

NAME_COLUMNS = 14

# What happens in a phase, for who plays this for the first time.
PHASE_NOTES = {
    "preparations": "everyone draws up to 8 cards",
    "strategy": "everyone may discard up to 3 cards and draw as many",
    "tactics": "everyone may play one card for its effect",
    "battle": "cards are played one by one; the highest total of force will win",
    "end": "everyone may discard one card",
}


def event_lines(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    """The event in words; [] for what needs none."""
    tell = TELLERS.get(event.verb)
    return tell(event, view, names) if tell else []


HAND_CHANGES = ("drew", "took", "stole", "played", "discarded")


def hand_after_lines(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    """Our hand by name whenever the event has changed it."""
    is_ours = names.me == event.seat or (event.verb == "stole" and names.me == event.target)
    return hand_line(view) if event.verb in HAND_CHANGES and is_ours and view.hand else []


def hit_lines(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    """What somebody has just done to our own seat; [] for anything else."""
    if names.me not in (event.target, event.seat):
        return []
    is_at_us = event.target == names.me != event.seat
    if event.verb in ("stole", "looked") and is_at_us:
        return event_lines(event, view, names)
    if event.verb == "destroyed" and is_at_us:
        return sentence(names.does(event.seat, "destroy"), "your", worth(event.faces[0]))
    if event.verb == "discarded" and _detail(event) == "random":
        return event_lines(event, view, names)
    if event.verb == "played" and is_at_us:
        is_battle = _detail(event) == "battle"
        return _played(event, view, names) if makes_discard(event.faces[0], is_battle) else []
    return []


def _detail(event: Event) -> str:
    return event.details[0][0] if event.details else ""


def _seen(verb: str, view: SamuraiWarfareView) -> tuple[Face, ...]:
    """What we saw last of this kind."""
    found = [seen.faces for seen in view.seen if seen.verb == verb]
    return found[-1] if found else ()


# --- The course of a turn -------------------------------------------------------------------------


def _first_seat(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [f"Everyone drew lots: {names.of(event.seat)} will be the first Shogun."]


def _shuffled(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [f"All {event.number} cards are shuffled."]


def _turn_began(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [
        rule(f"turn {event.number}"),
        f"{names.does(event.seat, 'are')} Shogun and first in every phase.",
    ]


def _phase_began(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    note = PHASE_NOTES.get(_detail(event))
    return [f"{bold(PHASES[_detail(event)])}: {dim(note)}"] if note else []


def _reshuffled(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [f"The deck has run out: the {event.number} discards are shuffled into a new deck."]


def _passed(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    phase = _detail(event)
    if phase == "tactics":
        return [f"{names.does(event.seat, 'play')} no card for its effect"]
    if phase != "battle":
        return [f"{names.does(event.seat, 'discard')} nothing"]
    has_cards = event.number or view.hand_sizes[event.seat]
    why = _no_card(event.seat, names) if has_cards else "no card is left"
    return [names.does(event.seat, "pass") + dim(f": {why}")]


def _no_card(seat: Seat, names: Names) -> str:
    who = "you" if seat == names.me else "they"
    return f"{who} have no card that {who} can play"


# --- Cards ----------------------------------------------------------------------------------------


def _drew(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    drawn = _seen("drew", view)
    if event.seat == names.me and drawn:
        return listed(drawn, "You draw")
    return [dim(f"{names.does(event.seat, 'draw')} {plural(event.number, 'card')}")]


def _played(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    (face,) = event.faces
    who = names.does(event.seat, "play")
    if _detail(event) == "tactics":
        deed = tactics_deed(face, event.seat, event.target, names)
    else:
        deed = battle_deed(face, event.seat, event.target, names)
    return sentence(who, worth(face), deed)


def _destroyed(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    (face,) = event.faces
    whose = "Your" if event.target == names.me else names.whose(event.target)
    return wrap(f"{whose} {worth(face)} is destroyed".split(" "), indent="  ")


def _discarded(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    lines = listed(event.faces, names.does(event.seat, "discard"))
    if _detail(event) != "random":
        return lines
    return [*lines[:-1], *wrap([f"{lines[-1]},", "chosen", "at", "random"], hang="  ")]


def _peeked(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    cards = "the next card" if event.number == 1 else f"the next {event.number} cards"
    return [f"{names.does(event.seat, 'look')} at {cards} of the deck"]


def _took(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    taken = _seen("took", view)
    if event.seat == names.me and taken:
        return listed(taken, "You take")
    return [f"{names.does(event.seat, 'take')} the {ordinal(event.number + 1)} of them"]


def _looked(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    whose = names.whose(event.target)
    if event.seat == names.me and (hand := _seen("looked", view)):
        return listed(hand, f"You look at {whose} hand:")
    return [f"{names.does(event.seat, 'look')} at {whose} hand"]


def _stole(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    who, stolen = names.does(event.seat, "steal"), _seen("stole", view)
    if names.me in (event.seat, event.target) and stolen:
        return sentence(who, names.whose(event.target), worth(stolen[-1]))
    return [f"{who} a card from {names.of(event.target)}"]


def ordinal(number: int) -> str:
    """ "1st", "2nd"."""
    return f"{number}{ORDINALS.get(number, 'th')}"


ORDINALS = {1: "st", 2: "nd", 3: "rd"}


# --- Victory --------------------------------------------------------------------------------------


def _turn_decided(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [rule("Victory Phase"), *total_lines(event, view, names), bold(_verdict(event, names))]


def _verdict(event: Event, names: Names) -> str:
    if event.seat != NOBODY:
        return f"{names.does(event.seat, 'win')} the turn with {event.number}: a Victory Token."
    leading = tuple(seat for seat, total in _totals(event) if total == event.number)
    return f"{names.listed(leading)} tie at {event.number}: nobody wins, and the sword stays."


def _totals(event: Event) -> list[tuple[Seat, int]]:
    return [(int(name.removeprefix("force_")), total) for name, total in event.details]


def total_lines(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    """A line for each seat, best first: its total, and how the cards add up to it."""
    totals = sorted(_totals(event), key=lambda item: (-item[1], item[0]))
    rows = [(fit(names.of(seat), NAME_COLUMNS), str(total)) for seat, total in totals]
    heads = aligned(rows, right=(1,))
    lines = []
    for (seat, _), head in zip(totals, heads, strict=True):
        lines += _total(f"  {head}", seat, view)
    return lines


def _total(head: str, seat: Seat, view: SamuraiWarfareView) -> list[str]:
    in_play, fallen = faces_of(view.in_play[seat]), view.fallen[seat]
    indent = " " * (width(head) + 2)
    parts = worth_apart(in_play, fallen)
    first, *more = wrap(commas(parts) or [dim("no card in play")], indent)
    return [head + first[width(head) :], *more, *bonus_lines(in_play, fallen, indent)]


def _settled(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [f"Victory Tokens: {names.tally(view.scores)}   (to {view.target})"]


def _sword_passed(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [f"{names.does(event.seat, 'take')} the Shogun Sword."]


def _seat_left(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [f"{names.does(event.seat, 'are')} out of the game."]


def _hand_void(event: Event, view: SamuraiWarfareView, names: Names) -> list[str]:
    return [
        f"Turn {event.number} is void and begins again with all cards shuffled; the tokens stay."
    ]


TELLERS: Mapping[str, Teller] = {
    "first_seat": _first_seat,
    "shuffled": _shuffled,
    "turn_began": _turn_began,
    "phase_began": _phase_began,
    "drew": _drew,
    "reshuffled": _reshuffled,
    "passed": _passed,
    "played": _played,
    "discarded": _discarded,
    "destroyed": _destroyed,
    "peeked": _peeked,
    "took": _took,
    "looked": _looked,
    "stole": _stole,
    "turn_won": _turn_decided,
    "turn_tied": _turn_decided,
    "settled": _settled,
    "sword_passed": _sword_passed,
    "seat_left": _seat_left,
    "hand_void": _hand_void,
}
