"""One table: a game, its state and a dealer, moved on together."""

from typing import Any

from p2pjong.engine.canonical import digest
from p2pjong.engine.dealer import Dealer
from p2pjong.games.game import (
    NOBODY,
    Action,
    Decide,
    Event,
    Facts,
    Game,
    IllegalAction,
    Over,
    Pending,
    Seat,
    Settle,
    View,
    twins,
)


class Table:
    """Moves a game on: operations go to the dealer, decisions are collected, results are settled.

    With `is_checked` every new state is held against what is true of all games (`check_state`).
    """

    def __init__(self, game: Game, state: Any, dealer: Dealer, is_checked: bool = False) -> None:
        self.game = game
        self.dealer = dealer
        self._is_checked = is_checked
        self._begun = False
        self._chosen: dict[Seat, Action] = {}
        self._offered: dict[Seat, tuple[Action, ...]] = {}
        self._enter(state)

    @property
    def state(self) -> Any:
        """The public state now."""
        return self._state

    @property
    def pending(self) -> Pending:
        """What the table waits for."""
        return self._pending

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self._pending, Over)

    def digest(self) -> bytes:
        """What every peer must have at this step."""
        return digest(self._state)

    def advance(self) -> tuple[Event, ...]:
        """Has operations carried out until something else is awaited, or the dealer needs time."""
        seen: tuple[Event, ...] = ()
        while not isinstance(self._pending, Decide | Settle | Over):
            before = self._state
            seen += self.step()
            if self._state is before:
                break
        return seen

    def step(self) -> tuple[Event, ...]:
        """Has the pending operation carried out; nothing changes while the dealer needs time."""
        assert not isinstance(self._pending, Decide | Settle | Over)
        if not self._begun:
            self.dealer.begin(self._pending)
            self._begun = True
        facts = self.dealer.facts()
        return () if facts is None else self._resolve(facts)

    def awaited(self) -> tuple[Seat, ...]:
        """The seats that have yet to choose; () unless the table waits for choices."""
        if not isinstance(self._pending, Decide):
            return ()
        return tuple([seat for seat in self._pending.seats if seat not in self._chosen])

    def legal(self, seat: Seat) -> tuple[Action, ...]:
        """What `seat` may choose, as far as its hand is known here; () once it has chosen."""
        if seat not in self.awaited():
            return ()
        if seat not in self._offered:
            known = self.dealer.known(seat)
            self._offered[seat] = self.game.legal(self._state, seat, known)
        return self._offered[seat]

    def default(self, seat: Seat) -> Action:
        """What the client of an awaited seat plays when time is up (G8)."""
        assert seat in self.awaited()
        return self.game.default(self._state, seat, self.dealer.known(seat))

    def view(self, seat: Seat) -> View:
        """What `seat`, or NOBODY, may know."""
        known = {} if seat == NOBODY else self.dealer.known(seat)
        return self.game.view(self._state, seat, known)

    def choose(self, action: Action) -> tuple[Event, ...]:
        """Takes the choice of one awaited seat; with the last one the game goes on.

        Raises IllegalAction, and is then as it was. A twin of a legal action is as legal.
        """
        if not self._accepts(action):
            raise IllegalAction(f"seat {action.seat} may not {action.verb} so now")
        self._chosen[action.seat] = action
        if self.awaited():
            return ()
        assert isinstance(self._pending, Decide)
        actions = tuple([self._chosen[seat] for seat in self._pending.seats])
        before = self._state
        self._enter(self.game.decide(before, actions))
        return self.game.events(before, actions, self._state)

    def settle(self) -> tuple[Event, ...]:
        """The pending result is final: the game goes on."""
        assert isinstance(self._pending, Settle)
        return self._resolve(Facts())

    def void(self, out: tuple[Seat, ...]) -> tuple[Event, ...]:
        """Voids the hand; the seats of `out` have left for good."""
        before = self._state
        self._enter(self.game.void(before, out))
        return self.game.events(before, (), self._state)

    def _accepts(self, action: Action) -> bool:
        offered = self.legal(action.seat)
        if action in offered or not offered:
            return bool(offered)
        known = self.dealer.known(action.seat)
        same = twins(self.game, self._state, action, known)
        return action in same and not set(same).isdisjoint(offered)

    def _resolve(self, facts: Facts) -> tuple[Event, ...]:
        before = self._state
        self._enter(self.game.resolve(before, facts))
        return self.game.events(before, facts, self._state)

    def _enter(self, state: Any) -> None:
        self._state = state
        self._pending = self.game.pending(state)
        self._begun = False
        self._chosen.clear()
        self._offered.clear()
        if self._is_checked:
            check_state(self.game, state)


def check_state(game: Game, state: Any) -> None:
    """Asserts what is true of every game: no card is lost or doubled, and nobody is stuck."""
    zones = game.zones(state)
    if zones:
        places = [slot for slots in zones.values() for slot in slots]
        assert len(set(places)) == len(game.deck), "a slot was lost or made"
        assert len(places) == len(game.deck), "a slot lies in two zones"
    pending = game.pending(state)
    seats = pending.seats if isinstance(pending, Decide) else ()
    present = game.view(state, NOBODY, {}).present
    assert all(present[seat] and game.legal(state, seat, {}) for seat in seats), "a seat is stuck"
