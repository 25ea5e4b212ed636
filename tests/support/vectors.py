"""Reading `protocol/vectors`: JSON, byte strings in parts, and records with the edits of a case.

Written from the pages, so that the second verifier's tests may use it too: imports nothing of ours.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]

HEAVY_BYTES = 70_000
WHOLE_GAMES = ("a game of two", "a turn of Samurai Warfare", "a round of Not Your Ma's Jong")
VECTORS = Path(__file__).resolve().parent.parent.parent / "protocol" / "vectors"


def load(name: str) -> Any:
    """The content of one JSON file of the vectors."""
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def by_name(cases: list[Case]) -> dict[str, Case]:
    """The cases by name, for parametrising."""
    named = {case["name"]: case for case in cases}
    assert len(named) == len(cases), "every case has a name of its own"
    return named


def read_bytes(coded: str | list[list[Any]]) -> bytes:
    """A byte string in hex, or in parts of hex with how often each stands there."""
    if isinstance(coded, str):
        return bytes.fromhex(coded)
    return b"".join(bytes.fromhex(part) * times for part, times in coded)


def read_value(coded: Any) -> Any:
    """A message as plain values: {"hex": ..} is a byte string."""
    if isinstance(coded, dict):
        return bytes.fromhex(coded["hex"])
    return [read_value(item) for item in coded] if isinstance(coded, list) else coded


# --- Records ------------------------------------------------------------------------------------


def record_of(case: Case) -> bytes:
    """The record of a case: its file after its edits."""
    record: bytes = (VECTORS / case["file"]).read_bytes()
    for edit in case["edits"]:
        ((what, how),) = edit.items()
        record = EDITS[what](record, how)
    return record


def is_heavy(case: Case) -> bool:
    """Whether a verdict on the record takes long: most of a game must be checked."""
    return case["name"] not in WHOLE_GAMES and len(record_of(case)) > HEAVY_BYTES


def split(record: bytes) -> list[bytes]:
    """The frames of a record that is whole."""
    frames, at = [], 0
    while at < len(record):
        size = int.from_bytes(record[at : at + 4], "big")
        frames.append(record[at + 4 : at + 4 + size])
        at += 4 + size
    return frames


def _on_lanes(change: Callable[[list[bytes], Any], None]) -> Callable[[bytes, Any], bytes]:
    """An edit of the list of lane messages."""

    def edit(record: bytes, how: Any) -> bytes:
        head, *lanes = split(record)
        change(lanes, how)
        return b"".join(len(frame).to_bytes(4, "big") + frame for frame in [head, *lanes])

    return edit


def _keep(lanes: list[bytes], count: int) -> None:
    del lanes[count:]


def _drop(lanes: list[bytes], index: int) -> None:
    del lanes[index]


def _swap(lanes: list[bytes], places: list[int]) -> None:
    one, other = places
    lanes[one], lanes[other] = lanes[other], lanes[one]


def _replace(lanes: list[bytes], how: list[Any]) -> None:
    index, frame = how
    lanes[index] = bytes.fromhex(frame)


def _flip(lanes: list[bytes], how: list[int]) -> None:
    index, bit = how
    frame = bytearray(lanes[index])
    frame[bit // 8] ^= 1 << bit % 8
    lanes[index] = bytes(frame)


def _with_head(record: bytes, head: str) -> bytes:
    _, *lanes = split(record)
    frames = [bytes.fromhex(head), *lanes]
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)


Edit: TypeAlias = Callable[[bytes, Any], bytes]
EDITS: dict[str, Edit] = {
    "keep": _on_lanes(_keep),
    "drop": _on_lanes(_drop),
    "swap": _on_lanes(_swap),
    "replace": _on_lanes(_replace),
    "flip": _on_lanes(_flip),
    "reverse": _on_lanes(lambda lanes, _: lanes.reverse()),
    "append": _on_lanes(lambda lanes, frame: lanes.append(bytes.fromhex(frame))),
    "head": _with_head,
    "append_bytes": lambda record, more: record + bytes.fromhex(more),
    "cut": lambda record, count: record[:-count],
    "file": lambda _, whole: bytes.fromhex(whole),
}
