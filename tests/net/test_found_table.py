"""Where a table that was announced may be reached from here."""

import socket

import pytest

from p2pjong.net import found_table as module
from p2pjong.net.address import Address, Dialable
from p2pjong.net.announcement import Announcement
from p2pjong.net.found_table import _named_zone, found_table
from p2pjong.net.identity import fingerprint
from p2pjong.net.limits import LIMITS

FRIDAY = Announcement("Friday", bytes(16), "war-jhong", 4, 2, False, fingerprint(bytes(32)), 4711)


def test_addresses_come_with_the_port_and_a_zone_by_name() -> None:
    name = socket.if_indextoname(1)
    found = found_table(FRIDAY, ["fe80::1%1", "10.77.2.1", "fe80::1%0"], Dialable())
    assert set(found.addresses) == {
        Address(f"fe80::1%{name}", 4711),
        Address("10.77.2.1", 4711),
        Address("fe80::1", 4711),
    }
    assert found.port == 4711


def test_a_zone_that_is_no_interface_here_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(index: int) -> str:
        raise OSError(19, "No such device")

    monkeypatch.setattr(module.socket, "if_indextoname", nothing)  # type: ignore[attr-defined]
    assert _named_zone("fe80::1%7") == "fe80::1"
    assert _named_zone("10.77.2.1") == "10.77.2.1"


def test_of_an_announcement_only_so_many_addresses_are_kept() -> None:
    hosts = [f"10.0.{number // 200}.{number % 200 + 1}" for number in range(400)]
    assert len(found_table(FRIDAY, hosts, Dialable()).addresses) == LIMITS.probe_addresses
