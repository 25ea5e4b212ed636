"""Machines that change networks in the middle of a game, as from Wi-Fi to a telephone's hotspot."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.network.test_games import Player, check_outcomes, join_all, kill_all, open_table
from tests.support.lan import Host, Lan, missing_for_lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]

# So that the game goes on for a while, whatever the cards.
LONG = ("--game", "war-jhong", "--target", "25", "--window", "0")
TOGETHER_S = 10.0


def move(host: Host, before: str, after: str) -> None:
    """The host has another address from one moment to the next, and none of those before."""
    host.ip("addr", "del", f"{before}/24", "dev", "eth0")
    host.ip("addr", "add", f"{after}/24", "dev", "eth0")


def is_together(player: Player, seats: int) -> bool:
    """Whether this seat is linked with all others, by the last that it was told."""
    told: list[dict[str, Any]] = [one for one in player.events() if one["kind"] == "linked"]
    return bool(told) and len(told[-1]["seats"]) == seats - 1


def together_again_s(players: Sequence[Player], since_s: float) -> float:
    """How long it took; fails after a minute."""
    while time.monotonic() < since_s + 60:
        if all(is_together(player, len(players)) for player in players):
            return time.monotonic() - since_s
        assert all(player.process.poll() is None for player in players)
        time.sleep(0.1)
    raise AssertionError([player.said() for player in players])


@pytest.mark.parametrize("moving", [3, 1], ids=["all", "one"])
def test_a_game_comes_together_again_at_new_addresses(moving: int, tmp_path: Path) -> None:
    with Lan() as lan:
        switch = lan.switch()
        hosts = [lan.host(switch, ipv6=False) for _ in range(3)]
        players = [open_table(hosts[0], tmp_path, 3, game=LONG)]
        players += join_all(hosts[1:], tmp_path, "--delay", "100")
        try:
            for player in players:
                player.expect("happened", 10)
            moved = hosts[-moving:]
            subnet = "10.99.9" if moving == len(hosts) else "10.77.1"
            for host in moved:
                move(host, host.ipv4(switch), f"{subnet}.{100 + host.number}")
            since_s = time.monotonic()
            # What was linked over the old addresses is told to be down before it is up again.
            while all(is_together(player, 3) for player in players):
                assert time.monotonic() < since_s + TOGETHER_S
                time.sleep(0.05)
            assert together_again_s(players, since_s) < TOGETHER_S
            check_outcomes(players)
        finally:
            kill_all(players)
