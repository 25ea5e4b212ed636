"""Hands and discards of short card codes, side by side: what the games of sets have in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from p2pjong.games.game import Face, Seat, Slot
from p2pjong.ui.names import Names
from p2pjong.ui.text import dim, fit, pad_left, plural, rule, wrap

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
        """Cards with how many copies are out of sight: "A4 x2"; those with none left out."""
        wanted = sorted(set(faces), key=self.rank.__getitem__)
        return [f"{self.card(face)} x{unseen[face]}" for face in wanted if unseen[face] > 0]


def hand_lines(hand: Hand, drawn: Slot, look: Look) -> list[str]:
    """The own hand by suits, a number under each card; the card just drawn is marked."""
    if not hand:
        return []
    faces, numbers = "", ""
    last_suit = look.suit_of(hand[0][1])
    for number, (slot, face) in enumerate(hand, 1):
        gap = SUIT_GAP if look.suit_of(face) != last_suit else ""
        last_suit = look.suit_of(face)
        faces += gap + pad_left(look.card(face), CARD_COLUMNS)
        numbers += gap + f"{_number(number, slot == drawn):>{CARD_COLUMNS}}"
    is_drawn_here = any(slot == drawn for slot, _ in hand)
    return [rule("your hand"), faces, dim(numbers) + dim("   + just drawn" * is_drawn_here)]


def hand_line(hand: Hand, melds: Iterable[str], look: Look) -> list[str]:
    """The own hand by suits on one line, then what lies face up, for when less is enough."""
    suits: dict[str, list[Face]] = {}
    for _, face in hand:
        suits.setdefault(look.suit_of(face), []).append(face)
    shown = [*map(look.cards, suits.values()), *melds]
    return wrap([dim("your hand:"), *shown], indent="  ", gap="   ") if shown else []


def _number(number: int, is_drawn: bool) -> str:
    return f"+{number}" if is_drawn else str(number)


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
    """Which discards leave the hand one card from going out, and what it then awaits."""
    lines = []
    for face in list(ready)[:READY_SHOWN]:
        number = next(number for number, (_, held) in enumerate(hand, 1) if held == face)
        head = f"without {look.card(face)} ({number}) one card from going out:"
        hopes = look.awaited(ready[face], unseen)
        hopes = hopes or [dim("all copies of what it takes are gone")]
        lines += wrap([head, *hopes], indent=" ", gap="  ")
    if len(ready) > READY_SHOWN:
        more = plural(len(ready) - READY_SHOWN, "other discard")
        lines.append(dim(f" the same goes for {more}"))
    return lines
