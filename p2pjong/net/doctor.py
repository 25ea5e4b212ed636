"""Why nothing is found, and what to do: one check after another, each with its finding.

Every check stands alone and never raises for what it is there to find. Nothing here shows itself to
others as a table.
"""

import asyncio
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from zeroconf import ServiceInfo, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf, AsyncZeroconfServiceTypes

from p2pjong.errors import P2PJongError
from p2pjong.net.address import Address, interfaces, own_addresses, with_zones
from p2pjong.net.discovery import PROBE_LIMITS
from p2pjong.net.firewall import Firewall, read_firewall
from p2pjong.net.found_table import FoundTable, unanswered, unanswered_hint
from p2pjong.net.identity import Identity
from p2pjong.net.link_errors import LinkError
from p2pjong.net.listener import Listener
from p2pjong.net.mesh import Callbacks, Mesh
from p2pjong.net.multicast import multicast_hosts
from p2pjong.net.probe import Prober
from p2pjong.net.racing import race
from p2pjong.net.stumbles import pass_over_stumbles
from p2pjong.net.surroundings import Surroundings, look_around

TEST_TYPE = "_p2pjong-test._tcp.local."
MDNS_GROUP, MDNS_PORT = "224.0.0.251", 5353
WAIT_S = 2.0


@dataclass(frozen=True)
class Finding:
    """What a check found, and what to do if it is not well."""

    check: str
    is_well: bool
    text: str
    hint: str = ""


async def examine(port: int = 0, bind: str | None = None) -> tuple[Finding, ...]:
    """All findings, the most basic first."""
    pass_over_stumbles()
    *basic, around = await asyncio.gather(
        check_interfaces(),
        check_listening(port, bind),
        check_linking(bind),
        check_own_multicast(bind),
        check_others_multicast(),
        look_around(WAIT_S, bind=bind),
    )
    assert isinstance(around, Surroundings)
    findings = [one for one in basic if isinstance(one, Finding)]
    ports = [port] if port else [table.port for table in around.tables if _is_ours(table)]
    return (*findings, *check_tables(around), check_firewall(await read_firewall(), ports))


async def check_interfaces() -> Finding:
    """Whether this machine is on a network at all."""
    outward = [one for one in interfaces() if not one.is_loopback]
    if not outward:
        text = "no interface has an address"
        return Finding("network", False, text, "connect this machine to the others' network")
    shown = ", ".join(f"{one.name} {one.host}" for one in outward)
    return Finding("network", True, shown)


async def check_listening(port: int, bind: str | None) -> Finding:
    """Whether the port can be listened on."""
    try:
        listener = Listener.open(port, bind)
    except P2PJongError as error:
        if port and await _is_a_peer_here(port, bind):
            return Finding("port", True, f"port {port} is in use by p2pjong on this machine")
        return Finding("port", False, error.message, error.hint)
    listener.close()
    return Finding("port", True, f"port {port} is free" if port else "a port is free")


async def _is_a_peer_here(port: int, bind: str | None) -> bool:
    """Whether what has the port is one of us."""
    identify = Prober(PROBE_LIMITS).identify
    with suppress(LinkError):
        return bool(await race(with_zones(own_addresses(port, bind)), identify, 0, lambda _: None))
    return False


async def check_linking(bind: str | None) -> Finding:
    """Whether a link to our own addresses comes about: TLS, proofs, and no firewall within."""
    try:
        listener = Listener.open(0, bind)
    except P2PJongError as error:
        return Finding("links", False, error.message, error.hint)
    identity = Identity.fresh()
    mesh = Mesh(identity, listener, Callbacks(), PROBE_LIMITS)
    mesh.start()
    try:
        silent = await _silent(own_addresses(listener.port, bind), identity.fingerprint)
    finally:
        await mesh.close()
    if not silent:
        return Finding(
            "links", True, "this machine can be reached from itself at all of its addresses"
        )
    text = f"no link to our own {', '.join(address.host for address in silent)}"
    return Finding("links", False, text, "a firewall on this machine may block it")


async def _silent(addresses: tuple[Address, ...], own: str) -> list[Address]:
    prober, silent = Prober(PROBE_LIMITS), []
    for address in addresses:
        try:
            await prober.probe([address], own)
        except LinkError:
            silent.append(address)
    return silent


async def check_own_multicast(bind: str | None) -> Finding:
    """Whether what we announce comes back to us: the sockets work, the system lets it out."""
    hosts = multicast_hosts(interfaces(), bind)
    heard = [host for host in hosts if await _hears_itself(host)]
    if hosts and heard == hosts:
        return Finding("multicast", True, f"works on {', '.join(heard)}")
    deaf = ", ".join(host for host in hosts if host not in heard) or "any interface"
    hint = "allow UDP port 5353 in and out; without it: --connect HOST:PORT"
    return Finding("multicast", False, f"does not work on {deaf}", hint)


async def _hears_itself(host: str) -> bool:
    heard = asyncio.Event()

    def on_service(*, state_change: ServiceStateChange, name: str, **_: object) -> None:
        if state_change is ServiceStateChange.Added and name == info.name:
            heard.set()

    label = Identity.fresh().fingerprint[:9]
    info = ServiceInfo(TEST_TYPE, f"{label}.{TEST_TYPE}", port=9, parsed_addresses=[host])
    try:
        async with AsyncZeroconf([host]) as speaking, AsyncZeroconf([host]) as listening:
            await listening.zeroconf.async_wait_for_start()
            browser = AsyncServiceBrowser(listening.zeroconf, TEST_TYPE, handlers=[on_service])
            try:
                async with asyncio.timeout(WAIT_S):
                    await speaking.async_register_service(info, cooperating_responders=True)
                    await heard.wait()
            finally:
                await browser.async_cancel()
    except (OSError, RuntimeError, TimeoutError):
        return False
    return True


async def check_others_multicast() -> Finding:
    """Whether any other machine is heard by multicast: then the network lets it through."""
    if not any(not one.is_ipv6 and not one.is_loopback for one in interfaces()):
        return Finding("neighbours", True, "not looked for: this machine has no IPv4 address")
    try:
        others = await _others_heard()
    except OSError as error:
        return Finding("neighbours", False, f"cannot listen: {error.strerror}")
    if others:
        some = ", ".join(sorted(others)[:3])
        count = f"{len(others)} other machine{'s' if len(others) > 1 else ''}"
        return Finding("neighbours", True, f"{count} heard: {some}")
    return Finding(
        "neighbours",
        False,
        "no other machine was heard by multicast",
        "this may be chance; otherwise the network blocks multicast (guest Wi-Fi, client "
        "isolation, VPN): use another network, or --connect HOST:PORT",
    )


async def _others_heard() -> set[str]:
    own = {one.host for one in interfaces()}
    others: set[str] = set()

    class Ear(asyncio.DatagramProtocol):
        def datagram_received(self, data: bytes, source: tuple[str, int]) -> None:
            if source[0] not in own:
                others.add(source[0])

    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(Ear, sock=_ear_socket())
    try:
        # All who speak mDNS answer the question which services there are.
        await AsyncZeroconfServiceTypes.async_find(timeout=WAIT_S)
    finally:
        transport.close()
    return others


def _ear_socket() -> socket.socket:
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        ear.bind(("", MDNS_PORT))
        for one in interfaces():
            if not one.is_ipv6:
                group = socket.inet_aton(MDNS_GROUP) + socket.inet_aton(one.host)
                with suppress(OSError):  # an interface without multicast
                    ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
        ear.setblocking(False)
    except OSError:
        ear.close()
        raise
    return ear


def check_tables(around: Surroundings) -> tuple[Finding, ...]:
    """What is found right now; and what is announced, if it does not answer."""
    silent = tuple(
        Finding("reach", False, unanswered(table), unanswered_hint(table))
        for table in around.unreachable[:UNANSWERED_MAX]
    )
    if around.other_versions and not around.tables:
        text = f"{around.other_versions} found, of another version of p2pjong"
        hint = "bring p2pjong to the same version on all machines"
        return Finding("tables", False, text, hint), *silent
    shown = ", ".join(map(_shown, around.tables))
    hint = "" if shown or silent else _NO_TABLE
    return Finding("tables", bool(shown), shown or "none that answers", hint), *silent


def _shown(table: FoundTable) -> str:
    here = " (this machine)" if _is_ours(table) else ""
    return f"{table.name} at {table.addresses[0]}{here}"


def _is_ours(table: FoundTable) -> bool:
    """Whether it is open on this machine."""
    own = {one.host.partition("%")[0] for one in interfaces()}
    return table.addresses[0].host.partition("%")[0] in own


def check_firewall(firewall: Firewall | None, ports: Sequence[int]) -> Finding:
    """What this machine's firewall must let through, and whether it seems to."""
    if firewall is None:
        return Finding("firewall", True, f"no firewall found{_UNKNOWN if ports else ''}")
    named = " and ".join(map(str, ports))
    wanted = f"TCP port {named}" if ports else "the table's TCP port (host --port chooses it)"
    allow = f"let through UDP port 5353 (finding) and {wanted} (playing)"
    closed = [str(port) for port in ports if firewall.closes(port)]
    if closed:
        text = f"{firewall.name} seems to let nobody in at TCP port {' and '.join(closed)}"
        return Finding("firewall", False, f"{text} ({firewall.drops_others})", allow)
    if firewall.is_read and not firewall.drops_others and not firewall.drops_some:
        return Finding("firewall", True, f"{firewall.name} lets everything in")
    if firewall.is_read:
        chain = firewall.drops_others or firewall.drops_some
        return Finding(
            "firewall", True, f"{firewall.name} drops some of what comes ({chain})", allow
        )
    root = "" if sys.platform != "linux" else "; as root, p2pjong doctor can read its rules"
    return Finding("firewall", True, f"{firewall.name} may be at work", allow + root)


UNANSWERED_MAX = 4
_NO_TABLE = "is one open? p2pjong host opens one; on its machine, run p2pjong doctor too"
_UNKNOWN = "; only p2pjong doctor on another machine can tell whether that one reaches this one"
