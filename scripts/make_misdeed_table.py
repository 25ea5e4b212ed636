"""Writes the table of misdeeds in `protocol/threats.md`; run it from the root of the project as

    python -m scripts.make_misdeed_table [--check]

The rows are the registry of the tests themselves. With --check nothing is written, and the exit
code says whether the page is current.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.catalogue import IN_GAMES, IN_TINY, Row, rows

PAGE = Path(__file__).resolve().parent.parent / "protocol" / "threats.md"
BEGIN = "<!-- misdeeds: written by scripts/make_misdeed_table.py -->"
END = "<!-- end of misdeeds -->"
LETTERS = {IN_TINY: "A", IN_GAMES: "B"}  # explained above the table
HEAD = "| misdeed | tried at | what becomes of it | test |\n| --- | --- | --- | --- |"


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args(args).check
    page = PAGE.read_text(encoding="utf-8")
    if written(page) == page:
        return 0
    print(f"{PAGE.name} {'is not current' if is_check else 'written'}")
    if not is_check:
        PAGE.write_text(written(page), encoding="utf-8")
    return 1 if is_check else 0


def written(page: str) -> str:
    """The page with the table as it should be; the rest of it is left alone."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    assert mark, "the page has both marks"
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def table() -> str:
    """The table as Markdown."""
    return "\n".join([HEAD, *map(line, rows())])


def line(row: Row) -> str:
    """One row of it."""
    cells = (row.words, row.where or "-", row.outcome, shown_by(row))
    return f"| {' | '.join(cells)} |"


def shown_by(row: Row) -> str:
    """The tests; where each of them has a case for the misdeed, by the letters of their files."""
    if row.case:
        return f"{' '.join(LETTERS[path] for path in row.tests)} `{row.case}`"
    return "<br>".join(f"`{test}`" for test in row.tests)


if __name__ == "__main__":
    sys.exit(main())
