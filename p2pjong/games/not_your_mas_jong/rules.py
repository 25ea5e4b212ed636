"""Not Your Ma's Jong as a `Game`: this package's rules under the interface that all games share."""

from p2pjong.games.not_your_mas_jong import awaited, choices, events, play, view
from p2pjong.games.not_your_mas_jong.faces import DECK
from p2pjong.games.not_your_mas_jong.state import SEATS_MAX, SEATS_MIN, zones


class NotYourMasJong:
    """The rules of Not Your Ma's Jong; see `Game` for what each function promises."""

    name = view.NAME
    title = "Not Your Ma's Jong"
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
