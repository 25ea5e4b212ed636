"""Whatever packets come, zeroconf's troubles with them reach nobody, and tables are found."""

import asyncio
import logging
import random
from typing import Any

import pytest
from zeroconf import DNSOutgoing, DNSQuestion, ServiceInfo  # type: ignore[attr-defined]

from p2pjong.net.address import Address, is_loopback
from p2pjong.net.announcement import SERVICE_TYPE, Announcement, instance_label, to_txt
from p2pjong.net.discovery import Browser, FoundTable
from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import unreachable
from p2pjong.net.stumbles import pass_over_stumbles
from tests.support.loopback import peers, run
from tests.support.spoofer import NO_UTF8, garbage, table_packet

PACKETS = 1500
SOMEBODY = ("127.0.0.1", 5353)
LEGACY = ("127.0.0.1", 40000)  # who asks from another port gets its question back


def table(host: str, port: int, name: str = "Friday") -> Announcement:
    return Announcement(name, bytes(16), "war-jhong", 4, 2, False, host, port)


def hosts(browser: Browser) -> list[str]:
    return [found.fingerprint for found in browser.tables()]


def heard(browser: Browser, announcement: Announcement) -> list[FoundTable]:
    tables = browser._heard.values()
    return [one for one in tables if one.fingerprint == announcement.fingerprint]


def at_home(browser: Browser) -> None:
    """Whatever garbage makes of an address: nothing is dialled beyond this machine."""
    dial = browser._prober._who_answers

    async def dial_here(address: Address) -> str:
        if not is_loopback(address.host):
            raise unreachable("not dialled in tests")
        return await dial(address)

    browser._prober._who_answers = dial_here  # type: ignore[method-assign]


class Wire:
    """What comes to a browser's sockets; what it says stays here, once it is written."""

    def __init__(self, browser: Browser) -> None:
        opened = browser._hearing._multicast.zeroconf
        assert opened is not None
        self.zeroconf = opened.zeroconf
        self.zeroconf.async_send = self._write  # type: ignore[assignment]
        self._loop = asyncio.get_running_loop()

    def _write(self, packet: Any, *_: object) -> None:
        packet.packets()

    def host(self, announcement: Announcement) -> None:
        """This end announces a table, too: it answers what it is asked."""
        name = f"{instance_label(announcement)}.{SERVICE_TYPE}"
        txt = to_txt(announcement)
        service = ServiceInfo(
            SERVICE_TYPE,
            name,
            4711,
            properties=txt,
            server="ours.local.",
            parsed_addresses=["127.0.0.1"],
        )
        self.zeroconf.registry.async_add(service)

    async def receive(self, data: bytes, source: tuple[str, int] = SOMEBODY) -> None:
        """The event loop hands it over, as it does what a socket brings."""
        self._loop.call_soon(self.zeroconf.engine.protocols[0].datagram_received, data, source)
        await asyncio.sleep(0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_garbage_is_nobodys_news_and_hides_no_table(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(seed)
    to_people: list[dict[str, Any]] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: to_people.append(context))
        changed = asyncio.Event()
        async with peers(1) as (host,), Browser(changed.set, bind="127.0.0.1") as browser:
            at_home(browser)
            wire = Wire(browser)
            wire.host(table(host.identity.fingerprint, 4711, "Ours"))
            for number in range(PACKETS):
                data = NO_UTF8 if number % 50 == 0 else garbage(rng)
                await wire.receive(data, rng.choice((SOMEBODY, LEGACY)))
            await asyncio.sleep(0.5)  # what it put off
            real = table(host.identity.fingerprint, host.address.port)
            await wire.receive(table_packet(real, "127.0.0.1"))
            async with asyncio.timeout(10):
                # Others play on this machine's loopback, too.
                while host.identity.fingerprint not in hosts(browser):
                    changed.clear()
                    await changed.wait()
            assert not any(task.done() for task in browser._following.values())

    with caplog.at_level(logging.DEBUG, "p2pjong"):
        run(scene)
    assert to_people == []
    stumbles = [one for one in caplog.records if one.msg.startswith("zeroconf stumbled")]
    assert stumbles, "or these packets try nothing"
    assert all(one.levelno < logging.INFO for one in caplog.records if one.name == stumbles[0].name)
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


def test_a_table_announced_under_the_label_of_another_is_passed_over() -> None:
    async def scene() -> None:
        async with Browser(bind="127.0.0.1") as browser:
            at_home(browser)
            wire = Wire(browser)
            real = table(fingerprint(bytes(32)), 9)
            other = table(fingerprint(bytes([1]) * 32), 9)
            under = table_packet(other, "127.0.0.1", label=instance_label(real))
            await wire.receive(under)
            assert not heard(browser, other)
            await wire.receive(table_packet(real, "127.0.0.1"))
            await wire.receive(table_packet(other, "127.0.0.1"))
            assert heard(browser, real) and heard(browser, other)

    run(scene)


def test_where_others_are_heard_no_loopback_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pjong.net.hearing.is_loopback_alone", lambda found, bind: False)

    async def scene() -> None:
        async with Browser(bind="127.0.0.1") as browser:
            at_home(browser)
            wire = Wire(browser)
            await wire.receive(table_packet(table(fingerprint(bytes(32)), 9), "127.0.0.1"))
            await wire.receive(table_packet(table(fingerprint(bytes(32)), 9), "224.0.0.251"))
            (kept,) = heard(browser, table(fingerprint(bytes(32)), 9))
            assert kept.addresses == ()

    run(scene)


def test_only_what_zeroconf_raises_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    to_people: list[dict[str, Any]] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: to_people.append(context))
        pass_over_stumbles()
        pass_over_stumbles()
        loop.call_soon(lambda: 1 // 0)
        loop.call_soon(lambda: to_txt(None))  # type: ignore[arg-type]  # a fault of ours
        question = DNSOutgoing(0)
        question.add_question(DNSQuestion("x" * 80 + ".local.", 12, 1))
        loop.call_soon(question.packets)
        await asyncio.sleep(0.01)

    with caplog.at_level(logging.DEBUG, "p2pjong"):
        asyncio.run(scene())
    assert [type(context["exception"]) for context in to_people] == [
        ZeroDivisionError,
        AttributeError,
    ]
    assert any(message.startswith("zeroconf stumbled") for message in caplog.messages)
