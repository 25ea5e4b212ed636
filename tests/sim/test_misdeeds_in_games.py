"""Every misdeed in every game where it makes sense: named alike by all, and worth nothing."""

from typing import Any

import pytest

from tests.support.hostile import Misdeed, hostile
from tests.support.samurai_lies import RESHUFFLES
from tests.support.sim import SimTable, make_draft
from tests.support.trials import (
    CHEAT,
    SEATS,
    check_blame,
    check_in_game,
    check_out,
    choose_wastefully,
    has_erred,
    is_judged,
    misdeeds_of,
    run_until,
    seats_of,
    try_in,
)


def cases(game: str) -> list[Any]:
    """All that is tried in one game, by name."""
    return [
        pytest.param(game, misdeed, seats, id=f"{misdeed.name.replace(' ', '-')}-{game}-{seats}")
        for misdeed in misdeeds_of(game)
        for seats in seats_of(game, misdeed)
    ]


IN_GAMES = [case for game in SEATS if game != "tiny" for case in cases(game)]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("game", "misdeed", "seats"), IN_GAMES)
def test_honest_peers_stand_up_to_it(game: str, misdeed: Misdeed, seats: int) -> None:
    check_in_game(try_in(game, misdeed, seats), misdeed)


@pytest.mark.slow(is_each_time=True)
@pytest.mark.timeout(60)
@pytest.mark.parametrize("seats", SEATS["samurai-warfare"])
@pytest.mark.parametrize("misdeed", RESHUFFLES, ids=lambda misdeed: misdeed.name.replace(" ", "-"))
def test_no_card_is_doubled_when_the_discards_become_the_deck(misdeed: Misdeed, seats: int) -> None:
    draft = make_draft(seats, "samurai-warfare", target=3)
    makers = {CHEAT: hostile(misdeed)}
    table = SimTable(seats, seed=3, draft=draft, makers=makers, choose=choose_wastefully).start()
    assert run_until(table, has_erred), "the deck ran out"
    assert run_until(table, is_judged)
    check_blame(table, misdeed)
    check_out(table, misdeed)
