"""What a game waits for, and actions, as the vectors of games write them."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from p2pjong.games.game import (
    Action,
    Decide,
    Draw,
    Face,
    Give,
    Open,
    Order,
    Peek,
    Pending,
    ProveAmong,
    Reveil,
    Seat,
    Settle,
    Show,
    Shuffle,
    Slot,
    Toss,
)


def asked(pending: Pending, deck: Sequence[Face]) -> list[Any]:
    """The operation, decision or settlement; the whole deck is written as "deck"."""
    if isinstance(pending, Shuffle):
        faces = "deck" if pending.faces == tuple(deck) else list(pending.faces)
        return ["shuffle", faces, _ends(pending.slots), pending.fresh_keys]
    return WRITTEN[type(pending)](pending)


def named(action: Action) -> list[Any]:
    """An action: seat, verb, slots, target."""
    return [action.seat, action.verb, list(action.slots), action.target]


def _ends(slots: Sequence[Slot]) -> list[Slot]:
    """The first and the last of slots that are one after the other."""
    assert list(slots) == list(range(slots[0], slots[-1] + 1))
    return [slots[0], slots[-1]]


def _runs(moves: Sequence[tuple[Slot, Seat]]) -> list[list[int]]:
    """The moves of a draw: [seat, slot, ..] for each run of one seat."""
    return [
        [seat, *(slot for slot, _ in run)] for seat, run in groupby(moves, lambda move: move[1])
    ]


WRITTEN: Mapping[type, Callable[[Any], list[Any]]] = {
    Draw: lambda asks: ["draw", _runs(asks.moves)],
    Open: lambda asks: ["open", asks.seat, list(asks.slots)],
    Reveil: lambda asks: ["reveil", asks.seat, list(asks.slots), _ends(asks.fresh)],
    Toss: lambda asks: ["toss", asks.sides],
    Peek: lambda asks: ["peek", asks.seat, list(asks.slots)],
    Show: lambda asks: ["show", asks.seat, asks.viewer, list(asks.slots)],
    Give: lambda asks: ["give", asks.giver, asks.taker, asks.slot],
    ProveAmong: lambda asks: ["prove", asks.seat, list(asks.slots), list(asks.faces)],
    Order: lambda asks: ["order", asks.judge, list(asks.seats)],
    Decide: lambda asks: ["decide", list(asks.seats), "secret" if asks.way.is_hidden else "open"],
    Settle: lambda asks: [
        "settle",
        asks.result.kind,
        asks.result.winner,
        list(asks.result.points),
        list(asks.result.scores),
        [list(detail) for detail in asks.result.details],
    ],
}
