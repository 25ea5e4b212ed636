"""Why nothing is found, and what to do: one check after another, each with its finding.

Every check stands alone and never raises for what it is there to find. Nothing here shows itself to
others as a table.
"""

import asyncio
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zeroconf import ServiceInfo, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf, AsyncZeroconfServiceTypes

from p2pjong.errors import P2PJongError
from p2pjong.net.address import Address, interfaces, own_addresses
from p2pjong.net.discovery import PROBE_LIMITS, Browser
from p2pjong.net.identity import Identity
from p2pjong.net.link_errors import LinkError
from p2pjong.net.listener import Listener
from p2pjong.net.mesh import Callbacks, Mesh
from p2pjong.net.multicast import multicast_hosts
from p2pjong.net.probe import Prober

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
    return tuple(
        await asyncio.gather(
            check_interfaces(),
            check_listening(port, bind),
            check_linking(bind),
            check_own_multicast(bind),
            check_others_multicast(),
            check_tables(bind),
            check_firewall(port),
        )
    )


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
        return Finding("port", False, error.message, error.hint)
    listener.close()
    return Finding("port", True, f"port {port} is free" if port else "any free port can be had")


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
        return Finding("links", True, "this machine can be linked with at all its addresses")
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
        return Finding("neighbours", True, f"{len(others)} other machines heard: {some}")
    return Finding(
        "neighbours",
        False,
        "no other machine was heard by multicast",
        "that may be chance; else the network blocks multicast (guest WLAN, client isolation, "
        "VPN): use another network, or --connect HOST:PORT",
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


async def check_tables(bind: str | None) -> Finding:
    """What is found right now."""
    async with Browser(bind=bind) as browser:
        await asyncio.sleep(WAIT_S)
        tables, others = browser.tables(), browser.other_versions
    if others and not tables:
        text = f"{len(others)} tables speak another version of the protocol"
        return Finding("tables", False, text, "bring p2pjong to the same version on all machines")
    shown = ", ".join(f"{table.name} at {table.addresses[0]}" for table in tables)
    return Finding("tables", bool(tables), shown or "none found", "" if tables else _NO_TABLE)


_NO_TABLE = "is one open? p2pjong host opens one; on its machine, run p2pjong doctor too"
_ALLOW = "let through UDP port 5353 (finding) and {port} (playing)"


async def check_firewall(port: int) -> Finding:
    """Which firewall this machine seems to have, and what it must let through."""
    ports = f"TCP port {port}" if port else "the table's TCP port (host --port chooses it)"
    name = _firewall_name()
    if name is None:
        return Finding("firewall", True, "none that we know of")
    return Finding("firewall", True, f"{name} may be at work", _ALLOW.format(port=ports))


def _firewall_name(root: Path = Path("/")) -> str | None:
    if sys.platform == "darwin":
        return "the macOS firewall"
    if sys.platform == "win32":
        return "the Windows firewall (it asks on first use; the network must be private)"
    if _says(root / "etc/ufw/ufw.conf", "ENABLED=yes"):
        return "ufw"
    if (root / "run/firewalld").is_dir():
        return "firewalld"
    return None


def _says(path: Path, line: str) -> bool:
    try:
        return line in path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
