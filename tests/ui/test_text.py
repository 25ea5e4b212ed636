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


def test_lines_are_made_for_the_terminal_that_shows_them_and_never_wider_than_80() -> None:
    sizes = [text.Size(50, 20), text.Size(200, 60), text.Size(1, 1)]
    with text.shown_on(lambda: sizes[0]):
        for columns, lines in ((49, 18), (text.COLUMNS, 58), (1, 1)):
            assert (text.columns(), text.lines_in_sight()) == (columns, lines)
            assert columns < 10 or text.width(text.rule("your hand")) == columns
            del sizes[0]
            sizes.append(text.Size())
    assert (text.columns(), text.lines_in_sight()) == (text.COLUMNS, 22)


def test_a_sentence_breaks_between_words_and_never_inside_a_set() -> None:
    with text.shown_on(lambda: text.Size(30, 24)):
        lines = text.sentence("Ben steals Cy's discard:", ["[G4 G5 G6]"], "lies face up")
    assert lines == ["Ben steals Cy's discard:", "  [G4 G5 G6] lies face up"]


def test_what_stands_beside_a_head_goes_on_below_itself_or_below_the_head() -> None:
    sets = ["A4 A5 A6", "C1 C1 C1"]
    with text.shown_on(lambda: text.Size(24, 24)):
        assert text.beside(" Ben", sets, 8) == [" Ben    A4 A5 A6", " " * 8 + "C1 C1 C1"]
        assert text.beside(" Ben", sets, 20) == [" Ben", "      A4 A5 A6 C1 C1 C1"]
    assert text.beside(" Ben", [], 8) == [" Ben"]
