"""Writes the vectors of play, lanes, frames and records; run it from the root of the project as

    python -m scripts.make_vectors_play [--check]

The output is a function of the program alone: keys, seeds and the order of delivery are fixed. With
--check nothing is written, and the exit code says whether the files are current.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from p2pjong.store.record import RecordHeader
from p2pjong.wire.codec import encode
from scripts.vector_edits import record_of
from scripts.vector_frames import frame_cases
from scripts.vector_games import (
    not_your_mas_jong_games,
    samurai_warfare_games,
    war_jhong_games,
)
from scripts.vector_lanes import lanes_file, words_file
from scripts.vector_records import record_cases
from scripts.vector_scores import (
    mas_jong_hands,
    mas_jong_payments,
    mas_jong_sets,
    samurai_lines,
    war_jhong_hands,
)
from scripts.vector_tables import TABLES, frames_of
from scripts.vector_tables_others import TABLES as OTHER_TABLES

LINE_MAX = 100
VECTORS = Path(__file__).resolve().parent.parent / "protocol" / "vectors"


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args(args).check
    stale = {name: content for name, content in made().items() if not is_current(name, content)}
    for name, content in stale.items():
        print(f"{name} {'is not current' if is_check else 'written'}")
        if not is_check:
            (VECTORS / name).write_bytes(content)
    return 1 if stale and is_check else 0


def is_current(name: str, content: bytes) -> bool:
    path = VECTORS / name
    return path.exists() and path.read_bytes() == content


def made() -> dict[str, bytes]:
    """All files by name, as they should be."""
    tables = {name: play() for name, play in {**TABLES, **OTHER_TABLES}.items()}
    stories = {name: frames_of(table) for name, table in tables.items()}
    files = {
        name: record_of(encode(RecordHeader(1, table.draft)), stories[name])
        for name, table in tables.items()
    }
    drafts = {name: table.draft for name, table in tables.items()}
    cases = {"page": "protocol/audit.md", "cases": record_cases(stories, drafts)}
    jsons: dict[str, Any] = {
        "frames.json": {"page": "protocol/messages.md", "cases": frame_cases()},
        "lanes.json": lanes_file(),
        "records.json": cases,
        "war_jhong.json": {
            "page": "protocol/war-jhong.md",
            "games": war_jhong_games(),
            "hands": war_jhong_hands(),
        },
        "samurai_warfare.json": {
            "page": "protocol/samurai-warfare.md",
            "games": samurai_warfare_games(),
            "lines": samurai_lines(),
        },
        "not_your_mas_jong.json": {
            "page": "protocol/not-your-mas-jong.md",
            "games": not_your_mas_jong_games(),
            "sets": mas_jong_sets(),
            "hands": mas_jong_hands(),
            "payments": mas_jong_payments(),
        },
        "words.json": words_file(),
    }
    return files | {name: _written(value) for name, value in jsons.items()}


def _written(value: Any) -> bytes:
    return (_laid_out(value, "") + "\n").encode()


def _laid_out(value: Any, indent: str) -> str:
    """JSON that can be read and compared: what is short stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + len(indent) <= LINE_MAX or not isinstance(value, dict | list):
        return line
    inner = indent + " "
    if isinstance(value, list):
        items = [_laid_out(item, inner) for item in value]
        return "[\n" + ",\n".join(inner + item for item in items) + f"\n{indent}]"
    fields = [f"{json.dumps(key)}: {_laid_out(item, inner)}" for key, item in value.items()]
    return "{\n" + ",\n".join(inner + item for item in fields) + f"\n{indent}}}"


if __name__ == "__main__":
    sys.exit(main())
