"""The command line: help, usage errors, exit codes, colours, one JSON object."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pjong import __version__
from p2pjong.cli import COMMANDS, cli, run
from p2pjong.errors import Departure, Exit, P2PJongError
from p2pjong.settings import PeerSettings

OUT = "I1 I2 I3 A1 A2 A3 C1 C2 C3 J J T G".split()


def test_help_lists_only_commands_that_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == Exit.OK
    shown = capsys.readouterr().out
    for name in COMMANDS:
        assert f"  {name} " in shown
    for later in ("resume", "watch", "replay", "history", "stats", "bot-check"):
        assert later not in shown


def test_without_a_command_help_is_shown_and_the_call_has_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([]) == Exit.USAGE
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.startswith("Usage: p2pjong ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_common_flags(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--help"]) == Exit.OK
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: p2pjong {name}")
    for flag in ("--debug", "--no-color", "--version", "--help"):
        assert flag in shown


def test_the_table_of_commands_says_what_their_help_says() -> None:
    import click

    with click.Context(cli) as context:
        for name, (_, text) in COMMANDS.items():
            command = cli.get_command(context, name)
            assert command is not None and command.callback is not None
            assert text.split()[0] == (command.help or "").split()[0], name


def test_help_comes_without_the_network_or_the_cryptography() -> None:
    check = "import sys; from p2pjong.cli import run; run(['--help']); print(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True).stdout
    for heavy in ("zeroconf", "cryptography", "rbcl", "prompt_toolkit", "asyncio"):
        assert f"'{heavy}'" not in shown


def test_help_takes_less_than_300_ms_of_processor_time() -> None:
    command = [sys.executable, "-m", "p2pjong", "--help"]
    used_s = []
    for _ in range(3):
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        children_s = after.children_user + after.children_system
        used_s.append(children_s - before.children_user - before.children_system)
        # The least of them: the first may have to compile, a busy machine slow down any.
        if min(used_s) < 0.3:
            return
    raise AssertionError(used_s)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["hots"], "there is no command 'hots'; is it host?"),
        (["host"], "--game"),
        (["host", "--game", "chess"], "chess"),
        (
            ["host", "--game", "war-jhong", "--seats", "9"],
            "--seats is a whole number from 2 to 8, not 9",
        ),
        (["host", "--game", "war-jhong", "--seats", "3", "--bots", "3"], "do not fit"),
        (
            ["host", "--game", "war-jhong", "--clock", "-1"],
            "--clock is 0 or 5 to 3600 seconds, not -1",
        ),
        (
            ["host", "--game", "war-jhong", "--clock", "0.001"],
            "--clock is 0 or 5 to 3600 seconds, not 0.001",
        ),
        (
            ["host", "--game", "war-jhong", "--window", "0.1"],
            "--window is 0 or 0.5 to 300 seconds, not 0.1",
        ),
        (
            ["host", "--game", "war-jhong", "--grace", "86400"],
            "--grace is 5 to 3600 seconds, not 86400",
        ),
        (
            ["host", "--game", "war-jhong", "--window", "20", "--grace", "10"],
            "--window 20 is longer than --grace 10",
        ),
        (
            ["host", "--game", "war-jhong", "--clock", "abc"],
            "--clock is 0 or 5 to 3600 seconds, not 'abc'",
        ),
        (["arena", "war-jhong", "--games", "0"], "--games is a whole number of at least 1, not 0"),
        (["tables", "--wait", "0"], "--wait is 0.1 to 600 seconds, not 0"),
        (["zz"], "there is no command 'zz'"),
        (["host", "--game", "war-jhong", "chess"], "what is 'chess' for?"),
        (["host", "--game", "war-jhong", "--window", "nan"], "--window"),
        (["host", "--game", "war-jhong", "--target", "0"], "--target"),
        (["host", "--game", "war-jhong", "--rounds", "2"], "not for a number of rounds"),
        (["host", "--game", "samurai-warfare", "--rounds", "2"], "not for a number of rounds"),
        (["host", "--game", "samurai-warfare", "--seats", "7"], "2 to 6 seats"),
        (["host", "--game", "samurai-warfare", "--target", "1001"], "from 1 to 1000"),
        (["host", "--game", "not-your-mas-jong", "--seats", "5"], "3 to 4 seats"),
        (["host", "--game", "not-your-mas-jong", "--bots", "1"], "3 to 4 seats"),
        (["host", "--game", "not-your-mas-jong", "--target", "3"], "not to a target"),
        (["host", "--game", "not-your-mas-jong", "--rounds", "0"], "--rounds"),
        (["join", "--rounds", "2"], "--rounds"),
        (["score", "samurai-warfare", "takeda", "takeda"], "the deck has 1"),
        (["score", "samurai-warfare", "takeda", "--meld", "R1 R1 R1"], "no melds"),
        (["score", "not-your-mas-jong", "R1"], "1 card in hand"),
        (["host", "--game", "war-jhong", "--bind", "here"], "here"),
        (
            ["host", "--game", "war-jhong", "--auto", "clever"],
            "--auto is greedy or random, not 'clever'",
        ),
        (["host", "--game"], "--game"),
        (
            ["host", "--game", "war-jhong", "--port", "x"],
            "--port is a whole number from 0 to 65535, not 'x'",
        ),
        (["host", "--game", "war-jhong", "--seat", "3"], "no option --seat; is it --seats?"),
        (["score"], "GAME is missing: one of not-your-mas-jong, "),
        (["host", "--game", "war-jhong", "--name", "x" * 33], "--name"),
        (["join", "--connect", "nowhere"], "nowhere"),
        (["bot", "--strategy", "clever"], "clever"),
        (["score", "war-jhong"], "which cards?"),
        (["score", "war-jhong", "--batch", "-", "I1"], "--batch"),
        (["score", "war-jhong", *["I1"] * 13], "the deck has 3"),
        (["score", "war-jhong", "I1", "I2"], "2 cards in hand"),
        (["score", "war-jhong", *OUT[:10], "--meld", "I1 A1 C1"], "no Formation"),
        (["rules", "chess"], "chess"),
        (["arena", "war-jhong", "--bots", "greedy"], "2 to 8 seats"),
        (["arena", "war-jhong", "--bots", "greedy,clever"], "clever"),
        (["verify"], "RECORD"),
    ],
)
def test_usage_errors_say_what_is_wrong_and_what_to_do(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if args[0] in ("host", "join", "bot"):
        args = [*args, "--home", str(tmp_path)]
    assert run(args) == Exit.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert 1 <= len(lines) <= 4
    assert lines[0].startswith("p2pjong: error: ") and message in lines[0]
    assert lines[1].startswith("p2pjong: hint: ")


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["host", "--game", "not-your-mas-jong", "--rounds", "2"], {"rounds": 2, "target": 0}),
        (["host", "--game", "samurai-warfare", "--target", "3"], {"rounds": 0, "target": 3}),
        (["host", "--game", "war-jhong"], {"may_err": True}),
        (["host", "--game", "war-jhong", "--no-mistakes"], {"may_err": False}),
        (["join", "--no-mistakes"], {"may_err": False}),
        (["bot", "--no-mistakes"], {"may_err": False}),
    ],
)
def test_options_of_tables_and_seats_reach_the_peer(
    args: list[str],
    expected: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    seen: list[PeerSettings] = []

    def play(settings: PeerSettings) -> int:
        seen.append(settings)
        return Exit.OK

    monkeypatch.setattr("p2pjong.commands.play._play", play)
    assert run([*args, "--home", str(tmp_path)]) == Exit.OK
    (settings,) = seen
    assert {name: getattr(settings, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("args", "command"),
    [
        (["host", "--game", "war-jhong", "--name", "x" * 33], "p2pjong host"),
        (["join", "--port"], "p2pjong join"),
        (["hots"], "p2pjong"),
    ],
)
def test_usage_errors_point_to_the_help_of_their_own_command(
    args: list[str], command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(args) == Exit.USAGE
    assert capsys.readouterr().err.splitlines()[-1] == f"p2pjong: hint: see {command} --help"


def test_help_tells_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    told = capsys.readouterr().out.partition("Exit codes:")[2]
    for code in Exit:
        assert f"{int(code)} " in told


def test_who_leaves_by_choice_is_told_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def go(*_: object) -> None:
        raise Departure("you closed Ada's table")

    monkeypatch.setattr("p2pjong.commands.rules.rules_text", go)
    assert run(["rules", "war-jhong"]) == Exit.LEFT
    assert capsys.readouterr().err == "p2pjong: you closed Ada's table\n"


def test_an_event_file_that_holds_something_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = tmp_path / "events"
    events.write_text("kept\n")
    args = ["host", "--game", "war-jhong", "--bots", "1", "--auto", "greedy"]
    assert run([*args, "--home", str(tmp_path / "home"), "--events", str(events)]) == Exit.STORAGE
    assert events.read_text() == "kept\n"
    assert "choose another name for --events" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_without_a_terminal_a_person_cannot_play(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2pjong", "host", "--game", "war-jhong", "--bots", "1"]
    command += ["--home", str(tmp_path)]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ended.returncode == Exit.USAGE
    assert "standard input is not a terminal" in ended.stderr and "--auto" in ended.stderr


def test_an_unexpected_failure_is_one_line_and_a_traceback_only_with_debug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(*_: object) -> None:
        raise ValueError("the\nreason")

    monkeypatch.setattr("p2pjong.commands.rules.rules_text", break_down)
    assert run(["rules", "war-jhong"]) == Exit.UNEXPECTED
    shown = capsys.readouterr().err
    assert shown.splitlines()[0] == "p2pjong: error: unexpected ValueError: the reason"
    assert "Traceback" not in shown and "--debug" in shown
    for args in (["--debug", "rules", "war-jhong"], ["rules", "war-jhong", "--debug"]):
        assert run(args) == Exit.UNEXPECTED
        assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("code", list(Exit))
def test_every_failure_has_its_exit_code(
    code: Exit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise P2PJongError("so it is", "do that", code)

    monkeypatch.setattr("p2pjong.commands.rules.rules_text", fail)
    assert run(["rules", "war-jhong"]) == code
    assert capsys.readouterr().err == "p2pjong: error: so it is\np2pjong: hint: do that\n"


def test_ctrl_c_exits_130_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("p2pjong.commands.rules.rules_text", interrupt)
    assert run(["rules", "war-jhong"]) == Exit.INTERRUPTED
    shown = capsys.readouterr()
    assert (shown.out, shown.err.strip()) == ("", "")


def test_ctrl_c_while_the_program_is_still_read_exits_130_without_a_word() -> None:
    check = """if True:
    import builtins, runpy
    read = builtins.__import__
    def interrupted(name, *rest, **named):
        if name == "p2pjong.cli":
            raise KeyboardInterrupt
        return read(name, *rest, **named)
    builtins.__import__ = interrupted
    runpy.run_module("p2pjong", run_name="__main__")
    """
    ended = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (Exit.INTERRUPTED, "", "")


def test_version_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["--version"], ["rules", "--version"]):
        assert run(args) == Exit.OK
        assert __version__ in capsys.readouterr().out


def test_with_json_a_failure_is_one_object_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "war-jhong", "--json", "I1"]) == Exit.USAGE
    shown = capsys.readouterr()
    assert set(json.loads(shown.out)) == {"error"}
    assert shown.err.startswith("p2pjong: error: ")


def test_a_reader_that_goes_away_is_no_failure() -> None:
    command = f"{sys.executable} -m p2pjong rules war-jhong | head -1; echo ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert ended.stdout.splitlines() == ["WAR JHONG", "0"]
    assert ended.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["pipe", "--no-color", "NO_COLOR"])
def test_colours_can_be_had_without(way: str) -> None:
    args = ["--no-color"] if way == "--no-color" else []
    environment = os.environ | ({"NO_COLOR": "1"} if way == "NO_COLOR" else {})
    command = [sys.executable, "-m", "p2pjong", *args, "score", "war-jhong", *OUT]
    if way != "pipe":
        # `script` gives the command a terminal to be colourful on.
        command = ["script", "-qec", " ".join(command), "/dev/null"]
    shown = subprocess.run(command, capture_output=True, text=True, env=environment).stdout
    assert "12 points" in shown and "\x1b[" not in shown


@pytest.mark.parametrize("typed", ["War-Jhong", "warjhong", "WAR_JHONG"])
def test_a_game_is_known_in_any_case_and_without_its_hyphen(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", typed, *OUT]) == Exit.OK
    assert "goes out" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            "war-jong",
            "there is no game 'war-jong': did you mean war-jhong? "
            "The games are not-your-mas-jong, samurai-warfare, war-jhong",
        ),
        ("samurai-welfare", "did you mean samurai-warfare?"),
        ("chess", "there is no game 'chess': the games are "),
    ],
)
def test_of_a_game_that_is_none_the_nearest_is_told(
    typed: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["host", "--game", typed]) == Exit.USAGE
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("typed", ["samurai-warfare", "Samurai", "samuraiwarfare"])
def test_a_game_that_stands_without_its_option_is_told_to_need_it(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["host", "--game", "war-jhong", "--bots", "3", typed]) == Exit.USAGE
    error, hint = capsys.readouterr().err.splitlines()
    assert f"what is '{typed}' for?" in error
    assert hint == "p2pjong: hint: --game samurai-warfare names the game"


@pytest.mark.parametrize("command", ["rules", "score", "arena"])
def test_who_asks_what_a_game_is_called_is_told(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == Exit.OK
    listed = "GAME is one of not-your-mas-jong, samurai-warfare, war-jhong."
    assert listed in capsys.readouterr().out


def test_hints_and_help_name_the_command_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("P2PJONG_CALLED", "a folder/scripts/p2pjong")
    called = "'a folder/scripts/p2pjong'"
    run(["score", "war-jhong"])
    shown = capsys.readouterr().err
    assert f"p2pjong: hint: {called} score war-jhong CARDS..., or --batch FILE" in shown
    run(["host", "--name", "x" * 33, "--game", "war-jhong"])
    assert f"p2pjong: hint: see {called} host --help" in capsys.readouterr().err
    run(["host", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Usage: {called} host" in shown and f"`{called} join`" in shown
    run(["--help"])
    assert f"  {called} join  " in capsys.readouterr().out
    run(["tables", "--wait", "0.1", "--bind", "127.0.0.1", "--json"])
    assert called not in capsys.readouterr().out


def test_a_set_without_its_quotes_is_told_to_need_them(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "R1 R2 R3 B4 B4 B4 E1 E1".split()
    args = ["score", "not-your-mas-jong", *hand, "--meld", "S2", "S3", "S4"]
    assert run(args) == Exit.USAGE
    assert 'the cards of a set stand in quotes: --meld "S2 S3 S4"' in capsys.readouterr().err
    assert run(["score", "not-your-mas-jong", "Z9"]) == Exit.USAGE
    assert "lists the cards and their codes" in capsys.readouterr().err


def called_by_play(folder: Path, *args: str) -> list[str]:
    """What `scripts/play` calls `scripts/p2pjong` with."""
    script = Path(__file__).parents[2] / "scripts" / "play"
    (folder / "play").write_text(script.read_text())
    (folder / "p2pjong").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (folder / "p2pjong").chmod(0o755)
    ran = subprocess.run(["sh", folder / "play", *args], capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stderr == ""
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("args", "bots"),
    [
        ([], ["--bots", "3"]),
        (["--table", "my own"], ["--bots", "3"]),
        (["--seats", "2"], ["--bots", "1"]),
        (["--seats=6"], ["--bots", "5"]),
        (["--seats", "4", "--bots", "2"], []),
        (["--bots=1", "--seats", "2"], []),
        (["--seats", "9"], []),
        (["--seats"], ["--bots", "3"]),
    ],
)
def test_at_a_table_of_scripts_play_bots_fill_the_seats(
    args: list[str], bots: list[str], tmp_path: Path
) -> None:
    assert called_by_play(tmp_path, *args) == ["host", "--game", "war-jhong", *bots, *args]


def test_the_script_names_files_from_where_it_was_called(tmp_path: Path) -> None:
    """Not from the clone: `verify sam.rec` is about the file beside its caller."""
    script = Path(__file__).parents[2] / "scripts" / "p2pjong"
    root = tmp_path / "clone"
    (root / "scripts").mkdir(parents=True)
    (root / "scripts" / "p2pjong").write_text(script.read_text())
    (root / "scripts" / "bootstrap.sh").write_text("install() { pwd >installed-in; }\n")
    program = root / ".venv" / "bin" / "p2pjong"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\npwd; cat "$2"\n')
    program.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    (here / "sam.rec").write_text("a record")
    ran = subprocess.run(
        ["sh", root / "scripts" / "p2pjong", "verify", "sam.rec"],
        cwd=here,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == f"{here}\na record" and ran.returncode == 0
    assert (root / "installed-in").read_text() == f"{root}\n"


@pytest.mark.slow
@pytest.mark.parametrize("is_watched", [True, False])
def test_a_long_command_says_so_first_where_somebody_looks(
    is_watched: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_watched)
    assert run(["arena", "war-jhong", "--bots", "random,random", "--games", "1"]) == Exit.OK
    assert ("playing 1 game ..." in capsys.readouterr().err) is is_watched
