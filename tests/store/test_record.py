"""Records: one file, whole, and anything else is called damaged in words of its own."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pjong.audit import audit
from p2pjong.errors import Exit, P2PJongError
from p2pjong.store import record as module
from p2pjong.store.record import RecordHeader, open_record, write_record
from p2pjong.wire.codec import FRAME_BYTES_MAX, encode
from p2pjong.wire.framing import encode_frame
from p2pjong.wire.messages import Draft, Evidence, Lane
from tests.support.sim import ALL_GAMES, SimTable

GAMES = ALL_GAMES


@pytest.fixture(scope="module")
def table() -> SimTable:
    return SimTable(2, seed=1).start().finish()


@pytest.fixture(scope="module")
def content(table: SimTable, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a whole record."""
    path = tmp_path_factory.mktemp("records") / "whole.p2pjong"
    write_record(path, table.draft, table.peers[0].journal)
    return path.read_bytes()


def test_a_record_gives_back_the_draft_and_every_message(table: SimTable, tmp_path: Path) -> None:
    path = tmp_path / "a.p2pjong"
    write_record(path, table.draft, iter(table.peers[0].journal))
    draft, lanes = read_record(path)
    assert draft == table.draft
    assert [encode(lane) for lane in lanes] == table.peers[0].journal
    assert list(tmp_path.iterdir()) == [path]


def test_a_record_of_a_game_verifies(table: SimTable, content: bytes, tmp_path: Path) -> None:
    verdict = audit(*read_record(written(tmp_path, content)), GAMES)
    assert verdict.is_valid
    assert {verdict.digest} == table.digests()


def test_no_secret_is_in_a_record(table: SimTable, content: bytes) -> None:
    for peer in table.peers:
        secrets = peer.session._secrets
        assert secrets is not None
        assert secrets.seed not in content
        assert peer.session._seed.value not in content


def written(folder: Path, content: bytes) -> Path:
    path = folder / "record.p2pjong"
    path.write_bytes(content)
    return path


def read_record(path: Path) -> tuple[Draft, list[Lane | Evidence]]:
    """All of a record."""
    with open_record(path) as record:
        return record.draft, list(record)


def complaint(path: Path, code: Exit = Exit.FAULT) -> str:
    with pytest.raises(P2PJongError) as error:
        read_record(path)
    assert error.value.code == code
    assert error.value.hint
    assert str(path) in error.value.message
    return error.value.message


def test_a_record_that_ends_in_the_middle_of_a_message_is_damaged(
    content: bytes, tmp_path: Path
) -> None:
    for end in (len(content) - 1, len(content) - 80):
        told = complaint(written(tmp_path, content[:end]))
        assert "is damaged: it is cut short" in told and f"at byte {end}" in told


def test_a_file_that_ends_before_its_first_message_does_is_no_record(
    content: bytes, tmp_path: Path
) -> None:
    for end in (1, 3, 4, 50):
        assert "is not a record" in complaint(written(tmp_path, content[:end]))


def test_a_file_of_another_kind_is_no_record(tmp_path: Path) -> None:
    for content in (b"", b"\x89PNG\r\n\x1a\n" + bytes(100), b"{}", bytes(64)):
        told = complaint(written(tmp_path, content))
        assert "is not a record" in told
        assert "is damaged" not in told
    assert "it is empty" in complaint(written(tmp_path, b""))


def test_a_record_without_its_beginning_is_no_record(content: bytes, tmp_path: Path) -> None:
    first = 4 + int.from_bytes(content[:4], "big")
    assert "begin" in complaint(written(tmp_path, content[first:]))


def test_a_message_that_is_none_is_named(content: bytes, tmp_path: Path) -> None:
    _, lanes = read_record(written(tmp_path, content))
    path = written(tmp_path, content + encode_frame(b"\xc0"))
    why = f"is damaged: message {len(lanes)}, at byte {len(content)}, is malformed"
    assert why in complaint(path)


def test_a_frame_over_the_limit_is_refused_before_it_is_read(
    content: bytes, tmp_path: Path
) -> None:
    header = (FRAME_BYTES_MAX + 1).to_bytes(4, "big")
    told = complaint(written(tmp_path, content + header))
    assert f"is damaged: what stands at byte {len(content)} is no message" in told


def test_a_record_of_another_version_is_told_apart_from_damage(
    table: SimTable, tmp_path: Path
) -> None:
    path = written(tmp_path, encode_frame(encode(RecordHeader(2, table.draft))))
    assert "version 2" in complaint(path, Exit.MISMATCH)


def test_a_file_too_large_to_be_a_record_is_not_read(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RECORD_BYTES_MAX", len(content) - 1)
    assert "larger" in complaint(written(tmp_path, content))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    complaint(tmp_path / "none", Exit.USAGE)
    complaint(tmp_path, Exit.USAGE)


def test_a_folder_that_cannot_be_written_to_leaves_nothing_behind(
    table: SimTable, tmp_path: Path
) -> None:
    path = tmp_path / "none" / "a.p2pjong"
    with pytest.raises(P2PJongError) as error:
        write_record(path, table.draft, [])
    assert error.value.code == Exit.STORAGE
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(P2PJongError):
        write_record(folder, table.draft, table.peers[0].journal)
    assert list(tmp_path.iterdir()) == [folder], "no half-written file stays"


def test_an_older_record_stays_until_the_new_one_is_whole(table: SimTable, tmp_path: Path) -> None:
    path = written(tmp_path, b"the old one")

    def frames() -> list[bytes]:
        raise OSError(28, "No space left on device")

    class Failing:
        def __iter__(self) -> object:
            return iter(frames())

    with pytest.raises(P2PJongError, match="No space left"):
        write_record(path, table.draft, Failing())  # type: ignore[arg-type]
    assert path.read_bytes() == b"the old one"
    assert list(tmp_path.iterdir()) == [path]


@settings(deadline=None, max_examples=60)
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_one_flipped_bit_is_found(
    content: bytes, tmp_path_factory: pytest.TempPathFactory, place: int, bit: int
) -> None:
    """Whichever bit it is: the file is damaged, or the audit fails without naming anyone."""
    place %= len(content)
    spoilt = bytearray(content)
    spoilt[place] ^= 1 << bit
    path = written(tmp_path_factory.mktemp("spoilt"), bytes(spoilt))
    try:
        draft, lanes = read_record(path)
        verdict = audit(draft, lanes, GAMES)
    except (P2PJongError, KeyError, ValueError):
        return
    assert not verdict.is_valid
    assert verdict.fault is None


def test_lanes_are_what_is_read(content: bytes, tmp_path: Path) -> None:
    _, lanes = read_record(written(tmp_path, content))
    assert all(isinstance(lane, Lane) for lane in lanes)


def test_what_lies_there_already_is_neither_written_to_nor_removed(
    table: SimTable, content: bytes, tmp_path: Path
) -> None:
    """A half-written file of another program, or a link that somebody laid out beforehand."""
    precious, path, part = (tmp_path / name for name in ("precious", "a.record", "a.record.part"))
    precious.write_text("precious")
    part.symlink_to(precious)
    write_record(path, table.draft, table.peers[0].journal)
    assert precious.read_text() == "precious" and part.is_symlink()
    assert path.read_bytes() == content and not path.is_symlink()
    assert sorted(tmp_path.iterdir()) == [path, part, precious]


def test_a_file_that_somebody_has_made_meanwhile_is_not_replaced(
    table: SimTable, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.record"
    path.write_text("somebody's")
    with pytest.raises(P2PJongError) as refused:
        write_record(path, table.draft, table.peers[0].journal)
    assert refused.value.code == Exit.STORAGE and "already" in refused.value.message
    assert path.read_text() == "somebody's" and list(tmp_path.iterdir()) == [path]
    path.write_text("")
    write_record(path, table.draft, table.peers[0].journal)
    assert path.read_bytes() == content, "an empty one holds nothing"
