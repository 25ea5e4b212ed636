"""A queue of what several senders bring: each is heard in its turn, and none takes all the room."""

import asyncio
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class _Line(Generic[T]):
    """What waits of one source, in the order in which it came, each with its size."""

    items: deque[tuple[T, int]] = field(default_factory=deque)
    size_bytes: int = 0


class FairQueue(Generic[T]):
    """One line for each source, served in turn: what one sends waits for none of another's.

    Nothing is refused here: whoever puts asks `has_room` before, where the source may be hostile.
    """

    def __init__(self) -> None:
        self._lines: dict[Hashable, _Line[T]] = {}  # none is empty; the first is served next
        self._filled = asyncio.Event()

    def put_nowait(self, item: T, source: Hashable = None, size_bytes: int = 0) -> None:
        """Puts at the end of the source's line."""
        line = self._lines.setdefault(source, _Line())
        line.items.append((item, size_bytes))
        line.size_bytes += size_bytes
        self._filled.set()

    def has_room(self, source: Hashable, count_max: int, bytes_max: int) -> bool:
        """Whether less than so much waits of this source, whatever waits of others."""
        line = self._lines.get(source)
        return line is None or (len(line.items) < count_max and line.size_bytes < bytes_max)

    async def get(self) -> T:
        """The next item, once there is one. Who is cancelled has taken none."""
        while not self._lines:
            self._filled.clear()
            await self._filled.wait()
        return self.get_nowait()

    def get_nowait(self) -> T:
        """The next item; there must be one."""
        source = next(iter(self._lines))
        line = self._lines.pop(source)
        item, size_bytes = line.items.popleft()
        line.size_bytes -= size_bytes
        if line.items:
            self._lines[source] = line
        return item

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._lines
