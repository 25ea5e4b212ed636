"""Output that a full device does not take: one line that says so, exit code 9, no traceback."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pjong.errors import Exit

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")

HAND = "I1 I2 I3 A1 A2 A3 C1 C2 C3 J J T G".split()
FULL = "p2pjong: error: the output could not be written: No space left on device"
HINT = "p2pjong: hint: free some space on that disk, or write to another place"


def called(*args: str, stdout: str, stderr: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "p2pjong", *args]
    with open(stdout, "w") as out, open(stderr or os.devnull, "w") as errors:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors if stderr else subprocess.PIPE,
            text=True,
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [
        ["score", "war-jhong", *HAND],
        ["score", "war-jhong", *HAND, "--json"],
        ["rules", "war-jhong"],
        ["arena", "war-jhong", "--bots", "random,random", "--games", "1"],
        ["--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_output_to_a_full_device_is_a_failure_of_storage(args: Sequence[str]) -> None:
    ended = called(*args, stdout="/dev/full")
    told = ended.stderr.splitlines()
    assert (ended.returncode, told[-2:]) == (Exit.STORAGE, [FULL, HINT])
    assert len(told) == 2


@pytest.mark.slow
def test_errors_that_nobody_can_read_keep_their_exit_code() -> None:
    ended = called("score", "war-jhong", "I1", stdout=os.devnull, stderr="/dev/full")
    assert ended.returncode == Exit.USAGE
    ended = called("score", "war-jhong", "I1", "--json", stdout="/dev/full", stderr="/dev/full")
    assert ended.returncode == Exit.USAGE


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("is_json", [True, False])
def test_a_bot_whose_events_and_lines_find_no_room_plays_to_the_end(
    is_json: bool, tmp_path: Path
) -> None:
    args = ["--game", "war-jhong", "--target", "1", "--bots", "1", "--auto", "greedy"]
    args += ["--bind", "127.0.0.1", "--home", str(tmp_path), "--events", "/dev/full"]
    ended = called("host", *args, *(["--json"] if is_json else []), stdout="/dev/full")
    told = ended.stderr.splitlines()
    if is_json:
        assert ended.returncode == Exit.STORAGE, "the answer that was asked for is lost"
        assert sum(line.startswith("--events stops here: /dev/full cannot") for line in told) == 1
        assert told[-2:] == [FULL, HINT]
    else:
        assert ended.returncode == Exit.OK
        assert [line.split(",")[0] for line in told] == [
            "p2pjong: warning: the output cannot be written"
        ]
