"""Signals have one owner, which gives each back as it was."""

import ast
import asyncio
import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

import p2pjong
from p2pjong.app.signals import ctrl_c_heard, signals_heard

OWNER = "app/signals.py"
SOURCES = Path(p2pjong.__file__).parent
TO_END = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]


def sets_handlers(source: Path) -> bool:
    """Whether a module has the means to set a handler."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if "signal" in names or (isinstance(node, ast.ImportFrom) and node.module == "signal"):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "add_signal_handler":
            return True
    return False


@pytest.mark.slow
def test_nobody_else_sets_a_handler() -> None:
    found = [path for path in SOURCES.rglob("*.py") if sets_handlers(path)]
    assert [path.relative_to(SOURCES).as_posix() for path in found] == [OWNER]


async def sent(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)
    await asyncio.sleep(0.05)


@pytest.mark.parametrize("is_ctrl_c_too", [True, False])
def test_each_signal_calls_whom_it_is_for(is_ctrl_c_too: bool) -> None:
    """The person in front hears Ctrl-C; without one the peer does."""
    heard: list[str] = []

    async def scene() -> None:
        with ExitStack() as stack:
            if not is_ctrl_c_too:
                stack.enter_context(ctrl_c_heard(lambda: heard.append("person")))
            stack.enter_context(signals_heard(lambda: heard.append("peer"), is_ctrl_c_too))
            for number in TO_END:
                await sent(number)

    asyncio.run(scene())
    assert heard == ["peer", "peer", "peer" if is_ctrl_c_too else "person"]


def test_afterwards_a_signal_does_what_it_did_before() -> None:
    taken: list[int] = []
    before = {number: signal.getsignal(number) for number in TO_END}
    try:
        for number in TO_END:
            signal.signal(number, lambda number, _: taken.append(number))
        own = [signal.getsignal(number) for number in TO_END]

        async def scene() -> None:
            with ctrl_c_heard(lambda: None), signals_heard(lambda: None, False):
                assert all(signal.getsignal(number) not in own for number in TO_END)
            assert [signal.getsignal(number) for number in TO_END] == own
            for number in TO_END:
                await sent(number)

        with asyncio.Runner() as runner:
            runner.run(scene())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert taken == TO_END


def test_what_no_system_or_thread_hears_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> bool:
        loop = asyncio.get_running_loop()

        def refuse(*_: object) -> None:
            raise NotImplementedError

        monkeypatch.setattr(loop, "add_signal_handler", refuse)
        with ctrl_c_heard(lambda: None), signals_heard(lambda: None, True):
            return True

    assert asyncio.run(scene())
    assert asyncio.run(asyncio.to_thread(asyncio.run, scene()))
