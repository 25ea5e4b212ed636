"""A bot that a host started ends with its host: the host holds the other end of its input."""

import asyncio
import os
import sys

PARENT_VARIABLE = "P2PJONG_PARENT"


def has_parent() -> bool:
    """Whether this process was started by a host, which keeps our standard input open."""
    return os.environ.get(PARENT_VARIABLE) == "stdin"


async def parent_gone() -> None:
    """Returns when the host's process is gone, however suddenly."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer
    )
    try:
        while await reader.read(1024):
            pass
    finally:
        transport.close()
