"""Whether the host of an announced table answers, and is who the announcement says."""

import asyncio
import secrets
from collections.abc import Sequence

from p2pjong.net.address import Address, neighbourhood, with_zones
from p2pjong.net.connection import dial_channel
from p2pjong.net.identity import Identity, fingerprint
from p2pjong.net.limits import Limits
from p2pjong.net.link_errors import LinkError, most_telling, unreachable
from p2pjong.net.link_handshake import LocalEnd, dial_handshake
from p2pjong.net.racing import race
from p2pjong.net.targets import Targets
from p2pjong.net.tls import client_context
from p2pjong.net.turns import Turns
from p2pjong.wire.handshake import INSTANCE_BYTES, CloseCode, Hello

# Each opens a socket for each address that it tries: 208 in all, where some systems allow 256.
FIRST_AT_ONCE = 40
AGAIN_AT_ONCE = 8


class Prober:
    """Looks whether hosts answer, under an identity of its own that says nothing about us.

    Announcements that lead nowhere must not keep it from those that lead somewhere: the first try
    at one is short, many are made at once, and hosts at different addresses take turns.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._end = LocalEnd(Identity.fresh(), secrets.token_bytes(INSTANCE_BYTES))
        self._client = client_context()
        self._first = Turns(FIRST_AT_ONCE, FIRST_AT_ONCE // 2)
        self._targets = Targets(lambda address: self._who_answers(address))
        self._again = Turns(AGAIN_AT_ONCE, AGAIN_AT_ONCE // 2)

    async def probe(
        self, addresses: Sequence[Address], host_fingerprint: str, has_failed: bool = False
    ) -> Address:
        """The first of the addresses where the peer with this fingerprint proves itself.

        The handshake ends there: the host learns that someone looked. Only so many addresses are
        tried, and only for so long: announcements come from anyone. One that `has_failed` before
        gets no short try. Raises LinkError.
        """
        candidates = self.likeliest(*with_zones(addresses))[: self._limits.probe_addresses]
        if not candidates:
            raise unreachable("no address of it is known")
        origin = neighbourhood(candidates[0].host)
        if not has_failed:
            nearest = candidates[: self._limits.probe_first_addresses]
            try:
                async with self._first.turn(origin):
                    for_s = self._limits.probe_first_s
                    return await self._try(nearest, host_fingerprint, for_s, True)
            except TimeoutError:
                pass
            except LinkError:
                if nearest == candidates:
                    raise
        try:
            async with self._again.turn(origin):
                for_s = self._limits.probe_s
                return await self._try(candidates, host_fingerprint, for_s, False)
        except TimeoutError as error:
            raise unreachable(f"no proof within {self._limits.probe_s:g} s") from error

    async def identify(self, address: Address) -> str:
        """The fingerprint of whoever answers at the address. Raises LinkError."""
        return await self._targets.who_answers(address, is_hasty=False)

    def likeliest(self, *addresses: Address) -> tuple[Address, ...]:
        """The addresses as given, but those that failed a moment ago last."""
        return tuple(sorted(addresses, key=self._targets.has_failed))

    async def _try(
        self, candidates: Sequence[Address], host_fingerprint: str, for_s: float, is_hasty: bool
    ) -> Address:
        """Raises LinkError if all have failed, TimeoutError if they may yet answer."""
        errors: list[LinkError] = []
        silent, passed = set(candidates), set[Address]()

        async def attempt(address: Address) -> Address:
            try:
                if await self._targets.who_answers(address, is_hasty) != host_fingerprint:
                    raise LinkError("is someone else than was announced", CloseCode.WRONG_KEY)
            except LinkError as error:
                silent.discard(address)
                errors.append(error.at(address))
                raise
            except TimeoutError:
                passed.add(address)
                raise
            return address

        try:
            async with asyncio.timeout(for_s):
                return await race(candidates, attempt, self._limits.stagger_s, lambda _: None)
        except LinkError as error:
            if passed:
                raise TimeoutError from error
            raise most_telling(errors) from error
        except TimeoutError:
            for address in silent - passed:
                self._targets.gave_up(address, is_hasty)
            raise

    async def _who_answers(self, address: Address) -> str:
        """The fingerprint of the peer that proves itself at the address. Raises LinkError."""
        answered: list[str] = []

        def before_proof(hello: Hello) -> None:
            answered.append(fingerprint(hello.key))
            raise LinkError("answers", CloseCode.PROBE)

        channel = await dial_channel(address, self._client, self._limits)
        try:
            await dial_handshake(channel, self._end, before_proof)
        except LinkError:
            if not answered:
                raise
        return answered[0]
