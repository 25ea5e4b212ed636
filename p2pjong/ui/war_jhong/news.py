"""What happened at a table of War Jhong, in words."""

from collections.abc import Callable, Mapping

from p2pjong.games.game import NOBODY, Event
from p2pjong.games.war_jhong.faces import GENERAL
from p2pjong.games.war_jhong.scoring import score
from p2pjong.games.war_jhong.view import WarJhongView
from p2pjong.ui.names import Names
from p2pjong.ui.text import bold, dim, plural, rule, sentence
from p2pjong.ui.war_jhong.cards import card, cards, long_name
from p2pjong.ui.war_jhong.points import combo_lines, reading_lines
from p2pjong.ui.war_jhong.table import hand_line

Teller = Callable[[Event, WarJhongView, Names], list[str]]


def event_lines(event: Event, view: WarJhongView, names: Names) -> list[str]:
    """The event in words; [] for what needs none."""
    tell = TELLERS.get(event.verb)
    return tell(event, view, names) if tell else []


def hand_after_lines(event: Event, view: WarJhongView, names: Names) -> list[str]:
    """Our hand after the deal and after each of our discards."""
    is_changed = event.verb == "dealt" or (event.verb == "discarded" and event.seat == names.me)
    return hand_line(view) if is_changed else []


def hit_lines(event: Event, view: WarJhongView, names: Names) -> list[str]:
    """That our claim came too late; nothing else is done to a seat alone."""
    if event.verb != "claimed" or event.seat != names.me or event.number:
        return []
    told = f"You claimed {card(event.faces[0])}, too, but the player next in turn got it"
    return sentence(told)


def _first_seat(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return [f"Everyone drew lots: {names.of(event.seat)} will begin."]


def _hand_began(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return [
        rule(f"hand {event.number}"),
        f"The deck is shuffled. {names.does(view.first, 'begin')}.",
    ]


def _dealt(event: Event, view: WarJhongView, names: Names) -> list[str]:
    told = f"Everyone has {event.number} cards; {view.deck_size} are left in the deck."
    return [dim(told)]


def _drew(event: Event, view: WarJhongView, names: Names) -> list[str]:
    drawn = next((face for slot, face in view.hand if slot == view.drawn), None)
    if event.seat != names.me or drawn is None:
        return []
    return [f"You draw {card(drawn)} {dim(long_name(drawn))}"]


def _discarded(event: Event, view: WarJhongView, names: Names) -> list[str]:
    (face,) = event.faces
    note = ", which cannot be claimed" if face == GENERAL else ""
    who = names.does(event.seat, "discard")
    return [f"{who} {card(face)} {dim(long_name(face) + note)}"]


def _claimed(event: Event, view: WarJhongView, names: Names) -> list[str]:
    (face,) = event.faces
    use = "to go out" if event.details == (("go_out", 1),) else "for a Formation"
    if event.number:
        return [f"{names.does(event.seat, 'claim')} {card(face)} {use}"]
    return [f"{names.does(event.seat, 'claim')} it too, {use}; the player next in turn gets it"]


def _melded(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return sentence(names.does(event.seat, "lay down"), [cards(event.faces)])


def _went_out(event: Event, view: WarJhongView, names: Names) -> list[str]:
    how = "" if event.target == NOBODY else f" on {names.whose(event.target)} discard"
    melds = [meld.faces for meld in view.melds[event.seat]]
    reading = score(event.faces, melds, view.generals[event.seat])
    won = f"{names.does(event.seat, 'go')} out{how}: {plural(event.number, 'point')}"
    return [
        rule(),
        bold(won),
        *(reading_lines(reading) if reading else []),
        *combo_lines(event.details, event.number),
    ]


def _washed_out(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return [bold("The deck is empty and nobody can draw: nobody scores this hand.")]


def _settled(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return [f"Scores: {names.tally(view.scores)}   (to {view.target})"]


def _seat_left(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return [f"{names.does(event.seat, 'are')} out of the game."]


def _hand_void(event: Event, view: WarJhongView, names: Names) -> list[str]:
    return [f"Hand {event.number} is void and is dealt again; the scores stay."]


TELLERS: Mapping[str, Teller] = {
    "first_seat": _first_seat,
    "hand_began": _hand_began,
    "dealt": _dealt,
    "drew": _drew,
    "discarded": _discarded,
    "claimed": _claimed,
    "melded": _melded,
    "went_out": _went_out,
    "washed_out": _washed_out,
    "settled": _settled,
    "seat_left": _seat_left,
    "hand_void": _hand_void,
}
