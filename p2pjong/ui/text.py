"""Lines of text for terminals: widths, padding, columns. Pure; colours are click's ANSI styles.

Whatever another peer named itself, one line stays one line and nothing moves the cursor.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import click
from prompt_toolkit.utils import get_cwidth

COLUMNS = 79  # of 80: a full last column makes some terminals wrap
NARROW_INDENT = 6  # of what has no room beside what it belongs to
FOOT_LINES = 2  # prompt and status, below all that is written


class Size(NamedTuple):
    """How much a terminal shows."""

    columns: int = COLUMNS + 1
    lines: int = 24


_size: ContextVar[Callable[[], Size]] = ContextVar("size", default=Size)


@contextmanager
def shown_on(size: Callable[[], Size]) -> Iterator[None]:
    """Lines made in here are for a terminal of this size, which may change at any time."""
    before = _size.get()
    _size.set(size)
    try:
        yield
    finally:
        _size.set(before)


def columns() -> int:
    """How wide a line may be: never wider than `COLUMNS`, for lines are read."""
    return min(COLUMNS, max(1, _size.get()().columns - 1))


def lines_in_sight() -> int:
    """How many lines are seen at once above the prompt."""
    return max(1, _size.get()().lines - FOOT_LINES)


def clean(text: str, columns_max: int = 32) -> str:
    """A foreign text on one line, without anything that a terminal would act on."""
    visible = "".join(character if character.isprintable() else " " for character in text)
    return fit(" ".join(visible.split()), columns_max) or "?"


def width(text: str) -> int:
    """How many columns the text takes, colours apart."""
    return int(get_cwidth(click.unstyle(text)))


def fit(text: str, columns_max: int) -> str:
    """The unstyled text cut to so many columns, with a "~" where it was cut."""
    if width(text) <= columns_max:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > columns_max - 1:
            break
        kept += character
    return kept + "~"


def pad(text: str, columns: int) -> str:
    """The text filled up with blanks on its right."""
    return text + " " * (columns - width(text))


def pad_left(text: str, columns: int) -> str:
    """The text filled up with blanks on its left."""
    return " " * (columns - width(text)) + text


def rule(title: str = "") -> str:
    """A line across the screen with a title in it."""
    head = f"-- {title} " if title else ""
    return dim(head + "-" * (columns() - width(head)))


def wrap(items: Iterable[str], indent: str = "", gap: str = " ", hang: str = "") -> list[str]:
    """The items side by side on as few lines as they need, none of them broken.

    Lines after the first begin with `hang`, too.
    """
    lines: list[str] = []
    line = ""
    for item in items:
        start = indent + hang if lines else indent
        if line and width(start + line + gap + item) > columns():
            lines.append(start + line)
            line = item
        else:
            line = line + gap + item if line else item
    return [*lines, (indent + hang if lines else indent) + line] if line else lines


def beside(
    head: str, items: Iterable[str], indent: int, gap: str = " ", room: int = 0
) -> list[str]:
    """The items side by side to the right of the head; further lines begin below the first item.

    `room`: so many columns stay free at the end of each line. Where no item has room beside the
    head, all stand below it.
    """
    shown = list(items)
    if shown and indent + room + max(map(width, shown)) > columns():
        return [head, *wrap(shown, " " * NARROW_INDENT, gap)]
    first, *more = wrap(shown, " " * (indent + room), gap) or [""]
    head += " " * (indent - width(head))
    return [(head + first[indent + room :]).rstrip(), *(line[room:] for line in more)]


def sentence(*parts: str | Sequence[str], hang: str = "  ") -> list[str]:
    """The parts one after another, broken between words where a line is too short for them.

    What stands in a list is not broken, such as the cards of a set.
    """
    items: list[str] = []
    for part in parts:
        items += part.split() if isinstance(part, str) else part
    return wrap(items, hang=hang)


def fold(line: str, columns: int) -> list[str]:
    """The line, styled or not, broken at blanks where the terminal is narrower than it.

    The blanks stay: of two lines whose words end in the same columns, both break at the same
    places, so what stands below something still does.
    """
    if width(line) <= columns:
        return [line]
    line = _short_rule(line, columns)
    lines = [""]
    for word in re.findall(r" *[^ ]+", line):
        if width(lines[-1]) and width(lines[-1] + word) > columns:
            lines.append("")
        lines[-1] += word
    return lines


def _short_rule(line: str, columns: int) -> str:
    """A rule across the screen only ever loses some of its dashes."""
    too_many = width(line) - columns
    dashes = max(re.findall("-+", line), key=len, default="")
    if len(dashes) < too_many + 2:
        return line
    return line.replace(dashes, dashes[too_many:])


def commas(items: Sequence[str]) -> list[str]:
    """The items with a comma behind each but the last, to be wrapped."""
    return [*(f"{item}," for item in items[:-1]), *items[-1:]]


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = (), gap: str = "  ") -> list[str]:
    """Rows of cells as lines with straight columns; those in `right` are flush right."""
    if not rows:
        return []
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [gap.join(_cells(row, widths, right)).rstrip() for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> Iterable[str]:
    for place, (cell, columns) in enumerate(zip(row, widths, strict=True)):
        yield pad_left(cell, columns) if place in right else pad(cell, columns)


def dim(text: str) -> str:
    """What matters least."""
    return click.style(text, dim=True) if text else ""


def bold(text: str) -> str:
    """What matters most."""
    return click.style(text, bold=True)


def alarm(text: str) -> str:
    """What must not be overlooked; readable without colour, too."""
    return click.style(text, fg="red", bold=True)


def plural(count: int, word: str) -> str:
    """ "1 point", "2 points"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def duration(seconds: float) -> str:
    """ "7 s", "2 min 05 s"."""
    whole = max(0, int(seconds))
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02} s"
