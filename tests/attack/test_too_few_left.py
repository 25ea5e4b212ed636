"""Two stories of one seat in a game that the others alone are too few for: it ends for all of them.

To one the seat says that it leaves, so the game is over there; to the other it goes on playing.
"""

from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.session.lanes import sign_body
from p2pjong.wire.messages import Act, Leave, Payload, Settled, Shares, Shuffled
from tests.support.marks import first_quick
from tests.support.sim import SimTable, choose_default, make_draft, make_secrets

TOLD, CHEAT, SEED = 0, 1, 4


class Farewell(list[bytes]):
    """A wire on which the next message of that kind becomes a leave, and nothing comes after it."""

    def __init__(self, table: SimTable, kind: type[Payload]) -> None:
        self.table, self.kind, self.has_left = table, kind, False

    def append(self, frame: bytes) -> None:
        if self.has_left:
            return
        last: Any = self.table.peers[CHEAT].session.lanes.accepted[CHEAT][-1:]
        if not last or last[0].frame != frame or not isinstance(last[0].body.payload, self.kind):
            super().append(frame)
            return
        self.has_left = True
        body = with_fields(last[0].body, payload=Leave())
        secrets = make_secrets(self.table.draft, CHEAT, SEED)
        super().append(sign_body(body, secrets.sign).frame)


@pytest.mark.parametrize("kind", first_quick([Shuffled, Shares, Act, Settled]))
def test_who_leaves_for_one_and_stays_for_another_makes_nobody_wait(kind: type[Payload]) -> None:
    draft = make_draft(3, "not-your-mas-jong")
    table = SimTable(3, SEED, draft=draft, choose=choose_default)
    farewell = table.wires[CHEAT, TOLD] = Farewell(table, kind)
    table.peers[CHEAT].is_honest = False
    table.start().finish(ticks=12)
    assert farewell.has_left
    assert table.is_finished()
    told, played = (peer.finished for peer in table.honest())
    assert told is not None and played is not None
    assert told.over.scores == played.over.scores
    # Who had ended by the leave sees no fault in it; who has heard both stories names the cheat.
    assert {told.over.outcome, played.over.outcome} <= {"abandoned", "fault"}
    assert "fault" in (told.over.outcome, played.over.outcome)
    for peer in table.honest():
        assert {fault.seat for fault in peer.session.course.faults} <= {CHEAT}
        assert {seat for seat, _ in peer.blames()} <= {CHEAT}
