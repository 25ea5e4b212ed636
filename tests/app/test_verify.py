"""`verify` reads a record message by message: what it holds, where it stops, what it calls it."""

import os
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.app.verify import TOLD_TIMES, verify_record
from p2pjong.audit import Verdict, audit
from p2pjong.errors import Exit, P2PJongError
from p2pjong.session import onlooker, turn_back
from p2pjong.session.charter import draft_hash
from p2pjong.session.history import History, Signed
from p2pjong.store import record as module
from p2pjong.store.record import RecordHeader, open_record
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.framing import HEADER_BYTES, encode_frame
from p2pjong.wire.messages import Convict, Draft, Evidence, Lane, LaneBody
from tests.attack.test_idle_talk import TALKER, TWO_FACED, Talker
from tests.session.test_turning import two_faced
from tests.support.second_verifier import Damaged, verify
from tests.support.sim import ALL_GAMES, SessionMaker, SimTable, choose_default, tiny_draft

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
WHOLE = VECTORS / "record-two-seats.bin"
FAULTY = VECTORS / "record-false-claim.bin"
# Of a lane message that nobody can have signed, and of a frame that is no message.
REFUSED = encode_frame(encode(Lane(b"\xc0", bytes(64))))
GARBAGE = encode_frame(b"\xc0")


def written(folder: Path, *parts: bytes) -> Path:
    path = folder / "record"
    path.write_bytes(b"".join(parts))
    return path


def frames_of(path: Path) -> list[bytes]:
    """The frames of a record, with their headers."""
    content, found, at = path.read_bytes(), [], 0
    while at < len(content):
        end = at + HEADER_BYTES + int.from_bytes(content[at : at + HEADER_BYTES], "big")
        found.append(content[at:end])
        at = end
    return found


# --- Where it stops ---------------------------------------------------------------------------


def test_nothing_is_read_after_what_no_record_may_hold(tmp_path: Path) -> None:
    head, *messages = frames_of(WHOLE)
    path = written(tmp_path, head, *messages[:5], REFUSED, *messages[5:])
    read: list[Any] = []

    def counted(source: Iterator[Lane | Evidence]) -> Iterator[Lane | Evidence]:
        for message in source:
            read.append(message)
            yield message

    with open_record(path) as record:
        verdict = audit(record.draft, counted(record), ALL_GAMES)
    assert not verdict.is_valid and "message 5 of the record" in verdict.problem
    assert len(read) == 6


def test_a_draft_that_nobody_signs_is_not_read_beyond(tmp_path: Path) -> None:
    head, *_ = frames_of(WHOLE)
    header = decode(head[HEADER_BYTES:], RecordHeader)
    twice = with_fields(header.draft, seats=(header.draft.seats[0],) * 2)
    bad = encode_frame(encode(with_fields(header, draft=twice)))
    assert not verify_record(written(tmp_path, bad, GARBAGE)).is_valid
    assert verify(bad + GARBAGE)["valid"] is False


@pytest.mark.parametrize("damage", [GARBAGE, b"\x00", b"\x00\x00\x00\x09cut", bytes(9)])
def test_damage_after_a_fault_is_damage_and_says_nothing_of_the_seat(
    damage: bytes, tmp_path: Path
) -> None:
    content = FAULTY.read_bytes()
    assert verify_record(FAULTY).fault is not None
    with pytest.raises(P2PJongError) as error:
        verify_record(written(tmp_path, content, damage))
    assert error.value.code == Exit.FAULT and "is damaged" in error.value.message
    with pytest.raises(Damaged):
        verify(content + damage)


@pytest.mark.slow
def test_damage_after_the_end_of_a_reading_is_not_looked_for(tmp_path: Path) -> None:
    """Two verifiers agree on which of two things is told: what comes first."""
    content = WHOLE.read_bytes() + REFUSED + GARBAGE
    verdict = verify_record(written(tmp_path, content))
    assert not verdict.is_valid and verdict.fault is None
    assert verify(content)["valid"] is False


# --- What it holds ----------------------------------------------------------------------------


def test_of_a_long_file_no_more_than_a_message_is_held(tmp_path: Path) -> None:
    head, *_ = frames_of(WHOLE)
    long = encode_frame(encode(Lane(bytes(60_000), bytes(64))))
    path, count = tmp_path / "long", 500
    with path.open("wb") as file:
        file.write(head)
        for _ in range(count):
            file.write(long)
    tracemalloc.start()
    try:
        with open_record(path) as record:
            assert sum(1 for _ in record) == count
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 2 << 20 < path.stat().st_size // 10


def test_a_message_that_was_accepted_takes_no_more_than_its_stamp() -> None:
    count, lane = 20_000, History(0)
    body: LaneBody = decode(decode(frames_of(WHOLE)[1][HEADER_BYTES:], Lane).body, LaneBody)
    tracemalloc.start()
    try:
        for number in range(count):
            mark = number.to_bytes(32, "big")
            lane.append(Signed(with_fields(body, epoch=number), mark, b"", mark * 2))
            lane.forget(number)
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held_bytes / count < 128
    assert len(lane) == count
    for number in (0, count - 2):
        stamp, mark = lane.stamp(number), number.to_bytes(32, "big")
        assert (stamp.number, stamp.epoch) == (number, number)
        assert (stamp.hash, stamp.signature) == (mark, mark * 2)


# --- What no peer writes ----------------------------------------------------------------------


def test_of_messages_that_change_nothing_only_so_many_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onlooker, "SPARE_MAX", 50)
    whole = frames_of(WHOLE)
    head, first = whole[:2]
    assert verify_record(written(tmp_path, *whole, *[first] * 50)).is_valid
    for flood in ([*whole, *[first] * 51], [head, *[first] * 52, *whole[2:]]):
        verdict = verify_record(written(tmp_path, *flood))
        assert not verdict.is_valid and verdict.fault is None
        assert "more than 50 messages that change nothing" in verdict.problem


def test_of_evidence_only_so_much_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs two signatures, and all after the first tell the same."""
    monkeypatch.setattr(onlooker, "SPARE_MAX", 5)
    draft, journal, evidence = two_stories()
    assert "change nothing" not in checked(draft, [*journal, *[evidence] * 3]).problem
    assert "change nothing" in checked(draft, [*journal, *[evidence] * 6]).problem


def two_stories() -> tuple[Draft, list[bytes], bytes]:
    """The journal of a table at which one told two stories, and evidence of them."""
    draft = tiny_draft(3, target=2)
    makers: dict[int, SessionMaker] = {TWO_FACED: two_faced(2)}
    table = SimTable(3, 3, draft=draft, makers=makers, choose=choose_default).start().finish()
    journal = table.honest()[0].journal
    bodies = [decode(decode(frame, Lane).body, LaneBody) for frame in journal]
    word = next(body.payload for body in bodies if isinstance(body.payload, Convict))
    return draft, journal, encode(Evidence(draft_hash(draft), word.first, word.second))


def checked(draft: Draft, journal: list[bytes]) -> Verdict:
    messages = (decode(frame, Lane | Evidence) for frame in journal)
    return audit(draft, messages, ALL_GAMES)


@pytest.mark.slow
def test_of_talk_while_a_hand_is_turned_back_only_so_much_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Peers keep some hundred such messages. Whose fault the turning is, is told all the same."""
    makers: dict[int, SessionMaker] = {TWO_FACED: two_faced(2), TALKER: Talker}
    draft = tiny_draft(5, target=2)
    table = SimTable(5, 3, draft=draft, makers=makers, choose=choose_default).start()
    table.finish(ticks=4)
    journal = table.honest()[0].journal
    assert "mean nothing" not in checked(draft, journal).problem
    monkeypatch.setattr(onlooker, "IDLE_BYTES_MAX", 100 * turn_back.IDLE_BYTES_MIN)
    verdict = checked(draft, journal)
    assert "more messages that mean nothing than any peer accepts" in verdict.problem
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.rule) == (TWO_FACED, "equivocation")


# --- From a pipe, and on the way --------------------------------------------------------------


def through_a_pipe(folder: Path, content: bytes, check: Callable[[Path], None]) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)

    def feed() -> None:
        try:
            pipe.write_bytes(content)
        except BrokenPipeError:
            pass  # who reads has enough

    feeding = threading.Thread(target=feed)
    feeding.start()
    try:
        check(pipe)
    finally:
        feeding.join()


def test_a_record_may_come_through_a_pipe(tmp_path: Path) -> None:
    def check(pipe: Path) -> None:
        assert verify_record(pipe) == verify_record(WHOLE)

    through_a_pipe(tmp_path, WHOLE.read_bytes(), check)


def test_what_comes_through_a_pipe_has_an_end_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, first, *_ = frames_of(WHOLE)
    monkeypatch.setattr(module, "RECORD_BYTES_MAX", 1 << 18)

    def check(pipe: Path) -> None:
        with pytest.raises(P2PJongError, match="it is larger than any record") as error:
            verify_record(pipe)
        assert error.value.code == Exit.FAULT

    through_a_pipe(tmp_path, head + first * 3000, check)


def test_progress_goes_from_byte_to_byte_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    verify_record(WHOLE, lambda done, total: told.append((done, total)))
    size = WHOLE.stat().st_size
    assert {total for _, total in told} == {size}
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1] == (size, size) and 50 < len(told) <= TOLD_TIMES + 1
