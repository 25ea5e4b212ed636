"""Discovery by real multicast between network namespaces: what people on one LAN rely on."""

import json
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import pytest

from tests.support.lan import Host, Lan, Running, lan_of, missing_for_lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(120),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]

Said = dict[str, Any]
TRIES = 3  # of what is timed the quickest counts: a busy machine may hold up any single one


def shows(*names: str) -> Callable[[Said], bool]:
    """Whether exactly these tables are shown."""
    return lambda said: sorted(table["name"] for table in said["tables"]) == sorted(names)


def has_free(free: int, said: Said) -> bool:
    """Whether the one table shown has so many free seats."""
    return [table["free"] for table in said["tables"]] == [free]


def browsing(host: Host) -> Running:
    browser = host.agent("browse")
    browser.expect(shows())
    return browser


def announcing(host: Host, name: str, free: int = 3) -> tuple[Running, Said]:
    announcer = host.agent("announce", name, str(free))
    return announcer, announcer.expect(lambda said: "announced" in said)


def found(host: Host, wait_s: float = 2.0, name: str | None = None) -> Said:
    finder = host.agent("find", str(wait_s), *([name] if name else []))
    return finder.expect(lambda said: "tables" in said)


def test_a_new_table_is_seen_by_all_who_look_within_a_second() -> None:
    with lan_of(4) as (host, *others):
        browsers = [browsing(other) for other in others]
        slowest_s = []
        for _ in range(TRIES):
            announcer, announced = announcing(host, "Friday")
            all_seen = [browser.expect(shows("Friday")) for browser in browsers]
            for seen in all_seen:
                (table,) = seen["tables"]
                assert table["host"] == announced["host"]
                assert table["addresses"][0] == f"10.77.1.1:{announced['port']}"
            slowest_s.append(max(seen["at"] for seen in all_seen) - announced["at"])
            announcer.finish()
            for browser in browsers:
                browser.expect(shows())
        assert min(slowest_s) < 1.0


def test_who_begins_to_look_later_finds_it_within_a_second() -> None:
    with lan_of(2) as (host, guest):
        announcing(host, "Friday")
        assert shows("Friday")(found(guest, 5.0))
        # Each while the answer to the last question is still fresh in the air.
        assert min(found(guest, 5.0, "Friday")["took_s"] for _ in range(TRIES)) < 1.0


def test_ipv6_link_local_addresses_are_enough() -> None:
    with lan_of(3, ipv4=False) as (host, guest, _):
        browser = browsing(guest)
        announcer, announced = announcing(host, "Friday")
        (table,) = browser.expect(shows("Friday"))["tables"]
        assert table["addresses"] == [f"[{host.link_local()}%eth0]:{announced['port']}"]
        announcer.finish()
        browser.expect(shows(), 5.0)


def test_ipv4_alone_is_enough() -> None:
    with lan_of(2, ipv6=False) as (host, guest):
        browser = browsing(guest)
        _, announced = announcing(host, "Friday")
        (table,) = browser.expect(shows("Friday"))["tables"]
        assert table["addresses"] == [f"10.77.1.1:{announced['port']}"]


def test_one_machine_without_any_network_finds_its_own_table() -> None:
    with Lan() as lan:
        host = lan.bare_host()
        announcing(host, "Alone")
        assert shows("Alone")(found(host))


def test_a_host_on_two_networks_is_found_on_both() -> None:
    with Lan() as lan:
        first, second = lan.switch(), lan.switch()
        host, left, right = lan.host(first), lan.host(first), lan.host(second)
        host.attach(second)
        browsers = [browsing(left), browsing(right)]
        _, announced = announcing(host, "Bridge")
        for browser, near in zip(browsers, (host.ipv4(first), host.ipv4(second)), strict=True):
            (table,) = browser.expect(shows("Bridge"))["tables"]
            assert table["addresses"][0] == f"{near}:{announced['port']}"


def test_a_host_on_two_networks_by_ipv6_alone_is_found_on_both() -> None:
    with Lan() as lan:
        first, second = lan.switch(), lan.switch()
        host, left, right = (lan.host(switch, ipv4=False) for switch in (first, first, second))
        host.attach(second, ipv4=False)
        browsers = [browsing(left), browsing(right)]
        announcing(host, "Bridge")
        for browser in browsers:
            browser.expect(shows("Bridge"))


def test_who_looks_from_two_networks_sees_the_tables_of_both() -> None:
    with Lan() as lan:
        first, second = lan.switch(), lan.switch()
        left, right, guest = lan.host(first), lan.host(second), lan.host(first, ipv4=False)
        guest.attach(second)
        browser = browsing(guest)
        announcing(left, "Left")
        announcing(right, "Right")
        browser.expect(shows("Left", "Right"))


def test_a_goodbye_takes_a_table_off_the_lists_at_once() -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        took_s = []
        for _ in range(TRIES):
            announcer, _ = announcing(host, "Friday")
            browser.expect(shows("Friday"))
            began_s = time.monotonic()
            assert announcer.finish() == 0
            browser.expect(shows())
            took_s.append(time.monotonic() - began_s)
        assert min(took_s) < 1.0


def test_a_host_that_was_killed_disappears() -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        announcer, _ = announcing(host, "Friday")
        browser.expect(shows("Friday"))
        announcer.kill()
        browser.expect(shows(), 15.0)


def test_a_host_that_fell_off_the_network_disappears_and_comes_back() -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        announcing(host, "Friday")
        browser.expect(shows("Friday"))
        host.unplug()
        browser.expect(shows(), 20.0)
        host.plug()
        browser.expect(shows("Friday"), 20.0)


def test_who_was_off_the_network_when_a_table_opened_finds_it_on_returning() -> None:
    with lan_of(2) as (host, guest):
        guest.unplug()
        browser = browsing(guest)
        announcing(host, "Friday")
        guest.plug()
        browser.expect(shows("Friday"), 20.0)


def test_an_interface_that_comes_up_later_is_announced_on() -> None:
    with Lan() as lan:
        first, second = lan.switch(), lan.switch()
        host, guest = lan.host(first), lan.host(second)
        announcing(host, "Late")
        browser = browsing(guest)
        host.attach(second)
        browser.expect(shows("Late"), 20.0)


def test_an_interface_that_comes_up_later_is_looked_on() -> None:
    with Lan() as lan:
        first, second = lan.switch(), lan.switch()
        host, guest = lan.host(first), lan.host(second)
        announcing(host, "Late")
        browser = browsing(guest)
        guest.attach(first)
        browser.expect(shows("Late"), 20.0)


def test_a_laptop_that_changes_its_address_stays_on_the_lists() -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        _, announced = announcing(host, "Friday")
        browser.expect(shows("Friday"))
        host.ip("addr", "del", "10.77.1.1/24", "dev", "eth0")
        host.ip("addr", "add", "10.77.1.99/24", "dev", "eth0")
        moved = f"10.77.1.99:{announced['port']}"
        browser.expect(
            lambda said: any(moved in table["addresses"] for table in said["tables"]), 10.0
        )


def test_an_ipv6_address_that_is_not_ready_yet_is_used_once_it_is() -> None:
    with Lan() as lan:
        switch = lan.switch()
        host, guest = lan.bare_host(), lan.host(switch, ipv4=False)
        host.sysctl("net.ipv6.conf.default.accept_dad", 1)
        host.attach(switch, ipv4=False)  # its address is tentative for the next second or two
        browser = browsing(guest)
        announcing(host, "Tentative")
        browser.expect(shows("Tentative"), 20.0)


def test_two_tables_of_one_name_are_both_there() -> None:
    with lan_of(3) as (first, second, guest):
        browser = browsing(guest)
        announcing(first, "Table")
        announcing(second, "Table")
        announcing(second, "Table")
        seen = browser.expect(shows("Table", "Table", "Table"))
        assert len({table["host"] for table in seen["tables"]}) == 3


@pytest.mark.parametrize(
    "name",
    [
        'Ada\'s "table" v1.2',
        "a.b.c.",
        "🀄" * 20,
        "Größe · 卓 · طاولة",
        "back\\slash _tcp.local",
        "-",
    ],
)
def test_names_may_have_any_characters(name: str) -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        announcing(host, name)
        browser.expect(shows(name))


def test_control_characters_of_a_name_are_not_shown() -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        announcing(host, "one\ntwo\x1b[2J \u202ethree" + "x" * 99)
        browser.expect(shows("one two[2J three" + "x" * 16))


def test_free_seats_follow_within_a_second() -> None:
    with lan_of(2) as (host, guest):
        browser = browsing(guest)
        announcer, _ = announcing(host, "Friday", free=3)
        browser.expect(shows("Friday"))
        took_s = []
        for free in (2, 1, 0):
            began_s = time.monotonic()
            announcer.tell(free_seats=free)
            browser.expect(partial(has_free, free))
            took_s.append(time.monotonic() - began_s)
        assert min(took_s) < 1.0


def test_a_table_whose_host_does_not_answer_is_not_shown() -> None:
    with lan_of(3) as (liar, host, guest):
        browser = browsing(guest)
        claim = liar.agent("claim", "Ghost", "4711")
        claim.expect(lambda said: "announced" in said)
        announcing(host, "Friday")
        browser.expect(shows("Friday"))
        said = found(guest, 3.0)
        assert shows("Friday")(said)
        assert all("Ghost" not in str(shown) for shown in browser.said)


def test_a_table_at_someone_elses_port_is_not_shown() -> None:
    with lan_of(2) as (liar, guest):
        # The announcement has another fingerprint than the peer at that port can prove.
        _, announced = announcing(liar, "Real")
        claim = liar.agent("claim", "Ghost", str(announced["port"]))
        claim.expect(lambda said: "announced" in said)
        assert shows("Real")(found(guest, 3.0))


HOSTILE = {
    "nothing": {},
    "another version": {"v": "2", "name": "x"},
    "not a number": {"v": "1", "seats": "four"},
    "huge": {"v": "1", "name": "x" * 240, "pad": "y" * 240, "pad2": "z" * 240},
    "binary": {"v": "\ud800"},
}

HOSTILE_CODE = """
import asyncio, json, sys
from zeroconf import ServiceInfo, IPVersion
from zeroconf.asyncio import AsyncZeroconf

async def main():
    records = json.loads(sys.argv[1])
    zeroconf = AsyncZeroconf(ip_version=IPVersion.V4Only)
    for label, txt in records.items():
        properties = {
            key.encode(): value.encode("utf-8", "surrogatepass") for key, value in txt.items()
        }
        kind = "_p2pjong._tcp.local."
        info = ServiceInfo(kind, f"{label}.{kind}", port=4711, properties=properties,
                           server="bad.local.", parsed_addresses=["10.77.1.1"])
        await zeroconf.async_register_service(info, cooperating_responders=True)
    print(json.dumps({"ready": True}), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_hostile_announcements_are_passed_over() -> None:
    with lan_of(3) as (liar, host, guest):
        browser = browsing(guest)
        hostile = liar.start([sys.executable, "-c", HOSTILE_CODE, json.dumps(HOSTILE)])
        hostile.expect(lambda said: said["ready"])
        announcing(host, "Friday")
        browser.expect(shows("Friday"))
        assert shows("Friday")(found(guest, 2.0))
        assert all(shows()(shown) or shows("Friday")(shown) for shown in browser.said)


def test_a_flood_of_announcements_does_not_hide_a_table() -> None:
    with lan_of(3) as (liar, host, guest):
        flood = {f"table {number}": {"v": "1"} for number in range(100)}
        hostile = liar.start([sys.executable, "-c", HOSTILE_CODE, json.dumps(flood)])
        hostile.expect(lambda said: said["ready"])
        browser = browsing(guest)
        announcing(host, "Friday")
        browser.expect(shows("Friday"))
        assert shows("Friday")(found(guest, 15.0, "Friday"))


def test_where_multicast_is_blocked_nothing_is_found_but_connecting_works() -> None:
    with lan_of(2) as (host, guest):
        guest.block_multicast()
        announcing(host, "Friday")
        assert shows()(found(guest, 1.5))
        peer = host.agent("peer", "1")
        key = peer.expect(lambda said: "listening" in said)["key"]
        other = guest.agent("peer", "2")
        other.tell(connect="10.77.1.1:4711")
        assert other.expect(lambda said: "connected" in said)["connected"] == key


# A /run of its own, so that neither bus nor daemon of this machine is met.
AVAHI = (
    "mount -t tmpfs tmpfs /run && mkdir -p /run/dbus /run/avahi-daemon"
    " && dbus-daemon --system --fork --nopidfile"
    " && avahi-daemon -D --no-drop-root --no-chroot --no-rlimits && "
)
ALONE = ("unshare", "-m", "-p", "-f", "--kill-child", "sh", "-c")


def test_a_real_mdns_browser_shows_our_table() -> None:
    assert shutil.which("avahi-browse"), "apt-get install avahi-daemon avahi-utils dbus"
    with lan_of(2) as (host, guest):
        _, announced = announcing(host, "Größe v1.2")
        shown = guest.run([*ALONE, AVAHI + "timeout 20 avahi-browse -r -t -p -k _p2pjong._tcp"])
        resolved = [line.split(";") for line in shown.stdout.splitlines() if line[:1] == "="]
        by_ipv4 = [fields for fields in resolved if fields[2] == "IPv4"]
        assert by_ipv4, shown.stdout + shown.stderr
        interface, label, address, port, txt = (by_ipv4[0][i] for i in (1, 3, 7, 8, 9))
        assert interface == "eth0"
        assert label.startswith(r"Gr\195\182\195\159e\032v1\194\1832\032"), label
        assert (address, port) == ("10.77.1.1", str(announced["port"]))
        expected = ["v=1", r"name=Gr\195\182\195\159e v1.2", "game=war-jhong", "seats=4", "free=3"]
        for entry in (*expected, "code=0", f"host={announced['host']}"):
            assert f'"{entry}"' in txt


def test_beside_another_mdns_program_on_the_machine_tables_are_found_as_fast() -> None:
    assert shutil.which("avahi-daemon"), "apt-get install avahi-daemon avahi-utils dbus"
    with lan_of(2) as (host, guest):
        announcing(host, "Friday")
        for machine in (host, guest):
            avahi = machine.start([*ALONE, AVAHI + """echo '{"ready": true}'; sleep 60"""])
            avahi.expect(lambda said: said["ready"])
        assert median(found(guest, 5.0, "Friday")["took_s"] for _ in range(5)) < 1.5
