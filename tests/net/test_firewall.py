"""What the rules of a firewall say of connections from outside."""

import asyncio
import sys
from pathlib import Path

import pytest

from p2pjong.net import firewall as module
from p2pjong.net.firewall import firewall_name, read_firewall, read_rules

CLOSED = """
table inet filter {
	set friends {
		type ipv4_addr
	}

	chain input {
		type filter hook input priority filter; policy drop;
		ct state established,related accept
		tcp dport { 22, 4000-4300 } counter packets 5 bytes 300 accept
		tcp dport 8080 accept
		tcp dport http accept
	}

	chain output {
		type filter hook output priority filter; policy accept;
		tcp dport 9 drop
	}
}
"""
SOME = """
table inet oneway {
	chain in {
		type filter hook input priority filter; policy accept;
		ip saddr 10.0.0.9 ct state new drop
	}
}
"""
LAST = """
table ip filter {
	chain INPUT {
		type filter hook input priority filter; policy accept;
		tcp dport 22 accept
		counter packets 3 bytes 180 reject with icmp type host-prohibited
	}
}
"""
OUTWARD = """
table ip filter {
	chain OUTPUT {
		type filter hook output priority filter; policy drop;
		tcp dport 22 drop
	}
}
"""


@pytest.mark.parametrize(
    ("rules", "closed", "opened"),
    [
        (CLOSED, [4711, 3999, 4301, 9], [22, 4000, 4242, 4300, 8080]),
        (LAST, [4711], [22]),
        (SOME, [], [4711]),
        (OUTWARD, [], [4711]),
        ("", [], [4711]),
    ],
)
def test_ports_that_no_rule_lets_in_are_closed(
    rules: str, closed: list[int], opened: list[int]
) -> None:
    found = read_rules(rules.splitlines())
    assert all(map(found.closes, closed)) and not any(map(found.closes, opened))


def test_the_chain_that_drops_is_named() -> None:
    assert read_rules(CLOSED.splitlines()).drops_others == "inet filter input"
    assert read_rules(LAST.splitlines()).drops_others == "ip filter INPUT"
    assert read_rules(SOME.splitlines()).drops_some == "inet oneway in"
    nothing = read_rules(OUTWARD.splitlines())
    assert not nothing.drops_some and not nothing.drops_others


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the files of Linux")
def test_the_firewalls_of_linux_are_known_by_their_files(tmp_path: Path) -> None:
    assert firewall_name(tmp_path) is None
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert firewall_name(tmp_path) == "firewalld"
    (tmp_path / "etc/ufw").mkdir(parents=True)
    (tmp_path / "etc/ufw/ufw.conf").write_text("# ufw\nENABLED=no\n")
    assert firewall_name(tmp_path) == "firewalld"
    (tmp_path / "etc/ufw/ufw.conf").write_text("# ufw\nENABLED=yes\n")
    assert firewall_name(tmp_path) == "ufw"


@pytest.mark.skipif(sys.platform != "linux", reason="nftables is of Linux")
def test_rules_that_cannot_be_read_leave_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = tmp_path / "nft"
    refusing.write_text("#!/bin/sh\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setattr(module.shutil, "which", lambda name: str(refusing))  # type: ignore[attr-defined]
    assert asyncio.run(read_firewall(tmp_path)) is None
    (tmp_path / "run/firewalld").mkdir(parents=True)
    found = asyncio.run(read_firewall(tmp_path))
    assert found is not None and (found.name, found.is_read) == ("firewalld", False)
    refusing.write_text("#!/bin/sh\ncat <<END\n" + CLOSED + "END\n")
    found = asyncio.run(read_firewall(tmp_path))
    assert found is not None and found.closes(4711) and found.name == "firewalld"
