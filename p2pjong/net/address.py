"""Where a peer may be reached: host and port, with the zone that a link-local address needs."""

import ipaddress
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import ifaddr

from p2pjong.errors import Exit, P2PJongError

HOST_CHARACTERS_MAX = 255
OWN_ADDRESSES_MAX = 16
FAR = 3  # neither in a subnet of ours nor on a link of ours

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


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
        f"{text[:60]!r} is no address",
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
