"""Seats that are out of reach are looked for where they are announced; on a virtual clock."""

import asyncio
from collections.abc import Collection, Iterable
from typing import Any

import pytest

from p2pjong.app import refinding
from p2pjong.app.refinding import Refinding
from p2pjong.net.address import Address
from p2pjong.net.discovery import FoundTable
from p2pjong.net.identity import fingerprint
from tests.app.test_searching import table
from tests.support.virtual_clock import run_virtually

BEN, CY = b"b" * 32, b"c" * 32
NEW = Address("192.0.2.9", 4242)


class Network:
    """In place of a browser: counts how often it was opened, and for how long."""

    def __init__(self, *found: FoundTable) -> None:
        self.found = found
        self.opened: list[float] = []
        self.closed: list[float] = []

    def __call__(self, on_change: Any, **_: Any) -> "Network":
        return self

    async def __aenter__(self) -> "Network":
        self.opened.append(asyncio.get_running_loop().time())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed.append(asyncio.get_running_loop().time())

    def seats(self) -> tuple[FoundTable, ...]:
        return self.found


class Mesh:
    """Notes who is looked for where. Whoever is moved is linked from then on."""

    def __init__(self, missing: set[bytes]) -> None:
        self.missing = missing
        self.moved: list[tuple[bytes, tuple[Address, ...]]] = []

    def move(self, key: bytes, addresses: Iterable[Address]) -> None:
        self.moved.append((key, tuple(addresses)))
        self.missing.discard(key)

    def leave_all_but(self, hosts: Collection[str]) -> None:
        assert "127.0.0.1" in hosts


class Here:
    """A station of which only mesh and settings matter."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.settings = type("Settings", (), {"bind": ""})()


def refound(
    missing: set[bytes], network: Network, monkeypatch: pytest.MonkeyPatch, seconds: float = 5.5
) -> Mesh:
    monkeypatch.setattr(refinding, "Browser", network)
    mesh = Mesh(missing)

    async def scene() -> None:
        here: Any = Here(mesh)
        running = asyncio.create_task(Refinding(here, lambda: mesh.missing).run())
        await asyncio.sleep(seconds)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    run_virtually(scene())
    return mesh


def announced(key: bytes, **how: Any) -> FoundTable:
    return table("a table", fingerprint(key), is_playing=True, addresses=(NEW,), **how)


def test_while_all_are_in_reach_the_network_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(announced(BEN))
    mesh = refound(set(), network, monkeypatch)
    assert network.opened == [] and mesh.moved == []


def test_who_is_missing_is_looked_for_by_its_key_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = Network(announced(CY), announced(BEN))
    mesh = refound({BEN}, network, monkeypatch)
    assert mesh.moved == [(BEN, (NEW,))]
    assert len(network.opened) == len(network.closed) == 1, "until it is back"


def test_who_is_nowhere_announced_is_looked_for_as_long_as_it_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = Network(announced(CY))
    mesh = refound({BEN}, network, monkeypatch)
    assert mesh.moved == [] and network.opened == [1.0] and network.closed == [5.5]
