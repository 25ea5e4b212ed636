"""Take out each check that keeps a promise, one at a time, and see that a test turns red.

`scripts/mutants.toml` lists them: the file, the exact text of the check, what is left without it,
and the tests that must fail. Works on a copy of the tree. Exits with 1 if a mutant survives, if a
text is no longer found exactly once, or if the tests fail without any change.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "mutants.toml"
COPIED = ("p2pjong", "tests", "protocol", "scripts", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")
TIMEOUT_S = 300.0  # as dead as one that fails: a check was what ended it
ALL_TIMEOUT_S = 3600.0
TEST_FAILED = 1  # pytest's exit code; 2 and more: nothing could be run


@dataclass(frozen=True)
class Mutant:
    """One check, and what keeps it in place."""

    name: str
    promise: str
    file: str
    text: str
    replacement: str
    tests: tuple[str, ...]


def read_mutants(path: Path = LIST) -> list[Mutant]:
    """The committed list; raises ValueError where it contradicts itself."""
    mutants = [
        Mutant(
            name, promise, f"p2pjong/{file}", text, left, tuple(f"tests/{test}" for test in tests)
        )
        for promise, checks in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for name, (file, text, left, *tests) in checks.items()
    ]
    names = [mutant.name for mutant in mutants]
    if len(set(names)) != len(names):
        raise ValueError("two mutants have one name")
    for mutant in mutants:
        if mutant.text == mutant.replacement or not mutant.tests:
            raise ValueError(f"{mutant.name}: nothing changes, or nothing is run")
    return mutants


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/mutants")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="those with this text in name, promise or file")
    parser.add_argument("--list", action="store_true", help="say which there are, run nothing")
    options = parser.parse_args(args)
    mutants = [
        one for one in read_mutants() if options.only in f"{one.name} {one.promise} {one.file}"
    ]
    if options.sample:
        mutants = Random(options.seed).sample(mutants, min(options.sample, len(mutants)))
    if options.list:
        print("\n".join(f"{one.promise}: {one.name} ({one.file})" for one in mutants))
        return 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copy_tree(Path(folder))
        lost = [one for one in mutants if not is_in_place(tree, one)]
        if not is_green(tree, [one for one in mutants if one not in lost]):
            return 1
        survived = [one for one in mutants if one not in lost and not try_one(tree, one)]
    killed = len(mutants) - len(lost) - len(survived)
    print(f"{len(mutants)} mutants: {killed} killed, {len(survived)} survived, {len(lost)} lost")
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if survived or lost or not mutants else 0


def copy_tree(folder: Path) -> Path:
    """All that the tests need, where nobody else works."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=LEFT_OUT)
        else:
            shutil.copy(source, folder / name)
    return folder


def is_in_place(tree: Path, mutant: Mutant) -> bool:
    """Whether the check is there exactly once, and its tests are."""
    count = (tree / mutant.file).read_text(encoding="utf-8").count(mutant.text)
    missing = [test for test in mutant.tests if not is_there(tree, test)]
    if count != 1:
        report("LOST", mutant, f"the text of the check is found {count} times")
    elif missing:
        report("LOST", mutant, f"no such test: {', '.join(missing)}")
    return count == 1 and not missing


def is_there(tree: Path, test: str) -> bool:
    path, _, name = test.partition("::")
    function = re.escape(name.partition("[")[0])
    text = (tree / path).read_text(encoding="utf-8") if (tree / path).is_file() else ""
    return re.search(rf"^def {function}\(", text, re.MULTILINE) is not None


def is_green(tree: Path, mutants: Sequence[Mutant]) -> bool:
    """Whether the tests pass with every check in place; red would mean nothing otherwise."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    code, said = run_tests(tree, tests, timeout_s=ALL_TIMEOUT_S) if tests else (0, "")
    if code:
        print(f"the tests fail with all checks in place:\n{said[-3000:]}")
    return code == 0


def try_one(tree: Path, mutant: Mutant) -> bool:
    """Whether its tests turn red without the check."""
    path = tree / mutant.file
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace(mutant.text, mutant.replacement), encoding="utf-8")
    started = time.monotonic()
    try:
        code, said = run_tests(tree, mutant.tests)
    finally:
        path.write_text(whole, encoding="utf-8")
    # Red means that a test failed. That none could be run at all would show nothing.
    is_killed = code == TEST_FAILED
    word = "killed" if is_killed else "SURVIVED"
    report(word, mutant, f"{time.monotonic() - started:.1f} s" if is_killed else said[-1500:])
    return is_killed


def run_tests(
    tree: Path, tests: Sequence[str], *options: str, timeout_s: float = TIMEOUT_S
) -> tuple[int, str]:
    """pytest's exit code and what it said; a run that never ends counts as a failed test."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, "--hypothesis-seed=0", *options, *tests],
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )
    except subprocess.TimeoutExpired:
        return TEST_FAILED, "timeout"
    return done.returncode, f"{done.stdout}{done.stderr}".strip() or "nothing said"


def report(word: str, mutant: Mutant, text: str) -> None:
    print(f"{word:8} {mutant.promise}: {mutant.name}: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
