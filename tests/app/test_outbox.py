"""While answers are awaited under the window, frames that we are made to send leave steadily."""

import asyncio

import pytest

from p2pjong.app.outbox import CLEAR_S, DRAWN_S, EVERY_S, Outbox
from p2pjong.session.effects import Send
from tests.support.virtual_clock import run_virtually

OPENED_S, ENDS_S = 1.0, 2.75  # a window of 2 seconds


def left(
    *put_s: float,
    hold: tuple[float, float] | None = (OPENED_S, ENDS_S),
    release_s: float = 0.0,
) -> list[tuple[str, float]]:
    """Which frames leave when, if one is put at each of these instants."""
    leaving: list[tuple[str, float]] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        outbox = Outbox(lambda frame: leaving.append((frame.frame.decode(), loop.time())))
        if hold:
            loop.call_at(hold[0], outbox.hold, *hold)
        for at_s in put_s:
            loop.call_at(at_s, outbox.put, Send(f"{at_s:g}".encode()))
        if release_s:
            loop.call_at(release_s, outbox.release)
        await asyncio.sleep(ENDS_S + 2)

    run_virtually(scene())
    return leaving


def test_where_no_answer_is_awaited_frames_leave_at_once() -> None:
    assert left(0.2, 1.3, hold=None) == [("0.2", 0.2), ("1.3", 1.3)]


def test_whoever_makes_us_send_all_the_time_sees_no_more_than_a_steady_beat() -> None:
    puts = [OPENED_S + 0.001 + step * 0.0101 for step in range(160)]
    instants = sorted({at_s for _, at_s in left(*puts)})
    beats = [ENDS_S - CLEAR_S - EVERY_S * back for back in range(6, -1, -1)]
    assert instants == pytest.approx(beats)
    assert beats[0] >= OPENED_S + DRAWN_S, "when the question has been shown"


def test_frames_keep_their_order_and_none_is_lost() -> None:
    puts = [0.5, 1.05, 1.06, 1.4, 2.3, 2.7, 3.1]
    frames = [frame for frame, _ in left(*puts, release_s=3.0)]
    assert frames == [f"{at_s:g}" for at_s in puts]


def test_what_comes_when_the_question_ends_waits_for_our_answer() -> None:
    """Much is shown then, but only to a person who was asked."""
    assert left(2.7, release_s=3.0) == [("2.7", 3.0)]
    assert left(2.7, 3.2, release_s=3.0) == [("2.7", 3.0), ("3.2", 3.2)]


@pytest.mark.parametrize("window_s", [0.25, 0.5, 0.65, 1.0, 300.0])
def test_no_beat_falls_on_the_beginning_or_the_end_of_a_question(window_s: float) -> None:
    puts = [OPENED_S + 0.01, OPENED_S + 0.1]
    span = (OPENED_S, OPENED_S + window_s)
    for _, at_s in left(*puts, hold=span):
        assert span[0] + DRAWN_S <= at_s <= span[1] - CLEAR_S
