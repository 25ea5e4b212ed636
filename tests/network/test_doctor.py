"""What `doctor` says on networks that are well, and on those that are not."""

import pytest

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
