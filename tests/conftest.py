"""Which of the many slow cases run each time: of those that differ in numbers, a fixed part."""

import zlib
from collections.abc import Iterator

import pytest

from tests.support.shared_sums import shared_sums

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


# Where many peers sit in one process.
OF_MANY_PEERS = {"attack", "protocol", "session", "sim"}


@pytest.fixture(scope="module", autouse=True)
def sums_of_many_peers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Peers that sit in one process share what they compute (see `shared_sums`)."""
    if request.path.parent.name in OF_MANY_PEERS:
        with shared_sums():
            yield
    else:
        yield
