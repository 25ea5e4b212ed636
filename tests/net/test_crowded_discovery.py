"""A real table among many announcements that lead nowhere is shown soon, whoever makes them."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from p2pjong.net import address as addresses
from p2pjong.net.address import Address, Interface, neighbourhood
from p2pjong.net.discovery import NAMES_MAX, Browser, FoundTable
from p2pjong.net.identity import Identity, fingerprint
from p2pjong.net.link_errors import LinkError
from p2pjong.net.probe import AGAIN_AT_ONCE, FIRST_AT_ONCE
from tests.support.announced import FakeHearing, announce, hears
from tests.support.loopback import peers, run
from tests.support.virtual_clock import run_virtually

REAL, OWN_SUBNET = "Friday", Interface("eth0", "10.77.0.2", 16)
ANSWER_S = 0.05
DEAD = 200


@pytest.fixture(autouse=True)
def on_a_lan(monkeypatch: pytest.MonkeyPatch) -> None:
    loopback = Interface("lo", "127.0.0.1", 8)
    monkeypatch.setattr(addresses, "interfaces", lambda: (OWN_SUBNET, loopback))


def table(name: str, where: list[Address], key: bytes = bytes(32)) -> FoundTable:
    return FoundTable(
        name, bytes(16), "war-jhong", 4, 2, False, fingerprint(key), tuple(where), where[0].port
    )


class Crowd(Browser):
    """A browser on a network where all hosts are silent but that of Friday, which takes a moment.

    `where` says what the dead announcement of a number names as its addresses.
    """

    def __init__(
        self, where: Callable[[int], list[str]], host: str = "10.77.9.9", answer_s: float = ANSWER_S
    ) -> None:
        super().__init__()
        self.open, self.most, self.probed = 0, 0, 0
        self.seen = asyncio.Event()
        self._on_change = self.seen.set
        self._where, self._host, self._answer_s = where, host, answer_s
        self._prober._who_answers = self._knock  # type: ignore[method-assign]
        hears(self, FakeHearing(self.known))

    def known(self, name: str) -> FoundTable | None:
        if name == REAL:
            return table(name, [Address(self._host, 4711)])
        number = int(name.split()[1])
        return table(name, [Address(host, 10_000 + number) for host in self._where(number)])

    async def _knock(self, address: Address) -> str:
        self.open += 1
        self.most = max(self.most, self.open)
        self.probed += 1
        try:
            await asyncio.sleep(self._answer_s if address.port == 4711 else 3600)
            return fingerprint(bytes(32))
        finally:
            self.open -= 1

    def announce(self, *names: str) -> None:
        announce(self, names)

    async def close(self) -> None:
        tasks = list(self._following.values())
        for name in tuple(self._following):
            self._forget(name)
        await asyncio.wait(tasks)
        assert self.open == 0


def one_address(number: int) -> list[str]:
    return ["10.77.1.1"]


def many_addresses(number: int) -> list[str]:
    return [f"10.77.{number // 100 + 1}.{number % 100 + 1}"]


def far_addresses(number: int) -> list[str]:
    return [f"198.51.{number // 100}.{number % 100}"]


def sixteen_addresses(number: int) -> list[str]:
    return [f"10.77.{other + 1}.{number % 250 + 1}" for other in range(16)]


def the_hosts_address(number: int) -> list[str]:
    return ["10.77.9.9"]


def shown_after_s(crowd: Callable[[], Crowd], dead: int, place: int) -> float:
    """When the real table is shown that is announced after so many of the dead ones."""

    async def scene() -> float:
        browser = crowd()
        browser.announce(*(f"dead {number}" for number in range(place)), REAL)
        browser.announce(*(f"dead {number}" for number in range(place, dead)))
        await browser.seen.wait()
        assert [found.name for found in browser.tables()] == [REAL]
        shown_s = asyncio.get_running_loop().time()
        assert browser.most <= FIRST_AT_ONCE * 2 + AGAIN_AT_ONCE * 16, "sockets are bounded"
        await browser.close()
        return shown_s

    return run_virtually(scene())


@pytest.mark.parametrize("place", [0, 1, DEAD // 2, DEAD])
def test_dead_announcements_of_one_address_delay_no_table_of_another(place: int) -> None:
    assert shown_after_s(lambda: Crowd(one_address), DEAD, place) < 0.5


@pytest.mark.parametrize("place", [0, DEAD // 2, DEAD])
def test_as_many_as_are_kept_of_one_address_do_not_either(place: int) -> None:
    assert shown_after_s(lambda: Crowd(one_address), NAMES_MAX - 1, place) < 0.5


@pytest.mark.parametrize("place", [0, 1, DEAD // 2, DEAD])
@pytest.mark.parametrize("where", [many_addresses, sixteen_addresses, the_hosts_address])
def test_dead_announcements_of_many_addresses_delay_a_table_by_seconds(
    where: Callable[[int], list[str]], place: int
) -> None:
    first_tries_s = DEAD / (FIRST_AT_ONCE / 2)
    assert shown_after_s(lambda: Crowd(where), DEAD, place) < first_tries_s <= 10
    if place in (0, DEAD):
        shown_s = shown_after_s(lambda: Crowd(where), DEAD, place)
        assert shown_s < 2.5, "who came first or last waits least"


@pytest.mark.parametrize("place", [0, DEAD // 2, DEAD])
def test_addresses_beyond_our_subnets_count_as_one(place: int) -> None:
    assert shown_after_s(lambda: Crowd(far_addresses), DEAD, place) < 0.5


@pytest.mark.parametrize("place", [0, DEAD])
def test_a_host_that_is_slow_gets_its_second_try_among_the_dead(place: int) -> None:
    """The short try is not enough for it."""
    assert shown_after_s(lambda: Crowd(one_address, answer_s=2.0), DEAD, place) < 4


def test_a_table_that_is_shown_stays_while_the_dead_are_tried_again_and_again() -> None:
    async def scene() -> None:
        browser = Crowd(many_addresses)
        browser.announce(REAL, *(f"dead {number}" for number in range(DEAD)))
        await asyncio.sleep(10)
        for _ in range(300):
            await asyncio.sleep(0.2)
            assert [found.name for found in browser.tables()] == [REAL]
        await browser.close()

    run_virtually(scene())


@pytest.mark.slow
def test_the_more_lead_nowhere_the_more_seldom_each_is_tried() -> None:
    async def scene(dead: int) -> float:
        browser = Crowd(one_address)
        browser._prober._who_answers = refuse  # type: ignore[method-assign]
        browser.announce(*(f"dead {number}" for number in range(dead)))
        await asyncio.sleep(1)
        tries.clear()
        await asyncio.sleep(100)
        await browser.close()
        return len(tries) / 100

    async def refuse(address: Address) -> str:
        tries.append(address)
        raise LinkError("refuses")

    tries: list[Address] = []
    assert run_virtually(scene(2)) > 0.4
    assert run_virtually(scene(1000)) < 20


def test_neighbours_count_each_for_itself_and_all_others_together() -> None:
    assert neighbourhood("10.77.1.1") != neighbourhood("10.77.1.2")
    assert neighbourhood("192.0.2.1") == neighbourhood("198.51.100.1") == neighbourhood("nonsense")
    assert neighbourhood("fe80::1%eth0") == neighbourhood("fe80::2%eth0") != ""
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db9::1") == ""


# --- Over real sockets ------------------------------------------------------------------------


@contextmanager
def tarpit(host: str) -> Iterator[Address]:
    """Takes connections, and says nothing on them."""
    with socket.create_server((host, 0), backlog=1024) as held:
        yield Address(host, held.getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize("is_one_address", [True, False], ids=["one address", "many addresses"])
def test_over_real_sockets(is_one_address: bool) -> None:
    async def scene() -> None:
        with ExitStack() as stack:
            hosts = ["127.0.1.1"] if is_one_address else [f"127.0.1.{n + 1}" for n in range(DEAD)]
            traps = [stack.enter_context(tarpit(host)) for host in hosts]
            async with peers(1) as (host,):

                class Real(Crowd):
                    def known(self, name: str) -> FoundTable | None:
                        if name == REAL:
                            return table(name, [host.address], host.identity.key)
                        trap = traps[int(name.split()[1]) % len(traps)]
                        return table(name, [trap], Identity.fresh().key)

                browser = Real(one_address)
                del browser._prober._who_answers
                browser.announce(*(f"dead {number}" for number in range(DEAD)), REAL)
                async with asyncio.timeout(5):
                    await browser.seen.wait()
                assert [found.name for found in browser.tables()] == [REAL]
                await browser.close()

    run(scene)
