"""Ports are bound on both families, or it is said why not."""

import dataclasses
import socket
from collections.abc import Callable, Iterator

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net import listener as module
from p2pjong.net.address import origin_of
from p2pjong.net.limits import LIMITS, Limits
from p2pjong.net.listener import Listener
from tests.support.peers import free_port


def test_any_free_port_is_the_same_on_ipv4_and_ipv6() -> None:
    listener = Listener.open()
    try:
        ports = {sock.getsockname()[1] for sock in listener._sockets}
        families = {sock.family for sock in listener._sockets}
        assert ports == {listener.port}
        assert socket.AF_INET in families
    finally:
        listener.close()


def test_a_taken_port_is_said_plainly() -> None:
    first = Listener.open()
    try:
        with pytest.raises(P2PJongError) as caught:
            Listener.open(first.port)
        assert f"cannot listen on port {first.port}" in caught.value.message
        assert "--port" in caught.value.hint
        assert caught.value.code is Exit.NO_CONNECTION
    finally:
        first.close()


def test_a_port_may_be_taken_again_right_after() -> None:
    first = Listener.open(free_port())
    first.close()
    second = Listener.open(first.port)
    assert second.port == first.port
    second.close()


def test_one_address_may_be_bound_alone() -> None:
    listener = Listener.open(bind="127.0.0.1")
    assert [sock.getsockname()[0] for sock in listener._sockets] == ["127.0.0.1"]
    listener.close()


@pytest.mark.parametrize("bind", ["192.0.2.254", "no-such-host.invalid"])
def test_an_address_of_no_interface_here_is_said_plainly(bind: str) -> None:
    with pytest.raises(P2PJongError) as caught:
        Listener.open(bind=bind)
    assert bind in caught.value.message


class Door(Listener):
    """A listener with nothing to listen on, and the far ends of what knocks."""

    def __init__(self, limits: Limits) -> None:
        super().__init__([socket.socket()], limits)
        self._ours: list[socket.socket] = []
        self.theirs: list[socket.socket] = []
        self.leave: list[Callable[[], None]] = []

    def knock(self, host: str) -> int:
        """One more connection that proves nothing yet; returns its number."""
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        self._ours.append(ours)
        self.theirs.append(theirs)
        self.leave.append(self._take_half_open(ours, origin_of(host)))
        return len(self.theirs) - 1

    def is_open(self, number: int) -> bool:
        try:
            return self.theirs[number].recv(1) != b""
        except BlockingIOError:
            return True

    def open(self) -> list[int]:  # type: ignore[override]
        return [number for number in range(len(self.theirs)) if self.is_open(number)]

    def close(self) -> None:
        super().close()
        for sock in (*self._ours, *self.theirs):
            sock.close()


@pytest.fixture
def door() -> Iterator[Door]:
    made = Door(dataclasses.replace(LIMITS, half_open=6, half_open_per_address=4))
    yield made
    made.close()


def test_of_silent_connections_the_oldest_of_the_busiest_address_gives_way(door: Door) -> None:
    friend = door.knock("10.0.0.9")
    first, *others = [door.knock(host) for host in ("10.0.0.2", "10.0.0.3", "10.0.0.2")]
    last = [door.knock(host) for host in ("10.0.0.3", "10.0.0.2")]
    assert len(door.open()) == 6
    newcomer = door.knock("10.0.0.8")
    assert door.open() == [friend, *others, *last, newcomer] and not door.is_open(first)


def test_where_each_comes_from_elsewhere_the_oldest_gives_way(door: Door) -> None:
    for number in range(20):
        door.knock(f"10.0.1.{number}")
    assert door.open() == list(range(14, 20))


def test_one_address_takes_no_more_than_its_share_and_its_latest_stay(door: Door) -> None:
    friend = door.knock("10.0.0.9")
    for _ in range(10):
        door.knock("10.0.0.2")
    assert door.open() == [friend, 7, 8, 9, 10]


def test_who_has_proved_itself_takes_no_place_and_is_not_turned_out(door: Door) -> None:
    for _ in range(20):
        door.leave[door.knock("10.0.0.2")]()
    assert door.open() == list(range(20))
    door.leave[0]()  # once more is nothing


def test_a_network_of_64_bits_counts_as_one_address(door: Door) -> None:
    friend = door.knock("192.0.2.9")
    for number in range(10):
        door.knock(f"2001:db8::{number:x}:1")
    assert len(door.open()) == 5 and door.is_open(friend)
    assert origin_of("2001:db8:0:1::1") != origin_of("2001:db8::1") == origin_of("2001:db8::2")
    assert origin_of("fe80::1%eth0") == origin_of("fe80::2") and origin_of("10.0.0.1") == "10.0.0.1"


def test_without_ipv6_it_is_ipv4_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    real = module._listening

    def no_ipv6(family: int, address: tuple[object, ...]) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return real(family, address)

    monkeypatch.setattr(module, "_listening", no_ipv6)
    listener = Listener.open()
    assert [sock.family for sock in listener._sockets] == [socket.AF_INET]
    listener.close()


def test_a_free_port_that_is_taken_on_ipv6_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    real, failures = module._listening, [1, 1]

    def taken_twice(family: int, address: tuple[object, ...]) -> socket.socket:
        if family == socket.AF_INET6 and failures:
            failures.pop()
            raise OSError(98, "Address already in use")
        return real(family, address)

    monkeypatch.setattr(module, "_listening", taken_twice)
    listener = Listener.open()
    assert len(listener._sockets) == 2
    listener.close()
