"""Runs every scripts/bench_*.py: prints a table for each, or one JSON object of all rows."""

import argparse
import importlib.util
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NAME_COLUMNS = 46

Row = dict[str, Any]


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, such as crypto")
    arguments = parser.parse_args(args)
    collected: dict[str, list[Row]] = {}
    for path in sorted(HERE.glob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if not arguments.names or name in arguments.names:
            collected[name] = load_bench(path)()
            if not arguments.json:
                print_rows(name, collected[name])
    if arguments.json:
        print(json.dumps({"machine": machine(), "benches": collected}, indent=2))
    return 0 if collected else 2


def load_bench(path: Path) -> Callable[[], list[Row]]:
    """The `bench_rows` of a bench's file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # Functions that a bench sends to other processes are looked up by the module's name.
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    rows: Callable[[], list[Row]] = module.bench_rows
    return rows


def machine() -> Row:
    """What the figures were taken on."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }


def print_rows(title: str, rows: Sequence[Row]) -> None:
    """One line a row: its first field is its name, then every other one that has a value."""
    print(f"\n{title}")
    for row in rows:
        label, *fields = row.items()
        shown = [f"{key} {shorten(value)}" for key, value in fields if value not in (None, "")]
        print(f"  {label[1]:{NAME_COLUMNS}} {'  '.join(shown)}", flush=True)


def shorten(value: Any) -> str:
    """A figure with as many digits as mean something."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {shorten(part)}" for key, part in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
