"""No person waits for more than a second without a word of what is being waited for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from p2pjong.front import Front

TELL_AFTER_S = 1.0


@asynccontextmanager
async def told_if_long(front: Front, text: str) -> AsyncIterator[None]:
    """Says the text if what is done within takes longer than a moment."""
    telling = asyncio.create_task(_tell(front, text))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def _tell(front: Front, text: str) -> None:
    await asyncio.sleep(TELL_AFTER_S)
    front.say(f"{text} ...")
