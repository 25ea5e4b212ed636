"""Which of the many slow cases run each time, what may be skipped, and what tests share."""

import gc
import os
import zlib
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.shared_sums import shared_sums

# How long an example takes says how busy the machine is, and nothing of the program.
settings.register_profile(
    "patient",
    parent=settings.default,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")

# One in so many of these slow cases runs with every check; `scripts/test long` runs the others.
ONE_IN = {"tests/audit/": 12, "tests/sim/": 12, "tests/protocol/": 12}
# Set where every tool has been installed: a test that cannot run there is broken, not skipped.
SKIPS_NOTHING = os.environ.get("P2PJONG_TESTS_SKIP_NOTHING", "") == "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `long` what need not run each time. The part that does is always the same."""
    for item in items:
        slow = item.get_closest_marker("slow")
        if slow is None or slow.kwargs.get("is_each_time"):
            continue
        for folder, one_in in ONE_IN.items():
            if item.nodeid.startswith(folder) and zlib.crc32(item.nodeid.encode()) % one_in:
                item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: nothing of it is looked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)  # the tables of a test are large: look for cycles less often


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where everything is installed, a skipped test fails: CI must not miss what it lacks."""
    report = yield
    if SKIPS_NOTHING and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report


# Where many peers sit in one process.
OF_MANY_PEERS = {"app", "attack", "audit", "cli", "protocol", "session", "sim"}


@pytest.fixture(scope="module", autouse=True)
def sums_of_many_peers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Peers that sit in one process share what they compute (see `shared_sums`)."""
    if request.path.parent.name in OF_MANY_PEERS:
        with shared_sums():
            yield
    else:
        yield
