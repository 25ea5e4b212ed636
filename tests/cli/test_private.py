"""Private tables as people and scripts open and join them."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2pjong.cli import run
from p2pjong.errors import Exit
from p2pjong.net.known_peers import KnownPeers
from p2pjong.settings import CODE_VARIABLE, PeerSettings
from tests.support.peers import BIND, free_port

PROGRAM = [sys.executable, "-m", "p2pjong"]
CODE = "417-amber-falcon"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["host", "--game", "war-jhong", "--code", CODE], "a code is for a private table"),
        (["host", "--game", "war-jhong", "--private", "--code", "1-a-b"], CODE),
        (["host", "--game", "war-jhong", "--private", "--code", "417-amber-falcom"], "'falcon'"),
        (["join", "--code", "!"], "a code looks like"),
        (["bot", "--code", "x" * 65], "a code looks like"),
    ],
)
def test_codes_that_cannot_be_are_usage_errors(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run([*args, "--home", str(tmp_path)]) == Exit.USAGE
    shown = capsys.readouterr()
    assert shown.out == "" and message in shown.err
    assert 1 <= len(shown.err.splitlines()) <= 4


class HostProcess:
    """A host that runs, and what it has said."""

    def __init__(self, home: Path, *args: str) -> None:
        self.port = free_port()
        command = [*PROGRAM, "host", "--game", "war-jhong", "--bind", BIND, "--home", str(home)]
        command += ["--port", str(self.port), "--private", "--target", "1", "--window", "0", *args]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            # A host takes no code from there, and its bots must not.
            env=os.environ | {"P2PJONG_CODE": "999-zebra-window"},
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        self.lines.extend(self.process.stdout)

    def until(self, pattern: str) -> re.Match[str]:
        """Waits for a line; what matched."""
        for _ in range(3000):
            for line in tuple(self.lines):
                if found := re.search(pattern, line):
                    return found
            assert self.process.poll() is None, self.lines
            time.sleep(0.02)
        raise AssertionError(f"{pattern!r} is not in {self.lines}")

    def code(self) -> str:
        return self.until(r"joiners need the code (\d{3}-[a-z]+-[a-z]+)").group(1)


@contextmanager
def hosting(home: Path, *args: str) -> Iterator[HostProcess]:
    host = HostProcess(home, *args)
    try:
        yield host
    finally:
        host.process.kill()
        host.process.wait()
        for pipe in (host.process.stdin, host.process.stdout):
            assert pipe
            host._reader.join(10)
            pipe.close()


LEAVES = [("q: leave", "q"), ("l: leave", "l")]  # it is asked whether it means it


def join_command(home: Path, port: int, *args: str) -> list[str]:
    command = [*PROGRAM, "join", "--connect", f"{BIND}:{port}", "--bind", BIND]
    return [*command, "--home", str(home), *args]


def join(home: Path, port: int, *args: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """A bot's way to the end of the game; `code` is in its environment."""
    return subprocess.run(
        join_command(home, port, "--auto", "greedy", *args),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"P2PJONG_CODE": code},
    )


def person(home: Path, port: int, *args: str, answers: list[tuple[str, str]]) -> tuple[int, str]:
    """A person at a pipe, who answers each line that a pattern is in; exit code and lines."""
    is_json = "--json" in args
    with (home.parent / "other").open("w") as other:
        process = subprocess.Popen(
            join_command(home, port, "--plain", *args),
            stdin=subprocess.PIPE,
            stdout=other if is_json else subprocess.PIPE,
            stderr=subprocess.PIPE if is_json else other,
            text=True,
            bufsize=1,
        )
    with process:
        shown, rest = "", list(answers)
        lines = process.stderr if is_json else process.stdout
        assert lines and process.stdin
        for line in lines:
            shown += line
            if rest and rest[0][0] in line:
                process.stdin.write(rest.pop(0)[1] + "\n")
        return process.wait(60), shown


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("way", ["option", "environment"])
def test_a_table_is_opened_joined_and_played(tmp_path: Path, way: str) -> None:
    with hosting(tmp_path / "host", "--seats", "2", "--auto", "greedy", "--json") as host:
        code = host.code()
        guest = tmp_path / "guest"
        wrong = join(guest, host.port, "--code", "100-no-no")
        assert wrong.returncode == 5
        assert wrong.stderr.startswith("p2pjong: error: the code is wrong")
        assert len(wrong.stderr.splitlines()) == 2
        none = join(guest, host.port)
        assert none.returncode == Exit.USAGE
        assert "--code CODE, or P2PJONG_CODE" in none.stderr
        if way == "option":
            played = join(guest, host.port, "--code", code.upper().replace("-", " "))
        else:
            played = join(guest, host.port, code=code)
        assert played.returncode == Exit.OK, played.stderr
        assert host.process.wait(60) == Exit.OK


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_person_is_asked_for_the_code_and_helped_with_typing_errors(tmp_path: Path) -> None:
    with hosting(tmp_path / "host", "--seats", "3", "--auto", "greedy", "--code", CODE) as host:
        host.until("joiners need the code")
        answers = [
            ("code of the table, q: give up:", "what code?"),
            ("a code is a number and two words", "417 amber falcom"),
            ("did you mean 'falcon'?", f" {CODE.upper()} "),
            *LEAVES,
        ]
        ended, told = person(tmp_path / "guest", host.port, answers=answers)
        assert ended == Exit.LEFT
        assert "Ask its host for the code" in told
        host.until("sits down")
        assert not any("wrong code" in line for line in host.lines)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_hosts_own_bots_come_in_and_no_process_shows_the_code(tmp_path: Path) -> None:
    args = ["--seats", "4", "--bots", "2", "--auto", "greedy"]
    with hosting(tmp_path / "host", *args) as host:
        code = host.code()
        host.until("bot 1 sits down")
        host.until("bot 2 sits down")
        children = [child for child in processes() if child.parent == host.process.pid]
        assert len(children) == 2
        for child in children:
            assert code.encode() not in child.command + child.environment
            assert b"P2PJONG_CODE" not in child.environment


class Child:
    """A process as others on its machine can see it."""

    def __init__(self, folder: Path) -> None:
        self.command = (folder / "cmdline").read_bytes()
        self.environment = (folder / "environ").read_bytes()
        status = (folder / "status").read_text()
        self.parent = int(status.split("PPid:")[1].split()[0])


def processes() -> Iterator[Child]:
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc")
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield Child(folder)
            except OSError:
                continue


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("flags", [[], ["--json"]], ids=["plain", "json"])
def test_a_known_name_with_another_key_is_a_loud_warning(tmp_path: Path, flags: list[str]) -> None:
    guest = tmp_path / "guest"
    KnownPeers(guest).remember("Ada", b"\x01" * 32, False, "2024-05-01")
    with hosting(tmp_path / "host", "--name", "Ada", "--seats", "2", "--plain") as host:
        args = ["--code", host.code(), *flags]
        ended, shown = person(guest, host.port, *args, answers=LEAVES)
        assert ended == Exit.LEFT
        loud = [line for line in shown.splitlines() if line.startswith("!!! ")]
        assert loud[0].startswith(
            "!!! WARNING: Ada does not have the key of the Ada that you met on 2024-05-01"
        )
        assert len(loud) >= 3
        assert all(len(line) < 80 for line in loud)
        assert "WARNING" not in (tmp_path / "other").read_text()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_bot_that_plays_under_a_friends_name_is_a_warning_too(tmp_path: Path) -> None:
    """That a seat says it is a bot costs nothing."""
    guest = tmp_path / "guest"
    KnownPeers(guest).remember("Ada", b"\x01" * 32, False, "2024-05-01")
    with hosting(tmp_path / "host", "--name", "Ada", "--seats", "3", "--auto", "greedy") as host:
        args = ["--code", host.code()]
        ended, shown = person(guest, host.port, *args, answers=LEAVES)
        assert ended == Exit.LEFT
        assert (
            "!!! WARNING: Ada does not have the key of the Ada that you met on 2024-05-01" in shown
        )


@pytest.mark.parametrize("is_private", [True, False])
def test_a_hosts_code_can_come_from_the_environment_as_well(
    is_private: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that is there for the tables of others does no harm to an open table."""
    seated: list[PeerSettings] = []
    monkeypatch.setenv(CODE_VARIABLE, "417-amber-falcon")

    def play(settings: PeerSettings) -> int:
        seated.append(settings)
        return Exit.OK

    monkeypatch.setattr("p2pjong.commands.play._play", play)
    words = ["--private"] if is_private else []
    assert run(["host", "--game", "war", "--home", str(tmp_path), *words]) == Exit.OK
    assert seated[0].code == ("417-amber-falcon" if is_private else "")


@pytest.mark.parametrize("command", ["host", "join", "bot"])
def test_help_says_who_can_read_a_code_that_is_typed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "Other users of this machine can read what you type here" in told
    assert CODE_VARIABLE in told
