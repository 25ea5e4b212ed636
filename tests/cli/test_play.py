"""Whole games between processes over loopback, as people and scripts start them."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from p2pjong.errors import Exit
from tests.support.tmux import Tmux

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

PROGRAM = [sys.executable, "-m", "p2pjong"]
# Loopback alone: multicast on the machine's own networks is not for tests.
HOST = [*PROGRAM, "host", "--game", "war-jhong", "--bind", "127.0.0.1"]


def play(home: Path, *args: str, typed: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*HOST, "--home", str(home), *args],
        input=typed,
        stdin=None if typed is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=150,
    )


def test_a_table_of_bots_ends_with_one_json_object_and_a_record_that_verifies(
    tmp_path: Path,
) -> None:
    record, events = tmp_path / "game.record", tmp_path / "events"
    args = ["--bots", "2", "--auto", "greedy", "--target", "3", "--json", "--name", "Ada"]
    ended = play(tmp_path / "home", *args, "--record", str(record), "--events", str(events))
    assert ended.returncode == Exit.OK, ended.stderr
    outcome = json.loads(ended.stdout)
    assert outcome["outcome"] == "finished" and outcome["fault"] is None
    assert outcome["seats"][0]["name"] == "Ada"
    assert max(outcome["scores"]) >= 3 and len(outcome["winners"]) >= 1
    assert "Table words: " in ended.stderr and "the game is over" in ended.stderr
    assert f"The record of this game is {record}" in ended.stderr

    verified = subprocess.run(
        [*PROGRAM, "verify", "--json", str(record)], capture_output=True, text=True
    )
    assert verified.returncode == Exit.OK, verified.stdout
    verdict = json.loads(verified.stdout)
    assert verdict["valid"] is True
    for key in ("game", "table", "scores", "winners", "hands", "digest", "fault"):
        assert verdict[key] == outcome[key]

    later = tmp_path / "later.record"
    written = [*PROGRAM, "record", outcome["table"], str(later), "--home", str(tmp_path / "home")]
    assert subprocess.run(written, capture_output=True).returncode == Exit.OK
    assert later.read_bytes() == record.read_bytes()

    seen = [json.loads(line) for line in events.read_text().splitlines()]
    (end,) = [one for one in seen if one["kind"] == "finished"]
    assert end["digest"] == outcome["digest"] and seen[-1]["kind"] == "said"


OTHER_GAMES = [("samurai-warfare", "--target", "1"), ("not-your-mas-jong", "--rounds", "1")]
OTHER_HOST = [*PROGRAM, "host", "--bind", "127.0.0.1"]


@pytest.mark.parametrize(("game", "option", "value"), OTHER_GAMES)
def test_bots_play_the_other_games_and_their_records_verify(
    game: str, option: str, value: str, tmp_path: Path
) -> None:
    record = tmp_path / "game.record"
    args = ["--game", game, option, value, "--bots", "2", "--auto", "greedy", "--json"]
    command = [*OTHER_HOST, *args, "--home", str(tmp_path / "home"), "--record", str(record)]
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150
    )
    assert ended.returncode == Exit.OK, ended.stderr
    outcome = json.loads(ended.stdout)
    assert outcome["game"] == game and outcome["outcome"] == "finished"
    verified = subprocess.run(
        [*PROGRAM, "verify", "--json", str(record)], capture_output=True, text=True
    )
    assert verified.returncode == Exit.OK, verified.stdout
    assert json.loads(verified.stdout)["digest"] == outcome["digest"]


@pytest.mark.parametrize(("game", "option", "value"), OTHER_GAMES)
def test_a_person_plays_the_other_games_through_a_pipe(
    game: str, option: str, value: str, tmp_path: Path
) -> None:
    args = ["--game", game, option, value, "--bots", "2", "--plain", "--home", str(tmp_path)]
    with subprocess.Popen(
        [*OTHER_HOST, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as running:
        shown = list(_answer_prompts(running))
        assert running.wait(60) == Exit.OK
    told = "".join(shown)
    for part in ("Table words: ", "your hand", "the game is over", "Play again"):
        assert part in told
    assert "no choice here" not in told and "\x1b" not in told


def test_a_person_plays_through_a_pipe(tmp_path: Path) -> None:
    command = [*HOST, "--home", str(tmp_path), "--plain", "--bots", "1", "--target", "5"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as game:
        shown = list(_answer_prompts(game))
        assert game.wait(60) == Exit.OK
    told = "".join(shown)
    for part in ("Table words: ", "your hand", "the game is over", "Play again"):
        assert part in told
    assert "\x1b" not in told


def _answer_prompts(game: subprocess.Popen[str]) -> Iterator[str]:
    assert game.stdin and game.stdout
    aim = ""
    game.stdin.write("r\n")  # before anything is asked: it waits for the lobby
    for line in game.stdout:
        yield line
        if "your hand --" in line:
            aim = ""
        elif found := re.search(r"with an aim, like (\d+[a-z]+)", line):
            aim = found[1]
        answer = aim if aim and line.startswith("play ") else _answer(line)
        if answer:
            game.stdin.write(f"{answer}\n")


def _answer(line: str) -> str:
    if found := re.match(r"discard .*like ([\d ]+\d)", line):
        return found[1]
    if re.match(r"(discard (?:one of )?1|claim ).*:$", line):
        return "g" if re.search(r"\bg\b", line) else "1"
    if found := re.match(r"(?:play|take|show) (\w+).*:$", line):
        return found[1]
    if re.match(r"steal .*:$", line):
        return "p"
    return "n" if line.startswith("y: yes") else ""


def test_the_end_of_a_pipe_leaves_the_table(tmp_path: Path) -> None:
    ended = play(tmp_path, "--plain", "--bots", "1", typed="")
    assert ended.returncode == Exit.LEFT
    assert "p2pjong: error: " in ended.stderr


def test_a_script_that_only_says_that_it_is_ready_plays_by_defaults_to_the_end(
    tmp_path: Path,
) -> None:
    ended = play(tmp_path, "--plain", "--bots", "1", "--target", "1", typed="r\n")
    assert ended.returncode == Exit.OK, ended.stderr
    assert "No more input: " in ended.stdout and "the game is over" in ended.stdout


def test_a_joiner_that_finds_nobody_is_told(tmp_path: Path) -> None:
    command = [*PROGRAM, "join", "--auto", "greedy", "--connect", "127.0.0.1:9", "--json"]
    ended = subprocess.run(
        [*command, "--home", str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == Exit.NO_CONNECTION
    assert 1 <= len(ended.stderr.splitlines()) <= 4
    assert set(json.loads(ended.stdout)) == {"error"}


@pytest.fixture
def terminal(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    # To one point, the shortest game; but who wants to be asked more than once must not be late.
    target = getattr(request, "param", 1)
    options = f"--home {tmp_path} --bots 2 --target {target} --name Ada --clock 0"
    tmux = Tmux(f"{' '.join(HOST)} {options}; echo ENDED $?; sleep 60")
    yield tmux
    tmux.close()


def test_a_person_plays_on_a_terminal_of_80_by_24(terminal: Tmux) -> None:
    terminal.until("all others are ready: r or s starts")
    terminal.type("s", "Enter")
    terminal.until("Table words: ")
    for _ in range(400):
        shown = terminal.until(r"your hand[^>]*^(discard|claim) [^>]*>|^y: yes[^>]*>")
        prompt = [line for line in shown.splitlines() if line.endswith(">")][-1]
        if prompt.startswith("y: yes"):
            break
        if prompt.startswith("discard"):
            terminal.type("g" if "g: go out" in prompt else "1", "Enter")
        else:
            terminal.type("g" if re.search(r"\bg\b", prompt) else "1")
        terminal.until_not(shown)
    terminal.until("the game is over")
    terminal.type("n")
    terminal.until("^ENDED 0")


@pytest.mark.parametrize("terminal", [100], indirect=True)
def test_ctrl_c_says_what_leaving_costs_and_s_stays(terminal: Tmux) -> None:
    terminal.until("all others are ready: r or s starts")
    terminal.type("s", "Enter")
    terminal.until("Table words: ")
    terminal.until(r"^(discard|claim) .*>")
    terminal.type("C-c")
    terminal.until("Leave\\? ")
    terminal.until("^s: stay, l: leave>")
    terminal.type("s")
    terminal.until(r"^(discard|claim) .*>")
    terminal.type("C-c")
    terminal.until("^s: stay, l: leave>")
    terminal.type("l")
    shown = terminal.until(f"^ENDED {int(Exit.LEFT)}")
    _, _, told = shown.partition("You left the game.")
    assert re.search(r"^  +Ada \(you\) +\d+$", told, re.MULTILINE), shown
    assert "the game ends here for everyone" in told, "our bots leave with us"


def test_who_leaves_is_told_the_standing_in_json_too(tmp_path: Path) -> None:
    """By a pipe, on a plain screen: the object alone on one stream, all words on the other."""
    options = f"--home {tmp_path} --bots 2 --target 100 --clock 0 --name Ada --plain --json"
    pipe = subprocess.PIPE
    command = [*HOST, *options.split()]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as leaver:
        answer, told = leave_at_once(leaver)
    assert leaver.returncode == Exit.LEFT
    assert set(answer) == {
        *("game", "table", "outcome", "seats", "scores", "winners", "hands", "digest", "fault")
    }
    assert (answer["outcome"], answer["winners"], answer["fault"]) == ("abandoned", [], None)
    assert len(answer["scores"]) == 3
    assert str(answer["scores"][0]) in told
    assert "the game ends here for everyone" in told


def leave_at_once(leaver: "subprocess.Popen[str]") -> tuple[dict[str, Any], str]:
    """Begin the game and leave it: the JSON object, and what the person is told after it left."""
    assert leaver.stdin and leaver.stderr and leaver.stdout
    for awaited, typed in (
        ("which starts the game", "s"),
        ("Everyone has 12 cards", "q"),
        ("Leave\\?", "l"),
    ):
        for line in leaver.stderr:
            if re.search(awaited, line):
                break
        leaver.stdin.write(f"{typed}\n")
        leaver.stdin.flush()
    answer: dict[str, Any] = json.loads(leaver.stdout.read())
    return answer, leaver.stderr.read().partition("You left the game.")[2]


@pytest.mark.parametrize("is_plain", [True, False], ids=["NO_COLOR", "colours"])
def test_no_color_reaches_the_live_screen(is_plain: bool, tmp_path: Path) -> None:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    options = f"--home {tmp_path} --bots 1 --name Ada"
    wish = "NO_COLOR=1" if is_plain else "env -u NO_COLOR"
    tmux = Tmux(f"{wish} {' '.join(HOST)} {options}")
    try:
        tmux.until("all others are ready")
        tmux.type("s", "Enter")
        tmux.until(r"^(discard|claim) .*>")
        styled = tmux._call("capture-pane", "-p", "-e")
        assert bool(re.search(r"\x1b\[[0-9;]*(3[0-7]|9[0-7])m", styled)) is not is_plain
    finally:
        tmux.close()


def test_the_home_is_where_everything_lies(tmp_path: Path) -> None:
    home = tmp_path / "kept"
    environment = os.environ | {"P2PJONG_HOME": str(home), "HOME": str(tmp_path / "nobody")}
    ended = subprocess.run(
        [*HOST, "--bots", "1", "--auto", "random", "--target", "1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
        timeout=150,
    )
    assert ended.returncode == Exit.OK
    assert home.is_dir() and not (tmp_path / "nobody").exists()
