"""The checks of `doctor` that need no network; tests/network has the others."""

import asyncio
from dataclasses import replace

import pytest

from p2pjong.net import doctor as module
from p2pjong.net.address import Address, Interface
from p2pjong.net.discovery import PROBE_LIMITS, FoundTable
from p2pjong.net.doctor import (
    Finding,
    check_firewall,
    check_interfaces,
    check_listening,
    check_tables,
)
from p2pjong.net.firewall import Firewall
from p2pjong.net.identity import fingerprint
from p2pjong.net.listener import Listener
from p2pjong.net.surroundings import Surroundings
from tests.support.loopback import peers
from tests.support.peers import free_port


def test_a_taken_port_is_a_finding_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBE_LIMITS", replace(PROBE_LIMITS, handshake_s=0.2))
    taken = Listener.open(free_port())
    try:
        finding = asyncio.run(check_listening(taken.port, None))
        assert not finding.is_well
        assert str(taken.port) in finding.text and "--port" in finding.hint
    finally:
        taken.close()
    assert asyncio.run(check_listening(taken.port, None)).is_well
    assert asyncio.run(check_listening(0, None)).is_well


def test_no_interface_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "interfaces", lambda: ())
    finding = asyncio.run(check_interfaces())
    assert not finding.is_well and "connect this machine" in finding.hint


def table(name: str, host: str, port: int) -> FoundTable:
    where = (Address(host, port),)
    return FoundTable(
        name, bytes(16), "war-jhong", 4, 2, False, fingerprint(bytes(32)), where, port
    )


def test_the_port_of_a_table_that_is_open_here_is_no_obstacle() -> None:
    async def scene() -> Finding:
        async with peers(1) as (host,):
            return await check_listening(host.address.port, "127.0.0.1")

    finding = asyncio.run(scene())
    assert finding.is_well and "in use by p2pjong" in finding.text


def test_a_table_that_does_not_answer_is_a_finding_beside_those_that_do() -> None:
    friday, ghost = table("Friday", "10.0.0.6", 4711), table("Ghost", "10.0.0.7", 4242)
    tables, reach = check_tables(Surroundings((friday,), (ghost,), 0))
    assert tables.is_well and tables.text == "Friday at 10.0.0.6:4711"
    assert not reach.is_well and reach.check == "reach"
    assert reach.text == "Ghost is announced at 10.0.0.7:4242, but does not answer there"
    assert "10.0.0.7" in reach.hint and "TCP port 4242" in reach.hint
    alone, _ = check_tables(Surroundings((), (ghost,), 0))
    assert not alone.is_well and "p2pjong host" not in alone.hint, "one is open"
    (none,) = check_tables(Surroundings((), (), 0))
    assert not none.is_well and "p2pjong host" in none.hint


def test_a_table_of_this_machine_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "interfaces", lambda: (Interface("eth0", "10.0.0.6", 24),))
    (finding,) = check_tables(Surroundings((table("Friday", "10.0.0.6", 4711),), (), 0))
    assert finding.text == "Friday at 10.0.0.6:4711 (this machine)"


def test_what_the_firewall_does_is_told_as_far_as_it_is_known() -> None:
    closed = Firewall("ufw", True, "", "ip filter INPUT", (range(22, 23),))
    finding = check_firewall(closed, [4711])
    assert not finding.is_well and "TCP port 4711" in finding.text
    assert "UDP port 5353" in finding.hint and "TCP port 4711" in finding.hint
    assert check_firewall(closed, [22]).is_well
    assert check_firewall(closed, []).is_well and "host --port" in check_firewall(closed, []).hint
    unread = check_firewall(Firewall("ufw"), [4711])
    assert unread.is_well and "may be at work" in unread.text and "TCP port 4711" in unread.hint
    assert "another machine" in check_firewall(None, [4711]).text, "what cannot be known is said"
