"""Whether a host is shown depends on its proof alone."""

import asyncio
import dataclasses

import pytest

from p2pjong.net.address import Address
from p2pjong.net.discovery import PROBE_LIMITS
from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import LinkError
from p2pjong.net.probe import Prober
from p2pjong.wire.handshake import CloseCode
from tests.support.loopback import QUICK, nobody_at, peers, run
from tests.support.virtual_clock import run_virtually


def test_a_host_that_proves_itself_answers_and_hears_nothing_of_us() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            found = await Prober(QUICK).probe([host.address], host.identity.fingerprint)
            assert found == host.address
            assert host.happened == []
            assert host.mesh.linked() == frozenset()

    run(scene)


def test_someone_else_at_the_address_does_not_count() -> None:
    async def scene() -> None:
        async with peers(1) as (host,):
            with pytest.raises(LinkError) as caught:
                await Prober(QUICK).probe([host.address], fingerprint(bytes(32)))
            assert caught.value.close is CloseCode.WRONG_KEY
            assert str(caught.value).startswith(str(host.address))

    run(scene)


def test_the_address_that_answers_is_named() -> None:
    async def scene() -> None:
        with nobody_at() as nobody:
            async with peers(1) as (host,):
                found = await Prober(QUICK).probe([nobody, host.address], host.identity.fingerprint)
                assert found == host.address
                with pytest.raises(LinkError, match="cannot be reached"):
                    await Prober(QUICK).probe([nobody], host.identity.fingerprint)
                with pytest.raises(LinkError, match="no address"):
                    await Prober(QUICK).probe([], host.identity.fingerprint)

    run(scene)


def test_of_many_addresses_only_so_many_are_tried() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, probe_addresses=3)
        tried: list[Address] = []
        prober = Prober(limits)

        async def fail(address: Address) -> str:
            tried.append(address)
            raise LinkError("fails")

        prober._who_answers = fail  # type: ignore[method-assign]
        addresses = [Address(f"192.0.2.{number}", 1) for number in range(100)]
        with pytest.raises(LinkError):
            await prober.probe(addresses, "")
        assert tried == addresses[:3]

    run(scene)


def test_a_probe_ends_in_time_whatever_the_host_does() -> None:
    async def scene() -> float:
        prober = Prober(PROBE_LIMITS)

        async def stick(address: Address) -> str:
            await asyncio.sleep(3600)
            return ""

        prober._who_answers = stick  # type: ignore[method-assign]
        with pytest.raises(LinkError, match="no proof within 4 s"):
            await prober.probe([Address("192.0.2.1", 1), Address("192.0.2.2", 1)], "")
        return asyncio.get_running_loop().time()

    assert PROBE_LIMITS.probe_s == 4.0 and PROBE_LIMITS.probe_first_s == 1.0
    assert run_virtually(scene()) == PROBE_LIMITS.probe_first_s + PROBE_LIMITS.probe_s


def test_probes_take_no_links_of_the_host() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, links=1, half_open=2)
        async with peers(2, limits) as (host, guest):
            prober = Prober(QUICK)
            for _ in range(12):
                await prober.probe([host.address], host.identity.fingerprint)
            assert await guest.mesh.connect([host.address]) == host.key

    run(scene)
