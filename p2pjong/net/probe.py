"""Whether the host of an announced table answers, and is who the announcement says."""

import asyncio
import secrets
from collections.abc import Sequence

from p2pjong.net.address import Address, with_zones
from p2pjong.net.connection import dial_channel
from p2pjong.net.identity import Identity, fingerprint
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import LinkError, most_telling, unreachable
from p2pjong.net.link_handshake import LocalEnd, dial_handshake
from p2pjong.net.racing import race
from p2pjong.net.tls import client_context
from p2pjong.wire.handshake import INSTANCE_BYTES, CloseCode, Hello

PROBES_AT_ONCE = 8


class Prober:
    """Looks whether hosts answer, under an identity of its own that says nothing about us."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._end = LocalEnd(Identity.fresh(), secrets.token_bytes(INSTANCE_BYTES))
        self._client = client_context()
        self._free = asyncio.Semaphore(PROBES_AT_ONCE)

    async def probe(self, addresses: Sequence[Address], host_fingerprint: str) -> Address:
        """The first of the addresses where the peer with this fingerprint proves itself.

        The handshake ends there: the host learns that someone looked. Only so many addresses are
        tried, and only for so long: announcements come from anyone. Raises LinkError.
        """
        candidates = with_zones(addresses)[: self._limits.probe_addresses]
        if not candidates:
            raise unreachable("no address of it is known")
        errors: list[LinkError] = []

        async def attempt(address: Address) -> Address:
            try:
                await self._probe_one(address, host_fingerprint)
            except LinkError as error:
                errors.append(error.at(address))
                raise
            return address

        async with self._free:
            try:
                async with asyncio.timeout(self._limits.probe_s):
                    return await race(candidates, attempt, self._limits.stagger_s, lambda _: None)
            except LinkError as error:
                raise most_telling(errors) from error
            except TimeoutError as error:
                raise unreachable(f"no proof within {self._limits.probe_s:g} s") from error

    async def _probe_one(self, address: Address, host_fingerprint: str) -> None:
        def before_proof(hello: Hello) -> None:
            if fingerprint(hello.key) != host_fingerprint:
                raise LinkError("is someone else than was announced", CloseCode.WRONG_KEY)
            raise LinkError("answers", CloseCode.PROBE)

        channel = await dial_channel(address, self._client, self._limits)
        try:
            await dial_handshake(channel, self._end, before_proof)
        except LinkError as error:
            if error.close is not CloseCode.PROBE:
                raise
