"""How often a peer that does not answer is dialled, and when at once."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable

from p2pjong.net.address import Address
from p2pjong.net.link_errors import LinkError
from p2pjong.net.redial import Redial
from p2pjong.wire.handshake import CloseCode
from tests.support.loopback import QUICK, run

HERE, THERE = (Address("192.0.2.1", 1),), (Address("192.0.2.2", 1),)


class Dialling:
    """A redial over a line that a test sets up; `dialled` is what it tried."""

    def __init__(self, addresses: tuple[Address, ...], redial_s: float) -> None:
        self.dialled: list[tuple[Address, ...]] = []
        self.is_linked = False
        self.outcome: LinkError | None = None
        self._tried = asyncio.Event()
        limits = dataclasses.replace(QUICK, redial_min_s=redial_s, redial_max_s=redial_s)
        self.redial = Redial(addresses, self._dial, lambda: self.is_linked, limits)

    async def _dial(self, addresses: tuple[Address, ...]) -> None:
        self.dialled.append(addresses)
        self._tried.set()
        if self.outcome is not None:
            raise self.outcome
        self.is_linked = True

    async def until_tried(self) -> None:
        async with asyncio.timeout(5):
            await self._tried.wait()
        self._tried.clear()


def dialling(
    scene: Callable[[Dialling], Awaitable[None]],
    addresses: tuple[Address, ...] = HERE,
    redial_s: float = 1000.0,
) -> None:
    async def watched() -> None:
        line = Dialling(addresses, redial_s)
        task = asyncio.create_task(line.redial.run())
        try:
            await scene(line)
        finally:
            task.cancel()
            await asyncio.wait((task,))

    run(watched)


async def some_iterations() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_the_first_dial_is_at_once_and_the_only_one_if_it_links() -> None:
    async def scene(line: Dialling) -> None:
        await line.until_tried()
        await some_iterations()
        assert line.dialled == [HERE]

    dialling(scene)


def test_after_a_failure_it_waits_but_a_new_address_is_tried_at_once() -> None:
    async def scene(line: Dialling) -> None:
        line.outcome = LinkError("cannot be reached")
        await line.until_tried()
        await some_iterations()
        assert line.dialled == [HERE]
        line.redial.move(HERE)
        await some_iterations()
        assert line.dialled == [HERE]
        line.redial.move(THERE)
        await line.until_tried()
        assert line.dialled == [HERE, THERE]

    dialling(scene)


def test_a_peer_said_to_be_elsewhere_again_and_again_is_dialled_no_more_often() -> None:
    async def scene(line: Dialling) -> None:
        line.outcome = LinkError("cannot be reached")
        await line.until_tried()
        for number in range(50):
            line.redial.move((Address("192.0.2.9", 1 + number), *HERE))
            await some_iterations()
        assert len(line.dialled) == 2, "whoever announces addresses makes us connect"

    dialling(scene)


def test_where_it_was_said_to_be_last_is_tried_next() -> None:
    async def scene(line: Dialling) -> None:
        line.outcome = LinkError("cannot be reached")
        await line.until_tried()
        line.redial.move(HERE[:0])
        line.redial.move(THERE)
        while THERE not in line.dialled:
            await line.until_tried()

    dialling(scene, redial_s=0.001)


def test_it_goes_on_until_it_links() -> None:
    async def scene(line: Dialling) -> None:
        line.outcome = LinkError("cannot be reached")
        for _ in range(5):
            await line.until_tried()
        line.outcome = None
        await line.until_tried()
        await some_iterations()
        assert line.is_linked

    dialling(scene, redial_s=0.001)


def test_a_link_that_held_is_dialled_again_at_once_and_one_that_broke_later() -> None:
    async def scene(line: Dialling) -> None:
        await line.until_tried()
        line.is_linked = False
        line.redial.ended(LinkError("was lost"), lived_s=5000.0)
        await line.until_tried()
        line.is_linked = False
        line.redial.ended(LinkError("was lost"), lived_s=0.1)
        await some_iterations()
        assert len(line.dialled) == 2

    dialling(scene)


def test_who_was_replaced_by_another_program_rests_until_the_peer_moves() -> None:
    async def scene(line: Dialling) -> None:
        await line.until_tried()
        line.is_linked = False
        line.redial.ended(LinkError("", told=CloseCode.REPLACED), lived_s=5000.0)
        await some_iterations()
        assert len(line.dialled) == 1
        line.redial.move(THERE)
        await line.until_tried()

    dialling(scene)


def test_without_an_address_it_waits_for_one() -> None:
    async def scene(line: Dialling) -> None:
        await some_iterations()
        assert line.dialled == []
        line.redial.move(HERE)
        await line.until_tried()

    dialling(scene, addresses=())
