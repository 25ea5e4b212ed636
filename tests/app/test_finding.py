"""A joiner from what was typed to its seat: which table it goes to, and when it asks."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from p2pjong.app import searching
from p2pjong.app.peer import run_peer
from p2pjong.errors import Exit, P2PJongError
from p2pjong.net.address import Address
from p2pjong.net.discovery import FoundTable
from p2pjong.net.identity import load_identity
from p2pjong.net.known_peers import KnownPeers
from p2pjong.session.lobby_view import TableOffer
from tests.support.peers import (
    BIND,
    ScriptedFront,
    free_port,
    front,
    host_settings,
    join_settings,
    start_host,
)

pytestmark = pytest.mark.timeout(60)


class Network:
    """In place of a browser: these tables are there, until `change` says which."""

    def __init__(self, *found: FoundTable) -> None:
        self.found = found
        self._on_changes: list[Callable[[], None]] = []

    def __call__(self, on_change: Callable[[], None], **_: Any) -> "Network":
        self._on_changes.append(on_change)
        return self

    def change(self, *found: FoundTable) -> None:
        self.found = found
        for on_change in self._on_changes:
            on_change()

    async def __aenter__(self) -> "Network":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def tables(self) -> tuple[FoundTable, ...]:
        return self.found


@dataclass
class Chooser(ScriptedFront):
    """A person who chooses tables, in this order."""

    picks: list[str] = field(default_factory=list)
    offered: list[tuple[TableOffer, ...]] = field(default_factory=list)
    before_pick: Callable[[], None] = lambda: None

    def offers(self, offers: tuple[TableOffer, ...]) -> None:
        self.offered.append(offers)

    async def pick_table(self, offers: tuple[TableOffer, ...]) -> TableOffer | None:
        self.offered.append(offers)
        self.before_pick()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        wanted = self.picks.pop(0)
        return next((offer for offer in self.offered[-1] if offer.table == wanted), None)


def chooser(*picks: str) -> Chooser:
    base = front(is_scripted=True)
    return Chooser(base.strategy, base.rng, base.write, is_scripted=True, picks=list(picks))


def table(name: str, home: Path, port: int, **rest: Any) -> FoundTable:
    """What the host of this home announces."""
    defaults: dict[str, Any] = {
        "name": name,
        "table_id": name.encode(),
        "game": "war-jhong",
        "seats": 3,
        "free_seats": 2,
        "code_needed": False,
        "fingerprint": load_identity(home).fingerprint,
        "addresses": (Address(BIND, port),),
        "port": port,
    }
    return FoundTable(**{**defaults, **rest})


@dataclass
class Scene:
    """One real host, "Ada's table", and a stranger's table that nobody answers for."""

    home: Path
    ada: FoundTable
    lure: FoundTable
    hosting: ScriptedFront

    async def joins(self, own: ScriptedFront, typed: str, **rest: Any) -> BaseException | None:
        """Why it did not come to sit at Ada's table; None if it did."""
        settings = replace(join_settings(self.home, 1), connect="", table=typed, **rest)
        joining = asyncio.create_task(run_peer(settings, own))
        sitting = asyncio.create_task(own.until(lambda: own.lobbies))
        await asyncio.wait((joining, sitting), return_when=asyncio.FIRST_COMPLETED)
        error = joining.exception() if joining.done() else None
        while not (joining.done() and sitting.done()):
            joining.cancel()
            sitting.cancel()
            await asyncio.wait((joining, sitting), timeout=1)
        await self.hosting.until(lambda: len(self.hosting.lobbies[-1].seats) == 1)
        return error


def at_adas(
    home: Path, monkeypatch: pytest.MonkeyPatch, play: Callable[[Scene, Network], Any]
) -> Any:
    monkeypatch.setattr(searching, "LIKELY_S", 0.2)
    monkeypatch.setattr(searching, "SETTLE_S", 0.1)

    async def scene() -> Any:
        port = free_port()
        hosting = front(is_scripted=True)
        settings = host_settings(home, port=port, seats=3, table="Ada's table")
        task = await start_host(settings, hosting)
        ada = table("Ada's table", settings.home, port)
        lure = table("ada", home / "stranger", free_port())
        network = Network(lure, ada)
        monkeypatch.setattr(searching, "Browser", network)
        try:
            return await play(Scene(home, ada, lure, hosting), network)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return asyncio.run(scene())


def test_a_person_is_asked_before_a_strangers_table_is_taken_for_a_friends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = chooser("Ada's table")
    assert at_adas(tmp_path, monkeypatch, lambda scene, _: scene.joins(own, "ada")) is None
    assert [offer.table for offer in own.offered[0]] == ["ada", "Ada's table"]


def test_a_host_met_before_comes_first_and_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(scene: Scene, _: Network) -> BaseException | None:
        met = KnownPeers(scene.home / "guest")
        met.remember("Ada", load_identity(scene.home / "host").key, False, "2024-05-01")
        return await scene.joins(own, "ada")

    own = chooser("Ada's table")
    assert at_adas(tmp_path, monkeypatch, play) is None
    assert [(offer.table, offer.is_known) for offer in own.offered[0]] == [
        ("Ada's table", True),
        ("ada", False),
    ]


@pytest.mark.slow
def test_a_script_finds_what_a_person_finds_and_is_told_what_to_type_where_that_is_not_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(scene: Scene, network: Network) -> list[BaseException | None]:
        several = await scene.joins(front(), "ada")
        assert isinstance(several, P2PJongError)
        named = f"Ada's table#{scene.ada.fingerprint[:9]}"
        assert f'"{named}"' in several.hint
        by_host = await scene.joins(front(), named)
        network.change(scene.ada)
        return [several, by_host, await scene.joins(front(), "ada")]

    several, by_host, alone = at_adas(tmp_path, monkeypatch, play)
    assert (several.code, by_host, alone) == (Exit.USAGE, None, None)


def test_whoever_chose_a_table_that_has_closed_chooses_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = chooser("ada", "Ada's table")
    assert at_adas(tmp_path, monkeypatch, lambda scene, _: scene.joins(own, "")) is None
    assert any("cannot be reached" in line for line in own.said)
    assert own.picks == []


def test_tables_that_come_and_go_while_one_chooses_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(scene: Scene, network: Network) -> BaseException | None:
        new = table("Ben's table", scene.home / "ben", free_port())
        own.before_pick = lambda: network.change(scene.ada, new)
        return await scene.joins(own, "")

    own = chooser("Ada's table")
    assert at_adas(tmp_path, monkeypatch, play) is None
    last = [(offer.number, offer.table, offer.is_gone) for offer in own.offered[-1]]
    assert sorted(last) == [(1, "ada", True), (2, "Ada's table", False), (3, "Ben's table", False)]


def test_whoever_chooses_none_has_joined_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = chooser("none of these")
    error = at_adas(tmp_path, monkeypatch, lambda scene, _: scene.joins(own, ""))
    assert isinstance(error, P2PJongError) and error.code == Exit.LEFT
    assert error.message == "you did not join a table"
