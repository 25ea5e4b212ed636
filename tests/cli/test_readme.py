"""What README.md has people type is what the program understands, word for word."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from p2pjong.cli import COMMANDS, cli, run
from p2pjong.errors import Exit
from p2pjong.settings import PeerSettings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
# In text and tables between backticks, else in indented blocks, with a comment behind.
CODE = [*re.findall(r"`([^`\n]+)`", TEXT), *re.findall(r"^    ([^#\n]+)", TEXT, re.MULTILINE)]
PROGRAMS = ("scripts/p2pjong", "scripts/play")
TYPED = sorted({code.strip() for code in CODE if code.startswith(PROGRAMS)})
MEANT = {"GAME": "war-jhong", "COMMAND": "identity", "FILE": "game.p2pjong"}


def words_of(typed: str, folder: Path) -> list[str]:
    """What the program is called with, as a shell and the scripts have it."""
    program, *words = shlex.split(typed)
    if program == "scripts/play":
        script = (ROOT / "scripts" / "play").read_text()
        (folder / "play").write_text(script)
        (folder / "p2pjong").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        (folder / "p2pjong").chmod(0o755)
        told = subprocess.run(["sh", folder / "play", *words], capture_output=True, text=True)
        words = told.stdout.splitlines()
    return [MEANT.get(word, word) for word in words]


def test_every_command_stands_with_what_calls_it() -> None:
    bare = [code for code in CODE if code.split()[0] in (*COMMANDS, "p2pjong") and " " in code]
    assert bare == []
    assert len(TYPED) > 15 and all((ROOT / program).is_file() for program in PROGRAMS)


@pytest.mark.parametrize("typed", TYPED)
def test_what_is_to_be_typed_is_understood(
    typed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seated: list[PeerSettings] = []

    def play(settings: PeerSettings) -> int:
        seated.append(settings)
        return Exit.OK

    monkeypatch.setenv("P2PJONG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("p2pjong.commands.play._play", play)
    name, *words = words_of(typed, tmp_path) or ["--help"]
    if name in ("host", "join", "score", "rules", "identity", "--help"):
        assert run([name, *words]) == Exit.OK, capsys.readouterr().err
        assert len(seated) == (name in ("host", "join"))
        return
    # These would ask the network or a file, or take long: only how they are called is looked at.
    with cli.make_context("p2pjong", []) as context:
        command = cli.get_command(context, name)
        assert command is not None
        command.make_context(name, words).close()
