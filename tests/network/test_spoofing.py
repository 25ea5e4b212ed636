"""Somebody on the network says things of tables that are not theirs: real multicast, real hosts."""

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.lan import Host, Lan, Running, lan_of, missing_for_lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(120),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]

Said = dict[str, Any]


def shows(*names: str) -> Callable[[Said], bool]:
    return lambda said: sorted(table["name"] for table in said["tables"]) == sorted(names)


def has_free(free: int) -> Callable[[Said], bool]:
    return lambda said: [table["free"] for table in said["tables"]] == [free]


def announcing(host: Host, name: str) -> tuple[Running, Said]:
    announcer = host.agent("announce", name)
    return announcer, announcer.expect(lambda said: "announced" in said)


def browsing(host: Host) -> Running:
    browser = host.agent("browse")
    browser.expect(shows())
    return browser


def spoofing(host: Host, *what: str) -> Running:
    spoofer = host.start([sys.executable, "-m", "tests.support.spoofer", *what])
    spoofer.expect(lambda said: said["ready"])
    return spoofer


def found(host: Host, wait_s: float, name: str | None = None) -> Said:
    finder = host.agent("find", str(wait_s), *([name] if name else []))
    return finder.expect(lambda said: "tables" in said)


@pytest.mark.parametrize("spoof", [["goodbye"], ["poison", "10.77.1.99", "10.77.1.98"]])
def test_what_others_say_of_a_table_hides_it_from_nobody(spoof: list[str]) -> None:
    with lan_of(4, ipv6=False) as (liar, host, early, late):
        browser = browsing(early)
        announcer, announced = announcing(host, "Friday")
        browser.expect(shows("Friday"))
        spoofing(liar, *spoof)
        for _ in range(2):
            said = found(late, 5.0)
            assert shows("Friday")(said), said
            (table,) = said["tables"]
            assert table["addresses"][0] == f"10.77.1.2:{announced['port']}"
        announcer.tell(free_seats=1)
        browser.expect(has_free(1))
        since = next(number for number, said in enumerate(browser.said) if shows("Friday")(said))
        assert all(map(shows("Friday"), browser.said[since:])), browser.said


def test_who_leaves_while_others_say_goodbyes_is_off_the_list() -> None:
    with lan_of(3, ipv6=False) as (liar, host, guest):
        browser = browsing(guest)
        announcer, _ = announcing(host, "Friday")
        browser.expect(shows("Friday"))
        spoofing(liar, "goodbye")
        assert announcer.finish() == 0
        browser.expect(shows(), 15.0)


COUNT_CODE = """
import json, socket, sys, time
with socket.create_server((sys.argv[1], 6379)) as listening:
    print(json.dumps({"ready": True}), flush=True)
    count = 0
    while True:
        listening.accept()[0].close()
        count += 1
        print(json.dumps({"count": count, "at": time.monotonic()}), flush=True)
"""


@pytest.mark.parametrize(
    ("where", "most"), [("127.0.0.1", 0), ("10.77.1.3", 8), ("198.51.100.7", 0)]
)
def test_announcements_turn_nobody_against_somebody_else(where: str, most: int) -> None:
    """Whoever looks connects to no loopback, to nothing beyond the LAN, and seldom to one port."""
    with Lan() as lan:
        switch = lan.switch()
        liar, guest, victim = (lan.host(switch, ipv6=False) for _ in range(3))
        there = guest if where.startswith("127.") else victim
        if where.startswith("198."):
            victim.ip("addr", "add", f"{where}/32", "dev", "lo")
            guest.ip("route", "add", f"{where}/32", "via", "10.77.1.3")
        counter = there.start([sys.executable, "-c", COUNT_CODE, where])
        counter.expect(lambda said: said["ready"])
        spoofing(liar, "lure", where, "6379")
        assert shows()(found(guest, 8.0))
        counter.kill()
        rest = counter.process.stdout.read() if counter.process.stdout else b""
        tried = [json.loads(line) for line in rest.splitlines()]
        assert len(tried) <= most and (most == 0 or tried), tried[-1:]


@pytest.mark.parametrize("seed", [1, 2])
def test_garbage_stops_nobody_and_nobody_is_told_of_it(seed: int) -> None:
    with lan_of(3) as (liar, host, guest):
        announcing(host, "Friday")
        spoofing(liar, "garbage", str(seed))
        for command in (["tables", "--wait", "4"], ["doctor"]):
            done = guest.run([sys.executable, "-m", "p2pjong", *command], is_checked=False)
            assert "Friday" in done.stdout, done
            assert "Traceback" not in done.stderr and "Error" not in done.stderr, done.stderr
            assert len(done.stderr.splitlines()) <= 1, done.stderr
