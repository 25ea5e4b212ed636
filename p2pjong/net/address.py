"""Where a peer may be reached: host and port, with the zone that a link-local address needs."""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import ifaddr

from p2pjong.errors import Exit, P2PJongError

HOST_CHARACTERS_MAX = 255
OWN_ADDRESSES_MAX = 16
FAR = 3  # neither in a subnet of ours nor on a link of ours

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
IP: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

ZONE = re.compile(r"[A-Za-z0-9._-]{1,32}")
# What lies outside names no single machine (multicast, broadcast, "this host"), or is one address
# in the clothes of another (IPv4 inside IPv6, tunnels).
_UNICAST = tuple(
    map(ipaddress.ip_network, ("0.0.0.0/0", "2000::/3", "fc00::/7", "fe80::/10", "::1/128"))
)
_NO_HOST = tuple(
    map(
        ipaddress.ip_network,
        ("0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4", "2001::/32", "2002::/16"),
    )
)
_PRIVATE = tuple(
    map(
        ipaddress.ip_network,
        (
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)
# Of providers: behind it may be anybody, if it is not the network that we are on.
_SHARED = ipaddress.IPv4Network("100.64.0.0/10")


class Address(NamedTuple):
    """A host (a name, IPv4, or IPv6 with its zone as in `fe80::1%eth0`) and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str, default_port: int | None = None) -> Address:
    """The address that HOST:PORT or [IPV6%ZONE]:PORT names. Raises P2PJongError (USAGE)."""
    host, port = _split(text.strip(), default_port)
    if not host or len(host) > HOST_CHARACTERS_MAX or not 1 <= port <= 65535:
        raise _no_address(text)
    return Address(host, port)


def _split(text: str, default_port: int | None) -> tuple[str, int]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise _no_address(text)
        return host, _port(rest[1:], text, default_port)
    if text.count(":") > 1:  # a bare IPv6 address
        return text, _port("", text, default_port)
    host, _, port = text.partition(":")
    return host, _port(port, text, default_port)


def _port(digits: str, text: str, default_port: int | None) -> int:
    if not digits and default_port is not None:
        return default_port
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5):
        raise _no_address(text)
    return int(digits)


def _no_address(text: str) -> P2PJongError:
    return P2PJongError(
        f"{text[:60]!r} is not an address",
        hint="write HOST:PORT, or [IPV6]:PORT, or [fe80::1%eth0]:PORT",
        code=Exit.USAGE,
    )


class Interface(NamedTuple):
    """One address of an interface of this machine. `host` has its zone if it is link-local."""

    name: str
    host: str
    prefix_bits: int

    @property
    def is_ipv6(self) -> bool:
        """Whether this is an IPv6 address."""
        return ":" in self.host

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return ipaddress.ip_address(self.host).is_loopback


def interfaces() -> tuple[Interface, ...]:
    """All addresses of this machine, those of one interface together."""
    found: list[Interface] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else _scoped(ip.ip, adapter.nice_name)
            found.append(Interface(adapter.nice_name, host, ip.network_prefix))
    return tuple(found)


def _scoped(ip: tuple[str, int, int], interface: str) -> str:
    host, _, scope = ip
    if not ipaddress.ip_address(host).is_link_local:
        return host
    # Windows knows zones by number only.
    return f"{host}%{scope}" if " " in interface or not interface else f"{host}%{interface}"


def own_hosts() -> frozenset[str]:
    """All addresses that this machine has now, without zones."""
    return frozenset(one.host.partition("%")[0] for one in interfaces())


def own_addresses(port: int, bind: str | None = None) -> tuple[Address, ...]:
    """Where others may reach a listener of this machine, without zones, IPv4 first.

    This machine's own loopback only if there is nothing else; `bind` alone, if it is bound to one.
    """
    if bind:
        return (without_zone(Address(bind, port)),)
    found = interfaces()
    reachable = [one for one in found if not one.is_loopback] or list(found)
    reachable.sort(key=lambda one: (one.is_ipv6, "%" in one.host))
    addresses = (without_zone(Address(one.host, port)) for one in reachable)
    return tuple(dict.fromkeys(addresses))[:OWN_ADDRESSES_MAX]


def is_link_local(host: str) -> bool:
    """Whether the host is an IPv6 link-local address, with a zone or without."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.version == 6 and address.is_link_local


def is_loopback(host: str) -> bool:
    """Whether the host is an address that a machine has for itself alone."""
    address = _literal(host)
    return address is not None and address.is_loopback


def with_zones(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """The addresses, each link-local one without a zone replaced by one for each interface.

    A zone has a meaning on its own machine only: what others say of theirs comes without.
    """
    dialable: dict[Address, None] = {}
    for address in addresses:
        if "%" in address.host or not is_link_local(address.host):
            dialable[address] = None
            continue
        for zone in _zones():
            dialable[Address(f"{address.host}%{zone}", address.port)] = None
    return tuple(dialable)


def _zones() -> list[str]:
    hosts = [interface.host for interface in interfaces()]
    return list(dict.fromkeys(host.partition("%")[2] for host in hosts if "%" in host))


def without_zone(address: Address) -> Address:
    """The address as it may be told to others."""
    return Address(address.host.partition("%")[0], address.port)


def remote_address(peername: tuple[str, int] | tuple[str, int, int, int]) -> Address:
    """The address that a socket reports of its other end; an IPv4 one inside IPv6 is unwrapped."""
    host = peername[0].removeprefix("::ffff:") if "." in peername[0] else peername[0]
    return Address(host, peername[1])


def origin_of(host: str) -> str:
    """Whose connections count together: an IPv4 address, or an IPv6 network of 64 bits.

    Within such a network one machine gives itself as many addresses as it likes.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((address.packed, 64), False)) if address.version == 6 else host


def neighbourhood(host: str) -> str:
    """Whose answers are waited for by turns: as `origin_of`, and all that is far from here as one.

    Anyone may announce any address. Those of our own subnets are few, those beyond without number.
    """
    return origin_of(host) if _distance(host, _networks()) < FAR else ""


def by_nearness(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """The addresses, likeliest to answer first: our own subnets, then our own links, then far ones.

    A peer announces the addresses of all its interfaces; most are of no use from here.
    """
    networks = _networks()
    return tuple(sorted(dict.fromkeys(addresses), key=lambda one: _distance(one.host, networks)))


def _networks() -> list[Network]:
    return [
        ipaddress.ip_network(f"{one.host}/{one.prefix_bits}", strict=False)
        for one in interfaces()
        if "%" not in one.host
    ]


def _distance(host: str, networks: list[Network]) -> int:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return FAR
    if any(address.version == network.version and address in network for network in networks):
        return 0
    if address.version == 6 and address.is_link_local:
        return 1 if "%" in host else 2
    return FAR


@dataclass(frozen=True)
class Dialable:
    """Which addresses that others tell us of may be dialled: the one rule for all of them.

    Whoever tells an address makes us connect to it. One that names no single machine is never
    dialled, and this machine's own loopback only where it was told over loopback: behind it is
    what this machine keeps from the network. A snapshot: `networks` are those we are on now.
    """

    networks: tuple[Network, ...] = ()
    is_over_loopback: bool = False  # whether it was heard on loopback, or from this very machine

    @classmethod
    def here(cls, is_over_loopback: bool = False) -> "Dialable":
        """For this machine on the networks that it is on now."""
        return cls(tuple(_networks()), is_over_loopback)

    def told(self, host: str) -> bool:
        """Whether a host that a peer names to us may be dialled. Never a name to be looked up."""
        address = _literal(host)
        if address is None or not _is_in(address, _UNICAST) or _is_in(address, _NO_HOST):
            return False
        if address.is_loopback:
            return self.is_over_loopback
        return not any(_is_broadcast(address, network) for network in self.networks)

    def announced(self, host: str) -> bool:
        """As `told`, of what mDNS says: only where a LAN's hosts can be."""
        address = _literal(host)
        if address is None or not self.told(host):
            return False
        if address.is_loopback or _is_in(address, _PRIVATE) or _is_in(address, self.networks):
            return True
        is_shared_ours = any(
            isinstance(one, ipaddress.IPv4Network) and one.subnet_of(_SHARED)
            for one in self.networks
        )
        return is_shared_ours and _is_in(address, (_SHARED,))


def _literal(host: str) -> IP | None:
    """The IP address that this is, if it is one."""
    try:
        address = ipaddress.ip_address(host)  # a zone only behind an IPv6 address
    except ValueError:
        return None
    zone = getattr(address, "scope_id", None)
    return address if zone is None or ZONE.fullmatch(zone) else None


def _is_in(address: IP, networks: Iterable[Network]) -> bool:
    return any(address.version == one.version and address in one for one in networks)


def _is_broadcast(address: IP, network: Network) -> bool:
    if address.version != 4 or network.version != 4 or network.prefixlen > 30:
        return False
    return address in (network.broadcast_address, network.network_address)
