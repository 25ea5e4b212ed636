"""Hands and discards of short card codes, side by side: what the games of sets have in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from p2pjong.games.game import Face, Seat, Slot
from p2pjong.ui.names import Names
from p2pjong.ui.text import (
    aligned,
    beside,
    columns,
    commas,
    dim,
    fit,
    pad_left,
    plural,
    rule,
    width,
    wrap,
)

RECENT = 8
CARD_COLUMNS = 4
SUIT_GAP = "  "
READY_SHOWN = 4

Hand = Sequence[tuple[Slot, Face]]


@dataclass(frozen=True)
class Look:
    """How a game shows its cards: one in colour, their order, and what is kept together."""

    card: Callable[[Face], str]
    rank: Mapping[Face, int]
    suit_of: Callable[[Face], str]

    def cards(self, faces: Iterable[Face]) -> str:
        """Cards side by side, as they come."""
        return " ".join(map(self.card, faces))

    def counted(self, faces: Iterable[Face]) -> list[str]:
        """Each kind of card once, in the order of codes, with a count where there are more."""
        held = Counter(faces)
        return [
            self.card(face) + (f" x{held[face]}" if held[face] > 1 else "")
            for face in sorted(held, key=self.rank.__getitem__)
        ]

    def awaited(self, faces: Iterable[Face], unseen: Mapping[Face, int]) -> list[str]:
        """Cards with how many copies are out of sight: "A4 (2 unseen)"; without those with none."""
        wanted = sorted(set(faces), key=self.rank.__getitem__)
        return [f"{self.card(face)} ({unseen[face]} unseen)" for face in wanted if unseen[face] > 0]


def hand_lines(hand: Hand, drawn: Slot, look: Look) -> list[str]:
    """The own hand by suits, a number under each card; the card just drawn is marked."""
    if not hand:
        return []
    rows = [("", "")]
    last_suit = look.suit_of(hand[0][1])
    for number, (slot, face) in enumerate(hand, 1):
        faces, numbers = rows[-1]
        gap = SUIT_GAP if look.suit_of(face) != last_suit else ""
        last_suit = look.suit_of(face)
        if width(faces + gap) + CARD_COLUMNS > columns():
            rows.append(("", ""))
            faces, numbers, gap = "", "", ""
        faces += gap + pad_left(look.card(face), CARD_COLUMNS)
        numbers += gap + f"{_number(number, slot == drawn):>{CARD_COLUMNS}}"
        rows[-1] = (faces, numbers)
    lines = [line for faces, numbers in rows for line in (faces, dim(numbers))]
    if any(slot == drawn for slot, _ in hand):
        lines[-1:] = wrap([lines[-1], dim("+ just drawn")], gap="   ", hang="  ")
    return [rule("your hand"), *lines]


def hand_line(hand: Hand, melds: Iterable[str], look: Look) -> list[str]:
    """The own hand by suits on one line, then what lies face up, for when less is enough."""
    suits: dict[str, list[Face]] = {}
    for _, face in hand:
        suits.setdefault(look.suit_of(face), []).append(face)
    shown = [*map(look.cards, suits.values()), *melds]
    return wrap([dim("your hand:"), *shown], indent="  ", gap="   ") if shown else []


def _number(number: int, is_drawn: bool) -> str:
    return f"+{number}" if is_drawn else str(number)


def seat_lines(
    rows: Sequence[Sequence[str]], shown: Sequence[Sequence[str]], right: Sequence[int]
) -> list[str]:
    """A row for each seat below a head, beside it the sets that it shows; no set is broken."""
    heads = [f" {line}" for line in aligned(rows, right)]
    indent = max(map(width, heads)) + len(SUIT_GAP)
    lines = [beside(head, sets, indent, SUIT_GAP) for head, sets in zip(heads, shown, strict=True)]
    return [line for seat in lines for line in seat]


def discard_lines(lying: Sequence[tuple[Seat, Face]], names: Names, look: Look) -> list[str]:
    """What lies in the discards, by kind, then the last ones in their order."""
    if not lying:
        return [dim(" nothing has been discarded yet")]
    kinds = look.counted(face for _, face in lying)
    recent = [f"{look.card(face)} {dim(fit(names.of(seat), 9))}" for seat, face in lying[-RECENT:]]
    return [
        *wrap([dim(f"{plural(len(lying), 'discard')}:"), *kinds], indent=" ", gap="  "),
        *wrap([dim("the last:"), *recent], indent=" ", gap="  "),
    ]


def ready_lines(
    ready: Mapping[Face, Sequence[Face]], hand: Hand, unseen: Mapping[Face, int], look: Look
) -> list[str]:
    """Which discards leave the hand one card short of going out, and what it then waits for."""
    lines = []
    for face in list(ready)[:READY_SHOWN]:
        number = next(number for number, (_, held) in enumerate(hand, 1) if held == face)
        head = f"discard {look.card(face)} ({number}): one card short, waiting for"
        hopes = look.awaited(ready[face], unseen)
        hopes = hopes or [dim("cards that are all gone")]
        lines += wrap([head, *commas(hopes)], indent=" ", hang="  ")
    if len(ready) > READY_SHOWN:
        more = plural(len(ready) - READY_SHOWN, "other discard")
        lines.append(dim(f" the same goes for {more}"))
    return lines
