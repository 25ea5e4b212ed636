"""War Jhong as a `Game`: the rules of this package under the interface that all games share."""

from p2pjong.games.war_jhong import awaited, choices, events, play, view
from p2pjong.games.war_jhong.faces import DECK
from p2pjong.games.war_jhong.state import SEATS_MAX, SEATS_MIN, zones


class WarJhong:
    """The rules of War Jhong; see `Game` for what each function promises."""

    name = view.NAME
    title = "War Jhong"
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
    events = staticmethod(events.events)
