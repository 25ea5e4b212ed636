"""Every check that a change must pass, the same on a desk as in CI.

Without arguments all of them run but "long"; name some to run those: lint, types, fast, slow,
network, long. "long" is many more cases of some slow tests, for half an hour now and then.
"fast" on its own means lint, types and the quick tests.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable

# The default would give each process its share in advance, and one would be idle at the end.
PYTEST = [PYTHON, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
STEPS: dict[str, list[list[str]]] = {
    "lint": [
        [PYTHON, "-m", "ruff", "format", "--check", "."],
        [PYTHON, "-m", "ruff", "check", "."],
    ],
    "types": [[PYTHON, "-m", "mypy", "--strict", "p2pjong", "tests", "scripts"]],
    "fast": [[*PYTEST, "-m", "not slow and not network"]],
    "slow": [[*PYTEST, "-m", "slow and not network and not long"]],
    "long": [[*PYTEST, "-m", "long"]],
    "network": [[*PYTEST, "-m", "network"]],
}
BETWEEN_EDITS = ("lint", "types", "fast")


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/test")
    parser.add_argument("steps", nargs="*", metavar="STEP", choices=[[], *STEPS])
    named = parser.parse_args(args).steps or [step for step in STEPS if step != "long"]
    steps = BETWEEN_EDITS if named == ["fast"] else named
    # scripts/test installs all tools for whatever is more than lint, types and the quick tests.
    os.environ["P2PJONG_TESTS_SKIP_NOTHING"] = str(int(not set(steps) <= set(BETWEEN_EDITS)))
    failed = [step for step in steps if not run_step(step)]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run_step(step: str) -> bool:
    """Runs one step's commands, all of them even if one fails; says how long they took."""
    print(f"== {step}", flush=True)
    started = time.monotonic()
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "PATH": _path()}
    # The tests start the program again and again; and what pytest has compiled serves all steps.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    prefix = _as_root() if step == "network" else []
    if prefix is None:
        print("these tests make networks of their own, and need root", file=sys.stderr)
        return False
    codes = [
        subprocess.run([*prefix, *command], cwd=ROOT, env=environment).returncode
        for command in STEPS[step]
    ]
    print(f"== {step}: {time.monotonic() - started:.0f} s", flush=True)
    return not any(codes)


def _path() -> str:
    # ip and nft live where an ordinary user's path does not look.
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def _as_root() -> list[str] | None:
    if os.geteuid() == 0:
        return []
    can_sudo = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"]).returncode == 0
    return ["sudo", "--preserve-env=PATH,P2PJONG_TESTS_SKIP_NOTHING"] if can_sudo else None


if __name__ == "__main__":
    sys.exit(main())
