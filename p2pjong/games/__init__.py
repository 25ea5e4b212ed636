"""The games: pure rules, one package each."""

from p2pjong.games.game import Game
from p2pjong.games.not_your_mas_jong import NotYourMasJong
from p2pjong.games.samurai_warfare import SamuraiWarfare
from p2pjong.games.war_jhong import WarJhong

GAMES: dict[str, Game] = {
    "not-your-mas-jong": NotYourMasJong(),
    "samurai-warfare": SamuraiWarfare(),
    "war-jhong": WarJhong(),
}
