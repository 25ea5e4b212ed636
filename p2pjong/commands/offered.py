"""The games that the command line offers: those that have their page of rules, their last piece."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from p2pjong.games import GAMES
from p2pjong.games.game import Game


def has_rules_page(game: str) -> bool:
    """Whether the game's rules lie beside its code."""
    return _rules_page(game).is_file()


def rules_text(game: str) -> str:
    """The game's page of rules, in the project's own words."""
    return _rules_page(game).read_text(encoding="utf-8")


def _rules_page(game: str) -> Traversable:
    return files("p2pjong.games").joinpath(game.replace("-", "_"), "rules.txt")


OFFERED: dict[str, Game] = {name: GAMES[name] for name in sorted(GAMES) if has_rules_page(name)}
