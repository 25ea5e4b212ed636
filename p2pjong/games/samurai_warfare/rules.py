"""Samurai Warfare as a `Game`: the rules of this package under the interface all games share."""

from p2pjong.games.game import Action, Event, Facts
from p2pjong.games.samurai_warfare import awaited, choices, play, view
from p2pjong.games.samurai_warfare.cards import DECK
from p2pjong.games.samurai_warfare.state import SEATS_MAX, SEATS_MIN, State, zones


class SamuraiWarfare:
    """The rules of Samurai Warfare; see `Game` for what each function promises."""

    name = view.NAME
    title = "Samurai Warfare"
    seats_min = SEATS_MIN
    seats_max = SEATS_MAX
    deck = DECK

    start = staticmethod(play.start)
    pending = staticmethod(awaited.pending)
    legal = staticmethod(choices.legal)
    default = staticmethod(choices.default)
    decide = staticmethod(play.decide)
    resolve = staticmethod(play.resolve)
    void = staticmethod(play.void)
    view = staticmethod(view.view)
    zones = staticmethod(zones)

    @staticmethod
    def events(before: State, cause: Facts | tuple[Action, ...], after: State) -> tuple[Event, ...]:
        return after.news
