"""What this machine's own firewall lets in, as far as that can be read.

The rules of nftables, in which ufw, firewalld and iptables write theirs, are root's to read; of
other firewalls no more is known than that they are there. What is said here is a guess: only
somebody else's machine can tell whether it gets through.
"""

import asyncio
import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

READ_S = 3.0

_HOOK = re.compile(r"hook (input|ingress) .*?(policy (?P<policy>\w+);)?$")
_DROPS_ALL = re.compile(r"(counter( packets \d+ bytes \d+)? )?(drop|reject)\b")
_PORTS = re.compile(r"tcp dport (\{(?P<some>[^}]*)\}|(?P<one>\S+)) .*accept")
_DROPS = re.compile(r"\b(drop|reject)\b")


@dataclass(frozen=True)
class Firewall:
    """What is known of it: whether it drops, and TCP ports that it names as open."""

    name: str
    is_read: bool = False
    drops_some: str = ""  # the chain that does
    drops_others: str = ""  # the chain that drops all that it does not name
    open_ports: tuple[range, ...] = ()

    def closes(self, port: int) -> bool:
        """Whether it seems to drop what comes to this port."""
        return bool(self.drops_others) and not any(port in ports for ports in self.open_ports)


async def read_firewall(root: Path = Path("/")) -> Firewall | None:
    """The firewall of this machine; None if there is none that we know of."""
    name = firewall_name(root)
    if sys.platform != "linux":
        return Firewall(name) if name else None
    rules = await _nftables()
    if rules is None:
        return Firewall(name) if name else None
    found = read_rules(rules.splitlines(), name or "nftables")
    return found if name or found.drops_some or found.drops_others else None


def firewall_name(root: Path = Path("/")) -> str | None:
    """The firewall that seems to be at work here, by its files."""
    if sys.platform == "darwin":
        return "the macOS firewall"
    if sys.platform == "win32":
        return "the Windows firewall (it asks on first use; the network must be private)"
    if _says(root / "etc/ufw/ufw.conf", "ENABLED=yes"):
        return "ufw"
    if (root / "run/firewalld").is_dir():
        return "firewalld"
    return None


def read_rules(lines: Iterable[str], name: str = "nftables") -> Firewall:
    """What the rules that `nft list ruleset` prints do to connections from outside."""
    table = chain = drops_some = drops_others = ""
    is_input = False
    open_ports: list[range] = []
    for line in (raw.strip() for raw in lines):
        kind, _, rest = line.partition(" ")
        if kind in ("table", "chain"):
            table, chain = (rest, chain) if kind == "table" else (table, rest)
            is_input = False
        elif hook := _HOOK.search(line):
            is_input = True
            if hook["policy"] == "drop":
                drops_others = _chain(table, chain)
        elif ports := _PORTS.search(line):
            open_ports += map(_range, (ports["some"] or ports["one"]).split(","))
        elif is_input and _DROPS_ALL.match(line):
            drops_others = _chain(table, chain)
        elif is_input and _DROPS.search(line):
            drops_some = _chain(table, chain)
    known = tuple(ports for ports in open_ports if ports)
    return Firewall(name, True, drops_some, drops_others, known)


def _chain(table: str, chain: str) -> str:
    return f"{table.removesuffix(' {')} {chain.removesuffix(' {')}"


def _range(text: str) -> range:
    low, _, high = text.strip().partition("-")
    if not (low.isdigit() and (high or low).isdigit()):
        return range(0)  # a service by its name, or a named set
    return range(int(low), int(high or low) + 1)


async def _nftables() -> str | None:
    """The rules; None if they cannot be read."""
    command = shutil.which("nft")
    if command is None:
        return None
    with suppress(OSError, TimeoutError):
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            command, "list", "ruleset", stdin=nothing, stdout=pipe, stderr=nothing
        )
        try:
            async with asyncio.timeout(READ_S):
                out, _ = await process.communicate()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
        return None if process.returncode else out.decode("utf-8", errors="replace")
    return None


def _says(path: Path, line: str) -> bool:
    try:
        return line in path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
