"""Ends of connections that are no peers: raw diallers, liars, and one who sits in between."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from p2pjong.net.address import Address
from p2pjong.net.channel import Channel
from p2pjong.net.connection import dial_channel
from p2pjong.net.link_errors import LinkError
from p2pjong.net.tls import ServerTls, client_context
from tests.support.loopback import QUICK


async def raw(address: Address) -> Channel:
    return await dial_channel(address, client_context(), QUICK)


@asynccontextmanager
async def hostile_listener(
    answer: Callable[[Channel], Awaitable[None]], tls: ServerTls | None = None
) -> AsyncIterator[Address]:
    """A listener that does to each connection what `answer` says."""
    own_tls = tls or ServerTls()
    answers: list[asyncio.Task[None]] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answer(Channel(reader, writer, QUICK))

    def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers.append(asyncio.create_task(take(reader, writer)))

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0, ssl=own_tls.context)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
        await asyncio.gather(*answers)
    finally:
        server.close()
        for task in answers:
            task.cancel()


@asynccontextmanager
async def man_in_the_middle(target: Address) -> AsyncIterator[Address]:
    """A real terminating TLS proxy: reads everything, passes everything on, both ways."""

    async def pump(source: Channel, sink: Channel) -> None:
        try:
            while True:
                sink.send(await source.receive())
        except LinkError:
            await sink.close()

    async def answer(channel: Channel) -> None:
        onward = await raw(target)
        await asyncio.gather(pump(channel, onward), pump(onward, channel))

    async with hostile_listener(answer) as address:
        yield address
