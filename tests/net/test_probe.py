"""Whether a host is shown depends on its proof alone."""

import dataclasses

import pytest

from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import LinkError
from p2pjong.net.probe import Prober
from p2pjong.wire.handshake import CloseCode
from tests.support.loopback import QUICK, nobody_at, peers, run


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


def test_probes_take_no_links_of_the_host() -> None:
    async def scene() -> None:
        limits = dataclasses.replace(QUICK, links=1, half_open=2)
        async with peers(2, limits) as (host, guest):
            prober = Prober(QUICK)
            for _ in range(12):
                await prober.probe([host.address], host.identity.fingerprint)
            assert await guest.mesh.connect([host.address]) == host.key

    run(scene)
