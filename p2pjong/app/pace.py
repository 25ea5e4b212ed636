"""How long a table waits: for choices, for machines, and until silence is absence."""

from p2pjong.session.effects import Ask
from p2pjong.ui.front import Clocks
from p2pjong.wire.messages import TableOptions


def clocks_of(options: TableOptions, people: int) -> Clocks:
    """The clocks of a table; with window_s 0 answers go out at once.

    With two or more people, an answer's moment must not tell whether one had to think.
    """
    window_s = options.window_ms / 1000 if people >= 2 else 0.0
    return Clocks(options.clock_ms / 1000, window_s, options.grace_ms / 1000)


def timeout_s(clocks: Clocks, ask: Ask) -> float | None:
    """How long a choice may take."""
    if ask.is_answer and clocks.window_s:
        return clocks.window_s
    return clocks.clock_s or None


def patience_s(clocks: Clocks, is_decision: bool, is_linked: bool) -> float | None:
    """How long an awaited seat may be silent; None: for as long as it likes.

    A client whose link is up is given its person's time, too; without a clock, all the time.
    """
    if not (is_decision and is_linked):
        return clocks.grace_s
    return clocks.grace_s + clocks.clock_s if clocks.clock_s else None
