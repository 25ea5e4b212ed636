"""The journal: what a table's peer signed and received, in SQLite, synced before it counts.

One file a table, `tables/<id>.sqlite` below the home directory, readable by the owner alone. The
seed lies beside the lanes: with both, a peer that died can do every step again, byte for byte.
Beside it some space is set aside for as long as the game lasts: on a full disk our last word finds
its place there.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from p2pjong.errors import Exit, P2PJongError
from p2pjong.wire.codec import DecodeError, decode, encode
from p2pjong.wire.messages import Draft

SCHEMA_VERSION = 1
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lane (
    place INTEGER PRIMARY KEY, seat INTEGER NOT NULL, number INTEGER NOT NULL,
    frame BLOB NOT NULL -- two frames of one seat and number: the evidence of an equivocation
);
PRAGMA user_version = {SCHEMA_VERSION};
"""
# Twice what is written at once at the most: some shuffles of 20 KiB, in the log and in its place.
RESERVE_BYTES = 1 << 20
LOG_PAGES = 64  # of the write-ahead log, before it is worked in: all of it must fit the reserve
FAILED = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)  # a quota that is used up is told as the last


class Journal:
    """The append-only log of one table. Every failure is a P2PJongError, of storage or version."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has_run_out = False  # the disk is full, and what was set aside is in use
        self._is_ours = False  # what was set aside
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600, exist_ok=True)
            os.chmod(path, 0o600)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._check_version()
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("PRAGMA secure_delete=ON")  # an erased seed is overwritten
            self._db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
            self._db.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise _failure(path, error) from error

    @classmethod
    def to_read(cls, path: Path) -> "Journal":
        """Of any game, also one that another process still plays; nothing of it is changed."""
        journal = cls.__new__(cls)
        journal.path, journal.has_run_out, journal._is_ours = path, False, False
        log = path.with_name(path.name + "-wal")
        # Without a log nobody writes: then nothing has to be made beside it, on a full disk either.
        how = "mode=ro" if log.exists() else "mode=ro&immutable=1"
        try:
            journal._db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
            journal._check_version()
        except sqlite3.Error as error:
            raise _failure(path, error) from error
        return journal

    def _check_version(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise P2PJongError(
                f"the journal {self.path} was written by a newer version of p2pjong",
                "use the version that wrote it",
                Exit.MISMATCH,
            )

    def begin(self, draft: Draft, seat: int, seed: bytes) -> None:
        """Put the seed on the disk, before anything is signed with it, and set space aside."""
        try:
            self._is_ours = True
            _set_aside(self._reserve)
        except OSError as error:
            raise _failure(self.path, error) from error
        rows = (("draft", encode(draft)), ("seat", bytes([seat])), ("seed", seed))
        self._write("INSERT INTO meta VALUES (?, ?)", rows)

    def append(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Journal lane messages (seat, number, frame) in one synced transaction."""
        self._write("INSERT INTO lane (seat, number, frame) VALUES (?, ?, ?)", rows)

    def keep(self, seed: bytes) -> None:
        """Replace the seed: what derived from the old one is over."""
        self._write("UPDATE meta SET value = ? WHERE key = 'seed'", [(seed,)])
        self._empty_log()

    def finish(self, outcome: bytes) -> None:
        """The game is over: keep its outcome, and erase the seed that all its secrets came from."""
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", [("outcome", outcome)])
        self._write("DELETE FROM meta WHERE key = ?", [("seed",)])
        self._empty_log()

    def _empty_log(self) -> None:
        """The write-ahead log holds earlier contents, too: an old seed must not outlive in it."""
        self._insist(lambda: self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))

    def draft(self) -> Draft:
        """The draft of this table."""
        try:
            draft: Draft = decode(self._meta("draft") or b"", Draft)
        except DecodeError as error:
            raise _damaged(self.path) from error
        return draft

    def frames(self) -> list[bytes]:
        """All lane messages in the order in which they were accepted."""
        try:
            return [row[0] for row in self._db.execute("SELECT frame FROM lane ORDER BY place")]
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error

    def length(self) -> int:
        """How many lane messages there are."""
        try:
            (length,) = self._db.execute("SELECT count(*) FROM lane").fetchone()
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error
        return int(length)

    def seed(self) -> bytes | None:
        """The table's seed, until the game is over."""
        return self._meta("seed")

    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self._meta("outcome") is not None

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._is_ours:
            with contextlib.suppress(OSError):
                self._reserve.unlink(missing_ok=True)

    @property
    def _reserve(self) -> Path:
        return self.path.with_suffix(".reserve")

    def _meta(self, key: str) -> bytes | None:
        try:
            row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error
        return None if row is None else bytes(row[0])

    def _write(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        rows = tuple(rows)
        self._insist(lambda: self._commit(statement, rows))

    def _insist(self, act: Callable[[], object]) -> None:
        """Do it; on a disk that takes no more once again, with the space that was set aside."""
        try:
            try:
                act()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in FAILED or not self._reserve.exists():
                    raise
                self._reserve.unlink()
                self.has_run_out = True
                act()
        except (OSError, sqlite3.Error) as error:
            raise _failure(self.path, error) from error

    def _commit(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


def check_space(home: Path, journals: int = 1) -> None:
    """Raises P2PJongError if there is no room for a game: better now than when friends wait."""
    probe = home / f".room-{os.getpid()}"
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        _set_aside(probe, journals * RESERVE_BYTES)
        probe.unlink()
    except OSError as error:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
        raise P2PJongError(
            f"there is no room for a game in {home}: {error.strerror}", ROOM, Exit.STORAGE
        ) from error


def _set_aside(path: Path, size_bytes: int = RESERVE_BYTES) -> None:
    """A file that takes space, which is free again once it is gone."""
    # Not zeros: some disks keep none of those.
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(os.urandom(size_bytes))


def _failure(path: Path, error: OSError | sqlite3.Error) -> P2PJongError:
    code = getattr(error, "sqlite_errorcode", None)  # not of every error there is one
    kind = None if code is None else code & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        text, hint = "is in use by another program", "wait until it ends, or end it"
        return P2PJongError(f"the journal {path} {text}", hint, Exit.STORAGE)
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path)
    return P2PJongError(f"the journal {path} cannot be used: {error}", ROOM, Exit.STORAGE)


def _damaged(path: Path) -> P2PJongError:
    return P2PJongError(
        f"the journal {path} is damaged",
        "move it away; another seat of that table has the whole game in its journal, too",
        Exit.STORAGE,
    )


ROOM = "check the free space and the rights of that folder, or choose another with --home"
