"""The table of War Jhong as one seat sees it: the seats, the discards, the own hand."""

from p2pjong.games.game import Slot
from p2pjong.games.war_jhong.faces import sorted_faces
from p2pjong.games.war_jhong.view import WarJhongView
from p2pjong.ui.names import Names
from p2pjong.ui.text import aligned, bold, dim, fit, plural, rule, wrap
from p2pjong.ui.war_jhong.cards import card, cards, counted, suit_of

NAME_COLUMNS = 14
RECENT = 8
CARD_COLUMNS = 4
SUIT_GAP = "  "


def table_lines(view: WarJhongView, names: Names) -> list[str]:
    """The whole table: title, a line a seat, discards, the own hand with its numbers."""
    title = f"Hand {view.hand_number} - to {plural(view.target, 'point')}"
    return [
        rule(f"{title} - {plural(view.deck_size, 'card')} in the deck"),
        *seat_lines(view, names),
        *discard_lines(view, names),
        *hand_lines(view),
    ]


def seat_lines(view: WarJhongView, names: Names) -> list[str]:
    """A line for each seat: whose turn, points, cards in hand, Generals, what lies face up."""
    head = tuple(map(dim, ("", "seat", "points", "cards", "gen", "face up")))
    rows = [head, *(_seat_row(view, names, seat) for seat in range(view.seats))]
    return [" " + line for line in aligned(rows, right=(2, 3, 4))]


def _seat_row(view: WarJhongView, names: Names, seat: int) -> tuple[str, ...]:
    is_me = seat == view.seat
    mark = " (you)" if is_me else ""
    name = fit(names.plain(seat), NAME_COLUMNS - len(mark)) + mark
    if not view.present[seat]:
        return ("", dim(name), dim(str(view.scores[seat])), "", "", dim("out of the game"))
    marker = ">" if seat == view.turn else "?" if seat in view.awaited else ""
    return (
        bold(marker),
        bold(name) if is_me else name,
        str(view.scores[seat]),
        str(view.hand_sizes[seat]),
        str(view.generals[seat]) if view.generals[seat] else dim("-"),
        "  ".join(cards(meld.faces) for meld in view.melds[seat]),
    )


def discard_lines(view: WarJhongView, names: Names) -> list[str]:
    """What lies in the discards, by kind, then the last ones in their order."""
    lying = [discard for discard in view.discards if discard.taker < 0]
    if not lying:
        return [dim(" nothing has been discarded yet")]
    kinds = counted(discard.face for discard in lying)
    recent = [
        f"{card(discard.face)} {dim(fit(names.of(discard.seat), 9))}" for discard in lying[-RECENT:]
    ]
    return [
        *wrap([dim(f"{plural(len(lying), 'discard')}:"), *kinds], indent=" ", gap="  "),
        *wrap([dim("the last:"), *recent], indent=" ", gap="  "),
    ]


def hand_lines(view: WarJhongView) -> list[str]:
    """The own hand by suits, a number under each card; the card just drawn is marked."""
    if not view.hand:
        return []
    faces, numbers = "", ""
    last_suit = suit_of(view.hand[0][1])
    for number, (slot, face) in enumerate(view.hand, 1):
        gap = SUIT_GAP if suit_of(face) != last_suit else ""
        last_suit = suit_of(face)
        faces += gap + card(face, CARD_COLUMNS)
        numbers += gap + f"{_number(number, slot, view):>{CARD_COLUMNS}}"
    drawn = dim("   + just drawn") if _is_drawn_here(view) else ""
    return [rule("your hand"), faces, dim(numbers) + drawn]


def _number(number: int, slot: Slot, view: WarJhongView) -> str:
    return f"+{number}" if slot == view.drawn else str(number)


def _is_drawn_here(view: WarJhongView) -> bool:
    return any(slot == view.drawn for slot, _ in view.hand)


def score_line(view: WarJhongView, names: Names) -> str:
    """The scores, best first."""
    order = sorted(range(view.seats), key=lambda seat: -view.scores[seat])
    return "  ".join(f"{names.plain(seat)} {view.scores[seat]}" for seat in order)


def hand_faces(view: WarJhongView) -> tuple[str, ...]:
    """The own hand's faces in the order of codes."""
    return sorted_faces(face for _, face in view.hand)
