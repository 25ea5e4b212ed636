"""Whole games of War Jhong between hosts of a LAN of network namespaces: the main promise.

Every peer is the real program, started as people start it; nobody types an address unless the
network lets no multicast through.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.lan import ROOT, Host, Lan, lan_of, missing_for_lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]

P2PJONG = [sys.executable, "-m", "p2pjong"]
GAME_S = 200.0
WAR_JHONG = ("--game", "war-jhong", "--target", "4", "--window", "0")
OTHERS = [
    pytest.param(("--game", "not-your-mas-jong", "--rounds", "2", "--window", "0"), id="ma"),
    pytest.param(("--game", "samurai-warfare", "--target", "1", "--window", "0"), id="samurai"),
]


@dataclass
class Player:
    """A peer of the game as a process on a host, with its own home, events and record."""

    folder: Path
    process: subprocess.Popen[bytes]

    def events(self) -> list[dict[str, Any]]:
        """What this seat saw happen so far."""
        lines = (self.folder / "events").read_text(encoding="utf-8").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def expect(self, kind: str, count: int = 1, within_s: float = 30.0, **fields: Any) -> None:
        """Wait until this seat has seen so many such events."""
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            if (self.folder / "events").exists() and self._seen(kind, fields) >= count:
                return
            assert self.process.poll() is None, self.said()
            time.sleep(0.05)
        raise AssertionError(f"no {kind} {fields} within {within_s} s: {self.said()}")

    def _seen(self, kind: str, fields: dict[str, Any]) -> int:
        return sum(
            event["kind"] == kind and fields.items() <= event.items() for event in self.events()
        )

    def outcome(self) -> dict[str, Any]:
        """Its one JSON object, once it has ended well."""
        assert self.process.wait(GAME_S) == 0, self.said()
        outcome: dict[str, Any] = json.loads((self.folder / "out").read_text())
        return outcome

    def said(self) -> str:
        """Its standard error, for failures."""
        return (self.folder / "err").read_text()[-2000:]


def start(host: Host, folder: Path, *arguments: str) -> Player:
    """Start a peer on a host."""
    folder.mkdir()
    own = ["--json", "--home", str(folder / "home")]
    own += ["--events", str(folder / "events"), "--record", str(folder / "record")]
    command = ["ip", "netns", "exec", host.name, *P2PJONG, "--debug", *arguments, *own]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=ROOT
        )
    return Player(folder, process)


def open_table(
    host: Host, tmp_path: Path, seats: int, *more: str, game: Sequence[str] = WAR_JHONG
) -> Player:
    """A host that is played by a bot; returns when its lobby is open."""
    name = ["--table", "Friday", "--name", "anna", "--seats", str(seats)]
    own = start(host, tmp_path / "0", "host", *game, *name, "--auto", "greedy", *more)
    own.expect("lobby")
    return own


def join_all(hosts: Sequence[Host], tmp_path: Path, *more: str) -> list[Player]:
    """A joiner played by a bot on each host."""
    return [
        start(
            host, tmp_path / str(seat), "join", "--auto", "greedy", "--name", f"guest {seat}", *more
        )
        for seat, host in enumerate(hosts, 1)
    ]


def check_outcomes(players: Sequence[Player]) -> None:
    """All ended with the same result, and every record verifies to it."""
    outcomes = [player.outcome() for player in players]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0]["outcome"] == "finished" and outcomes[0]["winners"]
    for player in players:
        verdict = verify(player.folder / "record")
        assert verdict["valid"] is True
        for key in ("scores", "winners", "hands", "digest"):
            assert verdict[key] == outcomes[0][key]


def verify(record: Path) -> dict[str, Any]:
    """What `p2pjong verify --json` says."""
    command = [*P2PJONG, "verify", "--json", str(record)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=GAME_S, check=False)
    assert done.returncode == 0, done.stderr
    verdict: dict[str, Any] = json.loads(done.stdout)
    return verdict


def kill_all(players: Sequence[Player]) -> None:
    for player in players:
        player.process.kill()
        player.process.wait(10)


def test_four_hosts_find_each_other_and_play_a_whole_game(tmp_path: Path) -> None:
    with lan_of(4) as (first, *others):
        players = [open_table(first, tmp_path, 4), *join_all(others, tmp_path)]
        try:
            check_outcomes(players)
        finally:
            kill_all(players)


@pytest.mark.parametrize("game", OTHERS)
def test_the_other_games_are_played_whole(tmp_path: Path, game: Sequence[str]) -> None:
    with lan_of(3) as (first, *others):
        players = [open_table(first, tmp_path, 3, game=game), *join_all(others, tmp_path)]
        try:
            check_outcomes(players)
        finally:
            kill_all(players)


def test_a_game_over_ipv6_link_local_addresses_alone(tmp_path: Path) -> None:
    with lan_of(3, ipv4=False) as (first, *others):
        players = [open_table(first, tmp_path, 3), *join_all(others, tmp_path)]
        try:
            check_outcomes(players)
        finally:
            kill_all(players)


def test_a_host_with_two_interfaces_joins_two_networks(tmp_path: Path) -> None:
    """The guests have no route to each other: what they sign reaches them through the host."""
    with Lan() as lan:
        one, other = lan.switch(), lan.switch()
        between = lan.host(one)
        between.attach(other)
        guests = [lan.host(one), lan.host(other)]
        players = [open_table(between, tmp_path, 3), *join_all(guests, tmp_path)]
        try:
            check_outcomes(players)
        finally:
            kill_all(players)


def test_without_multicast_connect_leads_to_the_table(tmp_path: Path) -> None:
    with Lan() as lan:
        switch = lan.switch()
        first, *others = (lan.host(switch) for _ in range(3))
        for host in (first, *others):
            host.block_multicast()
        players = [open_table(first, tmp_path, 3, "--port", "7700")]
        where = f"{first.ipv4(switch)}:7700"
        players += join_all(others, tmp_path, "--connect", where)
        try:
            check_outcomes(players)
        finally:
            kill_all(players)


def test_two_guests_that_cannot_reach_each_other_play_through_the_host(tmp_path: Path) -> None:
    with lan_of(3) as (first, *others):
        for guest in others:
            guest.isolate()
        players = [open_table(first, tmp_path, 3), *join_all(others, tmp_path)]
        try:
            check_outcomes(players)
        finally:
            kill_all(players)


def test_a_host_that_falls_off_the_network_and_returns_plays_on(tmp_path: Path) -> None:
    with lan_of(3) as (first, *others):
        delayed = ["--delay", "150"]
        players = [open_table(first, tmp_path, 3, *delayed), *join_all(others, tmp_path, *delayed)]
        try:
            # Decks follow no seed, and a game can be short: the first thing that happens will do.
            players[0].expect("happened")
            others[0].unplug()
            time.sleep(3)
            others[0].plug()
            check_outcomes(players)
        finally:
            kill_all(players)


def test_a_game_survives_a_lossy_network(tmp_path: Path) -> None:
    with lan_of(3) as (first, *others):
        for guest in others:
            guest.lose_packets(5)
        players = [open_table(first, tmp_path, 3), *join_all(others, tmp_path, "--wait", "30")]
        try:
            check_outcomes(players)
        finally:
            kill_all(players)
