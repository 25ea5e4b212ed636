"""Locales without UTF-8, and standard streams that are closed: nothing falls over them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pjong.errors import Exit, readable

PROGRAM = [sys.executable, "-m", "p2pjong"]
# Python would take UTF-8 by itself; a person, or a cron job, may have forbidden that.
FORCED = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
HOST = ["host", "--game", "war-jhong", "--bind", "127.0.0.1"]


def run(locale: str, *args: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **FORCED, "LC_ALL": locale, **more},
        timeout=150,
    )


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_a_game_under_names_and_paths_that_the_locale_does_not_know(
    locale: str, tmp_path: Path
) -> None:
    home, record, events = tmp_path / "hömé", tmp_path / "späte.record", tmp_path / "früh.events"
    named = ["--name", "Zoë 日本", "--table", "Tisch ß", "--home", str(home)]
    written = ["--record", str(record), "--events", str(events)]
    played = ["--bots", "1", "--auto", "greedy", "--target", "1", "--json"]
    ended = run(locale, *HOST, *named, *written, *played)
    assert ended.returncode == Exit.OK, ended.stderr
    outcome = json.loads(ended.stdout)
    assert outcome["table"] == "Tisch ß"
    assert outcome["seats"][0]["name"] == "Zoë 日本", "nothing is lost: only the screen has ?"
    assert ended.stdout.isascii() and b"Zo? ?? (you)" in ended.stderr
    verified = run(locale, "verify", "--json", str(record))
    assert verified.returncode == Exit.OK, verified.stderr
    assert json.loads(verified.stdout)["digest"] == outcome["digest"]
    lines = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    assert lines[-1]["kind"] == "said" and lines[-1]["text"].startswith("The record of this game")
    assert any(seat["name"] == "Zoë 日本" for seat in lines[0]["seats"])


WRONG_CALLS = [
    (["rules", "wär"], Exit.USAGE, "'wär'"),
    (["bogüs"], Exit.USAGE, "'bogüs'"),
    (["score", "war-jhong", "Ö1", "J"], Exit.USAGE, "'Ö1'"),
    (["verify", "nichtß"], Exit.USAGE, "nichtß"),
    (["identity", "--home", "/dev/null/hömé"], Exit.STORAGE, "hömé"),
    ([*HOST, "--bots", "1", "--auto", "greedy", "--record", "/nö/x"], Exit.STORAGE, "/nö/x"),
]


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["C", pytest.param("POSIX", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("args", "code", "named"), WRONG_CALLS)
def test_what_is_wrong_is_told_in_a_few_lines_as_ever(
    locale: str, args: list[str], code: Exit, named: str, tmp_path: Path
) -> None:
    ended = run(locale, *args, P2PJONG_HOME=str(tmp_path / "hömé"))
    assert ended.returncode == code, ended.stderr
    told = ended.stderr.decode("utf-8", "replace")
    assert "Traceback" not in told and "\\udc" not in told and "unexpected" not in told
    (error,) = [line for line in told.splitlines() if line.startswith("p2pjong: error: ")]
    replaced = "".join(letter if letter.isascii() else "?" for letter in named)
    assert named in error or replaced in error


def test_undecoded_bytes_are_read_as_utf_8_wherever_they_stand() -> None:
    undecoded = os.fsencode("Zoë").decode("ascii", "surrogateescape")
    assert readable(undecoded) == "Zoë"
    assert readable(f"no {undecoded!r} here") == "no 'Zoë' here", "as messages quote it"
    assert readable("a\udcff b") == "a\ufffd b"
    assert readable("Zoë 日本 \\u1234") == "Zoë 日本 \\u1234"


CLOSED = [
    "<&- >&- 2>&-",
    *(pytest.param(one, marks=pytest.mark.slow) for one in ("<&-", ">&-", "2>&-")),
]


@pytest.mark.slow
@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize(
    ("args", "code"),
    [
        ("rules war-jhong", Exit.OK),
        ("score war-jhong I1 --json", Exit.USAGE),
        ("host --game war-jhong --bind 127.0.0.1", Exit.USAGE),
        ("host --game war-jhong --bind 127.0.0.1 --plain", Exit.LEFT),
    ],
)
def test_a_closed_stream_is_like_an_empty_one(
    closed: str, args: str, code: Exit, tmp_path: Path
) -> None:
    """No file of ours, and no link, may get the number of one of them."""
    command = f"exec {sys.executable} -m p2pjong {args} {closed}"
    ended = subprocess.run(
        ["sh", "-c", command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "P2PJONG_HOME": str(tmp_path)},
        timeout=60,
    )
    assert ended.returncode == code, ended.stderr
    assert "unexpected" not in ended.stderr and "Traceback" not in ended.stderr
