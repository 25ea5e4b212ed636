"""A plain screen on a real terminal: lines, and single keys while those answer at once."""

import asyncio
import fcntl
import io
import itertools
import os
import pty
import sys
import termios
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from p2pjong.ui import keyboard, text
from p2pjong.ui.screen import Desk, PlainScreen
from tests.support.fake_screen import no_ctrl_c

Scene = Callable[[PlainScreen, "Seen"], Awaitable[None]]


@dataclass
class Seen:
    """What a desk was told, and by which keys it can be answered at once."""

    typed: list[str] = field(default_factory=list)
    breaks: int = 0
    ends: int = 0
    redraws: int = 0
    instant: frozenset[str] = frozenset()

    def desk(self) -> Desk:
        def interrupt() -> None:
            self.breaks += 1

        def end() -> None:
            self.ends += 1

        def redraw() -> None:
            self.redraws += 1

        return Desk(
            lambda: "",
            lambda: "",
            lambda: self.instant,
            self.typed.append,
            interrupt,
            end,
            redraw=redraw,
        )


_numbers = itertools.count(300, 10)


def open_terminal() -> tuple[int, int]:
    """The person's end, and ours under a number that no test before has used.

    A thread of another test may still be about to read from the number it knew.
    """
    person, ours = pty.openpty()
    fresh = fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, next(_numbers))
    os.close(ours)
    return person, fresh


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The person's end of a terminal that is standard input."""
    person, ours = open_terminal()
    # No test runs in front of this terminal; whether a job is, is asked elsewhere.
    monkeypatch.setattr(keyboard, "_is_ours", lambda file: True)
    with os.fdopen(ours, "rb", buffering=0) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield person
        os.close(person)


def play(scene: Scene) -> tuple[Seen, str]:
    out = io.StringIO()
    seen = Seen()

    async def opened() -> None:
        screen = PlainScreen(out, has_color=False, ctrl_c=no_ctrl_c)
        async with asyncio.timeout(15), screen.opened(seen.desk()):
            await scene(screen, seen)

    asyncio.run(opened())
    return seen, out.getvalue()


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - what happens here has no event to wait for
        await asyncio.sleep(0.005)


async def echoed(terminal: int, wanted: bytes) -> None:
    """What was typed has come to the terminal once it is echoed."""
    shown = b""
    while not shown.endswith(wanted):
        shown += await asyncio.to_thread(os.read, terminal, 64)


def test_a_single_key_answers_at_once_and_a_stray_one_is_in_nobodys_way(terminal: int) -> None:
    async def scene(screen: PlainScreen, seen: Seen) -> None:
        assert screen.has_keys
        seen.instant = frozenset(("1", "10", "p", "?"))
        screen.refresh()
        os.write(terminal, b"zP")
        await until(lambda: seen.typed == ["z", "p"])
        os.write(terminal, b"1\n")
        await until(lambda: seen.typed[2:] == ["1"])
        os.write(terminal, b"\n10")
        await until(lambda: seen.typed[3:] == ["10"])

    _, out = play(scene)
    assert out == "p\n1\n10\n", "what answered is shown; the terminal echoes nothing"


def test_a_line_needs_enter_and_what_was_typed_before_a_question_is_not_for_it(
    terminal: int,
) -> None:
    async def scene(screen: PlainScreen, seen: Seen) -> None:
        os.write(terminal, b"half a wo")
        await echoed(terminal, b"half a wo")
        screen.refresh()
        os.write(terminal, b"12\n")
        await until(lambda: seen.typed == ["12"])

    play(scene)


def test_ctrl_l_draws_anew_and_is_no_part_of_an_answer(terminal: int) -> None:
    async def scene(screen: PlainScreen, seen: Seen) -> None:
        os.write(terminal, b"\x0c12\n")
        await until(lambda: len(seen.typed) == 1)
        assert (seen.redraws, seen.typed[0].strip()) == (1, "12")
        seen.instant = frozenset(("1", "10"))
        screen.refresh()
        os.write(terminal, b"1\x0c0")
        await until(lambda: seen.typed[1:] == ["10"])
        assert seen.redraws == 2

    play(scene)


def test_what_is_typed_brings_lines_that_fit_the_terminal(terminal: int) -> None:
    widths: list[int] = []

    async def opened() -> None:
        with text.shown_on(lambda: text.Size(50, 20)):
            screen = PlainScreen(io.StringIO(), has_color=False, ctrl_c=no_ctrl_c)
            desk = replace(Seen().desk(), typed=lambda line: widths.append(text.columns()))
            async with asyncio.timeout(15), screen.opened(desk):
                os.write(terminal, b"t\n")
                await until(lambda: bool(widths))

    asyncio.run(opened())
    assert widths == [49]


def test_arrows_are_nothing_and_ctrl_d_breaks_off(
    terminal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    take = keyboard.Keyboard._take_keys

    def take_and_note(keys: keyboard.Keyboard, text: str) -> None:
        take(keys, text)
        taken.append(text)

    monkeypatch.setattr(keyboard.Keyboard, "_take_keys", take_and_note)

    async def scene(screen: PlainScreen, seen: Seen) -> None:
        seen.instant = frozenset("p")
        screen.refresh()
        os.write(terminal, b"\x1b[A")
        await until(lambda: "".join(taken) == "\x1b[A")
        os.write(terminal, b"\x04")
        await until(lambda: seen.breaks == 1)
        assert seen.typed == []

    play(scene)


def test_the_terminal_is_given_back_as_it_was(terminal: int) -> None:
    before = termios.tcgetattr(sys.stdin.fileno())

    async def scene(screen: PlainScreen, seen: Seen) -> None:
        seen.instant = frozenset("p")
        screen.refresh()
        assert termios.tcgetattr(sys.stdin.fileno()) != before
        seen.instant = frozenset()
        screen.refresh()
        assert termios.tcgetattr(sys.stdin.fileno()) == before
        seen.instant = frozenset("p")
        screen.refresh()

    play(scene)
    assert termios.tcgetattr(sys.stdin.fileno()) == before


def test_a_name_that_the_stream_cannot_write_does_not_end_the_game() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    PlainScreen(out, has_color=True, ctrl_c=no_ctrl_c).write(["名前 discards"])
    out.flush()
    assert raw.getvalue() == b"?? discards\n"


def test_a_terminal_that_is_taken_away_is_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads from it at that moment gets an error, and no end."""
    person, ours = open_terminal()

    async def scene(screen: PlainScreen, seen: Seen) -> None:
        os.write(person, b"12\n")
        await until(lambda: seen.typed == ["12"])
        os.close(person)
        await until(lambda: seen.ends == 1)
        screen.refresh()

    with os.fdopen(ours, "rb", buffering=0) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        play(scene)
