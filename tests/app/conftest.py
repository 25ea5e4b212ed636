"""Hosts that close at once."""

import pytest


@pytest.fixture(autouse=True)
def quick_goodbyes(monkeypatch: pytest.MonkeyPatch) -> None:
    """zeroconf says goodbye three times with an eighth of a second between; here without it."""
    monkeypatch.setattr("zeroconf._core._UNREGISTER_TIME", 1)
