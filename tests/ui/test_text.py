"""Widths, cleaning and columns."""

import click
import pytest

from p2pjong.ui import text


def test_a_hostile_name_stays_on_one_line_and_moves_nothing() -> None:
    hostile = "\x1b[2J\x1b]0;owned\x07Eve\r\nBen\u202e\u200bx"
    cleaned = text.clean(hostile)
    assert cleaned.isprintable()
    assert "\n" not in cleaned and "\x1b" not in cleaned


def test_a_name_of_nothing_visible_is_still_shown() -> None:
    assert text.clean("\u200b\x00 ") == "?"


@pytest.mark.parametrize(
    ("given", "columns", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd~"),
        ("漢字漢字", 5, "漢字~"),
        ("漢字", 4, "漢字"),
    ],
)
def test_fit_counts_columns_not_characters(given: str, columns: int, shown: str) -> None:
    assert text.fit(given, columns) == shown


def test_columns_stay_straight_under_colours_and_wide_characters() -> None:
    rows = [("漢字", click.style("1", fg="red")), ("ab", "22"), ("", "333")]
    lines = text.aligned(rows, right=(1,))
    assert [text.width(line) for line in lines] == [9, 9, 9]


def test_wrap_breaks_between_items_only_and_within_the_screen() -> None:
    items = [f"item{number}" for number in range(40)]
    lines = text.wrap(items, indent="  ")
    assert all(text.width(line) <= text.COLUMNS for line in lines)
    assert " ".join(lines).split() == items


@pytest.mark.parametrize(("seconds", "shown"), [(-1, "0 s"), (59.9, "59 s"), (65, "1 min 05 s")])
def test_durations(seconds: float, shown: str) -> None:
    assert text.duration(seconds) == shown


@pytest.mark.parametrize("columns", [20, 40, 79])
def test_on_a_narrow_terminal_no_word_is_broken_and_what_stands_below_stays_there(
    columns: int,
) -> None:
    cards = ["I1", "I9", "A2", "A3", "A5", "C1", "C4", "C9", "J", "J", "F", "T", "G"]
    above = "".join(click.style(f"{card:>4}", fg="red") for card in cards)
    below = "".join(f"{number:>4}" for number in range(1, 14))
    folded, numbers = text.fold(above, columns), text.fold(below, columns)
    assert " ".join(click.unstyle(" ".join(folded)).split()) == " ".join(cards)
    for faces, counts in zip(folded, numbers, strict=True):
        assert text.width(faces) == text.width(counts) <= columns


def test_a_rule_on_a_narrow_terminal_only_gets_shorter() -> None:
    (folded,) = text.fold(text.rule("your hand"), 30)
    assert click.unstyle(folded) == "-- your hand " + "-" * 17
    assert text.fold("a short line", 30) == ["a short line"]
    assert text.fold("x" * 50, 30) == ["x" * 50], "the terminal breaks what has no blank"
