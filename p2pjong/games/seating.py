"""Seats in a row: who is in the game, who comes after whom, who leads. The same in every game."""

from typing import TypeVar

from p2pjong.games.game import Seat

Item = TypeVar("Item")


def put(row: tuple[Item, ...], seat: Seat, item: Item) -> tuple[Item, ...]:
    """The row, one item a seat, with `seat`'s replaced."""
    return (*row[:seat], item, *row[seat + 1 :])


def seats_here(present: tuple[bool, ...]) -> tuple[Seat, ...]:
    """The seats that are not out, in seat order."""
    return tuple([seat for seat, is_present in enumerate(present) if is_present])


def others_after(present: tuple[bool, ...], seat: Seat) -> tuple[Seat, ...]:
    """The other present seats in turn order, beginning with the next one after `seat`."""
    around = [(seat + step) % len(present) for step in range(1, len(present))]
    return tuple([other for other in around if present[other]])


def leaders(present: tuple[bool, ...], scores: tuple[int, ...]) -> tuple[Seat, ...]:
    """The present seats with the highest score: equals share a win (G4)."""
    here = seats_here(present)
    best = max(scores[seat] for seat in here)
    return tuple([seat for seat in here if scores[seat] == best])
