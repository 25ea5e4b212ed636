"""What many games came to, strategy by strategy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from p2pjong.arena.match import Outcome


@dataclass(frozen=True)
class Row:
    """One strategy's record. A game shared by n winners counts 1/n for each (G4)."""

    strategy: str
    seats: int  # how often it sat at a table, twice for a game in which it had two seats
    games_won: float
    hands: int  # hands it sat in
    hands_won: int
    points: int

    @property
    def win_share(self) -> float:
        """Games won for each seat taken."""
        return self.games_won / self.seats

    @property
    def mean_points(self) -> float:
        """Points gained for each hand sat in."""
        return self.points / self.hands

    @property
    def mean_win(self) -> float:
        """Points gained for each hand won; 0 if it won none."""
        return self.points / self.hands_won if self.hands_won else 0.0


@dataclass(frozen=True)
class Report:
    """What all games came to; `digest` is equal wherever the same games were played."""

    game: str
    seed: int
    games: int
    unfinished: int  # stopped early since nobody seemed to win
    hands: int
    washed_out: int
    rows: tuple[Row, ...]  # in the order in which the strategies were named
    digest: str

    @property
    def washed_out_share(self) -> float:
        """How many of the hands nobody won."""
        return self.washed_out / self.hands


def summarise(
    game: str, seed: int, strategies: Sequence[str], outcomes: Iterable[Outcome]
) -> Report:
    """The report over all games, in their order."""
    played = list(outcomes)
    last = "".join(outcome.digest for outcome in played)
    return Report(
        game=game,
        seed=seed,
        games=len(played),
        unfinished=sum(not outcome.winners for outcome in played),
        hands=sum(outcome.hands for outcome in played),
        washed_out=sum(outcome.washed_out for outcome in played),
        rows=tuple(_row(name, played) for name in dict.fromkeys(strategies)),
        digest=sha256(last.encode()).hexdigest(),
    )


def _row(strategy: str, played: list[Outcome]) -> Row:
    seated = [
        (outcome, seat)
        for outcome in played
        for seat, name in enumerate(outcome.strategies)
        if name == strategy
    ]
    return Row(
        strategy=strategy,
        seats=len(seated),
        games_won=sum(1 / len(o.winners) for o, seat in seated if seat in o.winners),
        hands=sum(outcome.hands for outcome, _ in seated),
        hands_won=sum(outcome.hands_won[seat] for outcome, seat in seated),
        points=sum(outcome.points[seat] for outcome, seat in seated),
    )
