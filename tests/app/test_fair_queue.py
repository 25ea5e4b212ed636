"""A queue in which each source is heard in its turn."""

import asyncio

from p2pjong.app.fair_queue import FairQueue


def drained(queue: FairQueue[str]) -> str:
    return "".join(iter(lambda: "" if queue.empty() else queue.get_nowait(), ""))


def test_each_source_is_heard_in_its_turn_and_its_own_order() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "a2", "a3", "b1", "c1", "c2"):
        queue.put_nowait(item, item[0])
    assert drained(queue) == "a1b1c1a2c2a3"
    assert queue.empty()


def test_what_one_source_has_waiting_takes_no_room_of_another() -> None:
    queue: FairQueue[str] = FairQueue()
    for _ in range(3):
        assert queue.has_room("a", 3, 100)
        queue.put_nowait("x", "a", 10)
    assert not queue.has_room("a", 3, 100) and queue.has_room("b", 3, 100)
    assert not queue.has_room("a", 99, 30), "too many bytes"
    queue.get_nowait()
    assert queue.has_room("a", 3, 30)


def test_who_waits_gets_what_comes_and_who_is_cancelled_takes_nothing() -> None:
    async def scene() -> str:
        queue: FairQueue[str] = FairQueue()
        waiting, cancelled = (asyncio.create_task(queue.get()) for _ in range(2))
        await asyncio.sleep(0)
        cancelled.cancel()
        queue.put_nowait("first")
        assert await waiting == "first"
        queue.put_nowait("second")
        return await queue.get()

    assert asyncio.run(scene()) == "second"
