"""Dialling: what is no name is never handed to a resolver."""

import asyncio
from typing import Any

import pytest

from p2pjong.net.address import Address
from p2pjong.net.connection import _connect
from p2pjong.net.link_errors import LinkError
from tests.support.loopback import QUICK, run

HOSTS = [
    "1.2.3.4%.evil.example",
    "fe80::1%.evil.example",
    "fe80::1%no-such-zone",
    "::1%\x00",
    "::x",
]


@pytest.mark.parametrize("host", HOSTS)
def test_an_address_with_a_zone_of_anothers_choosing_is_not_looked_up(host: str) -> None:
    async def scene() -> None:
        loop: Any = asyncio.get_running_loop()
        loop.getaddrinfo = lambda *_, **__: pytest.fail("it was looked up")
        with pytest.raises(LinkError, match="cannot be reached: "):
            await _connect(Address(host, 4711), QUICK)

    run(scene)


@pytest.mark.parametrize("host", ["a\x00b", "a" * 300, "ä" * 200])
def test_a_name_that_no_resolver_takes_is_said_to_be_none(host: str) -> None:
    async def scene() -> None:
        with pytest.raises(LinkError, match="cannot be reached: "):
            await _connect(Address(host, 4711), QUICK)

    run(scene)
