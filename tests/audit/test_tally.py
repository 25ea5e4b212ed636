"""What the auditor counts and lists beside its verdict: proofs, signers, votes, where it stops."""

from random import Random

import pytest

from p2pjong.audit import PROVEN, Verdict, audit
from p2pjong.crypto.invalid import InvalidProof
from p2pjong.session.books import Opening
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import KeyOpen, Lane, LaneBody, PutOut, Settled, Shares, Sign
from tests.support.sim import ALL_GAMES, SimTable, choose_default, make_draft, tiny_draft

ABSENT = 3


@pytest.fixture(scope="module")
def table() -> SimTable:
    """A whole game of three; look, do not touch."""
    return SimTable(3, seed=6, draft=tiny_draft(3, target=2)).start().finish()


def lanes_of(table: SimTable, seat: int = 0) -> list[Lane]:
    return [decode(frame, Lane) for frame in table.peers[seat].journal]


def bodies(lanes: list[Lane]) -> list[LaneBody]:
    return [decode(lane.body, LaneBody) for lane in lanes]


def verdict_on(table: SimTable, lanes: list[Lane]) -> Verdict:
    return audit(table.draft, lanes, ALL_GAMES)


def test_it_counts_every_proof_of_an_honest_game(table: SimTable) -> None:
    lanes = lanes_of(table)
    payloads = [body.payload for body in bodies(lanes)]
    verdict = verdict_on(table, lanes)
    proven = dict(verdict.proven)
    assert tuple(proven) == PROVEN
    assert proven["keys"] == sum(isinstance(one, KeyOpen) for one in payloads)
    shares = [len(one.shares) // 32 for one in payloads if isinstance(one, Shares)]
    assert proven["shares"] == sum(shares) > 0
    assert proven["shuffles"] == 3 * proven["decks"] > 0
    assert proven["results"] == verdict.hands == len(verdict.results)


def test_it_counts_no_proof_of_what_is_not_in_the_record(table: SimTable) -> None:
    lanes = lanes_of(table)
    first = next(at for at, body in enumerate(bodies(lanes)) if isinstance(body.payload, KeyOpen))
    before = dict(verdict_on(table, lanes[:first]).proven)
    after = dict(verdict_on(table, lanes[: first + 1]).proven)
    assert after == before | {"keys": 1}
    for kind in ("keys", "decks", "shuffles", "dealt", "opened", "shares", "actions", "results"):
        assert before[kind] == 0


def test_the_lot_of_the_charter_counts_as_a_toss_that_nothing_undoes(
    table: SimTable, voted: SimTable
) -> None:
    lanes = lanes_of(table)
    signed = [at for at, body in enumerate(bodies(lanes)) if isinstance(body.payload, Sign)]
    assert dict(verdict_on(table, lanes[: signed[-1]]).proven)["tosses"] == 0
    assert dict(verdict_on(table, lanes[: signed[-1] + 1]).proven)["tosses"] == 1
    # Besides the tiny game casts one die, which in a hand that is turned back is cast again.
    for played in (table, voted):
        assert dict(verdict_on(played, lanes_of(played)).proven)["tosses"] == 2


def test_it_names_who_signed_each_result(table: SimTable) -> None:
    verdict = verdict_on(table, lanes_of(table))
    for result in verdict.results:
        assert result.signers == result.present == (0, 1, 2)
        assert result.is_by_majority and result.is_closed
    assert verdict.results[-1].scores == verdict.scores
    assert verdict.stop is None


@pytest.mark.parametrize("signatures", [0, 1, 2])
def test_a_result_that_waits_is_told_with_who_has_signed_it(
    table: SimTable, signatures: int
) -> None:
    """A strict majority of three is two: then the result stands although the record breaks off."""
    lanes = lanes_of(table)
    settled = [at for at, body in enumerate(bodies(lanes)) if isinstance(body.payload, Settled)]
    last = settled[-3:]
    kept = lanes[: last[signatures]]
    verdict = verdict_on(table, kept)
    assert verdict.stop is not None and len(verdict.stop.awaited) == 3 - signatures
    assert verdict.stop.reason == "sign-result"
    waiting = verdict.results[-1]
    assert not waiting.is_closed
    assert set(waiting.signers) == {0, 1, 2} - set(verdict.stop.awaited)
    assert waiting.is_by_majority == (signatures == 2)
    assert (verdict.scores == waiting.scores) == (signatures == 2)


@pytest.fixture(scope="module")
def voted() -> SimTable:
    """Seat 3 of four falls silent, the others vote it absent and play on; look, do not touch."""
    table = SimTable(4, seed=5, draft=tiny_draft(4), choose=choose_default).start()
    table.run_until(lambda table: table.peers[0].session.charter is not None)
    for other in range(ABSENT):
        table.cut(other, ABSENT)
    table.run()
    for seat in range(ABSENT):
        table.at(seat, lambda session: session.propose_absent(ABSENT))
    return table.run()


def test_voters_are_listed(voted: SimTable) -> None:
    lanes = lanes_of(voted)
    verdict = verdict_on(voted, lanes)
    assert verdict.is_valid and verdict.outcome == "finished"
    assert verdict.voted_out == (ABSENT,)
    (ballot,) = verdict.ballots
    (cast,) = {one.payload.votes for one in bodies(lanes) if isinstance(one.payload, PutOut)}
    assert ballot.voters == tuple(vote.voter for vote in cast) == (0, 1, 2)
    assert verdict.results[-1].present == (0, 1, 2)


def test_a_hand_that_was_turned_back_is_counted_alike_in_any_order(voted: SimTable) -> None:
    lanes = lanes_of(voted)
    expected = verdict_on(voted, lanes)
    for seed in range(3):
        mixed = list(lanes)
        Random(seed).shuffle(mixed)
        assert verdict_on(voted, mixed) == expected


def test_books_that_contradict_the_proofs_are_no_valid_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draft = make_draft(2, "tiny-3", 1, is_open_books=True)
    table = SimTable(2, seed=1, draft=draft, choose=choose_default).start().finish()
    assert verdict_on(table, lanes_of(table)).is_valid

    def fails(opening: Opening) -> None:
        raise InvalidProof("the books of hand 1 contradict its deck")

    monkeypatch.setattr(Opening, "check", fails)
    verdict = verdict_on(table, lanes_of(table))
    assert not verdict.is_valid and verdict.fault is None
    assert "contradict its deck" in verdict.problem


def test_who_left_is_told_with_its_message() -> None:
    table = SimTable(3, seed=2, choose=choose_default).start()
    table.run_until(lambda table: any(peer.asked for peer in table.peers))
    table.at(1, lambda session: session.leave())
    table.finish()
    lanes = lanes_of(table)
    verdict = verdict_on(table, lanes)
    length = sum(body.seat == 1 for body in bodies(lanes))
    assert verdict.departures == ((1, length - 1),)
