"""One address and port gets few connections, however many announcements name it."""

import asyncio

import pytest

from p2pjong.net.address import Address
from p2pjong.net.discovery import NAMES_MAX, PROBE_EVERY_S, PROBE_LIMITS, Browser, FoundTable
from p2pjong.net.identity import fingerprint
from p2pjong.net.link_errors import LinkError
from p2pjong.net.probe import Prober
from p2pjong.net.targets import FAILURE_HOLDS_S, TARGETS_MAX, Targets
from tests.support.announced import FakeHearing, announce, hears
from tests.support.virtual_clock import run_virtually

VICTIM = Address("10.77.1.1", 6379)
HOST = fingerprint(bytes(32))


def test_many_who_ask_at_once_share_one_try() -> None:
    tried: list[Address] = []

    async def dial(address: Address) -> str:
        tried.append(address)
        await asyncio.sleep(0.5)
        return HOST

    async def scene() -> None:
        targets = Targets(dial)
        answers = await asyncio.gather(*(targets.who_answers(VICTIM, False) for _ in range(99)))
        assert set(answers) == {HOST}
        assert await targets.who_answers(VICTIM, True) == HOST, "what was just found is known"

    run_virtually(scene())
    assert tried == [VICTIM]


def test_a_failure_is_told_to_all_and_tried_again_later() -> None:
    tried: list[Address] = []

    async def dial(address: Address) -> str:
        tried.append(address)
        raise LinkError("refuses")

    async def scene() -> None:
        targets = Targets(dial)
        for _ in range(99):
            with pytest.raises(LinkError, match="refuses"):
                await targets.who_answers(VICTIM, False)
        assert len(tried) == 1
        assert targets.has_failed(VICTIM)
        await asyncio.sleep(FAILURE_HOLDS_S)
        with pytest.raises(LinkError):
            await targets.who_answers(VICTIM, False)
        assert len(tried) == 2

    run_virtually(scene())


def test_a_try_that_nobody_waits_for_any_more_ends() -> None:
    going = 0

    async def dial(address: Address) -> str:
        nonlocal going
        going += 1
        try:
            await asyncio.sleep(3600)
        finally:
            going -= 1
        return HOST

    async def scene() -> None:
        targets = Targets(dial)
        waiting = [asyncio.create_task(targets.who_answers(VICTIM, False)) for _ in range(2)]
        await asyncio.sleep(1)
        assert going == 1
        waiting[0].cancel()
        await asyncio.wait(waiting[:1])
        assert going == 1, "another waits"
        waiting[1].cancel()
        await asyncio.wait(waiting)
        assert going == 0

    run_virtually(scene())


def test_what_is_remembered_is_bounded() -> None:
    async def dial(address: Address) -> str:
        return HOST

    async def scene() -> None:
        targets = Targets(dial)
        for number in range(2 * TARGETS_MAX):
            await targets.who_answers(Address(f"10.{number // 250}.1.{number % 250}", 1), True)
        assert len(targets._targets) == TARGETS_MAX

    run_virtually(scene())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["refuses", "swallows", "is another peer"])
def test_a_thousand_announcements_turn_nobody_against_one_target(kind: str) -> None:
    """As it was, some twenty packets a second made a joiner connect 90 times a second."""
    tried = 0

    async def dial(address: Address) -> str:
        nonlocal tried
        tried += 1
        if kind == "refuses":
            raise LinkError("refuses")
        await asyncio.sleep(0.01 if kind == "is another peer" else 3600)
        return fingerprint(bytes([1]) * 32)

    def known(name: str) -> FoundTable:
        return FoundTable(name, bytes(16), "war-jhong", 4, 2, False, HOST, (VICTIM,), 6379)

    async def scene() -> None:
        browser = Browser()
        browser._prober._who_answers = dial  # type: ignore[method-assign]
        hears(browser, FakeHearing(known))
        async with browser:
            for second in range(50):
                announce(browser, (f"dead {second * 20 + number}" for number in range(20)))
                await asyncio.sleep(1)
            assert len(browser._following) == min(1000, NAMES_MAX)
            assert not browser.tables()

    run_virtually(scene())
    assert tried <= 50 * (2 if kind == "is another peer" else 1)


def test_a_target_that_others_name_in_vain_is_still_found_by_its_own_name() -> None:
    async def dial(address: Address) -> str:
        await asyncio.sleep(0.05)
        return HOST

    async def scene() -> None:
        prober = Prober(PROBE_LIMITS)
        prober._who_answers = dial  # type: ignore[method-assign]
        for number in range(99):
            with pytest.raises(LinkError, match="someone else"):
                await prober.probe([VICTIM], fingerprint(bytes([number + 1]) * 32))
        assert await prober.probe([VICTIM], HOST) == VICTIM

    run_virtually(scene())
    assert FAILURE_HOLDS_S < PROBE_EVERY_S, "the next look is a real one"
