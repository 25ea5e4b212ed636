"""`run_peer`: the one call behind `host`, `join` and `bot`."""

import asyncio
import os
from pathlib import Path

from p2pjong.app.host import Host
from p2pjong.app.joiner import Joiner
from p2pjong.app.new_file import check_new
from p2pjong.app.parent import has_parent, parent_gone
from p2pjong.app.station import Station
from p2pjong.errors import Exit, P2PJongError
from p2pjong.settings import Outcome, PeerSettings
from p2pjong.ui.front import Front

GO_WITHIN_S = 5.0  # a bot whose host is gone leaves its table in order, and then ends


async def run_peer(settings: PeerSettings, front: Front) -> Outcome:
    """Play from the lobby to the end; raises P2PJongError for all that a person can mend."""
    going = asyncio.Event()
    if not has_parent():
        return await _run(settings, front, going)
    playing = asyncio.create_task(_run(settings, front, going))
    watching = asyncio.create_task(parent_gone())
    try:
        await asyncio.wait((playing, watching), return_when=asyncio.FIRST_COMPLETED)
        going.set()
        await asyncio.wait((playing,), timeout=GO_WITHIN_S)
        if not playing.done():
            raise P2PJongError("the host that started this bot is gone", "", Exit.LEFT)
        return await playing
    finally:
        for task in (playing, watching):
            task.cancel()
        await asyncio.gather(playing, watching, return_exceptions=True)


async def _run(settings: PeerSettings, front: Front, going: asyncio.Event) -> Outcome:
    _check_record(settings.record)
    async with Station(settings) as station:
        station.going = going
        if settings.role == "host":
            return await Host(station, front).run()
        return await Joiner(station, front).run()


def _check_record(path: Path | None) -> None:
    """Better refused now than after a whole game."""
    if path is None:
        return
    check_new(path, "--record")
    if not path.parent.is_dir() or path.is_dir() or not os.access(path.parent, os.W_OK):
        raise P2PJongError(
            f"a record cannot be written to {path}",
            "name a file in a folder that exists and that you may write to",
            Exit.STORAGE,
        )
