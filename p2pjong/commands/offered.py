"""The games that the command line offers: those of which every part is there."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from p2pjong.games import GAMES
from p2pjong.games.game import Game, Options
from p2pjong.score import SCORERS
from p2pjong.settings import usage


def rules_text(game: str) -> str:
    """The game's page of rules, in the project's own words."""
    return _rules_page(game).read_text(encoding="utf-8")


def check_table(game: str, seats: int, options: Options) -> None:
    """Raises P2PJongError (usage) if the game is not for so many seats, or has no such options."""
    rules = OFFERED[game]
    if not rules.seats_min <= seats <= rules.seats_max:
        allowed = f"{rules.seats_min} to {rules.seats_max} seats"
        raise usage(f"{rules.title} is for {allowed}, not {seats}")
    try:
        rules.start(seats, options)
    except ValueError as error:
        raise usage(str(error)) from error


def _is_complete(game: str) -> bool:
    # Looked for, not imported: a bot's process has no use for what a terminal needs.
    words = files("p2pjong.ui").joinpath(_folder(game), "words.py")
    return _rules_page(game).is_file() and words.is_file() and game in SCORERS


def _rules_page(game: str) -> Traversable:
    return files("p2pjong.games").joinpath(_folder(game), "rules.txt")


def _folder(game: str) -> str:
    return game.replace("-", "_")


OFFERED: dict[str, Game] = {name: GAMES[name] for name in sorted(GAMES) if _is_complete(name)}
