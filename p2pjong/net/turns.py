"""Who may go next of many that wait: fair by where they come from, and bounded. Pure scheduling."""

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

Waiter: TypeAlias = tuple[int, asyncio.Future[None]]  # the how manieth it is, and its being let in


class Turns:
    """So many at once, and so many of one origin.

    Next is the origin of which the fewest are at it. Of those alike, and within one origin, it is
    by turns who came last and who has waited longest: so neither who came before a flood nor who
    came after it waits for all of it.
    """

    def __init__(self, at_once: int, of_one_origin: int) -> None:
        self._free, self._share = at_once, of_one_origin
        self._going: Counter[str] = Counter()
        self._waiting: dict[str, deque[Waiter]] = {}
        self._numbers = itertools.count()
        self._is_last_next = True  # whether who came last is next

    @asynccontextmanager
    async def turn(self, origin: str) -> AsyncIterator[None]:
        """Waits for a turn, which lasts as long as the context."""
        waiter = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting.setdefault(origin, deque()).append(waiter)
        self._let_in()
        try:
            await waiter[1]
            yield
        finally:
            if waiter[1].cancelled():
                self._drop(origin, waiter)
            else:
                self._free += 1
                self._going -= Counter([origin])
            self._let_in()

    def _let_in(self) -> None:
        while self._free and (origins := self._may_go()):
            end = -1 if self._is_last_next else 0
            fewest = min(self._going[one] for one in origins)
            alike = [one for one in origins if self._going[one] == fewest]
            alike.sort(key=lambda one: self._waiting[one][end][0])
            self._admit(alike[end], end)
            self._is_last_next = not self._is_last_next

    def _may_go(self) -> list[str]:
        return [one for one in self._waiting if self._going[one] < self._share]

    def _admit(self, origin: str, end: int) -> None:
        waiter = self._waiting[origin][end]
        self._drop(origin, waiter)
        if not waiter[1].done():
            self._free -= 1
            self._going[origin] += 1
            waiter[1].set_result(None)

    def _drop(self, origin: str, waiter: Waiter) -> None:
        waiting = self._waiting.get(origin, deque())
        if waiter in waiting:
            waiting.remove(waiter)
        if not waiting:
            self._waiting.pop(origin, None)
