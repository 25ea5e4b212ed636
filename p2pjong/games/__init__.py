"""The games: pure rules, one package each."""

from p2pjong.games.game import Game
from p2pjong.games.war_jhong import WarJhong

GAMES: dict[str, Game] = {
    "war-jhong": WarJhong(),
}
