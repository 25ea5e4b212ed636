"""A seat that cheats where only the real games, or open books, let it, ends no better for it.

Each misdeed is played to the end of the game from the same seed as an honest table, as in
`test_cheating_never_gains.py`. In the real games the hand is one that the cheat was about to lose:
it gets nothing by playing on, so any gain would show. Who is put out in it ends behind everyone.
Keys are published when a result is final. So whatever is wrong with them, the result stands, as it
does for who plays on; the seat is out of the hands that follow.
"""

from functools import cache
from random import Random
from typing import Any

import pytest

from p2pjong.games.game import Action
from p2pjong.session.effects import Ask
from p2pjong.wire.messages import Draft
from tests.support.hostile import Misdeed, hostile
from tests.support.marks import EACH_TIME, first_quick
from tests.support.misdeeds import AT_OPEN_BOOKS
from tests.support.ranks import (
    LOSE,
    SEEDS_MAX,
    WIN,
    End,
    check_no_gain,
    end_of,
    end_silence,
    erred_after,
    is_about_to,
    play_for,
)
from tests.support.samurai_lies import RESHUFFLES
from tests.support.scenario import with_open_books
from tests.support.sim import Chooser, SimTable, choose_randomly, make_draft, tiny_draft
from tests.support.trials import (
    CHEAT,
    LIES,
    choose_greedily,
    choose_wastefully,
    draft_for,
    has_erred,
    run_until,
)

# Enough seats for the others to play on without the cheat.
SEATS = {"war-jhong": 3, "samurai-warfare": 3, "not-your-mas-jong": 4}


THREE_EACH_TIME = [pytest.param(3, marks=EACH_TIME), *first_quick((2, 5), quick=0)]


def name_of(misdeed: Misdeed) -> str:
    return misdeed.name.replace(" ", "-")


@cache
def honest_end(draft: Draft, seed: int, choose: Chooser) -> End:
    """How the table ends at which everyone is honest."""
    table = SimTable(len(draft.seats), seed, draft=draft, choose=choose)
    return end_of(table.start().finish())


def played_to_the_end(misdeed: Misdeed, draft: Draft, seed: int, choose: Chooser) -> SimTable:
    """The same table with the misdeed; not played on if its moment never comes."""
    makers = {CHEAT: hostile(misdeed)}
    table = SimTable(len(draft.seats), seed, draft=draft, makers=makers, choose=choose).start()
    if run_until(table, has_erred):
        table.finish()
        end_silence(table)
    return table


def ends_without_the_cheat(table: SimTable) -> list[End]:
    """How it ended, for each honest peer, all of which agree who won what."""
    ends = [end_of(table, seat) for seat, peer in enumerate(table.peers) if peer.is_honest]
    assert len({(end.over, end.results) for end in ends}) == 1
    return ends


# --- Misdeeds of one game -------------------------------------------------------------------------


def call_anything(ask: Ask, rng: Random) -> Action:
    """Discards what a greedy bot would, and calls or not as it comes."""
    return rng.choice(ask.actions) if ask.is_answer else choose_greedily(ask, rng)


# How people play so that the misdeeds' moments come, and hands end with a winner.
CHOOSERS: dict[str, Chooser] = {
    "war-jhong": choose_greedily,
    "samurai-warfare": choose_randomly,
    "not-your-mas-jong": call_anything,
}


def of_one_game() -> list[Any]:
    return [
        pytest.param(game, misdeed, id=f"{name_of(misdeed)}-{game}")
        for game in SEATS
        for misdeed in LIES[game]
    ]


def check_gains_nothing(misdeed: Misdeed, draft: Draft, choose: Chooser, seeds: range) -> None:
    """For the first seed at which the cheat errs in a hand that it would have lost."""
    for seed in seeds:
        honest = honest_end(draft, seed, choose)
        if not is_about_to(honest, LOSE):
            continue
        table = played_to_the_end(misdeed, draft, seed, choose)
        if has_erred(table) and is_about_to(honest, LOSE, erred_after(table)):
            for cheating in ends_without_the_cheat(table):
                check_no_gain(honest, cheating, erred_after(table), may_settle=False)
                assert cheating.rank() == len(cheating.present) and not cheating.present[CHEAT]
            return
    raise AssertionError("no such table")


@pytest.mark.slow(is_each_time=True)
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("game", "misdeed"), of_one_game())
def test_one_never_gains_by_a_misdeed_of_one_game(game: str, misdeed: Misdeed) -> None:
    draft = draft_for(game, SEATS[game], misdeed)
    check_gains_nothing(misdeed, draft, CHOOSERS[game], range(SEEDS_MAX))


@pytest.mark.slow(is_each_time=True)
@pytest.mark.timeout(60)
@pytest.mark.parametrize("misdeed", RESHUFFLES, ids=name_of)
def test_one_never_gains_by_doubling_a_card_of_the_discards(misdeed: Misdeed) -> None:
    draft = make_draft(3, "samurai-warfare", target=2)
    check_gains_nothing(misdeed, draft, choose_wastefully, range(SEEDS_MAX))


# --- Misdeeds at open books -----------------------------------------------------------------------


# From which seed on a hand that the cheat wins is looked for, to save time.
SEEDS_MIN = {"samurai-warfare": 6, "not-your-mas-jong": 2}


def check_result_stands(misdeed: Misdeed, draft: Draft, about_to: str, choose: Chooser) -> None:
    """For the first seed at which the first hand is one that the cheat wins, or loses."""
    seed_min = SEEDS_MIN.get(draft.game, 0)
    for seed in range(seed_min, seed_min + SEEDS_MAX):
        honest = honest_end(draft, seed, choose)
        if not is_about_to(honest, about_to):
            continue
        table = played_to_the_end(misdeed, draft, seed, choose)
        assert has_erred(table) and erred_after(table) == 1
        for cheating in ends_without_the_cheat(table):
            check_no_gain(honest, cheating, 1, may_settle=False)
            check_place(honest, cheating)
        return
    raise AssertionError("no such table")


def check_place(honest: End, cheating: End) -> None:
    """It ends as by playing on where the game was over; where it was not, out of it or alone."""
    if honest.over.hands == 1:
        assert cheating.rank() == honest.rank() and cheating.over.scores == honest.over.scores
    else:
        assert cheating.rank() == len(cheating.present)
        assert not cheating.present[CHEAT] or cheating.over.outcome == "abandoned"


@pytest.mark.parametrize("hands", [1, 2])
@pytest.mark.parametrize("about_to", [WIN, LOSE])
@pytest.mark.parametrize("seats", THREE_EACH_TIME)
@pytest.mark.parametrize("misdeed", AT_OPEN_BOOKS, ids=name_of)
def test_one_never_gains_at_open_books(
    misdeed: Misdeed, seats: int, about_to: str, hands: int
) -> None:
    draft = with_open_books(tiny_draft(seats, hands))
    check_result_stands(misdeed, draft, about_to, play_for(about_to))


@pytest.mark.slow(is_each_time=True)
@pytest.mark.timeout(60)
@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("misdeed", AT_OPEN_BOOKS, ids=name_of)
def test_one_never_gains_at_open_books_of_a_real_game(misdeed: Misdeed, game: str) -> None:
    draft = draft_for(game, SEATS[game], misdeed)
    check_result_stands(misdeed, draft, WIN, choose_greedily)
