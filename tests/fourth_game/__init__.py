"""A fourth game, small but whole: what ADDING_A_GAME.md walks through. Its one entry is here."""

from p2pjong.games import ROUNDS, Entry, Length, register
from tests.fourth_game.rules import HANDS, LowCard

ENTRY = Entry(
    rules=LowCard(),
    page="tests.fourth_game",
    words="tests.fourth_game.words",
    greedy="tests.fourth_game.greedy",
    answers="tests.fourth_game.answers",
    hand="hand",
    scored="strikes",
    length=Length(ROUNDS, "rounds", lambda seats: HANDS),
)
register(ENTRY)
