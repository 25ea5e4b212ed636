"""Drafts at which no peer begins a table."""

import pytest

from p2pjong.games import GAMES
from p2pjong.session.draft import BadDraft, check_options
from p2pjong.wire.messages import TableOptions
from tests.support.bad_drafts import bad_drafts
from tests.support.sim import SimTable, tiny_draft


@pytest.mark.parametrize("problem", bad_drafts(tiny_draft(3)))
def test_no_peer_begins_at_such_a_table(problem: str) -> None:
    with pytest.raises(BadDraft, match=problem):
        SimTable(3, draft=bad_drafts(tiny_draft(3))[problem])


FAIR = (60_000, 2_000, 60_000)


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ((1, 2_000, 60_000), "clock is 0 or 5 to 3600 seconds, not 0.001"),
        ((60_000, 1, 60_000), "window is 0 or 0.5 to 300 seconds, not 0.001"),
        ((60_000, 2_000, 0), "grace is 5 to 3600 seconds, not 0"),
        ((60_000, 2_000, 86_400_000), "grace is 5 to 3600 seconds, not 86400"),
        ((60_000, 30_000, 20_000), "window 30 is longer than grace 20"),
    ],
)
def test_nobody_begins_at_a_table_with_times_that_nobody_can_play_by(
    times: tuple[int, int, int], told: str
) -> None:
    game = GAMES["war-jhong"]
    check_options(game, TableOptions(20, 0, *FAIR, False), 4)
    with pytest.raises(BadDraft, match=told):
        check_options(game, TableOptions(20, 0, *times, False), 4)
