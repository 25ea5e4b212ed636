"""One look round ends when what is wanted was found, or when its time is over."""

import asyncio

import pytest

from p2pjong.net import surroundings as module
from p2pjong.net.address import Address
from p2pjong.net.discovery import FoundTable
from p2pjong.net.identity import fingerprint
from p2pjong.net.surroundings import find_tables, look_around
from tests.support.virtual_clock import run_virtually

HERE = (Address("10.77.1.1", 4711),)


def table(name: str) -> FoundTable:
    host = fingerprint(name.encode().ljust(32))
    return FoundTable(name, bytes(16), "war-jhong", 4, 2, False, host, HERE, 4711)


class Network:
    """In place of a browser: one table is found after a second, another never answers."""

    other_versions = frozenset({"Old"})

    def __init__(self, on_change: object, bind: str | None) -> None:
        self._on_change, self._found = on_change, ()
        self._since_s = asyncio.get_running_loop().time()

    async def __aenter__(self) -> "Network":
        asyncio.get_running_loop().call_later(1, self._on_change)  # type: ignore[arg-type]
        return self

    async def __aexit__(self, *_: object) -> None: ...

    def tables(self) -> tuple[FoundTable, ...]:
        is_later = asyncio.get_running_loop().time() >= self._since_s + 1
        return (table("Friday"),) if is_later else ()

    def unreachable(self) -> tuple[FoundTable, ...]:
        return (table("Ghost"),)


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Browser", Network)


@pytest.mark.parametrize(("wanted", "took_s"), [("friday", 1.2), ("Monday", 5), (None, 5)])
def test_a_look_ends_soon_after_the_table_of_that_name_was_found(
    wanted: str | None, took_s: float
) -> None:
    async def scene() -> float:
        around = await look_around(5, wanted=wanted)
        assert [one.name for one in around.tables] == ["Friday"]
        assert [one.name for one in around.unreachable] == ["Ghost"]
        assert around.other_versions == 1
        return asyncio.get_running_loop().time()

    assert run_virtually(scene()) == pytest.approx(took_s, abs=0.05)


def test_what_does_not_answer_is_no_table_that_is_found() -> None:
    assert [one.name for one in run_virtually(find_tables(0.5))] == []
