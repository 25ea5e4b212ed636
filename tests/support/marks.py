"""Parameters of which a few alone are for the quick tests."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

# For the slow tests that run with every check, even where others like them are `long`.
EACH_TIME = pytest.mark.slow(is_each_time=True)


def one_of_each_quick(
    values: Iterable[Any], kind: Callable[[Any], Hashable], name: Callable[[Any], str]
) -> list[Any]:
    """The values, by name; all but the first of each kind are slow, and run with every check."""
    seen: set[Hashable] = set()
    cases = []
    for value in values:
        marks = [EACH_TIME] if kind(value) in seen else []
        seen.add(kind(value))
        cases.append(pytest.param(value, id=name(value), marks=marks))
    return cases


def first_quick(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """The values; all but the first few are marked slow."""
    return [value if place < quick else _slow(value) for place, value in enumerate(values)]


def _slow(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.slow)
