"""The journal: what a table's peer signed and received, in SQLite, synced before it counts.

One file a table, `tables/<id>.sqlite` below the home directory, readable by the owner alone. The
seed lies beside the lanes: with both, a peer that died can do every step again, byte for byte.
"""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from p2pjong.errors import Exit, P2PJongError
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Draft

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lane (
    place INTEGER PRIMARY KEY, seat INTEGER NOT NULL, number INTEGER NOT NULL,
    frame BLOB NOT NULL -- two frames of one seat and number: the evidence of an equivocation
);
"""


class Journal:
    """The append-only log of one table. Every failure is a P2PJongError with exit code 9."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600, exist_ok=True)
            os.chmod(path, 0o600)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("PRAGMA secure_delete=ON")  # an erased seed is overwritten
            self._db.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise _failure(path, error) from error

    def begin(self, draft: Draft, seat: int, seed: bytes) -> None:
        """Put the seed on the disk, before anything is signed with it."""
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
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error

    def draft(self) -> Draft:
        """The draft of this table."""
        value = self._meta("draft")
        assert value is not None, "a journal begins with its draft"
        draft: Draft = decode(value, Draft)
        return draft

    def frames(self) -> list[bytes]:
        """All lane messages in the order in which they were accepted."""
        try:
            return [row[0] for row in self._db.execute("SELECT frame FROM lane ORDER BY place")]
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error

    def seed(self) -> bytes | None:
        """The table's seed, until the game is over."""
        return self._meta("seed")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _meta(self, key: str) -> bytes | None:
        try:
            row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error
        return None if row is None else bytes(row[0])

    def _write(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany(statement, rows)
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error


def _failure(path: Path, error: Exception) -> P2PJongError:
    return P2PJongError(
        f"the journal {path} cannot be used: {error}",
        "check the free space and the rights of that folder, or choose another with --home",
        Exit.STORAGE,
    )
