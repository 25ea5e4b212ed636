"""A second verifier of records, written from the pages of `protocol/` and not from the program.

It imports nothing of the project, so that it agrees with it only if the pages say all there is to
say: `messages.md` (second_msgpack), `shuffle.md` (second_proofs), `state.md` and the pages of the
games (second_war_jhong, second_samurai, second_mas_jong), `play.md` (second_steps, second_play,
second_turning), and here `audit.md`.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.support import second_msgpack as msgpack
from tests.support.second_msgpack import Malformed
from tests.support.second_play import GAMES
from tests.support.second_steps import Fault, Refused
from tests.support.second_turning import Table

FRAME_BYTES_MAX = 1 << 20
RECORD_BYTES_MAX = 1 << 30


class Damaged(Exception):
    """A file that is no record."""


class Mismatch(Exception):
    """A record of another version, game, or of options by which nobody plays that game."""


def frames(record: bytes) -> Iterator[bytes]:
    """The frames of a record, one by one; raises Damaged."""
    if len(record) > RECORD_BYTES_MAX:
        raise Damaged("too large")
    at = 0
    while at < len(record):
        size = int.from_bytes(record[at : at + 4], "big")
        end = at + 4 + size
        if not 1 <= size <= FRAME_BYTES_MAX or end > len(record) or at + 4 > len(record):
            raise Damaged("frames")
        yield record[at + 4 : end]
        at = end


def read_frame(frame: bytes, kind: Any) -> Any:
    """The message of a frame; raises Damaged."""
    try:
        return msgpack.read(frame, kind)
    except Malformed as error:
        raise Damaged(str(error)) from error


def read_record(record: bytes) -> tuple[list[Any], Iterator[list[Any]]]:
    """The draft and the lane messages, each of which may be Damaged; raises Damaged or Mismatch."""
    found = frames(record)
    _, version, draft = read_frame(next(found, b""), msgpack.RECORD_HEAD)
    messages = (read_frame(lane, msgpack.recorded) for lane in found)
    _, draft_version, _, _, game, options, seats = draft
    if (version, draft_version) != (1, 1) or game not in GAMES:
        raise Mismatch
    if len(seats) not in GAMES[game].SEATS or not GAMES[game].has_options(*options[:2]):
        raise Mismatch
    if not are_times(*options[2:5]):
        raise Mismatch
    return draft, messages


def are_times(clock_ms: int, window_ms: int, grace_ms: int) -> bool:
    """Whether anybody plays by these."""
    is_clock = clock_ms == 0 or 5000 <= clock_ms <= 3_600_000
    is_window = window_ms == 0 or 500 <= window_ms <= min(300_000, grace_ms)
    return is_clock and is_window and 5000 <= grace_ms <= 3_600_000


def verify(record: bytes) -> dict[str, Any]:
    """The verdict of `protocol/audit.md` on a record; raises Damaged or Mismatch."""
    draft, lanes = read_record(record)
    keys = [entry[1] for entry in draft[6]]
    if len(set(keys)) < len(keys) or not all(map(is_usable, keys)):
        return void(len(keys))
    table = Table(draft)
    is_refused = False
    for lane in lanes:
        try:
            (table.end_by if lane[0] == "evidence" else table.take_in)(lane)
        except Refused:
            is_refused = True
            break
    lacks = bool(table.early) and not table.has_ended
    return {
        "valid": not (is_refused or lacks or table.faults),
        **outcome(table),
        "digest": table.play.digest().hex(),
        "fault": verdict_on(table.faults),
        "left": table.left,
    }


FIELD = 2**255 - 19
ORDER_8 = (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)
SMALL_ORDER = {0, 1, FIELD - 1, *(int.from_bytes(bytes.fromhex(y), "little") for y in ORDER_8)}


def is_usable(key: bytes) -> bool:
    """Whether an identity key may be one: "Identities" of `handshake.md`."""
    y = int.from_bytes(key, "little") & ~(1 << 255)
    return y < FIELD and y not in SMALL_ORDER


def void(seats: int) -> dict[str, Any]:
    """The verdict on a draft that nobody signs."""
    verdict: dict[str, Any] = {"valid": False, "outcome": "unfinished", "scores": [0] * seats}
    return verdict | {"winners": [], "hands": 0, "digest": "", "fault": None, "left": []}


def outcome(table: Table) -> dict[str, Any]:
    """How the game came out, or how it stands."""
    state = table.play.state
    hands = table.play.results
    if table.is_result_final():
        state, hands = deepcopy(state), hands + 1
        table.play.rules.move(state, "done", None)
    kind = "unfinished"
    if table.has_ended:
        kind = state["outcome"] or "abandoned"
        kind = "fault" if kind == "abandoned" and table.faults else kind
    return {
        "outcome": kind,
        "scores": state["scores" if "scores" in state else "tokens"],
        "winners": table.play.rules.winners(state) if kind == "finished" else [],
        "hands": hands,
    }


def verdict_on(faults: list[Fault]) -> dict[str, Any] | None:
    """The least of the faults."""
    if not faults:
        return None
    least = min(faults, key=lambda fault: fault.rank)
    return {
        "seat": least.seat,
        "number": least.number,
        "epoch": least.epoch,
        "rule": least.rule,
    }
