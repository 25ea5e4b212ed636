"""The games: pure rules, one package each, and what else there is of each (`registry`)."""

from p2pjong.games.not_your_mas_jong import NotYourMasJong
from p2pjong.games.not_your_mas_jong.state import ROUNDS as MAS_JONG_ROUNDS
from p2pjong.games.registry import (
    ENTRIES,
    ROUNDS,
    TARGET,
    Entry,
    Games,
    Length,
    hand_of,
    part,
    register,
)
from p2pjong.games.samurai_warfare import SamuraiWarfare
from p2pjong.games.samurai_warfare.state import TARGET as SAMURAI_TOKENS
from p2pjong.games.war_jhong import WarJhong
from p2pjong.games.war_jhong.state import TARGET as WAR_JHONG_POINTS

__all__ = ["ENTRIES", "GAMES", "ROUNDS", "TARGET", "Entry", "Length", "hand_of", "part", "register"]

GAMES = Games()

register(
    Entry(
        rules=NotYourMasJong(),
        page="p2pjong.games.not_your_mas_jong",
        words="p2pjong.ui.not_your_mas_jong.words",
        greedy="p2pjong.bots.not_your_mas_jong_greedy",
        answers="p2pjong.games.not_your_mas_jong.answers",
        hand="round",
        scored="tokens",
        length=Length(ROUNDS, "rounds", MAS_JONG_ROUNDS.__getitem__),
        window="calls",
        pause_ms=1200,  # a person wants to call before they do
    )
)
register(
    Entry(
        rules=SamuraiWarfare(),
        page="p2pjong.games.samurai_warfare",
        words="p2pjong.ui.samurai_warfare.words",
        greedy="p2pjong.bots.samurai_warfare_greedy",
        answers="p2pjong.games.samurai_warfare.answers",
        hand="turn",
        scored="tokens",
        length=Length(TARGET, "tokens", lambda seats: SAMURAI_TOKENS),
    )
)
register(
    Entry(
        rules=WarJhong(),
        page="p2pjong.games.war_jhong",
        words="p2pjong.ui.war_jhong.words",
        greedy="p2pjong.bots.war_jhong_greedy",
        answers="p2pjong.games.war_jhong.answers",
        hand="hand",
        scored="points",
        length=Length(TARGET, "points", lambda seats: WAR_JHONG_POINTS),
        window="claims",
    )
)
