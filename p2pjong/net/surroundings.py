"""One look at what there is on this network, for who does not go on watching it."""

import asyncio
from dataclasses import dataclass

from p2pjong.net.discovery import Browser
from p2pjong.net.found_table import FoundTable

SETTLE_S = 0.2


@dataclass(frozen=True)
class Surroundings:
    """What there is on this network: tables, and those that are announced and do not answer."""

    tables: tuple[FoundTable, ...]
    unreachable: tuple[FoundTable, ...]
    other_versions: int


async def look_around(
    wait_s: float, *, wanted: str | None = None, bind: str | None = None
) -> Surroundings:
    """What is found within `wait_s`; sooner, once a table whose name is `wanted` is among it."""
    changed = asyncio.Event()
    async with Browser(changed.set, bind=bind) as browser:
        try:
            async with asyncio.timeout(wait_s):
                while wanted is None or not _has_name(browser.tables(), wanted):
                    changed.clear()
                    await changed.wait()
                await asyncio.sleep(SETTLE_S)  # there may be another of that name
        except TimeoutError:
            pass
        return Surroundings(browser.tables(), browser.unreachable(), len(browser.other_versions))


async def find_tables(
    wait_s: float, *, wanted: str | None = None, bind: str | None = None
) -> tuple[FoundTable, ...]:
    """The tables of `look_around`."""
    return (await look_around(wait_s, wanted=wanted, bind=bind)).tables


def _has_name(tables: tuple[FoundTable, ...], wanted: str) -> bool:
    return any(found.name.casefold() == wanted.casefold() for found in tables)
