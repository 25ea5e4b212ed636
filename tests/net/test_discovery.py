"""What is shown of what was found. The finding itself is tested in tests/network, on real LANs."""

import asyncio
import dataclasses
import socket
from collections.abc import Iterable, Sequence

import pytest
from zeroconf import ServiceStateChange

from p2pjong.net import discovery as module
from p2pjong.net.address import Address
from p2pjong.net.announcement import SERVICE_TYPE, Announcement
from p2pjong.net.discovery import (
    FOUND_MAX,
    NAMES_MAX,
    PROBE_LIMITS,
    TRIES_MAX,
    Browser,
    FoundTable,
    _found,
    _named_zone,
)
from p2pjong.net.identity import fingerprint
from tests.support.loopback import run


def announced(name: str, table: int, peer: int) -> Announcement:
    host = fingerprint(bytes([peer]) * 32)
    return Announcement(name, bytes([table]) * 16, "war-jhong", 4, 2, False, host, 4711)


def shown(name: str, table: int, peer: int, is_playing: bool = True) -> FoundTable:
    found = dataclasses.replace(announced(name, table, peer), is_playing=is_playing)
    return _found(found, [f"192.0.2.{peer}"])


def test_addresses_come_with_the_port_and_a_zone_by_name() -> None:
    name = socket.if_indextoname(1)
    found = _found(announced("x", 1, 1), ["fe80::1%1", "192.0.2.1", "fe80::1%0"])
    assert set(found.addresses) == {
        Address(f"fe80::1%{name}", 4711),
        Address("192.0.2.1", 4711),
        Address("fe80::1", 4711),
    }
    assert found.port == 4711


def test_a_zone_that_is_no_interface_here_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(index: int) -> str:
        raise OSError(19, "No such device")

    monkeypatch.setattr(module.socket, "if_indextoname", nothing)  # type: ignore[attr-defined]
    assert _named_zone("fe80::1%7") == "fe80::1"
    assert _named_zone("192.0.2.1") == "192.0.2.1"


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
            browser._silent.add(label)
            following = browser._following[label]
            browser._forget(label)
            await asyncio.wait([following])
        assert not browser.other_versions
        assert not (browser._changed or browser._following or browser._silent or browser._found)

    run(scene)


class Silence(Browser):
    """A browser on a network on which just one of the announced tables, Friday, is one."""

    def __init__(self) -> None:
        self.seen, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_answer.set()
        super().__init__(self.seen.set)

    async def _resolve(self, zeroconf: object, name: str) -> FoundTable | None:
        if name == "Friday":
            await self.may_answer.wait()
            return shown(name, 1, 1)
        return None

    async def _proved(self, name: str, found: FoundTable) -> FoundTable | None:
        return found


def announce(browser: Browser, names: Iterable[str]) -> None:
    for name in names:
        browser._on_service(None, SERVICE_TYPE, name, ServiceStateChange.Added)  # type: ignore[arg-type]


async def rounds(count: int) -> None:
    """Lets all tasks go on until they wait for something."""
    for _ in range(count):
        await asyncio.sleep(0)


async def close(browser: Browser) -> None:
    for name in tuple(browser._following):
        browser._forget(name)
    await rounds(1)


@pytest.mark.parametrize("place", [0, 1, TRIES_MAX, 2 * TRIES_MAX])
def test_a_flood_of_announcements_does_not_hide_a_table(place: int) -> None:
    async def scene() -> None:
        browser = Silence()
        announce(browser, (f"table {number}" for number in range(place)))
        announce(browser, ["Friday"])
        announce(browser, (f"table {number}" for number in range(place, 2 * TRIES_MAX)))
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


def test_of_an_announcement_only_so_many_addresses_are_kept() -> None:
    hosts = [f"127.0.{number // 200}.{number % 200 + 1}" for number in range(400)]
    assert len(_found(announced("x", 1, 1), hosts).addresses) == PROBE_LIMITS.probe_addresses


def test_the_address_that_answers_comes_first() -> None:
    async def scene() -> None:
        browser = Browser()

        async def probe(
            addresses: Sequence[Address], host_fingerprint: str, has_failed: bool = False
        ) -> Address:
            return addresses[1]

        browser._prober.probe = probe  # type: ignore[method-assign]
        found = _found(announced("x", 1, 1), ["192.0.2.1", "192.0.2.2"])
        proved = await browser._proved("x", found)
        assert proved is not None and proved.addresses == found.addresses[::-1]

    run(scene)


async def _wait(forever: asyncio.Event) -> None:
    await forever.wait()
