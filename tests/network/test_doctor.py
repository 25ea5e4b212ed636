"""What `doctor` says on networks that are well, and on those that are not."""

import json
import sys
from pathlib import Path

import pytest

from p2pjong.errors import Exit
from tests.support.lan import Host, Lan, lan_of, missing_for_lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(120),
    pytest.mark.skipif(bool(missing_for_lan()), reason=missing_for_lan() or "-"),
]


def findings(host: Host) -> dict[str, dict[str, object]]:
    running = host.agent("doctor")
    running.expect(lambda said: "examined" in said, 30.0)
    return {said["check"]: said for said in running.said if "check" in said}


def ill(host: Host) -> set[str]:
    return {check for check, said in findings(host).items() if not said["is_well"]}


@pytest.mark.parametrize(("ipv4", "ipv6"), [(True, True), (True, False), (False, True)])
def test_on_a_good_network_with_a_table_all_is_well(ipv4: bool, ipv6: bool) -> None:
    with lan_of(2, ipv4=ipv4, ipv6=ipv6) as (host, guest):
        announcer = host.agent("announce", "Friday")
        announcer.expect(lambda said: "announced" in said)
        found = findings(guest)
        assert all(said["is_well"] for said in found.values()), found
        assert str(found["tables"]["text"]).startswith("Friday at ")
        if ipv4:
            assert "10.77.1.1" in str(found["neighbours"]["text"])


def test_blocked_multicast_is_named_with_what_to_do() -> None:
    with lan_of(2) as (host, guest):
        guest.block_multicast()
        announcer = host.agent("announce", "Friday")
        announcer.expect(lambda said: "announced" in said)
        found = findings(guest)
        assert {check for check, said in found.items() if not said["is_well"]} == {
            "multicast",
            "neighbours",
            "tables",
        }
        assert "--connect" in str(found["multicast"]["hint"])


def test_a_machine_without_a_network_is_told_so() -> None:
    with Lan() as lan:
        found = findings(lan.bare_host())
        assert not found["network"]["is_well"]
        assert found["links"]["is_well"]


def test_a_firewall_on_the_machine_itself_is_found() -> None:
    with lan_of(1, ipv6=False) as (host,):
        host.nft(
            "table inet closed {\n chain in { type filter hook input priority 0;"
            " ip daddr 10.77.1.1 tcp flags syn drop; }\n}\n"
        )
        assert "links" in ill(host)


# --- A firewall that lets multicast pass, and no connection ---------------------------------------

CLOSED = (
    "table inet filter {{\n chain input {{ type filter hook input priority 0; policy drop;"
    " iifname lo accept; ct state established,related accept; udp dport 5353 accept; {more} }}\n"
    "}}\n"
)


def command(host: Host, *arguments: str) -> tuple[int, str, str]:
    done = host.run([sys.executable, "-m", "p2pjong", *arguments], is_checked=False)
    return done.returncode, " ".join(done.stdout.split()), " ".join(done.stderr.split())


def test_a_table_behind_a_closed_firewall_is_told_as_that_to_all_who_look(tmp_path: Path) -> None:
    with lan_of(2, ipv6=False) as (host, guest):
        host.nft(CLOSED.format(more=""))
        announcer = host.agent("announce", "Friday")
        port = announcer.expect(lambda said: "announced" in said)["port"]
        where = f"10.77.1.1:{port}"
        looking = ["join", "--wait", "4", "--auto", "greedy", "--home", str(tmp_path)]
        for arguments in (["tables"], looking, [*looking, "Friday"]):
            code, _, told = command(guest, *arguments)
            assert code == Exit.NOTHING_FOUND, told
            assert f"Friday is announced at {where}, but does not answer" in told
            assert "still open on 10.77.1.1" in told and f"TCP port {port}" in told
        code, told, _ = command(guest, "doctor")
        assert code == Exit.NOTHING_FOUND
        assert f"Friday is announced at {where}, but does not answer" in told
        assert "Run p2pjong doctor there" in told
        found = json.loads(
            guest.run(
                [sys.executable, "-m", "p2pjong", "tables", "--json"], is_checked=False
            ).stdout
        )
        assert [one["address"] for one in found["unreachable"]] == [where]


def test_doctor_on_the_host_finds_its_own_firewall_and_knows_its_own_table() -> None:
    with lan_of(2, ipv6=False) as (host, guest):
        announcer = host.agent("announce", "Friday")
        port = str(announcer.expect(lambda said: "announced" in said)["port"])
        other = guest.agent("announce", "Other")  # a neighbour to hear
        other.expect(lambda said: "announced" in said)
        code, told, _ = command(host, "doctor", "--port", port)
        assert code == Exit.OK
        assert f"port {port} is in use by p2pjong on this machine" in told
        assert f"Friday at 10.77.1.1:{port} (this machine)" in told
        host.nft(CLOSED.format(more=""))
        for arguments in (["doctor"], ["doctor", "--port", port]):
            _, told, _ = command(host, *arguments)
            assert f"seems to let nobody in at TCP port {port} (inet filter input)" in told
            assert "firewall of this machine seems to keep others from its table" in told
            assert f"let through UDP port 5353 (finding) and TCP port {port} (playing)" in told
        host.run(["nft", "flush", "ruleset"])
        host.nft(CLOSED.format(more=f"tcp dport {port} accept;"))
        _, told, _ = command(host, "doctor")
        assert "seems to let nobody in" not in told
        assert "Friday" in command(guest, "tables")[1]
