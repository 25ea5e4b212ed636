"""A LAN on one machine: network namespaces as hosts, bridges as switches, real multicast.

Needs root, iproute2 and nftables. The bridges live in a namespace of their own, so that nothing of
this machine's network is touched; all names have a random part, and all is taken down at the end.
"""

import contextlib
import json
import os
import secrets
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
COMMAND_TIMEOUT_S = 30.0
EXPECT_TIMEOUT_S = 15.0


class LanError(Exception):
    """A command that makes up the network failed; the text is what it said."""


def missing_for_lan() -> str:
    """What this machine lacks for a Lan, in words; empty if nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs Linux and root"
    lacking = [tool for tool in ("ip", "bridge", "nft") if shutil.which(tool) is None]
    return f"needs {' and '.join(lacking)}" if lacking else ""


def call(*command: str) -> str:
    """Runs a command that must succeed, and returns what it printed."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=False
    )
    if done.returncode:
        raise LanError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Running:
    """A process on a host that prints one JSON object a line; `expect` waits for one."""

    def __init__(self, process: subprocess.Popen[bytes], what: str) -> None:
        self.process = process
        self.said: list[dict[str, Any]] = []
        self._what = what
        self._rest = b""

    def expect(
        self, holds: Callable[[dict[str, Any]], bool], timeout_s: float = EXPECT_TIMEOUT_S
    ) -> dict[str, Any]:
        """The first object, from now on, for which `holds`. Fails after `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._output(), selectors.EVENT_READ)
            while True:
                while b"\n" in self._rest:
                    said = self._next()
                    if holds(said):
                        return said
                left_s = deadline - time.monotonic()
                if left_s <= 0 or not selector.select(left_s):
                    raise AssertionError(f"{self._what} did not say so in {timeout_s} s: {self}")
                chunk = os.read(self._output().fileno(), 1 << 16)
                if not chunk:
                    raise AssertionError(f"{self._what} ended with {self.process.wait()}: {self}")
                self._rest += chunk

    def tell(self, **order: Any) -> None:
        """Sends the process one JSON object on its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        """SIGKILL, as when the power goes."""
        self.process.kill()
        self.process.wait(COMMAND_TIMEOUT_S)

    def finish(self) -> int:
        """Closes its input, which means "end in order", and returns its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(COMMAND_TIMEOUT_S)

    def __str__(self) -> str:
        return f"the last it said: {self.said[-5:]}"

    def _output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def _next(self) -> dict[str, Any]:
        line, _, self._rest = self._rest.partition(b"\n")
        said: dict[str, Any] = json.loads(line)
        self.said.append(said)
        return said


class Host:
    """A machine of its own: interfaces eth0, eth1..., addresses, routes, multicast, firewall."""

    def __init__(self, lan: "Lan", number: int) -> None:
        self.name = f"{lan.name}h{number}"
        self.number = number
        self._lan = lan
        self._ports: list[str] = []  # the switch's end of each interface
        call("ip", "netns", "add", self.name)
        lan.undo.callback(lambda: call("ip", "netns", "del", self.name))
        # Duplicate address detection takes a second or two; a test may turn it on again.
        self.sysctl("net.ipv6.conf.default.accept_dad", 0)
        self.ip("link", "set", "lo", "up")

    def ip(self, *arguments: str) -> str:
        """`ip` on this host."""
        return call("ip", "-n", self.name, *arguments)

    def sysctl(self, key: str, value: object) -> None:
        """Sets a kernel parameter of this host's network."""
        call("ip", "netns", "exec", self.name, "sysctl", "-qw", f"{key}={value}")

    def attach(self, switch: "Switch", *, ipv4: bool = True, ipv6: bool = True) -> str:
        """Plugs a new interface into the switch; IPv6 means its link-local address."""
        interface = f"eth{len(self._ports)}"
        port = f"v{self.number}x{len(self._ports)}"
        call(
            *("ip", "link", "add", port, "netns", self._lan.switches),
            *("type", "veth", "peer", "name", interface, "netns", self.name),
        )
        self._ports.append(port)
        if not ipv6:
            self.sysctl(f"net.ipv6.conf.{interface}.disable_ipv6", 1)
        call("ip", "-n", self._lan.switches, "link", "set", port, "master", switch.name, "up")
        self.ip("link", "set", interface, "up")
        if ipv4:
            self.ip("addr", "add", f"{self.ipv4(switch)}/24", "dev", interface)
        return interface

    def ipv4(self, switch: "Switch", last: int | None = None) -> str:
        """The address of this host on that switch (or another of that subnet)."""
        return f"10.77.{switch.number}.{last or self.number}"

    def link_local(self, interface: str = "eth0") -> str:
        """The IPv6 link-local address of the interface, without its zone."""
        shown = json.loads(self.ip("-j", "-6", "addr", "show", "dev", interface, "scope", "link"))
        address: str = shown[0]["addr_info"][0]["local"]
        return address

    def unplug(self, interface: str = "eth0") -> None:
        """The cable is out: the switch's end goes down."""
        self._set_port(interface, "down")

    def plug(self, interface: str = "eth0") -> None:
        """The cable is in again."""
        self._set_port(interface, "up")

    def _set_port(self, interface: str, state: str) -> None:
        port = self._ports[int(interface.removeprefix("eth"))]
        call("ip", "-n", self._lan.switches, "link", "set", port, state)

    def isolate(self, is_isolated: bool = True, interface: str = "eth0") -> None:
        """Client isolation: two isolated hosts do not reach each other, all others they do."""
        port = self._ports[int(interface.removeprefix("eth"))]
        state = "on" if is_isolated else "off"
        call("bridge", "-n", self._lan.switches, "link", "set", "dev", port, "isolated", state)

    def nft(self, rules: str) -> None:
        """Loads nftables rules on this host."""
        self.run(["nft", "-f", "-"], stdin=rules)

    def block_multicast(self) -> None:
        """As many office networks and guest WLANs do: no multicast in or out."""
        self.nft(
            "table inet nomulticast {\n"
            " chain in { type filter hook input priority 0;"
            " ip daddr 224.0.0.0/4 drop; ip6 daddr ff02::fb drop; }\n"
            " chain out { type filter hook output priority 0;"
            " ip daddr 224.0.0.0/4 drop; ip6 daddr ff02::fb drop; }\n"
            "}\n"
        )

    def block_from(self, source: str) -> None:
        """A firewall that lets nothing in that this source begins; what we begin passes."""
        family = "ip6" if ":" in source else "ip"
        self.nft(
            "table inet oneway {\n chain in { type filter hook input priority 0;"
            f" {family} saddr {source} ct state new drop; }}\n}}\n"
        )

    def lose_packets(self, percent: int) -> None:
        """Drops so many of the incoming packets by chance."""
        self.nft(
            "table inet lossy {\n chain in { type filter hook input priority 0;"
            f" iifname != lo numgen random mod 100 < {percent} drop; }}\n}}\n"
        )

    def run(
        self,
        command: Sequence[str],
        *,
        stdin: str = "",
        environment: Mapping[str, str] | None = None,
        timeout_s: float = COMMAND_TIMEOUT_S,
        is_checked: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command on this host to its end."""
        done = subprocess.run(
            ["ip", "netns", "exec", self.name, *command],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
            cwd=ROOT,
            env=dict(environment) if environment is not None else None,
        )
        if is_checked and done.returncode:
            raise LanError(f"{' '.join(command)}: {done.stderr or done.stdout}")
        return done

    def start(
        self, command: Sequence[str], *, environment: Mapping[str, str] | None = None
    ) -> Running:
        """Starts a command on this host; it is killed at the end if it still runs."""
        process = subprocess.Popen(
            ["ip", "netns", "exec", self.name, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=dict(environment) if environment is not None else None,
        )
        self._lan.undo.callback(_end, process)
        return Running(process, f"{self.name}: {' '.join(command[-3:])}")

    def agent(self, *arguments: str) -> Running:
        """Starts `tests/support/lan_agent.py` here: a peer of ours without a game."""
        return self.start([sys.executable, "-m", "tests.support.lan_agent", *arguments])


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(COMMAND_TIMEOUT_S)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what it did not read is lost with it
                stream.close()


class Switch:
    """A bridge, to which hosts are attached."""

    def __init__(self, lan: "Lan", number: int) -> None:
        self.name = f"br{number}"
        self.number = number
        call(
            *("ip", "-n", lan.switches, "link", "add", self.name),
            *("type", "bridge", "mcast_snooping", "0"),
        )
        call("ip", "-n", lan.switches, "link", "set", self.name, "up")


class Lan:
    """The network; a context manager that takes all of it down again."""

    def __init__(self) -> None:
        self.name = f"pj{secrets.token_hex(3)}"
        self.switches = f"{self.name}sw"
        self.undo = contextlib.ExitStack()
        self._switch_count = 0
        self._host_count = 0

    def __enter__(self) -> "Lan":
        call("ip", "netns", "add", self.switches)
        self.undo.callback(lambda: call("ip", "netns", "del", self.switches))
        return self

    def __exit__(self, *exception: object) -> None:
        self.undo.close()

    def switch(self) -> Switch:
        """A new switch, connected to nothing."""
        self._switch_count += 1
        return Switch(self, self._switch_count)

    def bare_host(self) -> Host:
        """A new host without any network."""
        self._host_count += 1
        return Host(self, self._host_count)

    def host(self, switch: Switch, *, ipv4: bool = True, ipv6: bool = True) -> Host:
        """A new host on the switch."""
        host = self.bare_host()
        host.attach(switch, ipv4=ipv4, ipv6=ipv6)
        return host


@contextlib.contextmanager
def lan_of(count: int, *, ipv4: bool = True, ipv6: bool = True) -> Iterator[list[Host]]:
    """So many hosts on one switch."""
    with Lan() as lan:
        switch = lan.switch()
        yield [lan.host(switch, ipv4=ipv4, ipv6=ipv6) for _ in range(count)]
