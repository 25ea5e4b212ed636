"""A person at a terminal, for the tests of all that is shown and asked there."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from p2pjong.session.lobby_view import LobbySeat

HAND = "I1 I2 I3 A4 A5 A6 C7 C8 C9 J J F G"
SEATS = tuple(LobbySeat(name, name) for name in ("Ada", "Ben", "Cy"))


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)
