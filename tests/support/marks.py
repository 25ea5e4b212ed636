"""Parameters of which the first alone is for the quick tests."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_quick(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """The values; all but the first few are marked slow."""
    return [
        value if place < quick else pytest.param(value, marks=pytest.mark.slow)
        for place, value in enumerate(values)
    ]
