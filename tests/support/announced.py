"""Announcements without a network, for the tests of what is made of them."""

from collections.abc import Awaitable, Callable, Iterable

from p2pjong.net.discovery import Browser, FoundTable


class FakeHearing:
    """Stands in a browser for `Hearing`: what is announced under a name is said by functions."""

    def __init__(
        self,
        known: Callable[[str], FoundTable | None] = lambda name: None,
        ask: Callable[[str], Awaitable[FoundTable | None]] | None = None,
    ) -> None:
        self.known = known
        self._ask = ask

    async def start(self) -> None: ...
    async def close(self) -> None: ...

    async def ask(self, name: str) -> FoundTable | None:
        return await self._ask(name) if self._ask else self.known(name)


def hears(browser: Browser, hearing: FakeHearing) -> None:
    """Lets the browser hear by this."""
    browser._hearing = hearing  # type: ignore[assignment]


def announce(browser: Browser, names: Iterable[str]) -> None:
    """Something is heard of each name."""
    for name in names:
        browser._on_heard(name, False)


def say_goodbye(browser: Browser, name: str) -> None:
    """Somebody says that it is gone."""
    browser._on_heard(name, True)
