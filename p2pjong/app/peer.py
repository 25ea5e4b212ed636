"""`run_peer`: the one call behind `host`, `join` and `bot`."""

import asyncio
import os

from p2pjong.app.host import Host
from p2pjong.app.joiner import Joiner
from p2pjong.app.parent import has_parent, parent_gone
from p2pjong.app.station import Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.settings import Outcome, PeerSettings
from p2pjong.ui.front import Front


async def run_peer(settings: PeerSettings, front: Front) -> Outcome:
    """Play from the lobby to the end; raises P2PJongError for all that a person can mend."""
    if not has_parent():
        return await _run(settings, front)
    playing = asyncio.create_task(_run(settings, front))
    watching = asyncio.create_task(parent_gone())
    try:
        await asyncio.wait((playing, watching), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            raise P2PJongError("the host that started this bot is gone", "", Exit.LEFT)
        return await playing
    finally:
        for task in (playing, watching):
            task.cancel()
        await asyncio.gather(playing, watching, return_exceptions=True)


async def _run(settings: PeerSettings, front: Front) -> Outcome:
    _check_record(settings)
    async with Station(settings) as station:
        if settings.role == "host":
            return await Host(station, front).run()
        return await Joiner(station, front).run()


def _check_record(settings: PeerSettings) -> None:
    """Better refused now than after a whole game."""
    path = settings.record
    if path is None:
        return
    if not path.parent.is_dir() or path.is_dir() or not os.access(path.parent, os.W_OK):
        raise P2PJongError(
            f"a record cannot be written to {path}",
            "name a file in a folder that exists and that you may write to",
            Exit.STORAGE,
        )
