"""The options of a table in words, for people who are about to agree to them. Pure."""

from p2pjong.games import ENTRIES, TARGET, Entry
from p2pjong.session.lobby_view import Terms

OPEN_BOOKS = "all cards are shown after a hand, and when each came"  # 60 fit


def told_terms(game: str, terms: Terms, seats: int) -> list[tuple[str, str]]:
    """Each option with a name; of a game that we do not know, those that every game has."""
    clock = f"{terms.clock_s:g} s" if terms.clock_s else "no clock"
    told = [("a turn", clock)]
    entry = ENTRIES.get(game)
    if entry is not None:
        told.insert(0, _length(entry, terms, seats))
        if entry.window:
            told.append((entry.window, _window(terms, clock)))
    told.append(("a silent player", f"can be removed by vote after {terms.grace_s:g} s"))
    return [*told, ("open books", OPEN_BOOKS)] if terms.is_open_books else told


def _length(entry: Entry, terms: Terms, seats: int) -> tuple[str, str]:
    length = entry.length
    name, given = ("to win", terms.target) if length.option == TARGET else ("rounds", terms.rounds)
    number = given or length.usual(seats)
    if length.option == TARGET:
        unit = length.unit if number != 1 else length.unit.removesuffix("s")
        return name, f"{number} {unit}"
    return name, str(number) if given else f"{number} with {seats} players"


def _window(terms: Terms, clock: str) -> str:
    """How long all may answer a discard, and what changes it: newcomers ask about it first."""
    if not terms.window_s:
        return "no claim window: how fast you answer may tell what you hold"
    return f"{terms.window_s:g} s after a discard (--window); alone with bots: {clock}"
