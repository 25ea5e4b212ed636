"""Ports are bound on both families, or it is said why not."""

import socket

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.net import listener as module
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
