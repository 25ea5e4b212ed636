"""Being told to go: by signals, or because nobody is in front any more."""

import asyncio

import pytest

from p2pjong.app import peer
from p2pjong.app.going import Going
from p2pjong.app.peer import Signals
from tests.support.peers import front
from tests.support.virtual_clock import run_virtually


def told(is_heeded: bool, *at_s: float) -> bool:
    """Whether a peer that is told to go at these times is broken off before it has left."""

    async def scene() -> bool:
        going = Going()
        heeding = asyncio.create_task(going.told()) if is_heeded else None
        leaving: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        playing = asyncio.create_task(_until(leaving))
        await asyncio.sleep(0)
        signals = Signals(going, playing)  # type: ignore[arg-type]
        for time_s in at_s:
            await asyncio.sleep(time_s - asyncio.get_running_loop().time())
            signals.hear()
        await asyncio.sleep(0.1)
        was_broken_off = playing.done()
        assert going.is_told.is_set()
        playing.cancel()
        if heeding:
            await heeding
        return was_broken_off

    return run_virtually(scene())


async def _until(leaving: asyncio.Future[None]) -> None:
    await leaving


@pytest.mark.parametrize(
    ("is_heeded", "at_s", "is_broken_off"),
    [
        (False, (1.0,), True),
        (True, (1.0,), False),
        (True, (1.0, 1.01, 1.5), False),
        (True, (1.0, 2.5), True),
    ],
    ids=["nothing to leave", "once", "at once, as a window that closes", "again"],
)
def test_several_signals_at_once_are_one_and_a_later_one_does_not_wait(
    is_heeded: bool, at_s: tuple[float, ...], is_broken_off: bool
) -> None:
    assert told(is_heeded, *at_s) is is_broken_off


@pytest.mark.parametrize("heeds_after_s", [0.0, 0.2, None])
def test_when_nobody_is_in_front_any_more_a_table_is_left_in_order_even_one_about_to_begin(
    heeds_after_s: float | None,
) -> None:
    async def gone() -> None:
        return

    async def scene() -> tuple[bool, bool]:
        person, going = front(), Going()
        person.gone = gone  # type: ignore[method-assign]
        playing = asyncio.create_task(_play(going, heeds_after_s))
        await peer._heed_front(person, going, playing)  # type: ignore[arg-type]
        await asyncio.wait([playing])
        return going.is_heard, playing.cancelled()

    is_heard, is_broken_off = run_virtually(scene())
    assert is_heard == (heeds_after_s is not None)
    assert is_broken_off == (heeds_after_s is None)


async def _play(going: Going, heeds_after_s: float | None) -> None:
    await asyncio.sleep(9 if heeds_after_s is None else heeds_after_s)
    await going.told()
