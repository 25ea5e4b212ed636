"""Chance from a seed: the same on every machine and in every version of Python."""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

LABEL = b"p2pjong/v1/chance\n"
BLOCK = struct.Struct("<512Q")


class Chance:
    """A seeded stream of numbers. For tests, the arena and the open dealer: no secret."""

    def __init__(self, seed: str) -> None:
        self._words = _stream(seed.encode())

    def below(self, sides: int) -> int:
        """A number from 0 to `sides` - 1. 64 bits scaled down: no table can see the bias."""
        return next(self._words) * sides >> 64

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in a new order (Fisher-Yates)."""
        mixed, words = list(items), self._words
        for last in range(len(mixed) - 1, 0, -1):
            place = next(words) * (last + 1) >> 64
            mixed[last], mixed[place] = mixed[place], mixed[last]
        return mixed


def _stream(seed: bytes) -> Iterator[int]:
    number = 0
    while True:
        block = hashlib.shake_256(LABEL + struct.pack("<Q", number) + seed).digest(BLOCK.size)
        yield from BLOCK.unpack(block)
        number += 1
