"""How long a table waits: for choices, for machines, and until silence is absence.

The instant at which an answer leaves is a function of what all can see, never of a hand: see
"Timing" of `protocol/play.md`.
"""

import math
from dataclasses import dataclass

from p2pjong.front import Clocks
from p2pjong.games.game import Action
from p2pjong.session.effects import Ask
from p2pjong.settings import PeerSettings
from p2pjong.wire.messages import TableOptions

ANSWER_MARGIN_S = 0.25
STEADY_S = 0.3  # longer than our bots need for nearly every choice


def clocks_of(options: TableOptions, people: int) -> Clocks:
    """The clocks of a table; with window_s 0 answers go out at once.

    With two or more people, an answer's moment must not tell whether one had to think.
    """
    window_s = options.window_ms / 1000 if people >= 2 else 0.0
    return Clocks(options.clock_ms / 1000, window_s, options.grace_ms / 1000)


def timeout_s(clocks: Clocks, ask: Ask) -> float | None:
    """How long a choice may take. Under the window it ends a little before the window does.

    What is then done in a person's place, and shown, is done before all answers leave alike.
    """
    return answer_time_s(clocks) if _is_windowed(clocks, ask) else clocks.clock_s or None


def answer_time_s(clocks: Clocks) -> float:
    """How long a question under the window stands."""
    return clocks.window_s - min(ANSWER_MARGIN_S, clocks.window_s / 2)


@dataclass(frozen=True)
class Pace:
    """How long whoever sits in front of a seat takes, in seconds.

    `bot_s`: how long a bot seems to think, whatever it finds. `pause_s`: how long the end of a hand
    stays, unless its person goes on.
    """

    bot_s: float = 0.0
    pause_s: float = 0.0


NO_PACE = Pace()


def pace_of(settings: PeerSettings, clocks: Clocks, people: int) -> Pace:
    """A bot in company never answers at once; a pause never makes a seat look absent."""
    if settings.is_automatic:
        return Pace(bot_s=max(settings.delay_ms / 1000, STEADY_S if people >= 2 else 0.0))
    return Pace(pause_s=min(settings.pause_s, clocks.grace_s / 2))


def leaves_at_s(
    clocks: Clocks, bot_s: float, ask: Ask, action: Action, opened_s: float, now_s: float
) -> float:
    """When a choice made now leaves, of a question that opened then; `bot_s`: see `Pace`.

    Of what is answered under the window at its end, but for a call, of which the first counts (N4).
    A bot that needs longer than it seems to think takes as long again.
    """
    if waits_for_window(clocks, ask, action):
        return opened_s + clocks.window_s
    if bot_s:
        return opened_s + bot_s * max(1, math.ceil((now_s - opened_s) / bot_s))
    return now_s


def waits_for_window(clocks: Clocks, ask: Ask, action: Action) -> bool:
    """Whether this answer leaves when the window is over, and can be taken back until then."""
    is_call = ask.is_race and action.verb != "pass"
    return _is_windowed(clocks, ask) and not is_call


def _is_windowed(clocks: Clocks, ask: Ask) -> bool:
    return ask.is_answer and clocks.window_s > 0


def patience_s(clocks: Clocks, is_decision: bool, is_linked: bool) -> float | None:
    """How long an awaited seat may be silent; None: for as long as it likes.

    A client whose link is up is given its person's time, too; without a clock, all the time.
    """
    if not (is_decision and is_linked):
        return clocks.grace_s
    return clocks.grace_s + clocks.clock_s if clocks.clock_s else None
