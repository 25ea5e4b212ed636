"""Not Your Ma's Jong as a `Game`: this package's rules under the interface that all games share."""

from collections.abc import Mapping

from p2pjong.games.game import Action, Event, Facts, Known, Options, Pending, Seat, Slot
from p2pjong.games.not_your_mas_jong import awaited, choices, events, play, view
from p2pjong.games.not_your_mas_jong.faces import DECK
from p2pjong.games.not_your_mas_jong.state import SEATS_MAX, SEATS_MIN, State, zones


class NotYourMasJong:
    """The rules of Not Your Ma's Jong; see `Game` for what each function promises."""

    name = view.NAME
    title = "Not Your Ma's Jong"
    seats_min = SEATS_MIN
    seats_max = SEATS_MAX
    deck = DECK

    def start(self, seats: int, options: Options) -> State:
        return play.start(seats, options)

    def pending(self, state: State) -> Pending:
        return awaited.pending(state)

    def legal(self, state: State, seat: Seat, known: Known) -> tuple[Action, ...]:
        return choices.legal(state, seat, known)

    def default(self, state: State, seat: Seat, known: Known) -> Action:
        return choices.default(state, seat, known)

    def decide(self, state: State, actions: tuple[Action, ...]) -> State:
        return play.decide(state, actions)

    def resolve(self, state: State, facts: Facts) -> State:
        return play.resolve(state, facts)

    def void(self, state: State, out: tuple[Seat, ...]) -> State:
        return play.void(state, out)

    def view(self, state: State, seat: Seat, known: Known) -> view.NotYourMasJongView:
        return view.view(state, seat, known)

    def zones(self, state: State) -> Mapping[str, tuple[Slot, ...]]:
        return zones(state)

    def events(
        self, before: State, cause: Facts | tuple[Action, ...], after: State
    ) -> tuple[Event, ...]:
        return events.events(before, cause, after)
