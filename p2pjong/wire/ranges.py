"""What a table may be set to: the same for what is typed, what a peer receives, and records.

Implements "What a draft must be" of `protocol/lobby.md`. Messages are read within wider bounds, so
that a person can be told what is wrong with an offer. What a game allows is for the game to say.
"""

from dataclasses import dataclass

SEATS_MIN, SEATS_MAX = 2, 8
TARGET_MAX = 10_000
ROUNDS_MAX = 1_000


@dataclass(frozen=True)
class Times:
    """From `least_s` to `most_s` seconds, or, where there can be none, 0."""

    name: str
    least_s: float
    most_s: float
    can_be_none: bool = True

    def check(self, seconds: float) -> None:
        """Raises ValueError, with what is allowed, unless the time is one of these."""
        is_none = self.can_be_none and seconds == 0
        if not (is_none or self.least_s <= seconds <= self.most_s):
            raise ValueError(f"{self.name} is {self}, not {seconds:g}")

    def __str__(self) -> str:
        none = "0 or " if self.can_be_none else ""
        return f"{none}{self.least_s:g} to {self.most_s:g} seconds"


# A person needs seconds for a turn, and half of one to see a discard and press a key. Whoever is
# silent for less than the grace may only have a slow machine; for longer nobody can be kept.
CLOCK = Times("clock", 5, 3600)
WINDOW = Times("window", 0.5, 300)
GRACE = Times("grace", 5, 3600, can_be_none=False)


def check_times(clock_s: float, window_s: float, grace_s: float) -> None:
    """Raises ValueError if nobody plays by these; with 0 there is no clock, or no window."""
    CLOCK.check(clock_s)
    WINDOW.check(window_s)
    GRACE.check(grace_s)
    if window_s > grace_s:
        raise ValueError(
            f"window {window_s:g} is longer than grace {grace_s:g}: seats that are still in time "
            "would be taken for absent"
        )
