"""Fuzz what peers, files and the network bring, for longer than the tests do.

Guided by coverage if atheris is installed, by seeded edits of valid inputs otherwise (or with
`--plain`). An input that is a finding is written to a file; put it into `tests/data/fuzz` once it
is mended, and it is tried by the tests ever after.
"""

import argparse
import hashlib
import importlib
import importlib.util
import itertools
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOUND = 1
INPUT_BYTES_MAX = 100_000


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/fuzz")
    parser.add_argument("--seconds", type=float, default=60, help="in all, over the targets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", action="append", default=[], help="one of several; all if none")
    parser.add_argument("--out", type=Path, default=ROOT / ".fuzz", help="where findings go")
    parser.add_argument("--plain", action="store_true", help="without atheris")
    parser.add_argument("--replay", type=Path, help="an input that was a finding")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="say what can be fuzzed")
    options, rest = parser.parse_known_args(args)
    if options.child:
        return fuzz_with_atheris(options.child, rest)
    if rest:
        parser.error(f"unknown: {' '.join(rest)}")
    from tests.support.fuzz_targets import TARGETS

    if options.list:
        print("\n".join(f"{one.name:10} {one.run.__doc__}" for one in TARGETS.values()))
        return 0
    if options.replay:
        return replay(options.replay)
    unknown = [name for name in options.target if name not in TARGETS]
    if unknown:
        parser.error(f"no such target: {', '.join(unknown)}; there are {', '.join(TARGETS)}")
    options.out.mkdir(parents=True, exist_ok=True)
    names = options.target or list(TARGETS)
    is_guided = not options.plain and importlib.util.find_spec("atheris") is not None
    print(f"fuzzing {'guided by coverage' if is_guided else 'by seeded edits'}: {', '.join(names)}")
    run = start_atheris if is_guided else fuzz_plainly
    codes = [run(name, options.seconds / len(names), options.seed, options.out) for name in names]
    return max(codes)


def replay(path: Path) -> int:
    """Run one input again; the traceback of a finding is shown."""
    from tests.support.fuzz_targets import TARGETS

    name = path.name.split("-")[0]
    if name not in TARGETS:
        print(f"the name of {path} does not begin with a target: {', '.join(TARGETS)}")
        return 2
    TARGETS[name].run(path.read_bytes())
    print(f"{path}: no finding any more")
    return 0


def fuzz_plainly(name: str, seconds: float, seed: int, out: Path) -> int:
    """Edits of valid inputs, each drawn from one seed, until the time is up or one is a finding."""
    from tests.support.fuzz_targets import TARGETS

    target, end = TARGETS[name], time.monotonic() + seconds
    for number in itertools.count():
        if time.monotonic() >= end:
            print(f"{name:10} {number} inputs, no finding", flush=True)
            return 0
        content = target.draw(Random(f"{seed} {name} {number}"))
        try:
            target.run(content)
        except Exception:  # whatever comes of it is the finding
            path = out / f"{name}-{hashlib.sha256(content).hexdigest()[:12]}.bin"
            path.write_bytes(content)
            traceback.print_exc()
            tell(name, path)
            return FOUND
    raise AssertionError("itertools.count() has no end")


def tell(name: str, path: Path) -> None:
    print(f"{name:10} FOUND: {path}\n  replay it: scripts/fuzz --replay {path}", flush=True)


def start_atheris(name: str, seconds: float, seed: int, out: Path) -> int:
    """libFuzzer takes a process over and ends it, so each target has one of its own."""
    corpus = out / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    before = set(out.glob(f"{name}-*"))
    flags = [f"-max_total_time={max(1, round(seconds))}", f"-seed={seed + 1}", "-timeout=60"]
    flags += [f"-max_len={INPUT_BYTES_MAX}", f"-artifact_prefix={out}/{name}-", "-verbosity=0"]
    command = [sys.executable, __file__, "--child", name, *flags, "-print_final_stats=1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    child = subprocess.run(
        [*command, str(corpus)], env=environment, stderr=subprocess.STDOUT, stdout=subprocess.PIPE
    )
    said = child.stdout.decode(errors="replace")
    if child.returncode == 0:
        count = next(
            (line.split()[-1] for line in said.splitlines() if "executed_units" in line), "?"
        )
        print(f"{name:10} {count} inputs, no finding", flush=True)
        return 0
    print(said)
    for path in sorted(set(out.glob(f"{name}-*")) - before):
        tell(name, path)
    return FOUND


def fuzz_with_atheris(name: str, flags: list[str]) -> int:
    """In the child: never returns but by an error."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["p2pjong"]):
        from tests.support.fuzz_targets import TARGETS
    target = TARGETS[name]
    for number, content in enumerate(target.seeds()):
        (Path(flags[-1]) / f"seed-{number}").write_bytes(content)

    def edit(content: bytes, size_max: int, seed: int) -> bytes:
        # Its own edits find lengths and flags; ours keep an encoding whole and reach what follows.
        rng = Random(seed)
        if rng.random() < 0.5:
            mutated: bytes = atheris.Mutate(content, size_max)
            return mutated
        return target.edit(content, rng)[:size_max]

    atheris.Setup([sys.argv[0], *flags], target.run, custom_mutator=edit)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
