"""Tables on the open dealer, moved by seeded choices: what the tests of all games start from."""

from collections.abc import Callable, Iterator
from random import Random

from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games.game import Action, Event, Game, Options, Settle

Choose = Callable[[Table, int, Random], Action]


def choose_any(table: Table, seat: int, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(table.legal(seat))


def goal(game: str, number: int) -> Options:
    """Options that make the game as long as `number` says: of its points or, where it has none,
    of its rounds."""
    return Options(rounds=number) if game == "not-your-mas-jong" else Options(target=number)


def make_table(game: Game, seats: int, seed: int = 0, target: int = 0) -> Table:
    """A table before its first operation, checked at every step."""
    dealer = OpenDealer(seats, Chance(f"test/{seed}"))
    return Table(game, game.start(seats, goal(game.name, target)), dealer, is_checked=True)


def steps(table: Table, seed: int = 0, choose: Choose = choose_any) -> Iterator[tuple[Event, ...]]:
    """Moves the table on, one state at a time, until the game is over; yields what happened."""
    rng = Random(seed)
    while not table.is_over:
        if isinstance(table.pending, Settle):
            yield table.settle()
        elif table.awaited():
            for seat in table.awaited():
                seen = table.choose(choose(table, seat, rng))
            yield seen
        else:
            yield table.step()


def open_dealer(table: Table) -> OpenDealer:
    """The table's dealer, for those who may look at every card."""
    assert isinstance(table.dealer, OpenDealer)
    return table.dealer
