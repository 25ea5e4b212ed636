"""The table of Not Your Ma's Jong as one seat sees it: the seats, the discards, the own hand."""

from collections.abc import Sequence

from p2pjong.games.game import NOBODY, Face, Seat
from p2pjong.games.not_your_mas_jong.view import NotYourMasJongView
from p2pjong.ui import rack
from p2pjong.ui.names import Names
from p2pjong.ui.not_your_mas_jong.cards import LOOK, SPOKEN, card, set_in_brackets
from p2pjong.ui.text import bold, dim, fit, plural, rule, wrap

NAME_COLUMNS = 14


def table_lines(view: NotYourMasJongView, names: Names) -> list[str]:
    """The whole table, and the own hand without numbers: these belong to a question."""
    return [*board_lines(view, names), *hand_line(view), *legend_lines(view)]


def board_lines(view: NotYourMasJongView, names: Names) -> list[str]:
    """Title, the seats with their locked sets, discards: all but the own hand."""
    title = f"Round {view.hand_number} of {view.rounds}"
    return [
        rule(f"{title} - {plural(view.deck_size, 'card')} in the deck"),
        *seat_lines(view, names),
        *discard_lines(view, names),
    ]


def seat_lines(view: NotYourMasJongView, names: Names) -> list[str]:
    """The seats: whose turn, Ma, tokens, cards in hand, turns to skip, locked sets."""
    head = tuple(map(dim, ("", "player", "", "tokens", "cards", "skips")))
    rows = [head, *(_seat_row(view, names, seat) for seat in range(view.seats))]
    shown = [[dim("locked sets")], *(_locked(view, seat) for seat in range(view.seats))]
    return rack.seat_lines(rows, shown, right=(3, 4, 5))


def _seat_row(view: NotYourMasJongView, names: Names, seat: int) -> tuple[str, ...]:
    is_me = seat == view.seat
    mark = " (you)" if is_me else ""
    name = fit(names.plain(seat), NAME_COLUMNS - len(mark)) + mark
    if not view.present[seat]:
        return ("", dim(name), "", dim(str(view.scores[seat])), "", "")
    marker = ">" if seat == view.turn else "?" if seat in view.awaited else ""
    return (
        bold(marker),
        bold(name) if is_me else name,
        "Ma" if seat == view.ma else "",
        str(view.scores[seat]),
        str(view.hand_sizes[seat]),
        str(view.skips[seat]) if view.skips[seat] else dim("-"),
    )


def _locked(view: NotYourMasJongView, seat: Seat) -> list[str]:
    if not view.present[seat]:
        return [dim("out of the game")]
    return [set_in_brackets(meld.faces) for meld in view.melds[seat]]


def discard_lines(view: NotYourMasJongView, names: Names) -> list[str]:
    """What lies in the discards, by kind, then the last ones in their order."""
    lying = [(card.seat, card.face) for card in view.discards if card.taker == NOBODY]
    return rack.discard_lines(lying, names, LOOK)


def hand_lines(view: NotYourMasJongView) -> list[str]:
    """The own hand by suits, numbered, and what those codes mean that are no names."""
    return [*rack.hand_lines(view.hand, view.drawn, LOOK), *legend_lines(view)]


def legend_lines(view: NotYourMasJongView) -> list[str]:
    """What those codes of the own hand mean that are no names."""
    told = [f"{card(face)} {dim(SPOKEN[face])}" for face in _kinds(view) if face in SPOKEN]
    return wrap(told, indent="  ", gap="  ")


def hand_line(view: NotYourMasJongView) -> list[str]:
    """The own hand on one line, for when there is no time for more."""
    return rack.hand_line(view.hand, map(set_in_brackets, melds_of(view)), LOOK)


def _kinds(view: NotYourMasJongView) -> Sequence[Face]:
    return tuple(dict.fromkeys(face for _, face in view.hand))


def hand_faces(view: NotYourMasJongView) -> tuple[Face, ...]:
    """The own hand's faces in the order of codes."""
    return tuple(face for _, face in view.hand)


def melds_of(view: NotYourMasJongView) -> list[tuple[Face, ...]]:
    """The own locked sets."""
    return [meld.faces for meld in view.melds[view.seat]] if view.seat != NOBODY else []
