"""Evidence in a record stands at its end and ends no game; records name whom screens name."""

from random import Random

import pytest

from p2pjong.audit import Verdict
from p2pjong.games.game import Seat
from p2pjong.session.effects import Blame
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import Evidence
from tests.attack.test_free_throw import two_stamps
from tests.session.test_turning import two_faced
from tests.support.sim import SessionMaker, SimTable, audit_journal, choose_default, tiny_draft

GONE, CHEAT = 3, 2


def named(verdict: Verdict) -> list[tuple[Seat, str]]:
    return [(fault.seat, fault.rule) for fault in [verdict.fault] if fault]


@pytest.mark.slow
def test_evidence_between_the_messages_of_a_game_does_not_end_it_for_an_auditor() -> None:
    """A writer cannot make of a finished game one that ended by a fault."""
    table = SimTable(3, 4, draft=tiny_draft(3, target=3), makers={CHEAT: two_faced(2)})
    peer = table.start().finish(20).peers[0]
    honest = audit_journal(table.draft, peer.journal)
    assert honest.outcome == "finished" and honest.winners
    session = peer.session
    found = session.course.faults[0].evidence
    stories = session._stories[CHEAT]
    assert found == (encode(stories.first), encode(stories.second))
    frame = encode(Evidence(session.gossip.draft, stories.first, stories.second))
    for place in range(9, len(peer.journal)):
        record = [*peer.journal[:place], frame, *peer.journal[place:]]
        verdict = audit_journal(table.draft, record)
        assert not verdict.is_valid and verdict.outcome == "unfinished"
        assert "after evidence" in verdict.problem
    last = audit_journal(table.draft, [*peer.journal, frame])
    assert (last.outcome, last.scores, last.winners) == ("finished", honest.scores, honest.winners)


@pytest.mark.slow
def test_two_stories_of_a_seat_that_is_long_out_are_named_by_screens_and_records() -> None:
    table = SimTable(4, 1, draft=tiny_draft(4, target=3), choose=choose_default).start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    table.at(GONE, lambda session: session.leave())
    stay = table.peers[:GONE]
    table.run_until(lambda table: all(one.session.play.results_closed() >= 2 for one in stay))
    word = two_stamps(table, GONE)
    draft = table.peers[0].session.gossip.draft
    table.hand_over(GONE, 0, encode(Evidence(draft, word.first, word.second)))
    table.finish()
    for peer in stay:
        assert peer.finished and isinstance(peer.finished.fault, Blame)
        verdict = audit_journal(table.draft, peer.journal)
        assert named(verdict) == [(peer.finished.fault.seat, peer.finished.fault.rule)]
        assert (verdict.outcome, verdict.scores) == ("finished", peer.finished.over.scores)


@pytest.mark.parametrize("seed", range(8, 14))
def test_the_record_of_one_who_leaves_while_a_hand_is_turned_back_lacks_nothing(seed: int) -> None:
    """It gives no word of its own, so nothing else in its record may tell of two stories."""
    rng = Random(seed)
    seats = rng.choice([3, 4, 5])
    cheat = rng.randrange(seats)
    leaver = rng.choice([seat for seat in range(seats) if seat != cheat])
    makers: dict[Seat, SessionMaker] = {cheat: two_faced(rng.randrange(1, 6))}
    table = SimTable(seats, seed, draft=tiny_draft(seats, target=2), makers=makers).start()
    for call, count in ((Session.leave, rng.randrange(20, 60 * seats)), (Session.abandon, 0)):
        last = max(count, table.delivered + (0 if count else rng.randrange(60)))
        table.run_until(lambda table: table.delivered >= last)  # noqa: B023
        table.at(leaver, call)
    peer = table.peers[leaver]
    verdict = audit_journal(table.draft, peer.journal)
    faults = peer.session.course.faults
    assert named(verdict) == [(one.seat, one.rule) for one in faults]
    assert verdict.is_valid == (not faults)
