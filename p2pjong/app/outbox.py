"""Frames on their way to the links: at once, or at steady instants while a pause could tell.

While our answer is awaited under the window, our machine is busy with showing a question, but only
if our hand can claim. Whoever makes us reply all the time, by `want` or `have`, would see that in
how long a reply takes. So what leaves meanwhile leaves at instants that all can work out, when
nothing of ours is being done; see "Timing" of `protocol/play.md`.
"""

import asyncio
import math
from collections.abc import Callable

from p2pjong.session.effects import Send

EVERY_S = 0.25
CLEAR_S = 0.125  # between such an instant and the end of the question, when much is shown
DRAWN_S = 0.1  # within which a question is shown


class Outbox:
    """Hands frames to `send`, in order; to be used in the event loop alone."""

    def __init__(self, send: Callable[[Send], None]) -> None:
        self._send = send
        self._held: list[Send] = []
        self._span: tuple[float, float] | None = None  # from when to when frames are held
        self._timer: asyncio.TimerHandle | None = None

    def put(self, frame: Send) -> None:
        """A frame is to leave."""
        if self._span is None:
            self._send(frame)
            return
        self._held.append(frame)
        self._set_timer()

    def hold(self, opened_s: float, ends_s: float) -> None:
        """A question under the window opened then, and ends then. `release` ends this."""
        if self._span is None:
            self._span = opened_s, ends_s

    def release(self) -> None:
        """All that is held leaves now, and what follows at once."""
        self._span = None
        self._flush()

    def _set_timer(self) -> None:
        """At the next steady instant; after the last one all waits for our answer."""
        assert self._span is not None
        loop = asyncio.get_running_loop()
        opened_s, ends_s = self._span
        last_s = ends_s - CLEAR_S
        earliest_s = max(loop.time(), opened_s + DRAWN_S)
        if self._timer is None and earliest_s <= last_s:
            steps = math.floor((last_s - earliest_s) / EVERY_S)
            self._timer = loop.call_at(last_s - steps * EVERY_S, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, held, self._held = None, self._held, []
        for frame in held:
            self._send(frame)
