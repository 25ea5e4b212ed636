"""Output that a full device does not take: one line that says so, exit code 9, no traceback."""

import os
import subprocess
import sys
from collections.abc import Sequence

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


def test_errors_that_nobody_can_read_keep_their_exit_code() -> None:
    ended = called("score", "war-jhong", "I1", stdout=os.devnull, stderr="/dev/full")
    assert ended.returncode == Exit.USAGE
    ended = called("score", "war-jhong", "I1", "--json", stdout="/dev/full", stderr="/dev/full")
    assert ended.returncode == Exit.USAGE
