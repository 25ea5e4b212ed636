"""A result that a seat has signed at another place, just before the hand is turned back."""

from typing import Any

import pytest

from tests.session.test_turning import two_faced
from tests.support.hostile import Misdeed, flipped, honest_payload, hostile, silent, twisted
from tests.support.marks import first_quick
from tests.support.sim import SimTable, choose_default, tiny_draft
from tests.support.verified import check_record, recorded

TWO_FACED, ELSEWHERE, SILENT = 1, 3, 4
SIGNED_ELSEWHERE = Misdeed(
    "signs a result elsewhere", "Settled", forge=honest_payload, twist=twisted(place=flipped)
)
KEEPS_IT = Misdeed("keeps its signature back", "Settled", forge=silent, is_silent=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_quick(range(6)))
def test_what_means_nothing_is_no_answer_that_a_result_could_close_with(seed: int) -> None:
    """Peers took it for the seat's answer, found it to be none, and looked again without end."""
    makers: dict[int, Any] = {
        TWO_FACED: two_faced(2),
        ELSEWHERE: hostile(SIGNED_ELSEWHERE),
        SILENT: hostile(KEEPS_IT),
    }
    draft = tiny_draft(6, target=2)
    table = SimTable(6, seed, draft=draft, makers=makers, choose=choose_default).start()
    table.run()
    honest = [seat for seat, peer in enumerate(table.peers) if peer.is_honest]
    for voter in honest:
        assert table.peers[voter].session.course.missing() == (SILENT,)
        table.at(voter, lambda session: session.propose_absent(SILENT))
    table.run()
    assert table.is_finished()
    assert len(table.outcomes()) == len(table.digests()) == 1
    for seat in honest:
        peer = table.peers[seat]
        assert peer.blames() == [(TWO_FACED, "equivocation")]
        check_record(draft, recorded(peer.journal))
