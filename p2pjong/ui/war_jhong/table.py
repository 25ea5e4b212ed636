"""The table of War Jhong as one seat sees it: the seats, the discards, the own hand."""

from p2pjong.games.game import NOBODY, Seat
from p2pjong.games.war_jhong.faces import sorted_faces
from p2pjong.games.war_jhong.view import WarJhongView
from p2pjong.ui import rack
from p2pjong.ui.names import Names
from p2pjong.ui.text import bold, dim, fit, plural, rule
from p2pjong.ui.war_jhong.cards import LOOK, cards

NAME_COLUMNS = 14


def table_lines(view: WarJhongView, names: Names) -> list[str]:
    """The whole table, and the own hand without numbers: these belong to a question."""
    return [*board_lines(view, names), *hand_line(view)]


def board_lines(view: WarJhongView, names: Names) -> list[str]:
    """Title, the seats with their face-up Formations, discards: all but the own hand."""
    title = f"Hand {view.hand_number} - to {plural(view.target, 'point')}"
    return [
        rule(f"{title} - {plural(view.deck_size, 'card')} in the deck"),
        *seat_lines(view, names),
        *discard_lines(view, names),
    ]


def seat_lines(view: WarJhongView, names: Names) -> list[str]:
    """The seats: whose turn, points, cards in hand, Generals, what lies face up."""
    head = tuple(map(dim, ("", "player", "points", "cards", "gen")))
    rows = [head, *(_seat_row(view, names, seat) for seat in range(view.seats))]
    shown = [[dim("face up")], *(_face_up(view, seat) for seat in range(view.seats))]
    return rack.seat_lines(rows, shown, right=(2, 3, 4))


def _seat_row(view: WarJhongView, names: Names, seat: int) -> tuple[str, ...]:
    is_me = seat == view.seat
    mark = " (you)" if is_me else ""
    name = fit(names.plain(seat), NAME_COLUMNS - len(mark)) + mark
    if not view.present[seat]:
        return ("", dim(name), dim(str(view.scores[seat])), "", "")
    marker = ">" if seat == view.turn else "?" if seat in view.awaited else ""
    return (
        bold(marker),
        bold(name) if is_me else name,
        str(view.scores[seat]),
        str(view.hand_sizes[seat]),
        str(view.generals[seat]) if view.generals[seat] else dim("-"),
    )


def _face_up(view: WarJhongView, seat: Seat) -> list[str]:
    if not view.present[seat]:
        return [dim("out of the game")]
    return [cards(meld.faces) for meld in view.melds[seat]]


def discard_lines(view: WarJhongView, names: Names) -> list[str]:
    """What lies in the discards, by kind, then the last ones in their order."""
    lying = [(discard.seat, discard.face) for discard in view.discards if discard.taker < 0]
    return rack.discard_lines(lying, names, LOOK)


def hand_lines(view: WarJhongView) -> list[str]:
    """The own hand by suits, a number under each card; the card just drawn is marked."""
    return rack.hand_lines(view.hand, view.drawn, LOOK)


def hand_line(view: WarJhongView) -> list[str]:
    """The own hand on one line, and what lies face up before us in brackets."""
    melds = view.melds[view.seat] if view.seat != NOBODY else ()
    return rack.hand_line(view.hand, [f"[{cards(meld.faces)}]" for meld in melds], LOOK)


def hand_faces(view: WarJhongView) -> tuple[str, ...]:
    """The own hand's faces in the order of codes."""
    return sorted_faces(face for _, face in view.hand)
