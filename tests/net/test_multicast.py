"""Which addresses multicast is spoken from, and what is said where it does not work."""

import asyncio
import logging

import pytest
from zeroconf import IPVersion

from p2pjong.net import multicast as module
from p2pjong.net.address import Interface
from p2pjong.net.multicast import Multicast, Trouble, _versions, is_loopback_alone, multicast_hosts

LOOPBACK = (Interface("lo", "127.0.0.1", 8), Interface("lo", "::1", 128))
WIRE = (
    Interface("eth0", "192.0.2.7", 24),
    Interface("eth0", "2001:db8::7", 64),
    Interface("eth0", "fe80::1%eth0", 64),
)
WLAN = (Interface("wlan0", "fe80::2%wlan0", 64), Interface("wlan0", "198.51.100.7", 24))


def test_all_of_ipv4_and_the_link_local_address_of_each_interface() -> None:
    assert multicast_hosts((*LOOPBACK, *WIRE, *WLAN), None) == [
        "192.0.2.7",
        "198.51.100.7",
        "fe80::1",
        "fe80::2",
    ]


def test_an_interface_without_a_link_local_address_speaks_from_what_it_has() -> None:
    assert multicast_hosts((*LOOPBACK, WIRE[1]), None) == ["2001:db8::7"]


def test_without_a_network_this_machine_speaks_to_itself() -> None:
    assert multicast_hosts(LOOPBACK, None) == ["127.0.0.1"]
    assert multicast_hosts((), None) == []


def test_an_address_that_is_bound_speaks_alone() -> None:
    assert multicast_hosts((*LOOPBACK, *WIRE), "fe80::1%eth0") == ["fe80::1"]
    assert multicast_hosts((*LOOPBACK, *WIRE), "192.0.2.7") == ["192.0.2.7"]


def test_the_families_are_those_of_the_addresses() -> None:
    assert _versions(["192.0.2.7", "fe80::1"]) is IPVersion.All
    assert _versions(["192.0.2.7"]) is IPVersion.V4Only
    assert _versions(["fe80::1"]) is IPVersion.V6Only


def test_what_is_heard_on_loopback_comes_from_this_machine_alone() -> None:
    assert is_loopback_alone(LOOPBACK, None)
    assert is_loopback_alone((*LOOPBACK, *WIRE), "127.0.0.1")
    assert not is_loopback_alone((*LOOPBACK, *WIRE), None)


async def nothing() -> None: ...


def test_that_multicast_does_not_work_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again all the time, by the one that looks and by the one that announces."""
    tries: list[None] = []
    many = asyncio.Event()

    def refused(*_: object, **__: object) -> None:
        tries.append(None)
        if len(tries) == 10:
            many.set()
        raise OSError(19, "No such device")

    async def scene() -> None:
        both = [Multicast(nothing, None, watch_s=0.01) for _ in range(2)]
        for one in both:
            await one.start()
        await many.wait()
        for one in both:
            await one.close()

    monkeypatch.setattr(module, "AsyncZeroconf", refused)
    monkeypatch.setattr(module, "_trouble", Trouble())
    with caplog.at_level(logging.WARNING, "p2pjong"):
        asyncio.run(scene())
    (said,) = caplog.messages
    assert said.startswith("multicast does not work here (No such device)")
    assert "--connect" in said


def test_trouble_that_comes_back_is_said_again(caplog: pytest.LogCaptureFixture) -> None:
    trouble = Trouble()
    with caplog.at_level(logging.WARNING, "p2pjong"):
        trouble.say("it rains")
        trouble.say("it rains")
        trouble.is_over()
        trouble.say("it rains")
    assert caplog.messages == ["it rains"] * 2
