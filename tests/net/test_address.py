"""Addresses as people write them, as peers tell them, and as they are dialled."""

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net import address as module
from p2pjong.net.address import (
    Address,
    Dialable,
    Interface,
    by_nearness,
    interfaces,
    is_link_local,
    own_addresses,
    parse_address,
    remote_address,
    with_zones,
    without_zone,
)

LAN = (
    Interface("lo", "127.0.0.1", 8),
    Interface("lo", "::1", 128),
    Interface("eth0", "fe80::1%eth0", 64),
    Interface("eth0", "192.0.2.7", 24),
    Interface("wlan0", "fe80::2%wlan0", 64),
    Interface("wlan0", "2001:db8::7", 64),
)


@pytest.fixture
def lan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "interfaces", lambda: LAN)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.0.2.7:4711", "192.0.2.7", 4711),
        (" table.local:1 ", "table.local", 1),
        ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
        ("[::1]:4711", "::1", 4711),
        ("192.0.2.7", "192.0.2.7", 99),
        ("fe80::1%eth0", "fe80::1%eth0", 99),
        ("[::1]", "::1", 99),
    ],
)
def test_an_address_is_read(text: str, host: str, port: int) -> None:
    assert parse_address(text, default_port=99) == Address(host, port)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":1", "host:", "host:0", "host:65536", "host:x", "host:-1", "[::1:5", "[::1]x"),
        *("h:٣", "[]:1", "x" * 256 + ":1", "::1", "host"),
    ],
)
def test_what_is_no_address_is_a_usage_error(text: str) -> None:
    with pytest.raises(P2PJongError) as caught:
        parse_address(text)
    assert caught.value.code is Exit.USAGE


def test_an_address_is_shown_as_it_is_written() -> None:
    for text in ("192.0.2.7:4711", "[fe80::1%eth0]:4711", "table.local:4711"):
        assert str(parse_address(text)) == text


def test_this_machine_has_a_loopback_interface() -> None:
    loopback = [one for one in interfaces() if one.is_loopback]
    assert any(one.host == "127.0.0.1" and not one.is_ipv6 for one in loopback)


def test_others_are_told_our_addresses_without_loopback_and_zones(lan: None) -> None:
    assert [address.host for address in own_addresses(4711)] == [
        "192.0.2.7",
        "2001:db8::7",
        "fe80::1",
        "fe80::2",
    ]
    assert own_addresses(4711, "192.0.2.7") == (Address("192.0.2.7", 4711),)


def test_without_a_network_others_on_this_machine_are_told_the_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "interfaces", lambda: LAN[:2])
    assert own_addresses(1) == (Address("127.0.0.1", 1), Address("::1", 1))


def test_a_link_local_address_without_a_zone_is_tried_on_every_interface(lan: None) -> None:
    told = [Address("192.0.2.9", 1), Address("fe80::9", 1), Address("fe80::8%wlan0", 1)]
    assert with_zones(told) == (
        Address("192.0.2.9", 1),
        Address("fe80::9%eth0", 1),
        Address("fe80::9%wlan0", 1),
        Address("fe80::8%wlan0", 1),
    )


def test_our_own_subnets_are_tried_first_and_far_addresses_last(lan: None) -> None:
    near = [Address("2001:db8::9", 1), Address("192.0.2.9", 1)]
    link = [Address("fe80::9%eth0", 1)]
    rest = [Address("fe80::9", 1)]
    far = [Address("198.51.100.9", 1), Address("table.local", 1)]
    assert by_nearness([*far, *rest, *link, *near]) == (*near, *link, *rest, *far)


def test_link_local_is_told_from_everything_else() -> None:
    assert is_link_local("fe80::1") and is_link_local("fe80::1%eth0")
    assert not any(map(is_link_local, ("::1", "169.254.1.1", "table.local", "2001:db8::1")))


def test_the_other_end_of_a_socket_is_named_plainly() -> None:
    assert remote_address(("192.0.2.7", 1)) == Address("192.0.2.7", 1)
    assert remote_address(("::ffff:192.0.2.7", 1, 0, 0)) == Address("192.0.2.7", 1)
    assert remote_address(("fe80::1%eth0", 1, 0, 2)) == Address("fe80::1%eth0", 1)
    assert without_zone(Address("fe80::1%eth0", 1)) == Address("fe80::1", 1)


# --- What others make us dial -----------------------------------------------------------------

NO_ADDRESSES = [
    "a.example",
    "1.2.3.4%.evil.example",
    "192.0.2.7%eth0",
    "fe80::1%\x00",
    "fe80::1%a.b/../c",
    "fe80::1%" + "x" * 33,
    "::1%\u00e9",
    "",
]
NO_SINGLE_MACHINE = [
    "0.0.0.0",
    "0.1.2.3",
    "224.0.0.251",
    "239.1.2.3",
    "240.0.0.1",
    "::",
    "ff02::fb",
]
BROADCAST = ["255.255.255.255", "192.0.2.255", "192.0.2.0"]  # the latter two: of the LAN above
IN_DISGUISE = ["::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "2001::1"]
LOOPBACK = ["127.0.0.1", "127.9.9.9", "::1"]
FAR = ["198.51.100.7", "8.8.8.8", "2001:db9::7", "100.64.0.7"]
NEAR = [
    *("192.0.2.9", "2001:db8::9", "10.1.2.3", "172.31.0.1", "192.168.7.7", "169.254.3.4"),
    *("fd00::7", "fe80::7", "fe80::7%eth0"),
]


def test_no_one_makes_us_dial_what_is_no_single_other_machine(lan: None) -> None:
    for is_over_loopback in (False, True):
        may = Dialable.here(is_over_loopback)
        for host in (*NO_ADDRESSES, *NO_SINGLE_MACHINE, *BROADCAST, *IN_DISGUISE):
            assert not may.told(host) and not may.announced(host), host


def test_loopback_is_dialled_only_where_it_was_heard_on_loopback(lan: None) -> None:
    for host in LOOPBACK:
        assert not Dialable.here().told(host) and not Dialable.here().announced(host)
        assert Dialable.here(True).told(host) and Dialable.here(True).announced(host)


def test_what_is_announced_leads_nowhere_beyond_a_lan(lan: None) -> None:
    may = Dialable.here()
    assert [host for host in (*NEAR, *FAR) if may.announced(host)] == NEAR
    assert all(may.told(host) for host in (*NEAR, *FAR)), "a peer may sit behind a router"


def test_the_addresses_of_providers_count_as_near_where_we_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tunnel = Interface("tailscale0", "100.101.1.1", 32)
    monkeypatch.setattr(module, "interfaces", lambda: (*LAN, tunnel))
    assert Dialable.here().announced("100.64.0.7")
    assert not Dialable.here().announced("100.128.0.7")
