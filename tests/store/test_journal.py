"""The journal: on the disk before it counts, for its owner alone, and nothing secret afterwards."""

import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.store import journal as module
from p2pjong.store.journal import RESERVE_BYTES, Journal, check_space
from tests.support.sim import tiny_draft

SEED = bytes(range(32))
DRAFT = tiny_draft(3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "tables" / "aa.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    journal.begin(DRAFT, 1, SEED)
    yield journal
    journal.close()


def on_disk(path: Path) -> bytes:
    """All bytes of the journal's files, also of its log."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def test_what_was_journaled_is_there_after_reopening(journal: Journal, path: Path) -> None:
    journal.append([(0, 0, b"first"), (2, 0, b"second")])
    journal.append([(0, 1, b"third")])
    journal.close()
    again = Journal(path)
    assert again.draft() == DRAFT
    assert again.seed() == SEED
    assert again.frames() == [b"first", b"second", b"third"]
    again.close()


def test_what_was_journaled_is_there_for_who_looks_before_it_is_closed(
    journal: Journal, path: Path
) -> None:
    """A program that was killed never closed its journal."""
    journal.append([(0, 0, b"first")])
    other = Journal(path)
    assert (other.seed(), other.frames()) == (SEED, [b"first"])
    other.close()


def test_every_write_is_synced(journal: Journal) -> None:
    (mode,) = journal._db.execute("PRAGMA journal_mode").fetchone()
    (level,) = journal._db.execute("PRAGMA synchronous").fetchone()
    assert (mode, level) == ("wal", 2), "2 is FULL: the log is synced at every commit"


def test_a_batch_is_journaled_whole_or_not_at_all(journal: Journal) -> None:
    def rows() -> Iterator[tuple[int, int, Any]]:
        yield (0, 0, b"good")
        yield (0, 1, None)

    with pytest.raises(P2PJongError):
        journal.append(rows())
    assert journal.frames() == []
    journal.append([(0, 0, b"good")])
    assert journal.frames() == [b"good"], "one failure does not block the journal for ever"


def test_two_stories_with_one_number_both_have_a_place(journal: Journal) -> None:
    journal.append([(1, 4, b"one"), (1, 4, b"other")])
    assert journal.frames() == [b"one", b"other"]


def test_its_files_are_readable_by_the_owner_alone(journal: Journal, path: Path) -> None:
    journal.append([(0, 0, b"first")])
    files = list(path.parent.iterdir())
    suffixes = {".sqlite", ".sqlite-wal", ".sqlite-shm", ".reserve"}
    assert {file.suffix for file in files} == suffixes
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_was_open_to_others_is_closed_to_them(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch(mode=0o644)
    Journal(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_seed_is_on_the_disk_at_once(journal: Journal, path: Path) -> None:
    assert SEED in on_disk(path)


def test_a_seed_that_was_replaced_leaves_no_trace(journal: Journal, path: Path) -> None:
    fresh = bytes(range(100, 132))
    journal.append([(0, number, bytes([number]) * 500) for number in range(30)])
    journal.keep(fresh)
    assert journal.seed() == fresh
    assert SEED not in on_disk(path)
    assert fresh in on_disk(path)


def test_after_the_game_no_seed_is_left_and_the_outcome_is(journal: Journal, path: Path) -> None:
    journal.append([(0, 0, b"first")])
    journal.finish(b"the end")
    assert journal.seed() is None
    assert SEED not in on_disk(path)
    assert b"the end" in on_disk(path)
    journal.finish(b"the end")
    journal.close()
    assert SEED not in on_disk(path)


def test_a_table_begins_once(journal: Journal) -> None:
    """A host that gives a new table the name of an old one gets no second story out of us."""
    with pytest.raises(P2PJongError):
        journal.begin(DRAFT, 1, bytes(32))
    assert journal.seed() == SEED


# --- When the disk fails ----------------------------------------------------------------------


def failure(call: Callable[[], Any], path: Path) -> None:
    with pytest.raises(P2PJongError) as error:
        call()
    assert error.value.code == Exit.STORAGE
    assert str(path) in error.value.message
    assert error.value.hint


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    failure(lambda: Journal(file / "tables" / "aa.sqlite"), file)


def test_a_file_that_is_no_journal(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database, whatever it may be" * 100)
    failure(lambda: Journal(path), path)


def test_a_full_disk(journal: Journal, path: Path) -> None:
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    failure(lambda: journal.append([(0, 0, bytes(100_000))]), path)
    assert journal.frames() == []


def full_but_for_what_is_set_aside(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full as long as the space is set aside."""
    commit = journal._commit

    def full(statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        commit(statement, rows)
        if path.with_suffix(".reserve").exists():
            journal._db.execute("DELETE FROM lane WHERE number = ?", (rows[0][1],))
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    monkeypatch.setattr(journal, "_commit", full)


def test_what_is_written_on_a_full_disk_finds_its_place_in_what_was_set_aside(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserve = path.with_suffix(".reserve")
    assert reserve.stat().st_blocks * 512 >= RESERVE_BYTES, "space that it really takes"
    full_but_for_what_is_set_aside(journal, path, monkeypatch)
    assert not journal.has_run_out
    journal.append([(0, 0, b"last"), (1, 0, b"word")])
    assert journal.has_run_out and journal.frames() == [b"last", b"word"]
    assert not reserve.exists()
    journal.finish(b"the end")


def test_after_the_game_nothing_is_set_aside_and_who_reads_changes_nothing(
    journal: Journal, path: Path
) -> None:
    reserve = path.with_suffix(".reserve")
    other = Journal.to_read(path)
    assert other.frames() == []
    other.close()
    assert reserve.exists(), "its game goes on"
    journal.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_there_is_room_for_a_game_or_it_is_told_before_friends_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_space(tmp_path)
    assert list(tmp_path.iterdir()) == []

    def full(path: Path, size_bytes: int) -> None:
        assert size_bytes == 3 * RESERVE_BYTES
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_set_aside", full)
    with pytest.raises(P2PJongError, match="no room for a game") as error:
        check_space(tmp_path, 3)
    assert error.value.code == Exit.STORAGE and "--home" in error.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_became_read_only(journal: Journal, path: Path) -> None:
    journal._db.execute("PRAGMA query_only = ON")
    for write in (
        lambda: journal.append([(0, 0, b"x")]),
        lambda: journal.begin(DRAFT, 1, SEED),
        lambda: journal.keep(SEED),
        lambda: journal.finish(b""),
    ):
        failure(write, path)


def test_tables_that_were_damaged(journal: Journal, path: Path) -> None:
    journal._db.execute("DROP TABLE lane")
    journal._db.execute("DROP TABLE meta")
    for use in (journal.frames, journal.seed, journal.draft, journal.length):
        failure(use, path)


# --- Reading what a game has left -------------------------------------------------------------


def test_a_game_that_is_over_is_read_without_changing_anything(
    journal: Journal, path: Path
) -> None:
    journal.append([(0, 0, b"first"), (1, 0, b"second")])
    assert not journal.is_finished()
    journal.finish(b"the end")
    journal.close()
    before = on_disk(path)
    path.chmod(0o400)
    read = Journal.to_read(path)
    assert (read.draft(), read.frames(), read.length()) == (DRAFT, [b"first", b"second"], 2)
    assert read.is_finished()
    read.close()
    assert on_disk(path) == before and stat.S_IMODE(path.stat().st_mode) == 0o400


@pytest.mark.parametrize("left", [("-wal", "-shm"), ("-wal",)])
def test_a_game_whose_program_was_killed_is_read_too(
    journal: Journal, path: Path, left: tuple[str, ...], tmp_path: Path
) -> None:
    journal.append([(0, 0, b"first")])
    copy = tmp_path / "copy" / path.name
    copy.parent.mkdir()
    for suffix in ("", *left):
        file = path.with_name(path.name + suffix)
        copy.with_name(file.name).write_bytes(file.read_bytes())
    read = Journal.to_read(copy)
    assert read.frames() == [b"first"]
    read.close()


@pytest.mark.parametrize("open_it", [Journal, Journal.to_read])
def test_a_journal_of_a_newer_version_is_not_touched(
    journal: Journal, path: Path, open_it: Callable[[Path], Journal]
) -> None:
    journal._db.execute(f"PRAGMA user_version = {module.SCHEMA_VERSION + 1}")
    journal.close()
    with pytest.raises(P2PJongError, match="newer version") as error:
        open_it(path)
    assert error.value.code == Exit.MISMATCH and error.value.hint


@pytest.mark.parametrize("damage", ["draft", "no draft", "pages", "no file"])
def test_a_damaged_journal_says_that_it_is(journal: Journal, path: Path, damage: str) -> None:
    journal.append([(0, number, bytes(4000)) for number in range(10)])
    if damage == "draft":
        journal._db.execute("UPDATE meta SET value = x'00' WHERE key = 'draft'")
    if damage == "no draft":
        journal._db.execute("DELETE FROM meta")
    journal.close()
    if damage == "pages":
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    if damage == "no file":
        path.unlink()

    def use() -> None:
        read = Journal.to_read(path)
        try:
            read.draft()
            read.frames()
        finally:
            read.close()

    with pytest.raises(P2PJongError) as error:
        use()
    assert error.value.code == Exit.STORAGE
    assert ("is damaged" in error.value.message) == (damage != "no file")


def test_a_journal_in_use_by_another_program_says_so(journal: Journal, path: Path) -> None:
    journal._db.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(P2PJongError, match="in use by another program"):
        journal.append([(0, 0, b"x")])
    other.close()
