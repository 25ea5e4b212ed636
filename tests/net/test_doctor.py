"""The checks of `doctor` that need no network; tests/network has the others."""

import asyncio
import sys
from pathlib import Path

import pytest

from p2pjong.net import doctor as module
from p2pjong.net.doctor import _firewall_name, check_firewall, check_interfaces, check_listening
from p2pjong.net.listener import Listener
from tests.support.peers import free_port


def test_a_taken_port_is_a_finding_with_what_to_do() -> None:
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


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the files of Linux")
def test_the_firewalls_of_linux_are_known_by_their_files(tmp_path: Path) -> None:
    assert _firewall_name(tmp_path) is None
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert _firewall_name(tmp_path) == "firewalld"
    (tmp_path / "etc/ufw").mkdir(parents=True)
    (tmp_path / "etc/ufw/ufw.conf").write_text("# ufw\nENABLED=no\n")
    assert _firewall_name(tmp_path) == "firewalld"
    (tmp_path / "etc/ufw/ufw.conf").write_text("# ufw\nENABLED=yes\n")
    assert _firewall_name(tmp_path) == "ufw"


def test_a_firewall_comes_with_the_ports_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_firewall_name", lambda: "ufw")
    finding = asyncio.run(check_firewall(4711))
    assert "UDP port 5353" in finding.hint and "TCP port 4711" in finding.hint
