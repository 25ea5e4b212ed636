"""Being told to go: by the system, or by the host that started this bot. Nobody need be asked."""

import asyncio


class Going:
    """Whether this peer is to leave wherever it is."""

    def __init__(self) -> None:
        self.is_told = asyncio.Event()
        self.is_heard = False  # somebody leaves in order
        self._heeding = 0

    @property
    def is_heeded(self) -> bool:
        """Whether somebody waits to be told, and will then leave in order."""
        return self._heeding > 0

    async def told(self) -> None:
        """Returns when we are to go. Whoever waits here then leaves in order."""
        self._heeding += 1
        try:
            await self.is_told.wait()
            self.is_heard = True
        finally:
            self._heeding -= 1
