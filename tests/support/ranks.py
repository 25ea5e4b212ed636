"""How tables end for a seat that cheats or breaks off, and for the same seat that plays on."""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from p2pjong.games.game import NOBODY, Action, Over, Seat
from p2pjong.session.draft import game_options
from p2pjong.session.effects import Ask
from tests.support.hostile import HostileSession
from tests.support.sim import Chooser, SimTable
from tests.support.trials import CHEAT, can_vote, leave_all, propose_absent

SEEDS_MAX = 60
WIN, LOSE = "win", "lose"


@cache
def play_for(about_to: str) -> Chooser:
    """The cheat plays to win its hands, or the others do; the rest let chances pass."""

    def choose(ask: Ask, rng: Random) -> Action:
        wins = [one for one in ask.actions if one.verb in ("show", "claim")]
        plays_to_win = (ask.view.seat == CHEAT) == (about_to == WIN)
        return wins[0] if wins and plays_to_win else ask.default

    return choose


def rank(over: Over, present: tuple[bool, ...], seat: Seat) -> int:
    """The place of a seat at the end, 1 for a winner; last for who is out, or where nobody wins."""
    if seat in over.winners:
        return 1
    if not over.winners or not present[seat]:
        return len(present)
    scores = [score for score, here in zip(over.scores, present, strict=True) if here]
    return 1 + sum(score > over.scores[seat] for score in scores)


@dataclass(frozen=True)
class End:
    """How a table ended, for an honest peer."""

    over: Over
    present: tuple[bool, ...]
    results: tuple[Any, ...]
    start: tuple[int, ...]  # the scores before the first hand

    def rank(self) -> int:
        """The cheat's."""
        return rank(self.over, self.present, CHEAT)


def end_of(table: SimTable, seat: Seat = 0) -> End:
    peer = table.peers[seat]
    assert peer.finished is not None
    session = peer.session
    start = table.game.start(len(table.peers), game_options(table.draft))
    scores = table.game.view(start, NOBODY, {}).scores
    return End(
        peer.finished.over,
        session.view().present,
        tuple(one.result for one in session.play.results),
        scores,
    )


def is_about_to(end: End, what: str, after: int = 0) -> bool:
    """Whether the honest table's hand after so many results is one the cheat wins, or loses."""
    winner: Seat = end.results[after].winner
    return winner == CHEAT if what == WIN else winner not in (CHEAT, NOBODY)


def end_silence(table: SimTable) -> None:
    """The others do what they can about a seat that they wait for."""
    if not table.is_finished():
        if can_vote(table):
            propose_absent(table)
            table.finish(ticks=20)
        if not table.is_finished():
            leave_all(table)


def erred_after(table: SimTable) -> int:
    """How many results had closed when the cheat erred."""
    cheat = table.peers[CHEAT].session
    assert isinstance(cheat, HostileSession)
    return cheat.erred_after


# --- What must hold of each pair ------------------------------------------------------------------


def check_no_gain(honest: End, cheating: End, closed: int, may_settle: bool) -> None:
    """No better place, and no score from anything but hands that were played to their end."""
    assert cheating.rank() >= honest.rank()
    is_settled = cheating.results[closed : closed + 1] == honest.results[closed : closed + 1]
    played = closed + (may_settle and is_settled)
    assert cheating.results[:closed] == honest.results[:closed]
    check_sums(cheating)
    if not cheating.present[CHEAT]:
        assert all(result.points[CHEAT] == 0 for result in cheating.results[played:])
        assert all(result.winner != CHEAT for result in cheating.results[played:])
        over_at_once = cheating.over.hands == played and cheating.over.outcome == "finished"
        assert CHEAT not in cheating.over.winners or over_at_once


def check_sums(end: End) -> None:
    """Every score is the sum of the points of hands that were signed; void ones add nothing."""
    scores = list(end.start)
    for result in end.results:
        scores = [had + more for had, more in zip(scores, result.points, strict=True)]
        assert tuple(scores) == result.scores
    assert end.over.scores == tuple(scores)
