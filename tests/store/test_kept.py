"""What a home keeps of games that are over: how they came out, and the newest journals."""

import os
from pathlib import Path

import pytest

from p2pjong.errors import Exit, P2PJongError
from p2pjong.store.history import HISTORY_FILE, note, past_games
from p2pjong.store.journal import Journal
from p2pjong.store.kept import clear_finished, kept_games, remove_journal
from tests.support.sim import tiny_draft


def journal_of(home: Path, number: int, is_finished: bool) -> Path:
    draft = tiny_draft(2, table=number)
    journal = Journal(home / "tables" / f"{draft.table.hex()}.sqlite")
    journal.begin(draft, 0, bytes(32))
    if is_finished:
        journal.finish(b"the end")
    journal.close()
    os.utime(journal.path, (number, number))
    return journal.path


def test_of_games_that_are_over_the_newest_journals_stay_and_of_others_all(tmp_path: Path) -> None:
    over = [journal_of(tmp_path, number, is_finished=True) for number in (1, 3, 4, 6)]
    going_on = [journal_of(tmp_path, number, is_finished=False) for number in (2, 5)]
    broken = tmp_path / "tables" / "broken.sqlite"
    broken.write_bytes(b"no journal at all" * 100)
    clear_finished(tmp_path, kept=2)
    left = set((tmp_path / "tables").glob("*.sqlite"))
    assert left == {*over[2:], *going_on, broken}


def test_nothing_of_a_journal_that_is_removed_is_left(tmp_path: Path) -> None:
    path = journal_of(tmp_path, 1, is_finished=True)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).write_bytes(b"x")
    path.with_suffix(".reserve").write_bytes(b"x")
    remove_journal(path)
    assert list(path.parent.iterdir()) == [] and list(kept_games(tmp_path)) == []


def test_what_is_noted_can_be_read_again_whatever_lies_between(tmp_path: Path) -> None:
    note(tmp_path, {"game": "war-jhong", "scores": [1, 2]})
    with (tmp_path / HISTORY_FILE).open("ab") as file:
        file.write(b'{"game": "cut o\n[1]\n')
    note(tmp_path, {"game": "samurai-warfare", "table": "\u00e9"})
    assert past_games(tmp_path) == [
        {"game": "war-jhong", "scores": [1, 2]},
        {"game": "samurai-warfare", "table": "\u00e9"},
    ]
    assert (tmp_path / HISTORY_FILE).stat().st_mode & 0o077 == 0


def test_a_home_without_a_history_has_no_past_games(tmp_path: Path) -> None:
    assert past_games(tmp_path) == []
    with pytest.raises(P2PJongError) as refused:
        note(tmp_path / "nowhere", {})
    assert refused.value.code == Exit.STORAGE and refused.value.hint
