"""A table that a test drives by faces: what the scenes of all games share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from p2pjong.engine.table import Table
from p2pjong.games.game import Action, Event, Pending, Seat, Settle


class Driven(ABC):
    """A table on which seats do what is said in words; `seen` is everything that happened since."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seen: list[Event] = list(table.advance())

    @property
    def pending(self) -> Pending:
        return self.table.pending

    @abstractmethod
    def read(self, action: Action) -> str:
        """The action in words, as `do` takes it."""

    def is_meant(self, choice: str, action: Action) -> bool:
        """Whether the words mean the action."""
        return self.read(action) == choice

    def choices(self, seat: Seat) -> list[str]:
        """What the seat may do, as in `do`, each once."""
        return list(dict.fromkeys(self.read(action) for action in self.table.legal(seat)))

    def do(self, seat: Seat, choice: str) -> list[Event]:
        """The seat does what `read` would call so."""
        actions = [action for action in self.table.legal(seat) if self.is_meant(choice, action)]
        assert actions, f"{choice} is not among {self.choices(seat)}"
        return self.force(actions[0])

    def force(self, action: Action) -> list[Event]:
        """Does the action, then whatever the machine has to do."""
        events = [*self.table.choose(action), *self.table.advance()]
        self.seen += events
        return events

    def settle(self) -> list[Event]:
        """The result of the hand, the round or the turn is final."""
        assert isinstance(self.pending, Settle)
        events = [*self.table.settle(), *self.table.advance()]
        self.seen += events
        return events


def named(events: Iterable[Event], verb: str) -> list[Event]:
    """The events of one verb."""
    return [event for event in events if event.verb == verb]
