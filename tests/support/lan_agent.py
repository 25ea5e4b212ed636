"""A peer without a game, for the tests on namespaces: prints what happens as JSON lines.

    announce NAME [FREE]     listens, announces a table, lets everyone link
    browse                   prints the list of tables whenever it changes
    find WAIT [NAME]         find_tables once: the tables and the time it took
    peer SEED [KEY@HOST:PORT...]   listens, expects the given peers, prints ups and downs
    claim NAME PORT          announces a table at a port where nobody of ours listens
    doctor                   prints the findings of `examine`

Orders come as JSON lines on standard input; its end means: end in order.
"""

import asyncio
import dataclasses
import json
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from p2pjong.net.address import Address, own_addresses, parse_address
from p2pjong.net.discovery import Announcement, Announcer, Browser, FoundTable
from p2pjong.net.doctor import examine
from p2pjong.net.identity import Identity, fingerprint
from p2pjong.net.limits import LIMITS
from p2pjong.net.link_errors import LinkError
from p2pjong.net.listener import Listener
from p2pjong.net.mesh import Callbacks, Mesh
from p2pjong.net.surroundings import find_tables

LAN_LIMITS = dataclasses.replace(LIMITS, ping_s=0.3, pong_s=0.1, redial_max_s=1.0, connect_s=1.0)


def say(**what: Any) -> None:
    """Prints one line."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def orders() -> AsyncIterator[dict[str, Any]]:
    """The orders on standard input, to its end."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield json.loads(line)


def described(table: FoundTable) -> dict[str, Any]:
    """A table as the tests look at it."""
    return {
        "name": table.name,
        "id": table.table_id.hex(),
        "free": table.free_seats,
        "host": table.fingerprint,
        "addresses": [str(address) for address in table.addresses],
        "playing": table.is_playing,
    }


def announcement(name: str, free: int, host: str, port: int) -> Announcement:
    table_id = Identity.fresh().key[:16]
    return Announcement(name, table_id, "war-jhong", 4, free, False, host, port)


async def announce(name: str, free: str = "3") -> None:
    identity, listener = Identity.fresh(), Listener.open()
    mesh = Mesh(identity, listener, Callbacks(may_link=lambda key, address: True))
    mesh.start()
    table = announcement(name, int(free), identity.fingerprint, listener.port)
    announcer = Announcer(table, watch_s=0.5)
    await announcer.start()
    say(announced=name, port=listener.port, host=identity.fingerprint, at=time.monotonic())
    async for order in orders():
        table = dataclasses.replace(table, **order)
        await announcer.update(table)
    await announcer.close()
    await mesh.close()


async def claim(name: str, port: str) -> None:
    announcer = Announcer(announcement(name, 3, fingerprint(bytes(32)), int(port)))
    await announcer.start()
    say(announced=name, at=time.monotonic())
    async for _ in orders():
        pass
    await announcer.close()


async def browse() -> None:
    changed = asyncio.Event()
    async with Browser(changed.set, probe_every_s=1.0, watch_s=0.5) as browser:

        async def tell() -> None:
            while True:
                say(tables=[described(table) for table in browser.tables()], at=time.monotonic())
                changed.clear()
                await changed.wait()

        telling = asyncio.create_task(tell())
        async for _ in orders():
            pass
        telling.cancel()


async def find(wait_s: str, name: str | None = None) -> None:
    began_at = time.monotonic()
    tables = await find_tables(float(wait_s), wanted=name)
    say(tables=[described(table) for table in tables], took_s=time.monotonic() - began_at)


async def peer(seed: str, *others: str) -> None:
    """A mesh of the identity with this seed; orders: expect, connect, send, drop, addresses."""
    identity, listener = Identity.from_seed(bytes([int(seed)]) * 32), Listener.open(4711)
    callbacks = Callbacks(
        on_frame=lambda key, frame: say(frame=frame.hex(), key=key.hex()),
        on_up=lambda key: say(up=key.hex()),
        on_down=lambda key, reason: say(down=key.hex(), reason=reason),
        may_link=lambda key, address: True,
    )
    mesh = Mesh(identity, listener, callbacks, LAN_LIMITS)
    mesh.start()
    expected: dict[bytes, list[Address]] = {}
    for other in others:
        key, _, address = other.partition("@")
        expected.setdefault(bytes.fromhex(key), []).append(parse_address(address))
    mesh.expect(expected)
    say(listening=[str(address) for address in own_addresses(listener.port)], key=mesh.key.hex())
    async for order in orders():
        await obey(mesh, order)
    await mesh.close()


async def obey(mesh: Mesh, order: dict[str, Any]) -> None:
    match order:
        case {"connect": text}:
            try:
                key = await mesh.connect([parse_address(text)])
                say(connected=key.hex())
            except LinkError as error:
                say(failed=str(error), reason=error.reason)
        case {"send": frame, "to": key}:
            say(sent=mesh.send(bytes.fromhex(key), bytes.fromhex(frame)))


async def doctor() -> None:
    for finding in await examine():
        say(**dataclasses.asdict(finding))
    say(examined=True)


ROLES: dict[str, Callable[..., Awaitable[None]]] = {
    "announce": announce,
    "browse": browse,
    "claim": claim,
    "doctor": doctor,
    "find": find,
    "peer": peer,
}


async def main(role: str, *arguments: str) -> None:
    await ROLES[role](*arguments)


if __name__ == "__main__":
    logging.basicConfig(level=logging.DEBUG, format="%(asctime)s %(name)s: %(message)s")
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    asyncio.run(main(*sys.argv[1:]))
