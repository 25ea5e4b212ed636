"""What holds for every strategy in every game: it plays on, by what its seat may know alone."""

from random import Random

import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.engine.table import Table
from p2pjong.games import GAMES
from p2pjong.games.game import Action, Seat
from tests.support.tables import make_table, steps

PAIRS = [(game, name) for game in sorted(GAMES) for name in sorted(STRATEGIES)]


@pytest.mark.parametrize(("game", "name"), PAIRS)
def test_a_strategy_chooses_legal_actions_to_the_end(game: str, name: str) -> None:
    rules, bot = GAMES[game], STRATEGIES[name]()

    def choose(table: Table, seat: Seat, rng: Random) -> Action:
        action = bot(table.view(seat), table.legal(seat), rng)
        assert action in table.legal(seat)
        return action

    for seats in (rules.seats_min, rules.seats_max):
        table = make_table(rules, seats, seed=seats, target=3)
        for _ in steps(table, seats, choose):
            pass
        assert table.is_over


@pytest.mark.parametrize(("game", "name"), PAIRS)
def test_a_new_bot_with_the_same_seed_chooses_the_same(game: str, name: str) -> None:
    digests = [played_alone(game, name) for _ in range(2)]
    assert digests[0] == digests[1]


def played_alone(game: str, name: str) -> bytes:
    """The end of a game among bots of one strategy."""
    table = make_table(GAMES[game], 3, seed=1, target=2)
    bots = [STRATEGIES[name]() for _ in range(3)]

    def choose(table: Table, seat: Seat, rng: Random) -> Action:
        return bots[seat](table.view(seat), table.legal(seat), rng)

    for _ in steps(table, 1, choose):
        pass
    return table.digest()
