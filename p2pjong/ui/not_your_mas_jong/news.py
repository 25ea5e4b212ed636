"""What happened at a table of Not Your Ma's Jong, in words."""

from collections.abc import Callable, Mapping

from p2pjong.games.game import NOBODY, Event, Face, Seat
from p2pjong.games.not_your_mas_jong.choices import CALL_WIN
from p2pjong.games.not_your_mas_jong.hands import split
from p2pjong.games.not_your_mas_jong.payments import owed
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong.cards import card, cards, long_name, set_in_brackets, split_lines
from p2pjong.ui.not_your_mas_jong.table import hand_line
from p2pjong.ui.text import aligned, bold, dim, fit, plural, rule, sentence

Teller = Callable[[Event, NotYourMasJongView, Names], list[str]]

NAME_COLUMNS = 14


def event_lines(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    """The event in words; [] for what needs none."""
    tell = TELLERS.get(event.verb)
    return tell(event, view, names) if tell else []


def hand_after_lines(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    """Our hand after the deal and after each of our discards."""
    is_changed = event.verb == "dealt" or (event.verb == "discarded" and event.seat == names.me)
    return hand_line(view) if is_changed else []


HITS = ("wrong_call", "skipped")


def hit_lines(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    """What a wrong call has cost us."""
    return event_lines(event, view, names) if event.verb in HITS and event.seat == names.me else []


def _first_seat(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    return [f"Everyone drew lots: {names.of(event.seat)} will be Ma first."]


def _hand_began(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    return [
        rule(f"round {event.number} of {view.rounds}"),
        f"The deck is shuffled. {names.does(event.seat, 'are')} Ma, with the first turn.",
    ]


def _dealt(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    told = f"Everyone has {event.number} cards, Ma one more; {view.deck_size} are left in the deck."
    return [dim(told)]


def _drew(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    drawn = next((face for slot, face in view.hand if slot == view.drawn), None)
    if event.seat != names.me or drawn is None:
        return []
    return [f"You draw {card(drawn)} {dim(long_name(drawn))}"]


def _discarded(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    (face,) = event.faces
    return [f"{names.does(event.seat, 'discard')} {card(face)} {dim(long_name(face))}"]


# --- Calls ----------------------------------------------------------------------------------------


def _called(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    if len(view.calls) > 1:
        return []  # told when their order is known: to be first is what counts (N4)
    (face,) = event.faces
    return [_call_line(event.seat, face, event.details == (("win", 1),), names)]


def _call_line(seat: Seat, face: Face, is_to_win: bool, names: Names) -> str:
    use = "to win" if is_to_win else "for a set"
    return f"{names.does(seat, 'call')} steal on {card(face)}, {use}"


def _served(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    if len(view.calls) < 2:
        return []  # nobody else called: there is nothing to decide
    if event.number > 1:
        return [f"{names.does(event.seat, 'get')} the next claim"]
    (face,) = event.faces
    calls = [_call_line(call.seat, face, call.verb == CALL_WIN, names) for call in view.calls]
    return [*calls, f"{names.does(event.seat, 'get')} first claim{dim(' ' + _why_first(view))}"]


def _why_first(view: NotYourMasJongView) -> str:
    """Why the first in the order of service is the first (N4)."""
    first, *others = view.calls
    is_alone = all(call.verb != first.verb for call in others)
    return "(a call to win goes before a call for a set)" if is_alone else "(called first)"


def _wrong_call(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    who = names.does(event.seat, "were")
    turns = "turn" if event.number == 1 else f"{event.number} turns"
    whose = "your" if event.seat == names.me else "their"
    return [f"{who} wrong to call steal, and will skip {whose} next {turns}"]


def _melded(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    who = f"{names.does(event.seat, 'steal')} {names.whose(event.target)} discard"
    return sentence(f"{who}:", [set_in_brackets(event.faces)], "lies face up and is locked")


def _skipped(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    more = f"; {plural(event.number, 'more turn')} to skip" if event.number else ""
    return [f"{names.does(event.seat, 'skip')} a turn, for a wrong call{more}"]


# --- The end of a round ---------------------------------------------------------------------------


def _went_out(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    is_steal = event.target != NOBODY
    how = f"stealing {names.whose(event.target)} {_stolen(view)}" if is_steal else "drawing"
    melds = [meld.faces for meld in view.melds[event.seat]]
    found = split(event.faces, melds)
    won = f"{names.does(event.seat, 'go')} out by {how}: {plural(event.number, 'token')}"
    return [
        rule(),
        bold(won),
        *(split_lines(found, melds) if found else [f"    {cards(event.faces)}"]),
        *payment_lines(view, names, event.seat, is_steal),
    ]


def _stolen(view: NotYourMasJongView) -> str:
    return card(view.discards[-1].face) if view.discards else "discard"


def payment_lines(
    view: NotYourMasJongView, names: Names, winner: Seat, is_steal: bool
) -> list[str]:
    """What each loser pays, and why so much."""
    assert view.result is not None
    rows = [
        (names.does(seat, "pay"), str(-points), dim(_why(view, seat, winner, is_steal, -points)))
        for seat, points in enumerate(view.result.points)
        if seat != winner and view.present[seat]
    ]
    return [f"  {line}" for line in aligned([(fit(row[0], 24), *row[1:]) for row in rows], (1,))]


def _why(view: NotYourMasJongView, seat: Seat, winner: Seat, is_steal: bool, paid: int) -> str:
    reason = "1 for a steal" if is_steal else "2 for a draw"
    due = owed(seat, winner, view.ma, is_steal)
    if winner == view.ma:
        reason += ", doubled because Ma won"
    elif seat == view.ma:
        reason += ", doubled because Ma pays"
    return reason + (f"; {due} were due, but no more were left" if paid < due else "")


def _washed_out(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    return [bold("The deck is empty and nobody can draw: nobody wins or pays this round.")]


def _settled(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    lines = [f"Tokens: {names.tally(view.scores)}"]
    broke = tuple(s for s in range(view.seats) if view.present[s] and not view.scores[s])
    if broke:
        has = "has" if len(broke) == 1 and broke[0] != names.me else "have"
        who = "You" if broke == (names.me,) else names.listed(broke)
        lines.append(f"{who} {has} no tokens left: the game ends.")
    return lines


def _seat_left(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    return [f"{names.does(event.seat, 'are')} out of the game."]


def _hand_void(event: Event, view: NotYourMasJongView, names: Names) -> list[str]:
    return [f"Round {event.number} is void and is dealt again; everyone keeps their tokens."]


TELLERS: Mapping[str, Teller] = {
    "first_seat": _first_seat,
    "hand_began": _hand_began,
    "dealt": _dealt,
    "drew": _drew,
    "discarded": _discarded,
    "called": _called,
    "served": _served,
    "wrong_call": _wrong_call,
    "melded": _melded,
    "skipped": _skipped,
    "went_out": _went_out,
    "washed_out": _washed_out,
    "settled": _settled,
    "seat_left": _seat_left,
    "hand_void": _hand_void,
}
