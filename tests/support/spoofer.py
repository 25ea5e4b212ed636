"""Somebody on the network who sends what others ought to say; made by hand, as strangers do.

    goodbye              ten times a second, of all that is announced: it is gone
    poison ADDRESS...    ten times a second: the hosts of tables are at these addresses, port 9
    lure HOST PORT       twenty times a second, a new table each time, at that address
    garbage SEED         packets that no program of ours sends

Runs until it is killed, on a host of a Lan. Prints a JSON line once it has begun.
"""

import itertools
import json
import random
import socket
import struct
import sys
import time
from collections.abc import Iterator

from zeroconf import (  # type: ignore[attr-defined]  # one DNS name is missing in __all__
    DNSIncoming,
    DNSPointer,
    DNSService,
)

from p2pjong.net.address import interfaces
from p2pjong.net.announcement import SERVICE_TYPE, Announcement, instance_label, to_txt
from p2pjong.net.identity import fingerprint

GROUP, PORT = "224.0.0.251", 5353
A, PTR, TXT, AAAA, SRV, NSEC, HINFO, CNAME = 1, 12, 16, 28, 33, 47, 13, 5
KINDS = (A, PTR, TXT, AAAA, SRV, NSEC, HINFO, CNAME, 0, 255, 41)
IN, FLUSH = 1, 0x8001
RESPONSE, QUERY = 0x8400, 0
SERVICE = (b"_p2pjong", b"_tcp", b"local")
TTL_S = 4500


def name_of(*labels: bytes) -> bytes:
    """A name as it stands in a packet."""
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def record(name: bytes, kind: int, content: bytes, ttl_s: int = TTL_S, group: int = IN) -> bytes:
    """A record as it stands in a packet."""
    return name + struct.pack("!HHIH", kind, group, ttl_s, len(content)) + content


def packet(*records: bytes, flags: int = RESPONSE, questions: tuple[bytes, ...] = ()) -> bytes:
    """Records, and names asked about, as a packet."""
    header = struct.pack("!HHHHHH", 0, flags, len(questions), len(records), 0, 0)
    asked = b"".join(name + struct.pack("!HH", PTR, IN) for name in questions)
    return header + asked + b"".join(records)


def table_packet(table: Announcement, host: str, label: str = "") -> bytes:
    """All that announces a table, under its own label or another."""
    marked = (label or instance_label(table)).encode()
    name, server = name_of(marked, *SERVICE), name_of(marked[-6:], b"local")
    txt = b"".join(
        bytes([len(entry)]) + entry
        for entry in (key + b"=" + value for key, value in to_txt(table).items())
    )
    return packet(
        record(name_of(*SERVICE), PTR, name),
        record(name, SRV, struct.pack("!HHH", 0, 0, table.port) + server, group=FLUSH),
        record(name, TXT, txt, group=FLUSH),
        record(server, A, socket.inet_aton(host), group=FLUSH),
    )


def lure(number: int, host: str, port: int) -> bytes:
    """A table that leads whoever looks at it to that address; each number is another one."""
    table_id = number.to_bytes(16, "big")
    named = f"Table {number}"
    peer = fingerprint(number.to_bytes(32, "big"))
    return table_packet(Announcement(named, table_id, "war-jhong", 4, 2, False, peer, port), host)


# zeroconf writes this label, once decoded, in 120 bytes, and stumbles over its own question.
NO_UTF8 = packet(record(name_of(*SERVICE), PTR, name_of(b"\xff" * 40, *SERVICE)))


def garbage(rng: random.Random) -> bytes:
    """A packet in the form of mDNS, wrong in some way: names, sizes, counts, pointers, contents."""
    match rng.randrange(8):
        case 0:
            return rng.randbytes(rng.randrange(1, 200))
        case 1:
            made = bytearray(lure(rng.randrange(9), "10.77.1.1", 4711))
            for _ in range(rng.randrange(1, 6)):
                made[rng.randrange(len(made))] = rng.randrange(256)
            return bytes(made)
        case 2:
            made = bytearray(lure(rng.randrange(9), "10.77.1.1", 4711))
            return bytes(made[: rng.randrange(12, len(made))])
        case _:
            flags = rng.choice((RESPONSE, QUERY, QUERY | 0x0200))
            records = [_odd_record(rng) for _ in range(rng.randrange(0, 8))]
            asked = tuple(_odd_name(rng) for _ in range(rng.randrange(0, 4)))
            made = bytearray(packet(*records, flags=flags, questions=asked))
            if rng.random() < 0.3:
                made[rng.randrange(4, 12)] = rng.choice((0, 1, 255))
            return bytes(made)


def _odd_record(rng: random.Random) -> bytes:
    kind, group = rng.choice(KINDS), rng.choice((IN, FLUSH, 255, 3))
    content = rng.choice(
        (
            _odd_name(rng),
            struct.pack("!HHH", 0, 0, rng.randrange(65536)) + _odd_name(rng),
            rng.randbytes(rng.choice((0, 1, 4, 16, 40))),
            socket.inet_aton("10.77.1.1"),
            b"\xff" + b"=" * 20,
            b"\x05v=\xff\xfe\xfd" + bytes([4]) + b"v=1",
            b"\0" * rng.randrange(4),
        )
    )
    return record(_odd_name(rng), kind, content, rng.choice((0, 1, 120, TTL_S, 2**32 - 1)), group)


def _odd_name(rng: random.Random) -> bytes:
    label = rng.choice(
        (
            b"\xff" * rng.choice((1, 21, 22, 40, 63)),
            b"Friday abcdef",
            rng.randbytes(rng.randrange(1, 64)),
            b".." * 20,
            b"\\" * 30,
            "\U0001f004".encode() * 15,
            b"\xed\xa0\x80" * 20,
        )
    )
    return rng.choice(
        (
            name_of(label, *SERVICE),
            name_of(label, *SERVICE),
            name_of(*SERVICE),
            name_of(b"_services", b"_dns-sd", b"_udp", b"local"),
            name_of(label, b"local"),
            name_of(*[label] * rng.randrange(1, 7), *SERVICE),
            name_of(),
            bytes([0xC0, rng.choice((0, 12, 13, 40, 255))]),
            name_of(*SERVICE)[:-1] + bytes([0xC0, 12]),
        )
    )


# --- On a network -----------------------------------------------------------------------------


def _open() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("", PORT))
    own = next(one.host for one in interfaces() if not one.is_ipv6 and not one.is_loopback)
    address = socket.inet_aton(own)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + address)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    return sock


def _about_all_that_is_heard(sock: socket.socket, kind: str, hosts: list[str]) -> Iterator[bytes]:
    """The packets, a tenth of a second's time apart."""
    names: set[bytes] = set()
    servers: dict[bytes, bytes] = {}
    sock.sendto(packet(flags=QUERY, questions=(name_of(*SERVICE),)), (GROUP, PORT))
    while True:
        next_s = time.monotonic() + 0.1
        while (left_s := next_s - time.monotonic()) > 0:
            sock.settimeout(left_s)
            try:
                data = sock.recv(9000)
            except TimeoutError:
                break
            for heard in DNSIncoming(data).answers():
                if isinstance(heard, DNSPointer) and heard.name == SERVICE_TYPE and heard.ttl:
                    names.add(heard.alias.removesuffix(f".{SERVICE_TYPE}").encode())
                if isinstance(heard, DNSService) and heard.name.endswith(SERVICE_TYPE):
                    label = heard.name.removesuffix(f".{SERVICE_TYPE}").encode()
                    servers[label] = heard.server.removesuffix(".local.").encode()
        for label in names if kind == "goodbye" else ():
            name = name_of(label, *SERVICE)
            yield packet(
                record(name_of(*SERVICE), PTR, name, 0),
                record(name, TXT, b"\0", 0, FLUSH),
            )
        for label, server in servers.items() if kind == "poison" else ():
            name = name_of(server, b"local")
            yield packet(
                record(
                    name_of(label, *SERVICE), SRV, struct.pack("!HHH", 0, 0, 9) + name, 120, FLUSH
                ),
                *(record(name, A, socket.inet_aton(host), 120, FLUSH) for host in hosts),
            )


def main(kind: str, *arguments: str) -> None:
    sock = _open()
    sys.stdout.write(json.dumps({"ready": True}) + "\n")
    sys.stdout.flush()
    match kind, arguments:
        case "lure", (host, port):
            for number in itertools.count():
                sock.sendto(lure(number, host, int(port)), (GROUP, PORT))
                time.sleep(0.05)
        case "garbage", (seed,):
            rng = random.Random(int(seed))
            for number in itertools.count():
                sock.sendto(garbage(rng) if number % 20 else NO_UTF8, (GROUP, PORT))
                time.sleep(0.01)
        case _:
            for data in _about_all_that_is_heard(sock, kind, list(arguments)):
                sock.sendto(data, (GROUP, PORT))


if __name__ == "__main__":
    main(*sys.argv[1:])
