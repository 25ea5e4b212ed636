"""Which of the many slow cases run each time: of those that differ in numbers, a fixed part."""

import zlib

import pytest

# One in so many of these slow cases runs with every check; `scripts/test long` runs the others.
ONE_IN = {"tests/sim/": 12, "tests/protocol/": 12}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `long` what need not run each time. The part that does is always the same."""
    for item in items:
        if item.get_closest_marker("slow") is None:
            continue
        for folder, one_in in ONE_IN.items():
            if item.nodeid.startswith(folder) and zlib.crc32(item.nodeid.encode()) % one_in:
                item.add_marker(pytest.mark.long)
