"""Words and votes among the messages of the charter, to shift the numbers of these.

By its number everyone tells of which message of the charter there are two stories.
"""

from typing import Any

import pytest

from p2pjong.games.game import Seat
from p2pjong.session.session import Session
from p2pjong.wire.messages import (
    Convict,
    NonceCommit,
    NonceOpen,
    Payload,
    Sign,
    Stamp,
)
from tests.support.ballots import word_of
from tests.support.sim import SimTable, audit_journal, choose_default, tiny_draft
from tests.support.verified import check_record, recorded

CHEAT: Seat = 1
STAMP = Stamp(0, 0, 0, 0, bytes(32), bytes(64))
CHARTER: list[Any] = [NonceCommit, NonceOpen, Sign]
EARLY: dict[str, Payload] = {
    "put out": word_of(tiny_draft(3), (1, 2), 0, bytes(32)),
    "convict": Convict(STAMP, STAMP),
}


def saying_before(kind: type[Any], early: Payload) -> Any:
    class Hasty(Session):
        """Says a word before its message of the charter."""

        def _say(self, payload: Payload) -> None:
            if isinstance(payload, kind):
                said = early
                self._has_left = True
                super()._say(said)
            elif not self._has_left:
                super()._say(payload)

    return Hasty


@pytest.mark.parametrize("kind", CHARTER)
@pytest.mark.parametrize("early", EARLY)
def test_a_word_among_the_messages_of_the_charter_is_a_fault(early: str, kind: type[Any]) -> None:
    makers = {CHEAT: saying_before(kind, EARLY[early])}
    table = SimTable(3, 2, draft=tiny_draft(3), makers=makers, choose=choose_default)
    table.start().finish()
    rule = "word"
    number = CHARTER.index(kind)
    assert table.is_finished() and len(table.outcomes()) == 1
    for peer in table.honest():
        assert peer.blames() == [(CHEAT, rule)]
        verdict = audit_journal(table.draft, peer.journal)
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.number, verdict.fault.rule) == (
            CHEAT,
            number,
            rule,
        )
        assert peer.finished is not None
        assert (peer.finished.over.outcome == "finished") == (kind is Sign)
        check_record(table.draft, recorded(peer.journal))
