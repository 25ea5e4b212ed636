"""`run_peer`: the one call behind `host`, `join` and `bot`."""

import asyncio
import os
from pathlib import Path

from p2pjong.app.going import Going
from p2pjong.app.host import Host
from p2pjong.app.joiner import Joiner
from p2pjong.app.new_file import check_new
from p2pjong.app.parent import has_parent, parent_gone
from p2pjong.app.signals import signals_heard
from p2pjong.app.station import Station
from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.front import Front
from p2pjong.settings import Outcome, PeerSettings
from p2pjong.store.journal import check_space

ONE_WORD_S = 1.0  # what comes within this time is one word
HEARD_WITHIN_S = 0.5  # a table that is about to begin is left in order, too
GO_WITHIN_S = 5.0  # who is told to go leaves its table in order, and then ends


async def run_peer(settings: PeerSettings, front: Front) -> Outcome:
    """Play from the lobby to the end; raises P2PJongError for all that a person can mend."""
    going = Going()
    playing = asyncio.create_task(_run(settings, front, going))
    chores = [
        asyncio.create_task(_time_to_go(going)),
        asyncio.create_task(_heed_front(front, going, playing)),
    ]
    if has_parent():
        chores.append(asyncio.create_task(_heed_parent(going)))
    signals = Signals(going, playing)
    try:
        with signals_heard(signals.hear, is_ctrl_c_too=settings.is_automatic):
            await asyncio.wait((playing, chores[0]), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            raise Departure("this program was told to stop, and could not leave the game in time")
        return await playing
    finally:
        for task in (playing, *chores):
            task.cancel()
        await asyncio.gather(playing, *chores, return_exceptions=True)


class Signals:
    """Signals to end: the first lets our seat leave in order, a later one does not wait for it.

    A window that is closed may send several at once, and the end of its terminal: all one word.
    """

    def __init__(self, going: Going, playing: asyncio.Task[Outcome]) -> None:
        self._going = going
        self._playing = playing
        self._told_s: float | None = None

    def hear(self) -> None:
        """A signal has come."""
        now_s = asyncio.get_running_loop().time()
        self._told_s = self._told_s or now_s
        is_again = now_s > self._told_s + ONE_WORD_S
        if is_again or not (self._going.is_heeded or self._going.is_heard):
            self._playing.cancel()  # told twice, or there is nothing to leave
        self._going.is_told.set()


async def _heed_front(front: Front, going: Going, playing: asyncio.Task[Outcome]) -> None:
    await front.gone()
    going.is_told.set()
    await asyncio.sleep(HEARD_WITHIN_S)
    if not going.is_heard:
        playing.cancel()  # there is nothing to leave


async def _time_to_go(going: Going) -> None:
    """Returns when who was told to go has had its time for it."""
    await going.is_told.wait()
    await asyncio.sleep(GO_WITHIN_S)


async def _heed_parent(going: Going) -> None:
    await parent_gone()
    going.is_told.set()


async def _run(settings: PeerSettings, front: Front, going: Going) -> Outcome:
    _check_record(settings.record)
    check_space(settings.home, 1 + settings.bots)
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
