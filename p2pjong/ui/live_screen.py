"""A prompt that stays at the bottom of the terminal, with a status line that counts down."""

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import TextIO

import click
from prompt_toolkit.application import Application, create_app_session, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output, create_output

from p2pjong.ui.question import Typed, weigh
from p2pjong.ui.screen import REFRESH_S, CtrlC, Desk
from p2pjong.ui.terminal_ends import GONE, Outlet, hear_the_end
from p2pjong.ui.text import Size, fit, fold

TYPED_MAX = 64  # characters; longer than anything that can be meant
PROMPT_LINES_MAX = 4  # on a narrow terminal


class LiveScreen:
    """Lines scroll by above the prompt; all that is printed elsewhere goes the same way.

    One application runs all the time: between two prompts, lines would be written into each other.
    """

    is_live = True
    is_piped = False
    has_keys = True

    def __init__(
        self,
        out: TextIO,
        has_color: bool,
        ctrl_c: CtrlC,
        source: Input | None = None,
        sink: Output | None = None,
    ) -> None:
        self._has_color = has_color
        self._ctrl_c = ctrl_c  # sent from elsewhere: at the keyboard it is a key like others
        self._input = hear_the_end(source or create_input())
        self._outlet = Outlet(out)
        self._output = sink or create_output(self._outlet)  # type: ignore[arg-type]
        self._unwritten: list[str] = []
        self._writing: asyncio.Task[None] | None = None
        self._buffer = Buffer(multiline=False, on_text_insert=_keep_plain)
        self._application: Application[None] | None = None

    def size(self) -> Size:
        size = self._output.get_size()
        return Size(size.columns, size.rows)

    def write(self, lines: Sequence[str]) -> None:
        self._unwritten += lines
        if self._unwritten and (self._writing is None or self._writing.done()):
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._unwritten:
            with contextlib.suppress(*GONE):  # what is typed ends, too: that is told
                async with in_terminal():
                    lines, self._unwritten = self._unwritten, []
                    columns = self._output.get_size().columns
                    text = "".join(f"{part}\n" for line in lines for part in fold(line, columns))
                    self._output.enable_autowrap()
                    self._output.write_raw(self._styled(text))
                    self._output.flush()

    def refresh(self) -> None:
        self._buffer.reset()
        if self._application:
            self._application.invalidate()

    @asynccontextmanager
    async def opened(self, desk: Desk) -> AsyncIterator[None]:
        with create_app_session(self._input, self._output), self._streams_caught():
            self._application = self._new_application(desk)
            self._outlet.unread = desk.unread
            started = asyncio.Event()
            running = asyncio.create_task(self._run(self._application, desk, started))
            await started.wait()
            try:
                with self._ctrl_c(desk.interrupt):
                    yield
            finally:
                if self._writing:
                    await self._writing
                if not (running.done() or self._application.is_done):
                    self._application.exit()
                await running

    async def _run(
        self, application: Application[None], desk: Desk, started: asyncio.Event
    ) -> None:
        """Until we end it, or the terminal does."""
        try:
            # Not with its handler of exceptions, which shows them and waits for Enter.
            await application.run_async(
                pre_run=started.set, handle_sigint=False, set_exception_handler=False
            )
        except GONE:
            desk.ended()
        finally:
            started.set()

    def _new_application(self, desk: Desk) -> Application[None]:
        def accept(buffer: Buffer) -> bool:
            desk.typed(buffer.text)
            return False  # the line is done with

        self._buffer.accept_handler = accept

        def prompt_lines() -> list[str]:
            # Broken between words, which the window that is typed into does not do by itself.
            return fold(f"{desk.prompt()}> ".lstrip(), self._output.get_size().columns)

        def bold(text: str) -> ANSI:
            return ANSI(self._styled(click.style(text, bold=True)))

        above = FormattedTextControl(lambda: bold("\n".join(prompt_lines()[:-1])))
        prompt = BeforeInput(lambda: bold(prompt_lines()[-1].lstrip() or "> "))
        line = BufferControl(self._buffer, input_processors=[prompt])
        status = FormattedTextControl(
            lambda: fit(f" {desk.status()}", self._output.get_size().columns - 1)
        )
        windows = [
            ConditionalContainer(
                Window(above, dont_extend_height=True),
                Condition(lambda: len(prompt_lines()) > 1),
            ),
            Window(
                line,
                height=Dimension(1, PROMPT_LINES_MAX),
                dont_extend_height=True,
                wrap_lines=True,
            ),
            Window(status, height=1, dont_extend_height=True, style="reverse"),
        ]
        return Application(
            Layout(HSplit(windows), focused_element=line),
            key_bindings=_bindings(desk),
            refresh_interval=REFRESH_S,
            erase_when_done=True,
            color_depth=None if self._has_color else ColorDepth.DEPTH_1_BIT,
        )

    def _styled(self, text: str) -> str:
        return text if self._has_color else click.unstyle(text)

    @contextlib.contextmanager
    def _streams_caught(self) -> Iterator[None]:
        """A stray line on either stream must not be written into the midst of the prompt."""
        above = _Above(self)
        with contextlib.redirect_stdout(above), contextlib.redirect_stderr(above):
            yield


class _Above(io.TextIOBase):
    """A stream whose whole lines go above the prompt, whichever thread writes them."""

    def __init__(self, screen: LiveScreen) -> None:
        self._screen = screen
        self._loop = asyncio.get_running_loop()
        self._rest = ""

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        if lines:
            self._loop.call_soon_threadsafe(self._screen.write, lines)
        return len(text)

    def writable(self) -> bool:
        return True


def _keep_plain(buffer: Buffer) -> None:
    """No keys that mean nothing here, and no more than fits: the prompt stays in sight."""
    kept = "".join(filter(str.isprintable, buffer.text))[:TYPED_MAX]
    if kept != buffer.text:
        buffer.text = kept


def _bindings(desk: Desk) -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("c-c")
    @bindings.add("c-d")
    def _(_: KeyPressEvent) -> None:
        desk.interrupt()

    @bindings.add("c-z")
    def _(_: KeyPressEvent) -> None:
        desk.suspend()

    @bindings.add("c-l")
    def _(event: KeyPressEvent) -> None:
        event.app.renderer.clear()
        desk.redraw()

    @bindings.add("enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @bindings.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        # Not a line of it is an answer before the person has seen it and pressed Enter.
        event.current_buffer.insert_text(" ".join(event.data.split()))

    @bindings.add(Keys.Any, filter=Condition(lambda: bool(desk.instant_keys())))
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        buffer.insert_text(event.data)
        # While a clock runs one key must do, without Enter; a stray one must not be in its way.
        if weigh(buffer.text.strip().lower(), desk.instant_keys()) is not Typed.BEGUN:
            buffer.validate_and_handle()

    return bindings
