"""A seat that acts alone never gains by cheating, leaving or falling silent.

Each table is played twice from one seed: honestly, and with the misdeed. Up to it both are the same
to the byte, so the honest one tells what the cheat was about to get: hands that it would win and
hands that it would lose are both tried. After a void hand all cards are dealt anew, and how they
fall is luck. What shows that it cannot pay is this, and it is asserted of every pair:

- Who is put out (a proven cheat, a leaver, who is voted absent) is never among the winners (G4), so
  it ends behind everyone who stayed, and no better than by playing on, whatever it would have got.
- Its score stands, and nobody's changes, by the hand that was void (G6): all results that count are
  those of the honest table up to the misdeed, and then those of hands played without the seat.
- A result whose cards were all shown is not undone by lying about it, refusing it or leaving then.
- What is no fault (noise, floods, a deck left as it was) leaves everything to hands that all others
  have shuffled, too, and gives no points.

It cannot harm others at will either: a void hand costs them the hand, never points. That a friend
of the seat gains by it, `threats.md` calls open. Misdeeds of the real games, and those at open
books, are in `test_cheating_never_gains_in_games.py`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import pytest

from p2pjong.wire.messages import Leave, Settled
from tests.support.hostile import HostileSession, Misdeed, flipped, hostile, silent, twisted
from tests.support.marks import EACH_TIME, first_quick
from tests.support.misdeeds import MISDEEDS
from tests.support.ranks import (
    LOSE,
    SEEDS_MAX,
    WIN,
    End,
    check_no_gain,
    check_sums,
    end_of,
    end_silence,
    erred_after,
    is_about_to,
    play_for,
)
from tests.support.scenario import may_end_first, short_draft
from tests.support.sim import SimTable, tiny_draft
from tests.support.trials import CHEAT, choose_greedily, has_erred

SLOW = pytest.mark.slow


@cache
def honest_end(seats: int, target: int, seed: int, about_to: str) -> End:
    """How the table ends at which everyone is honest."""
    draft, choose = tiny_draft(seats, target), play_for(about_to)
    table = SimTable(seats, seed, draft=draft, choose=choose)
    return end_of(table.start().finish())


def play_to_the_end(
    misdeed: Misdeed, seats: int, target: int, seed: int, about_to: str
) -> SimTable:
    """The same table with the misdeed; who falls silent is voted absent, or all others leave."""
    draft, makers = tiny_draft(seats, target), {CHEAT: hostile(misdeed)}
    table = SimTable(seats, seed, draft=draft, makers=makers, choose=play_for(about_to))
    table.start().finish()
    end_silence(table)
    return table


def check_pair(misdeed: Misdeed, seats: int, about_to: str) -> None:
    """Both tables, for a seed that gives the cheat its moment in such a hand."""
    target = 3 if misdeed.when else 1 + misdeed.nth
    for seed in range(SEEDS_MAX):
        honest = honest_end(seats, target, seed, about_to)
        if not misdeed.when and not is_about_to(honest, about_to, misdeed.nth):
            continue
        table = play_to_the_end(misdeed, seats, target, seed, about_to)
        if has_erred(table) and is_about_to(honest, about_to, erred_after(table)):
            return compare(misdeed, honest, table)
    raise AssertionError("no such table")


def compare(misdeed: Misdeed, honest: End, table: SimTable) -> None:
    for seat, peer in enumerate(table.peers):
        if not peer.is_honest:
            continue
        cheating = end_of(table, seat)
        if misdeed.rule or misdeed.is_silent:
            # Two stories at the last signature may be heard too late: then the result stands.
            may_settle = misdeed.kind == "Settled" or may_end_first(misdeed)
            check_no_gain(honest, cheating, erred_after(table), may_settle)
        else:
            check_sums(cheating)
            assert cheating.present[CHEAT] and cheating.over.outcome == "finished"


def pairs(seats: int) -> list[Any]:
    """Each misdeed, in a hand that it would win and in one that it would lose."""
    return [
        pytest.param(misdeed, about_to, id=f"{misdeed.name.replace(' ', '-')}-about-to-{about_to}")
        for misdeed in MISDEEDS
        if seats >= misdeed.seats_min
        for about_to in (WIN, LOSE)
    ]


def mostly_slow(cases: list[Any], one_in: int = 40, each_time: int = 10) -> list[Any]:
    """The cases; all but each so many-th one is for the slow tests, which always run some."""

    def marks(place: int) -> list[pytest.MarkDecorator]:
        if place % one_in == 0:
            return []
        return [EACH_TIME] if place % each_time == 0 else [SLOW]

    return [
        pytest.param(*case.values, id=case.id, marks=marks(place))
        for place, case in enumerate(cases)
    ]


@pytest.mark.parametrize(("misdeed", "about_to"), mostly_slow(pairs(3)))
def test_one_of_three_never_gains_by_a_misdeed(misdeed: Misdeed, about_to: str) -> None:
    check_pair(misdeed, 3, about_to)


@pytest.mark.slow
@pytest.mark.parametrize(("misdeed", "about_to"), pairs(2))
def test_one_of_two_never_gains_by_a_misdeed(misdeed: Misdeed, about_to: str) -> None:
    check_pair(misdeed, 2, about_to)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("misdeed", "about_to"), pairs(5))
def test_one_of_five_never_gains_by_a_misdeed(misdeed: Misdeed, about_to: str) -> None:
    check_pair(misdeed, 5, about_to)


# --- Leaving and silence, at every step -----------------------------------------------------------

EVERY_FEW = [pytest.param(2 + 5 * n, marks=[EACH_TIME] if n % 2 else []) for n in range(7)]


def leaving(seats: int, seed: int, at: int, about_to: str) -> tuple[SimTable, int]:
    """The seat leaves when it gets to this step; also how many results it had seen by then."""
    draft = tiny_draft(seats, target=2)
    table = SimTable(seats, seed, draft=draft, choose=play_for(about_to)).start()
    table.run_until(lambda table: table.peers[CHEAT].session.course.step >= at)
    closed = table.peers[CHEAT].session.play.results_closed()
    table.at(CHEAT, lambda session: session.leave())
    return table.finish(), closed


def falling_silent(seats: int, seed: int, at: int, about_to: str) -> tuple[SimTable, int]:
    """The seat says nothing any more from this step on."""
    misdeed = Misdeed("falls silent", "", is_silent=True, forge=silent, when=from_step(at))
    table = play_to_the_end(misdeed, seats, 2, seed, about_to)
    return table, erred_after(table)


def from_step(at: int) -> Callable[[HostileSession, Any], bool]:
    def is_moment(session: HostileSession, step: Any) -> bool:
        return session.course.step >= at and session.course.is_awaited(session.seat)

    return is_moment


BreakOff: TypeAlias = Callable[[int, int, int, str], tuple[SimTable, int]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(4)))
@pytest.mark.parametrize("about_to", [WIN, LOSE])
@pytest.mark.parametrize("seats", first_quick((3, 2, 5)))
@pytest.mark.parametrize("at", EVERY_FEW)
@pytest.mark.parametrize("break_off", [leaving, falling_silent])
def test_one_never_gains_by_breaking_off(
    break_off: BreakOff, at: int, seats: int, about_to: str, seed: int
) -> None:
    honest = honest_end(seats, 2, seed, about_to)
    table, closed = break_off(seats, seed, at, about_to)
    for seat in range(seats):
        if seat != CHEAT:
            # Where all had shown their cards, the result stands.
            check_no_gain(honest, end_of(table, seat), closed, may_settle=True)


# --- The real games, right before the end of a hand -----------------------------------------------


@cache
def honest_hand(game: str, seats: int, seed: int) -> tuple[End, int]:
    """How a table of one hand ends, and the cheat's last step before the result is final."""
    draft = short_draft(game, seats)
    table = SimTable(seats, seed, draft=draft, choose=choose_greedily).start().finish()
    lane = table.peers[0].session.lanes.accepted[CHEAT]
    steps = [one.body.step for one in lane if not isinstance(one.body.payload, Settled)]
    return end_of(table), steps[-1]


def seed_for(game: str, seats: int, about_to: str) -> int:
    """A table of one hand that somebody wins: the cheat, or another."""
    for seed in range(SEEDS_MAX):
        end, _ = honest_hand(game, seats, seed)
        if len(end.results) == 1 and is_about_to(end, about_to):
            return seed
    raise AssertionError("no such table")


def leave_now(session: HostileSession, step: Any) -> Leave:
    return Leave()


LAST_MOMENTS: dict[str, Callable[[int], Misdeed]] = {
    "leaves": lambda at: Misdeed("leaves", "", forge=leave_now, when=from_step(at)),
    "lies": lambda at: Misdeed(
        "lies in its digest", "", "digest", twist=twisted(digest=flipped), when=from_step(at)
    ),
    "falls silent": lambda at: Misdeed(
        "falls silent", "", is_silent=True, forge=silent, when=from_step(at)
    ),
}


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("how", LAST_MOMENTS)
@pytest.mark.parametrize("about_to", [WIN, LOSE])
@pytest.mark.parametrize(
    ("game", "seats"), [("war-jhong", 3), ("samurai-warfare", 3), ("not-your-mas-jong", 4)]
)
def test_one_never_gains_right_before_the_end_of_a_hand(
    game: str, seats: int, about_to: str, how: str
) -> None:
    seed = seed_for(game, seats, about_to)
    honest, last = honest_hand(game, seats, seed)
    makers = {CHEAT: hostile(LAST_MOMENTS[how](last))}
    draft = short_draft(game, seats)
    table = SimTable(seats, seed, draft=draft, makers=makers, choose=choose_greedily)
    table.start().finish()
    end_silence(table)
    for seat in range(seats):
        if seat != CHEAT:
            cheating = end_of(table, seat)
            assert cheating.rank() == seats >= honest.rank()
            assert not cheating.present[CHEAT]
            assert all(result.points[CHEAT] == 0 for result in cheating.results)
