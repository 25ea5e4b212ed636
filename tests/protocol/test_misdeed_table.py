"""The table of misdeeds in the page on threats is the tests' own registry, and they exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from scripts.make_misdeed_table import BEGIN, END, PAGE, written
from tests.support.catalogue import IN_GAMES, IN_TINY, rows

ROOT = PAGE.parent.parent


@cache
def names_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def test_the_page_holds_the_table_that_the_script_writes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(BEGIN) == page.count(END) == 1
    assert written(page) == page, "run python -m scripts.make_misdeed_table"


def test_every_misdeed_is_in_the_table_once_in_words_of_its_own() -> None:
    words = [(row.words, row.outcome) for row in rows()]
    assert len(words) == len(set(words))
    assert all("|" not in row.words for row in rows())


NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", PAGE.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("test", NAMED)
def test_every_test_that_the_page_names_exists(test: str) -> None:
    path, _, name = test.partition("::")
    assert (ROOT / path).is_file()
    assert not name or name in names_in(path)


def test_the_tests_with_a_case_for_each_misdeed_exist() -> None:
    for path in (IN_TINY, IN_GAMES):
        assert Path(ROOT / path).is_file()
        assert any("stand_up_to_it" in name for name in names_in(path))
