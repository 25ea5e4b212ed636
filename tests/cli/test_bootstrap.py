"""The set-up of a clone by `scripts/p2pjong`: interrupted, done twice at once, and failing."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# In place of a Python that makes .venv and fills it: it shows its own traceback, as Python does.
PYTHON = """#!/bin/sh
broken() {{ echo Traceback >&2; exit 1; }}
trap broken INT
linger() {{
    [ -e "$1" ] || return 0
    : >reached
    # In small steps: a signal that comes just before one is heard after it.
    for step in $(seq 100); do sleep 0.1; done
}}
fill() {{
    mkdir -p .venv/bin
    cp "$0" .venv/bin/python
    linger slow-venv
    : >.venv/has-pip
}}
case "$*" in
    -c*) exec {python} "$@" ;;
    --version) echo "Python 3" ;;
    "-m venv .venv") echo venv >>calls; fill ;;
    *" install "*"-e .")
        echo packages >>calls
        linger slow-pip
        [ ! -e no-index ] || {{ echo "ERROR: No matching distribution found" >&2; exit 1; }}
        [ ! -e full ] || {{ echo "OSError: [Errno 28] No space left on device" >&2; exit 1; }}
        printf '#!/bin/sh\\necho plays\\n' >.venv/bin/p2pjong
        chmod +x .venv/bin/p2pjong ;;
    *) [ -e .venv/has-pip ] || {{ echo "No module named pip" >&2; exit 1; }} ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    for name in ("bootstrap.sh", "p2pjong"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "constraints.txt").write_text("")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "python").write_text(PYTHON.format(python=sys.executable))
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def start(clone: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["sh", "scripts/p2pjong"],
        cwd=clone,
        env=os.environ | {"PYTHON": str(clone / "python")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(started: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = started.communicate(timeout=15)
    return started.returncode, out, err


def calls(clone: Path) -> list[str]:
    return (clone / "calls").read_text().split()


def interrupt(clone: Path, how: signal.Signals) -> tuple[int, str, str]:
    """Ends a start where it lingers, as a terminal does it: the whole group of processes."""
    started = start(clone)
    until_s = time.monotonic() + 10
    while not (clone / "reached").exists():
        assert time.monotonic() < until_s and started.poll() is None
        time.sleep(0.02)
    os.killpg(started.pid, how)
    return finish(started)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["slow-venv", "slow-pip"])
def test_ctrl_c_in_the_set_up_is_one_line_and_the_next_start_makes_it_anew(
    where: str, clone: Path
) -> None:
    (clone / where).touch()
    code, out, err = interrupt(clone, signal.SIGINT)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1].startswith("p2pjong: interrupted: ")
    assert "Traceback" not in err and "error" not in err and "hint" not in err
    (clone / where).unlink()
    assert finish(start(clone))[:2] == (0, "plays\n")
    assert calls(clone).count("venv") == 2


@pytest.mark.slow
def test_a_set_up_that_was_killed_is_made_anew(clone: Path) -> None:
    (clone / "slow-venv").touch()
    interrupt(clone, signal.SIGKILL)
    (clone / "slow-venv").unlink()
    assert finish(start(clone))[:2] == (0, "plays\n")


def test_one_half_made_by_another_version_is_made_anew(clone: Path) -> None:
    (clone / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(clone / "python", clone / ".venv" / "bin" / "python")
    assert finish(start(clone))[:2] == (0, "plays\n")
    assert calls(clone) == ["venv", "packages"]


@pytest.mark.slow
def test_what_is_set_up_is_not_set_up_again(clone: Path) -> None:
    for _ in range(2):
        assert finish(start(clone))[:2] == (0, "plays\n")
    assert calls(clone) == ["venv", "packages"]


def test_of_two_first_starts_at_once_one_sets_up(clone: Path) -> None:
    both = [start(clone), start(clone)]
    assert [finish(started)[:2] for started in both] == [(0, "plays\n")] * 2
    assert calls(clone) == ["venv", "packages"]


@pytest.mark.parametrize(
    ("cause", "hint"),
    [
        ("no-index", "is there a connection to a package index?"),
        ("full", "the disk is full: make room, then run this again"),
    ],
)
def test_packages_that_cannot_be_had_are_told_with_a_fitting_hint(
    cause: str, hint: str, clone: Path
) -> None:
    (clone / cause).touch()
    code, _, err = finish(start(clone))
    assert code == 1 and err.splitlines()[-1] == f"p2pjong: hint: {hint}"


@pytest.mark.slow
def test_an_update_without_a_network_leaves_what_was_there(clone: Path) -> None:
    assert finish(start(clone))[0] == 0
    (clone / "constraints.txt").write_text("another")
    (clone / "no-index").touch()
    assert finish(start(clone))[0] == 1
    (clone / "constraints.txt").write_text("")
    assert finish(start(clone))[:2] == (0, "plays\n")
    assert calls(clone).count("venv") == 1
