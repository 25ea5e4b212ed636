"""`record`: a game that was played here, listed and written from its journal."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2pjong.cli import run
from p2pjong.errors import Exit
from p2pjong.store.journal import Journal
from p2pjong.store.record import open_record
from p2pjong.wire.codec import encode
from tests.support.sim import SimTable, tiny_draft


@pytest.fixture(scope="module")
def table() -> SimTable:
    return SimTable(3, 1, draft=tiny_draft(3)).start().finish()


def keep(home: Path, table: SimTable, is_finished: bool = True, number: int = 0) -> str:
    """A journal of the table below this home; the number by which it is named."""
    draft = replace(table.draft, table=bytes([number]) * 16)
    journal = Journal(home / "tables" / f"{draft.table.hex()}.sqlite")
    journal.begin(draft, 0, bytes(32))
    frames = table.peers[0].journal
    journal.append([(0, place, frame) for place, frame in enumerate(frames)])
    if is_finished:
        journal.finish(b"the end")
    journal.close()
    return draft.table.hex()[:8]


def called(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = run(["record", *map(str, args)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_without_a_name_the_games_are_listed(
    table: SimTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = keep(tmp_path, table, is_finished=False)
    code, out, err = called(capsys, "--home", tmp_path)
    _, line = out.splitlines()
    assert (code, err) == (Exit.OK, "")
    assert line.startswith(number) and "a table (not over)" in line
    assert all(seat.name in line for seat in table.draft.seats)
    code, out, _ = called(capsys, "--home", tmp_path, "--json")
    (game,) = json.loads(out)["games"]
    assert game["table"] == table.draft.table.hex() and game["finished"] is False
    assert game["messages"] == len(table.peers[0].journal)


@pytest.mark.parametrize("by", ["number", "name", "NAME"])
def test_a_game_is_written_as_the_record_that_it_would_have_been(
    by: str, table: SimTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, file = keep(tmp_path, table), tmp_path / "game.p2pjong"
    named = {"number": number, "name": "a table", "NAME": "A Table"}[by]
    code, out, err = called(capsys, named, file, "--home", tmp_path)
    assert (code, out, err) == (Exit.OK, f"The record of a table is {file}\n", "")
    with open_record(file) as record:
        assert record.draft == table.draft
        assert [encode(message) for message in record] == list(table.peers[0].journal)


def test_it_is_named_after_its_table_if_nobody_names_it_and_says_if_it_is_not_over(
    table: SimTable,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    number = keep(tmp_path, table, is_finished=False)
    code, out, err = called(capsys, number, "--home", tmp_path, "--json")
    assert code == Exit.OK and "not over" in err
    assert json.loads(out)["record"] == f"{number}.p2pjong"
    assert (tmp_path / f"{number}.p2pjong").stat().st_size > 1000


def test_a_file_that_holds_something_is_not_overwritten(
    table: SimTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept"
    file.write_text("kept")
    code, _, err = called(capsys, keep(tmp_path, table), file, "--home", tmp_path)
    assert code == Exit.STORAGE and "another name" in err and file.read_text() == "kept"


@pytest.mark.parametrize(
    ("named", "code", "message"),
    [
        ([], Exit.NOTHING_FOUND, "no game is kept here"),
        (["ada"], Exit.NOTHING_FOUND, "no game of ada"),
    ],
)
def test_where_there_is_no_such_game_it_says_so_and_makes_nothing(
    named: list[str],
    code: Exit,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = tmp_path / "home"
    ended, out, err = called(capsys, *named, "--home", home)
    assert (ended, out) == (code, "") and message in err
    assert not home.exists()


def test_of_several_games_of_one_name_one_must_be_named_by_its_number(
    table: SimTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = keep(tmp_path, table)
    other = keep(tmp_path, table, number=7)
    code, _, err = called(capsys, "a table", tmp_path / "x", "--home", tmp_path)
    assert code == Exit.USAGE and "name one: " in err and number in err and other in err
    code, *_ = called(capsys, other[:2], tmp_path / "x", "--home", tmp_path)
    assert code == Exit.OK, "as much of it as tells it from others"


def test_a_journal_that_cannot_be_read_hides_no_other(
    table: SimTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = keep(tmp_path, table)
    (tmp_path / "tables" / "broken.sqlite").write_bytes(b"no journal at all" * 100)
    code, out, err = called(capsys, "--home", tmp_path)
    assert code == Exit.OK and number in out
    assert err.startswith("p2pjong: warning: ") and "broken.sqlite is damaged" in err
