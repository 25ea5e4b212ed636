"""Which addresses multicast is spoken from."""

from zeroconf import IPVersion

from p2pjong.net.address import Interface
from p2pjong.net.multicast import _versions, multicast_hosts

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
