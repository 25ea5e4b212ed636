"""Links between real hosts: cables, firewalls and addresses as networks have them."""

from collections.abc import Callable
from typing import Any

import pytest

from p2pjong.net.identity import Identity
from tests.support.lan import Host, Lan, Running, lan_of, missing_for_lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(120),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]

PORT = 4711


def key_of(number: int) -> str:
    return Identity.from_seed(bytes([number]) * 32).key.hex()


def peer(host: Host, *others: Host, by_ipv6: bool = False) -> Running:
    """A peer with the host's number for a seed that expects those on the other hosts."""
    expected = []
    for other in others:
        address = f"[{other.link_local()}]" if by_ipv6 else f"10.77.1.{other.number}"
        expected.append(f"{key_of(other.number)}@{address}:{PORT}")
    running = host.agent("peer", str(host.number), *expected)
    running.expect(lambda said: "listening" in said)
    return running


def is_up(host: Host) -> Callable[[dict[str, Any]], bool]:
    return lambda said: said.get("up") == key_of(host.number)


def is_down(host: Host) -> Callable[[dict[str, Any]], bool]:
    return lambda said: said.get("down") == key_of(host.number)


@pytest.mark.parametrize("by_ipv6", [False, True])
def test_hosts_link_with_all_the_others(by_ipv6: bool) -> None:
    with lan_of(4, ipv4=not by_ipv6) as hosts:
        running = [peer(host, *hosts, by_ipv6=by_ipv6) for host in hosts]
        for host, process in zip(hosts, running, strict=True):
            waiting = {key_of(other.number) for other in hosts if other is not host}
            while waiting:
                waiting.discard(process.expect(lambda said: "up" in said)["up"])
        for process in running:
            assert not any("down" in said for said in process.said)


def test_a_link_local_address_without_its_zone_is_tried_on_all_interfaces() -> None:
    with Lan() as lan:
        first, second = lan.switch(), lan.switch()
        host, guest = lan.host(second, ipv4=False), lan.host(first, ipv4=False)
        guest.attach(second, ipv4=False)
        peer(host)
        connecting = guest.agent("peer", "9")
        connecting.tell(connect=f"[{host.link_local()}]:{PORT}")
        said = connecting.expect(lambda said: "connected" in said or "failed" in said)
        assert said.get("connected") == key_of(host.number)


def test_a_pulled_cable_is_noticed_and_the_link_is_back_with_it() -> None:
    with lan_of(2) as (first, second):
        left, right = peer(first, second), peer(second, first)
        left.expect(is_up(second))
        right.expect(is_up(first))
        second.unplug()
        assert left.expect(is_down(second), 20.0)["reason"] == "timeout"
        assert right.expect(is_down(first), 20.0)["reason"] == "timeout"
        second.plug()
        left.expect(is_up(second))
        right.expect(is_up(first))


def test_a_short_break_is_not_noticed_at_all() -> None:
    with lan_of(2) as (first, second):
        left, right = peer(first, second), peer(second, first)
        left.expect(is_up(second))
        right.expect(is_up(first))
        second.unplug()
        left.tell(send="9101", to=key_of(second.number))
        left.expect(lambda said: said.get("sent") is True)
        second.plug()
        assert right.expect(lambda said: "frame" in said)["frame"] == "9101"
        assert not any("down" in said for said in [*left.said, *right.said])


def test_a_firewall_on_one_side_does_not_keep_two_apart() -> None:
    with lan_of(2) as (open_host, closed_host):
        closed_host.block_from("10.77.1.1")
        left = peer(open_host, closed_host)
        waiting = peer(closed_host)
        left.tell(connect=f"10.77.1.2:{PORT}")
        assert left.expect(lambda said: "failed" in said)["reason"] == "lost"
        assert waiting.finish() == 0
        right = peer(closed_host, open_host)
        left.expect(is_up(closed_host))
        right.expect(is_up(open_host))


def test_isolated_hosts_link_with_the_third_and_with_each_other_once_they_can() -> None:
    with lan_of(3) as (first, second, third):
        first.isolate()
        second.isolate()
        one, two = peer(first, second, third), peer(second, first, third)
        peer(third, first, second)
        one.expect(is_up(third))
        two.expect(is_up(third))
        first.isolate(False)
        second.isolate(False)
        one.expect(is_up(second))
        two.expect(is_up(first))
        for process, other in ((one, third), (two, third)):
            assert not any(is_down(other)(said) for said in process.said)


def test_a_killed_peer_is_noticed_at_once_and_linked_again_when_started_again() -> None:
    with lan_of(2) as (first, second):
        left, right = peer(first, second), peer(second, first)
        left.expect(is_up(second))
        right.kill()
        assert left.expect(is_down(second), 15.0)["reason"] == "lost"
        peer(second, first)
        left.expect(is_up(second))


def test_a_peer_whose_power_failed_replaces_its_link_when_it_is_back() -> None:
    with lan_of(2) as (first, second):
        left, right = peer(first, second), peer(second)
        left.expect(is_up(second))
        # No word of its end gets out; the one left behind believes in the link still.
        second.unplug()
        right.kill()
        second.plug()
        peer(second, first)
        ended = left.expect(is_down(second))
        assert ended["reason"] in ("replaced", "lost")
        left.expect(is_up(second))


def test_links_come_about_on_a_network_that_loses_packets() -> None:
    with lan_of(2) as (first, second):
        first.lose_packets(10)
        second.lose_packets(10)
        left, right = peer(first, second), peer(second, first)
        left.expect(is_up(second), 30.0)
        right.expect(is_up(first), 30.0)
        for number in range(20):
            left.tell(send=f"91{number:02x}", to=key_of(second.number))
        for number in range(20):
            frame = right.expect(lambda said: "frame" in said, 30.0)["frame"]
            assert frame == f"91{number:02x}"
