"""What is shown of what was found. The finding itself is tested in tests/network, on real LANs."""

import asyncio
import dataclasses
from collections.abc import Sequence

import pytest

from p2pjong.net.address import Address, Dialable
from p2pjong.net.announcement import Announcement
from p2pjong.net.discovery import BUSY, FOUND_MAX, NAMES_MAX, Browser, FoundTable
from p2pjong.net.found_table import found_table
from p2pjong.net.identity import fingerprint
from tests.support.announced import FakeHearing, announce, hears
from tests.support.loopback import run


def announced(name: str, table: int, peer: int) -> Announcement:
    host = fingerprint(bytes([peer]) * 32)
    return Announcement(name, bytes([table]) * 16, "war-jhong", 4, 2, False, host, 4711)


def shown(name: str, table: int, peer: int, is_playing: bool = True) -> FoundTable:
    found = dataclasses.replace(announced(name, table, peer), is_playing=is_playing)
    return found_table(found, [f"10.77.2.{peer}"], Dialable())


def test_a_table_that_several_seats_announce_is_listed_once() -> None:
    async def scene() -> None:
        changes: list[int] = []
        browser = Browser(lambda: changes.append(1))
        for label, found in {
            "c": shown("Zoo", 2, 3),
            "b": shown("ada", 1, 2),
            "a": shown("ada", 1, 1),
            "d": shown("Ada", 3, 4),
        }.items():
            browser._show(label, found)
            browser._show(label, found)  # said again: no change
        assert len(changes) == 4
        assert [(found.name, found.table_id[0]) for found in browser.tables()] == [
            ("ada", 1),
            ("Ada", 3),
            ("Zoo", 2),
        ]
        assert len(browser.seats()) == 4
        browser._show("d", None)
        assert len(changes) == 5
        assert [found.name for found in browser.tables()] == ["ada", "Zoo"]

    run(scene)


def test_who_announces_the_id_of_anothers_table_does_not_stand_in_its_place() -> None:
    """An announcement proves its announcer alone: id and name are copied in a moment."""

    async def scene() -> None:
        browser = Browser()
        browser._show("host", shown("Friday", 1, 9, is_playing=False))
        (before,) = browser.tables()
        for label, name, is_playing in (("a", "Friday", False), ("b", "Aaa", True)):
            browser._show(label, shown(name, 1, 1, is_playing))
        assert before in browser.tables()
        assert len(browser.tables()) == 3

    run(scene)


def test_what_is_forgotten_leaves_nothing_behind() -> None:
    """Whoever announces and withdraws tables without end costs no memory."""

    async def scene() -> None:
        browser = Browser()
        for number in range(10):
            label = f"table {number}"
            browser._changed[label] = asyncio.Event()
            browser._following[label] = asyncio.create_task(_wait(browser._changed[label]))
            browser.other_versions |= {label}
            browser._silent[label] = "lost"
            browser._heard[label] = shown(label, 1, 1)
            browser._heard_at_s[label] = 0.0
            browser._goodbyes[label] = 1
            following = browser._following[label]
            browser._forget(label)
            await asyncio.wait([following])
        assert not browser.other_versions
        assert not (browser._changed or browser._following or browser._silent or browser._found)
        assert not (browser._heard or browser._heard_at_s or browser._goodbyes or browser._failed)

    run(scene)


class Silence(Browser):
    """A browser on a network on which just one of the announced tables, Friday, is one."""

    def __init__(self) -> None:
        self.seen, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_answer.set()
        super().__init__(self.seen.set)
        hears(self, FakeHearing(ask=self._friday))

    async def _friday(self, name: str) -> FoundTable | None:
        if name == "Friday":
            await self.may_answer.wait()
            return shown(name, 1, 1)
        return None

    async def _proved(self, name: str, found: FoundTable) -> FoundTable | None:
        return found


async def rounds(count: int) -> None:
    """Lets all tasks go on until they wait for something."""
    for _ in range(count):
        await asyncio.sleep(0)


async def close(browser: Browser) -> None:
    for name in tuple(browser._following):
        browser._forget(name)
    await rounds(1)


@pytest.mark.parametrize("place", [0, 1, BUSY, 2 * BUSY])
def test_a_flood_of_announcements_does_not_hide_a_table(place: int) -> None:
    async def scene() -> None:
        browser = Silence()
        announce(browser, (f"table {number}" for number in range(place)))
        announce(browser, ["Friday"])
        announce(browser, (f"table {number}" for number in range(place, 2 * BUSY)))
        await browser.seen.wait()
        assert [found.name for found in browser.tables()] == ["Friday"]
        # Neither does one that goes on and on: those that failed give way first.
        announce(browser, (f"more {number}" for number in range(3 * NAMES_MAX)))
        assert [found.name for found in browser.tables()] == ["Friday"]
        assert len(browser._following) == NAMES_MAX
        await close(browser)

    run(scene)


def test_a_name_that_was_not_tried_yet_outlasts_those_that_failed() -> None:
    async def scene() -> None:
        browser = Silence()
        browser.may_answer.clear()
        announce(browser, ["Friday", *(f"table {number}" for number in range(1, NAMES_MAX))])
        await rounds(NAMES_MAX)
        assert len(browser._failed) == NAMES_MAX - 1
        announce(browser, (f"more {number}" for number in range(1, NAMES_MAX)))
        browser.may_answer.set()
        await browser.seen.wait()
        assert [found.name for found in browser.tables()] == ["Friday"]
        await close(browser)

    run(scene)


def test_what_is_heard_and_forgotten_while_looking_ends_ends_too() -> None:
    """`run` complains of tasks left behind."""

    class HangsUpSlowly(Silence):
        async def _proved(self, name: str, found: FoundTable) -> FoundTable | None:
            self.seen.set()
            try:
                return await asyncio.Future()
            finally:
                await rounds(3)
                announce(self, [f"{name} once more"])

    async def scene() -> None:
        browser = HangsUpSlowly()
        async with browser:
            announce(browser, ["Friday"])
            await browser.seen.wait()
            browser._forget("Friday")
            await rounds(1)

    run(scene)


def crowd(browser: Browser, host: str, count: int) -> None:
    """So many tables under so many identities that all answer at one address."""
    for number in range(count):
        one = shown(f"{host} {number}", number, 1)
        where = (Address(host.format(number), 4711),)
        browser._show(one.name, dataclasses.replace(one, addresses=where))


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::{:x}"])
def test_who_answers_for_many_tables_takes_no_place_from_one_that_answers_elsewhere(
    host: str,
) -> None:
    """Whichever came first; and the list is bounded, and steady."""

    async def scene() -> None:
        browser = Browser()
        browser._show("early", shown("early", 200, 2))
        crowd(browser, host, 2 * FOUND_MAX)
        assert len(browser._found) == FOUND_MAX
        before = set(browser._found)
        browser._show("late", shown("late", 201, 3))
        assert {"early", "late"} <= browser._found.keys() and len(browser._found) == FOUND_MAX
        assert before - set(browser._found) == {f"{host} {FOUND_MAX - 2}"}, "the latest of many"
        crowd(browser, host, 2 * FOUND_MAX)
        assert {"early", "late"} <= browser._found.keys() and len(browser._found) == FOUND_MAX

    run(scene)


def test_the_address_that_answers_comes_first() -> None:
    async def scene() -> None:
        browser = Browser()

        async def probe(
            addresses: Sequence[Address], host_fingerprint: str, has_failed: bool = False
        ) -> Address:
            return addresses[1]

        browser._prober.probe = probe  # type: ignore[method-assign]
        hosts = ["10.77.2.1", "10.77.2.2"]
        found = found_table(announced("x", 1, 1), hosts, Dialable())
        proved = await browser._proved("x", found)
        assert proved is not None and proved.addresses == found.addresses[::-1]

    run(scene)


async def _wait(forever: asyncio.Event) -> None:
    await forever.wait()
