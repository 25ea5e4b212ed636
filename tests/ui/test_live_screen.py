"""The live prompt over a pipe: what is typed, what is printed, keys that need no Enter."""

import asyncio
import io
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import click
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pjong.ui.live_screen import LiveScreen
from p2pjong.ui.screen import Desk
from tests.support.fake_screen import no_ctrl_c

Scene = Callable[[LiveScreen, PipeInput, "Seen"], Coroutine[Any, Any, None]]


@dataclass
class Seen:
    """What a desk was told."""

    typed: list[str] = field(default_factory=list)
    interrupts: int = 0
    redraws: int = 0
    prompt: str = "choose"
    instant: frozenset[str] = frozenset()

    def interrupt(self) -> None:
        self.interrupts += 1

    def redraw(self) -> None:
        self.redraws += 1

    def desk(self) -> Desk:
        return Desk(
            lambda: self.prompt,
            lambda: "waiting for Ben",
            lambda: self.instant,
            self.typed.append,
            self.interrupt,
            lambda: None,
            redraw=self.redraw,
        )


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not holds():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.005)


def play(scene: Scene, has_color: bool = False, prompt: str = "choose") -> str:
    """Runs the scene; returns what went to the terminal, colours and movements taken out."""
    out = io.StringIO()
    with create_pipe_input() as source:
        sink = Vt100_Output(out, lambda: Size(rows=24, columns=80), enable_cpr=False)
        screen = LiveScreen(out, has_color, no_ctrl_c, source, sink)
        seen = Seen(prompt=prompt)

        async def opened() -> None:
            async with screen.opened(seen.desk()):
                await scene(screen, source, seen)

        asyncio.run(opened())
    return out.getvalue()


def test_lines_are_typed_and_ended_by_enter() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text("12\rx 3\r")
        await until(lambda: len(seen.typed) == 2)
        assert seen.typed == ["12", "x 3"]

    terminal = play(scene)
    assert "choose>" in terminal and "waiting for Ben" in terminal


def test_an_instant_key_needs_no_enter_and_a_stray_one_is_in_nobodys_way() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        seen.instant = frozenset(("p", "1"))
        source.send_text("p1")
        await until(lambda: seen.typed == ["p", "1"])
        source.send_text("xp")  # a stray key is handed on at once, and not in the way of the next
        await until(lambda: seen.typed == ["p", "1", "x", "p"])
        seen.instant = frozenset(("1", "12", "p"))
        source.send_text("1\r12")
        await until(lambda: seen.typed == ["p", "1", "x", "p", "1", "12"])

    play(scene)


def test_what_was_half_typed_is_dropped_when_the_question_changes() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text("1")
        await until(lambda: screen._buffer.text == "1")
        screen.refresh()
        source.send_text("2\r")
        await until(lambda: bool(seen.typed))
        assert seen.typed == ["2"]

    play(scene)


def test_a_paste_is_one_line_that_waits_for_enter_and_control_keys_mean_nothing() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text("\x1b[200~1\n2\r\n3\x1b[201~")
        source.send_text("\x1a\x19\x16\x01")  # Ctrl-Z, Ctrl-Y, and Ctrl-A, quoted
        await until(lambda: screen._buffer.text == "1 2 3")
        assert seen.typed == [], "nobody has seen it yet"
        source.send_text("\r")
        await until(lambda: bool(seen.typed))
        assert seen.typed == ["1 2 3"]

    play(scene)


@pytest.mark.slow
def test_however_much_is_typed_the_prompt_stays_in_sight() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text("x" * 5000 + "\r")
        await until(lambda: bool(seen.typed))
        assert seen.typed == ["x" * 64]

    play(scene)


def test_a_line_longer_than_the_terminal_breaks_between_words() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        screen.write(["word " * 30])

    terminal = play(scene)
    assert "word\n word" in terminal and "wor\nd" not in terminal


def test_ctrl_l_clears_the_screen_and_asks_for_what_matters_now() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text("\x0c")
        await until(lambda: seen.redraws == 1)

    assert "\x1b[2J" in play(scene)


def test_a_prompt_longer_than_the_terminal_breaks_between_words() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text("12\r")
        await until(lambda: seen.typed == ["12"])

    terminal = play(scene, prompt="discard " * 12 + "q: leave")
    assert "discard " * 9 in terminal and "discard discard q: leave>" in terminal


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_and_ctrl_d_are_wishes_to_break_off(key: str) -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        source.send_text(key)
        await until(lambda: seen.interrupts == 1)

    play(scene)


def test_lines_come_out_in_order_and_so_do_stray_ones() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        screen.write(["first", "second"])
        await asyncio.to_thread(lambda: sys.stderr.write("a stray warning\n"))
        await asyncio.sleep(0.01)
        screen.write(["third"])

    terminal = play(scene)
    places = [
        terminal.index(line) for line in ("first\n", "second\n", "a stray warning\n", "third\n")
    ]
    assert places == sorted(places)


def test_lines_written_last_are_not_lost_at_the_end() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        screen.write([f"line {number}" for number in range(100)])

    assert "line 99\n" in play(scene)


def test_a_line_is_out_within_30_ms() -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(0.05)
        delays_s = []
        for number in range(20):
            started_s = loop.time()
            screen.write([f"line {number}"])
            assert screen._writing
            await screen._writing
            delays_s.append(loop.time() - started_s)
        # The least of them: a busy machine may hold up any single one.
        assert min(delays_s) < 0.03

    play(scene)


@pytest.mark.parametrize("has_color", [True, False])
def test_colours_only_where_they_are_wanted(has_color: bool) -> None:
    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        screen.write([click.style("red", fg="red")])

    assert ("\x1b[31mred" in play(scene, has_color)) == has_color


def test_streams_are_given_back() -> None:
    before = sys.stdout, sys.stderr

    async def scene(screen: LiveScreen, source: PipeInput, seen: Seen) -> None:
        assert sys.stdout is not before[0]

    play(scene)
    assert (sys.stdout, sys.stderr) == before
