"""Drafts at which no peer begins a table."""

import pytest

from p2pjong.session.draft import BadDraft
from tests.support.bad_drafts import bad_drafts
from tests.support.sim import SimTable, tiny_draft


@pytest.mark.parametrize("problem", bad_drafts(tiny_draft(3)))
def test_no_peer_begins_at_such_a_table(problem: str) -> None:
    with pytest.raises(BadDraft, match=problem):
        SimTable(3, draft=bad_drafts(tiny_draft(3))[problem])
