"""Attempts one after another: the first success wins, losers leave nothing behind."""

import asyncio

import pytest

from p2pjong.net.racing import race
from tests.support.loopback import run

LONG_S = 60.0


def test_the_first_is_taken_if_it_succeeds_and_no_other_begins() -> None:
    begun: list[int] = []

    async def attempt(number: int) -> int:
        begun.append(number)
        return number

    async def scene() -> None:
        assert await race([1, 2, 3], attempt, LONG_S, lambda _: None) == 1
        assert begun == [1]

    run(scene)


def test_a_failure_lets_the_next_begin_at_once() -> None:
    async def attempt(number: int) -> int:
        if number < 3:
            raise OSError(number)
        return number

    async def scene() -> None:
        async with asyncio.timeout(5):
            assert await race([1, 2, 3], attempt, LONG_S, lambda _: None) == 3

    run(scene)


def test_one_that_hangs_does_not_hold_up_the_next_and_is_cancelled() -> None:
    cancelled: list[int] = []

    async def attempt(number: int) -> int:
        if number == 2:
            return number
        try:
            await asyncio.sleep(LONG_S)
        except asyncio.CancelledError:
            cancelled.append(number)
            raise
        return number

    async def scene() -> None:
        assert await race([1, 2], attempt, 0.01, lambda _: None) == 2
        assert cancelled == [1]

    run(scene)


def test_if_all_fail_the_first_failure_is_raised() -> None:
    async def attempt(number: int) -> int:
        raise OSError(number)

    async def scene() -> None:
        with pytest.raises(OSError, match="1"):
            await race([1, 2, 3], attempt, LONG_S, lambda _: None)

    run(scene)


def test_a_second_success_is_discarded() -> None:
    gate = asyncio.Event()
    discarded: list[int] = []

    async def attempt(number: int) -> int:
        if number == 1:
            await gate.wait()
        else:
            gate.set()
            try:
                await asyncio.sleep(LONG_S)
            except asyncio.CancelledError:
                return number  # it had just got through
        return number

    async def scene() -> None:
        assert await race([1, 2], attempt, 0.01, discarded.append) == 1
        assert discarded == [2]

    run(scene)


def test_a_race_that_is_cancelled_cancels_its_attempts() -> None:
    begun = asyncio.Event()

    async def attempt(number: int) -> int:
        begun.set()
        await asyncio.sleep(LONG_S)
        return number

    async def scene() -> None:
        racing = asyncio.create_task(race([1], attempt, LONG_S, lambda _: None))
        await begun.wait()
        racing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await racing

    run(scene)
