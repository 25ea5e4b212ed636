"""Several attempts at one thing, begun a little after each other; the first success wins."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def race(
    candidates: Sequence[T],
    attempt: Callable[[T], Coroutine[Any, Any, R]],
    stagger_s: float,
    discard: Callable[[R], object],
) -> R:
    """The first success among attempts begun in order, each `stagger_s` after the one before.

    A failure lets the next begin at once. If all fail, raises what the first one raised: it was the
    likeliest. Losers are cancelled and waited for; what they still won goes to `discard`.
    """
    assert candidates, "nothing to try"
    waiting = list(reversed(candidates))
    tasks: list[asyncio.Task[R]] = []
    winner: asyncio.Task[R] | None = None
    try:
        while winner is None and (waiting or not all(task.done() for task in tasks)):
            if waiting:
                tasks.append(asyncio.ensure_future(attempt(waiting.pop())))
            await asyncio.wait(
                [task for task in tasks if not task.done()],
                timeout=stagger_s if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            winner = next(filter(_has_succeeded, tasks), None)
    finally:
        await _clear([task for task in tasks if task is not winner], discard)
    return await (winner or tasks[0])


def _has_succeeded(task: asyncio.Task[R]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is None


async def _clear(losers: list[asyncio.Task[R]], discard: Callable[[R], object]) -> None:
    for task in losers:
        task.cancel()
    if losers:
        await asyncio.wait(losers)
    for task in filter(_has_succeeded, losers):
        discard(task.result())
