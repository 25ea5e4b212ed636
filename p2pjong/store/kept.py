"""The games whose journals a home keeps: which there are, and what each is."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from p2pjong.errors import P2PJongError
from p2pjong.store.journal import Journal
from p2pjong.store.record import write_record
from p2pjong.wire.messages import Draft


@dataclass(frozen=True)
class KeptGame:
    """A game in a journal, as it is now: its program may still go on with it."""

    path: Path
    draft: Draft
    is_finished: bool
    messages: int
    last_day: date  # on which something was added


def kept_games(home: Path) -> Iterator[KeptGame | P2PJongError]:
    """Those below this home, the newest first; of one that cannot be read, why."""
    paths = [path for path in (home / "tables").glob("*.sqlite") if path.is_file()]
    for path in sorted(paths, key=_changed_s, reverse=True):
        try:
            yield _kept_game(path)
        except P2PJongError as error:
            yield error


def clear_finished(home: Path, kept: int) -> None:
    """Removes the journals of games that are over, but for so many of the newest.

    One that goes on, or cannot be read, stays; so does what cannot be removed.
    """
    games = [game for game in kept_games(home) if isinstance(game, KeptGame)]
    for game in [game for game in games if game.is_finished][kept:]:
        remove_journal(game.path)


def remove_journal(path: Path) -> None:
    """The journal and what lies beside it; nobody must have it open."""
    beside = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    for one in (path, *beside, path.with_suffix(".reserve")):
        with suppress(OSError):
            one.unlink(missing_ok=True)


def write_kept(game: KeptGame, record: Path) -> None:
    """Write its record, of all that is there by now. Raises P2PJongError."""
    journal = Journal.to_read(game.path)
    try:
        write_record(record, game.draft, journal.frames())
    finally:
        journal.close()


def _kept_game(path: Path) -> KeptGame:
    journal = Journal.to_read(path)
    try:
        day = date.fromtimestamp(_changed_s(path))
        return KeptGame(path, journal.draft(), journal.is_finished(), journal.length(), day)
    finally:
        journal.close()


def _changed_s(path: Path) -> float:
    """What is added to a game stands beside it, until it is worked in."""
    files = (path, path.with_name(path.name + "-wal"))
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
