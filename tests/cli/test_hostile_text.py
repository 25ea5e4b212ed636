"""Nothing that somebody else wrote acts on the terminal, and no flood of lines reaches it."""

import asyncio
import json
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2pjong.cli import run
from p2pjong.commands import log_lines as module
from p2pjong.commands.fronts import _open_events
from p2pjong.commands.log_lines import SAY_AGAIN_S, LinesOnStderr, set_up_log
from p2pjong.errors import Exit, visible
from p2pjong.settings import PeerSettings
from p2pjong.store.record import write_record
from p2pjong.ui.json_text import json_text
from tests.support.sim import make_draft, tiny_draft

ESCAPES = "\x1b]0;PWNED\x07\x1b[2J\x9b31m\u202eabc\x7f\x08"


def is_harmless(text: str) -> bool:
    return all(one.isprintable() or one == "\n" for one in text)


@pytest.fixture
def crafted(tmp_path: Path) -> Path:
    """A record of a game whose name is a sequence of escapes."""
    path = tmp_path / "crafted.record"
    write_record(path, replace(tiny_draft(2), game=ESCAPES), [])
    return path


@pytest.mark.parametrize("flags", [(), ("--json",), ("--debug",)])
def test_a_crafted_record_does_not_speak_to_the_terminal(
    flags: tuple[str, ...], crafted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", *flags, str(crafted)]) == Exit.MISMATCH
    told = capsys.readouterr()
    assert is_harmless(told.out) and is_harmless(told.err)
    assert r"\x1b]0;PWNED\x07" in told.err, "what is there is shown, not hidden"
    if "--json" in flags:
        assert r"\x1b]0;PWNED" in json.loads(told.out)["error"]


def test_a_crafted_name_does_not_speak_to_the_terminal_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = make_draft(2, "war-jhong")
    seats = (replace(draft.seats[0], name=ESCAPES), draft.seats[1])
    write_record(tmp_path / "r", replace(draft, name=ESCAPES, seats=seats), [])
    run(["verify", "--json", str(tmp_path / "r")])
    told = capsys.readouterr()
    assert is_harmless(told.out) and is_harmless(told.err)
    verdict = json.loads(told.out)
    assert verdict["table"] == verdict["seats"][0]["name"] == ESCAPES, "and nothing of it is lost"


def test_json_is_printable_and_loses_nothing() -> None:
    value = {"a": ESCAPES + "Zoë 日本 \udcff", "\x7f": [r"\u007f", "\\"]}
    text = json_text(value)
    assert text.isascii() and text.isprintable() and json.loads(text) == value


def test_what_a_terminal_acts_on_is_written_out() -> None:
    assert visible("Zoë 日本\na\tb\x1b[2J\u202e") == "Zoë 日本\na\\tb\\x1b[2J\\u202e"


# --- The log --------------------------------------------------------------------------------------


def record(text: str, at_s: float, *args: object) -> logging.LogRecord:
    made = logging.LogRecord("p2pjong.x", logging.WARNING, "", 0, text, args, None)
    made.created = at_s
    return made


def test_one_thing_is_said_once_in_a_while_and_without_escapes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handler = LinesOnStderr(is_debug=False)
    for number in range(1000):
        handler.emit(record("%s fails", 100.0 + number * SAY_AGAIN_S / 1000, f"\x1b[2J{number}"))
    handler.emit(record("another thing", 100.0))
    handler.emit(record("%s fails", 100.0 + SAY_AGAIN_S, "again"))
    assert capsys.readouterr().err.splitlines() == [
        r"p2pjong: warning: \x1b[2J0 fails",
        "p2pjong: warning: another thing",
        "p2pjong: warning: again fails",
    ]


def test_with_debug_everything_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    handler = LinesOnStderr(is_debug=True)
    for _ in range(20):
        handler.emit(record("fails", 100.0))
    assert len(capsys.readouterr().err.splitlines()) == 20


def test_what_was_said_is_not_remembered_for_ever(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "KINDS_MAX", 5)
    handler = LinesOnStderr(is_debug=False)
    for number in range(50):
        handler.emit(record(f"{number}", 100.0))
    assert len(handler._said_s) <= 5 and len(capsys.readouterr().err.splitlines()) == 50


@pytest.fixture
def loggers() -> Iterator[None]:
    """Puts the loggers back as they were."""
    logs = [logging.getLogger(name) for name in ("p2pjong", "asyncio")]
    before = [(log.level, list(log.handlers), log.propagate) for log in logs]
    yield
    for log, (level, handlers, propagate) in zip(logs, before, strict=True):
        log.setLevel(level)
        log.handlers[:] = handlers
        log.propagate = propagate


@pytest.mark.usefixtures("loggers")
def test_what_breaks_on_the_network_is_no_news_but_with_debug(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def happens() -> list[str]:
        logging.getLogger("asyncio").warning("socket.send() raised exception.")
        logging.getLogger("p2pjong.net.mesh").info("192.0.2.7:1 broke off the connection")
        return capsys.readouterr().err.splitlines()

    set_up_log(False)
    assert happens() == []
    logging.getLogger("asyncio").error("a task failed")
    assert capsys.readouterr().err == "p2pjong: error: a task failed\n"
    set_up_log(True)
    assert len(happens()) >= 2


@pytest.mark.usefixtures("loggers")
def test_a_traceback_is_for_debugging_alone(capsys: pytest.CaptureFixture[str]) -> None:
    async def fail() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0.01)

    set_up_log(False)
    asyncio.run(fail())
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("p2pjong: error: Exception in callback")
    assert "ZeroDivisionError" in line and "Traceback" not in line and "--debug" in line
    set_up_log(True)
    asyncio.run(fail())
    assert "Traceback" in capsys.readouterr().err


# --- The event file -------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="files have modes on POSIX alone")
@pytest.mark.parametrize("is_there", [False, True])
def test_our_hand_is_for_nobody_else_to_read_in_the_event_file(
    is_there: bool, tmp_path: Path
) -> None:
    path = tmp_path / "events"
    if is_there:
        path.touch()
        path.chmod(0o666)
    before = os.umask(0)
    try:
        events = _open_events(PeerSettings(role="host", name="x", home=tmp_path, events=path))
    finally:
        os.umask(before)
    assert events is not None
    events.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_events_go_to_a_device_or_pipe_as_they_did(tmp_path: Path) -> None:
    settings = PeerSettings(role="host", name="x", home=tmp_path, events=Path(os.devnull))
    before = Path(os.devnull).stat().st_mode
    events = _open_events(settings)
    assert events is not None
    events.close()
    assert Path(os.devnull).stat().st_mode == before
