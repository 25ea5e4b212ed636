"""The list of mutants is in order: each check is where the list says, and so are its tests.

That each of them turns its tests red is what `scripts/mutants` shows; a sample of it runs here.
"""

from pathlib import Path
from zlib import crc32

import pytest

from scripts.mutants import LIST, ROOT, Mutant, is_in_place, main, read_mutants, run_tests

MUTANTS = read_mutants()


def test_every_check_on_the_list_is_still_there_once_and_so_are_its_tests() -> None:
    assert [mutant.name for mutant in MUTANTS if not is_in_place(ROOT, mutant)] == []


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_every_case_that_the_list_names_can_be_collected() -> None:
    """A case that was given another name would make its mutant look killed, or stop the run."""
    tests = sorted({test for mutant in MUTANTS for test in mutant.tests})
    code, said = run_tests(ROOT, tests, "--collect-only")
    assert code == 0, said[-2000:]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_some_of_them_turn_their_tests_red() -> None:
    """Others whenever the list changes; `scripts/mutants` tries them all."""
    seed = crc32(LIST.read_bytes())
    assert main(["--sample", "8", "--seed", str(seed)]) == 0


def test_a_check_or_a_test_that_is_gone_is_noticed() -> None:
    gone = Mutant("n", "p", "p2pjong/errors.py", "no such text\n", "", ("tests/test_tidy.py::x",))
    assert not is_in_place(ROOT, gone)
    unproven = Mutant("n", "p", "p2pjong/errors.py", '"""', "", ("tests/test_tidy.py::test_no",))
    assert not is_in_place(ROOT, unproven)


@pytest.mark.parametrize(
    "lines",
    [
        'n = ["f", "a", "a", "t"]',
        'n = ["f", "a", "b"]',
        'n = ["f", "a", "b", "t"]\n[q]\nn = ["f", "a", "b", "t"]',
    ],
    ids=["same", "untested", "twice"],
)
def test_a_list_that_contradicts_itself_is_refused(lines: str, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(f"[p]\n{lines}\n")
    with pytest.raises(ValueError):
        read_mutants(path)


def test_what_there_is_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "--only", "two stories"]) == 0
    assert "an equivocation" in capsys.readouterr().out
