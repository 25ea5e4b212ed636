"""The table of Samurai Warfare as one seat sees it: seats, cards in play, piles, the own hand."""

from string import ascii_lowercase

from p2pjong.games.game import NOBODY, Face, Seat
from p2pjong.games.samurai_warfare.battlefield import playable_types
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.state import BATTLE, FaceUp
from p2pjong.games.samurai_warfare.view import SamuraiWarfareView, Seen
from p2pjong.ui.names import Names
from p2pjong.ui.samurai_warfare.cards import card_lines, listed, tactics_notes, title
from p2pjong.ui.samurai_warfare.forces import worth_now
from p2pjong.ui.text import aligned, beside, bold, commas, dim, fit, plural, rule, width, wrap

NAME_COLUMNS = 14
RECENT = 4
CUT = " .."

PHASES = {
    "setup": "shuffling",
    "preparations": "Preparations Phase",
    "strategy": "Strategy Phase",
    "tactics": "Tactics Phase",
    "battle": "Battle Phase",
    "victory": "Victory Phase",
    "shogun": "Shogun Phase",
    "end": "End Phase",
    "over": "the game is over",
}


def table_lines(view: SamuraiWarfareView, names: Names) -> list[str]:
    """The whole table, and the own hand without numbers: these belong to a question."""
    return [*board_lines(view, names), *hand_lines(view, has_numbers=False)]


def board_lines(view: SamuraiWarfareView, names: Names, room: int = 0) -> list[str]:
    """Title, the seats with their cards in play, the piles, what we know: all but the own hand.

    `room`: how many lines there are for it; what matters least is left out first. 0: no limit.
    """
    title, piles, known = rule(_title(view, names)), pile_lines(view), private_lines(view, names)
    whole, short = seat_lines(view, names), seat_lines(view, names, is_short=True)
    ways = (
        [title, *whole, *piles, *known],
        [title, *short, *piles, *known],
        [title, *short, *known],
        [title, *short],
    )
    return next((lines for lines in ways if not room or len(lines) <= room), ways[-1])


def _title(view: SamuraiWarfareView, names: Names) -> str:
    turn = f"Turn {view.hand_number} - {PHASES[view.phase]}"
    if view.shogun == NOBODY:
        return turn
    who = "you are" if view.shogun == names.me else f"{fit(names.plain(view.shogun), 14)} is"
    return f"{turn} - {who} Shogun - to {plural(view.target, 'token')}"


# --- The seats ------------------------------------------------------------------------------------


def letter(seat: Seat) -> str:
    """What names the seat as a target, for the whole game."""
    return ascii_lowercase[seat]


def seat_lines(view: SamuraiWarfareView, names: Names, is_short: bool = False) -> list[str]:
    """The seats: whose turn, letter, tokens, cards in hand, force, and the cards in play.

    `is_short`: no seat takes more than one line.
    """
    head = tuple(map(dim, ("", "", "player", "tokens", "hand", "force")))
    rows = [head, *(_seat_row(view, names, seat) for seat in range(view.seats))]
    heads = [f" {line}" for line in aligned(rows, right=(3, 4, 5), gap=" ")]
    indent = max(map(width, heads)) + 2
    lines = beside(heads[0], [dim("in play")], indent)
    for seat, line in enumerate(heads[1:]):
        shown = beside(line, _in_play(view, seat), indent)
        if is_short and len(shown) > 1:
            cut = beside(line, _in_play(view, seat), indent, room=len(CUT))
            shown = [cut[0] + dim(CUT)]
        lines += shown
    return lines


def _seat_row(view: SamuraiWarfareView, names: Names, seat: int) -> tuple[str, ...]:
    is_me = seat == view.seat
    mark = " (you)" if is_me else ""
    name = fit(names.plain(seat), NAME_COLUMNS - len(mark)) + mark
    tokens = str(view.scores[seat])
    if not view.present[seat]:
        return ("", "", dim(name), dim(tokens), "", dim("out"))
    marker = ">" if seat == view.turn else "?" if seat in view.awaited else ""
    force = str(view.forces[seat]) if view.in_play[seat] else dim("-")
    return (
        bold(marker),
        letter(seat),
        bold(name) if is_me else name,
        tokens,
        str(view.hand_sizes[seat]),
        force,
    )


def _in_play(view: SamuraiWarfareView, seat: int) -> list[str]:
    """The cards with their force; those destroyed after them, since what they gave lasts (S8)."""
    fallen = view.fallen[seat]
    shown = commas(worth_now(faces_of(view.in_play[seat]), fallen))
    if not fallen:
        return shown
    first, *lost = commas([dim(CARDS[face].name) for face in fallen])
    return [*shown, f"{dim('- lost:')} {first}", *lost]


def faces_of(cards: tuple[FaceUp, ...]) -> tuple[Face, ...]:
    """What the cards show."""
    return tuple(card.face for card in cards)


# --- Piles, and what we alone know ----------------------------------------------------------------


def pile_lines(view: SamuraiWarfareView) -> list[str]:
    """How many cards are left, and the last of the discards."""
    counts = f"{plural(view.deck_size, 'card')} in the deck, {len(view.discards)} discarded"
    recent = faces_of(view.discards[: -RECENT - 1 : -1])
    if not recent:
        return [dim(f" {counts}")]
    head = dim(f"{counts}, the last:")
    line, *_ = listed(recent, head, " ")  # as many as one line takes
    return [dim(f" {counts}") if line.strip() == head else line.removesuffix(",")]


def private_lines(view: SamuraiWarfareView, names: Names) -> list[str]:
    """What this seat has seen of hands and of the deck, and who has seen its own hand."""
    lines = []
    for seen in view.seen:
        lines += _seen_lines(seen, view, names)
    if view.deck_seen and view.choice != "take":
        known = [f"{place + 1}. {CARDS[face].name}" for place, _, face in view.deck_seen]
        lines += wrap([dim("you know in the deck, from the top:"), *known], " ", "  ")
    return lines


def _seen_lines(seen: Seen, view: SamuraiWarfareView, names: Names) -> list[str]:
    """Of a hand looked at: what is left in it of what was seen."""
    if seen.verb != "looked" or not seen.faces or not view.hand_sizes[seen.target]:
        return []
    if seen.seat == view.seat:
        head = f"you saw in {names.whose(seen.target)} hand:"
    else:
        head = f"{names.plain(seen.seat)} saw in your hand:"
    lines = listed(seen.faces, dim(head), " ")
    if seen.unsure and seen.seat == view.seat:
        lost = "one of them may be" if seen.unsure == 1 else f"{seen.unsure} of them may be"
        lines.append(dim(f"   {lost} gone: stolen where you could not see it"))
    return lines


# --- The own hand ---------------------------------------------------------------------------------


def hand_lines(view: SamuraiWarfareView, has_numbers: bool = True) -> list[str]:
    """The own hand, a line a card, with a number for each that may be chosen now."""
    if not view.hand:
        return []
    faces = [face for _, face in view.hand]
    rows = list(zip(marks(view) if has_numbers else "-" * len(faces), faces, strict=True))
    last, head = (
        (why_not(view), "") if view.phase == BATTLE else (tactics_notes(faces), "in Tactics")
    )
    return [rule("your hand"), *card_lines(rows, last, head)]


def hand_line(view: SamuraiWarfareView) -> list[str]:
    """The own hand by name, for when less is enough."""
    return listed([face for _, face in view.hand], dim("your hand:"), "  ")


def marks(view: SamuraiWarfareView) -> list[str]:
    """The numbers of the hand's cards; "" for one that may not be played in this battle now."""
    barred = why_not(view) if view.phase == BATTLE and view.choice != "discard" else {}
    return ["" if face in barred else str(number) for number, (_, face) in enumerate(view.hand, 1)]


def why_not(view: SamuraiWarfareView) -> dict[Face, str]:
    """Of the hand's cards that may not be played in a battle now: why."""
    mine = faces_of(view.in_play[view.seat])
    allowed = playable_types(mine, view.fallen[view.seat])
    return {
        face: _barred(CARDS[face].type, mine)
        for _, face in view.hand
        if CARDS[face].type not in allowed
    }


def _barred(kind: str, mine: tuple[Face, ...]) -> str:
    count = sum(CARDS[face].type == kind for face in mine)
    return dim(f"{title(kind)} used" if count == 1 else f"{count} {title(kind)} used")
