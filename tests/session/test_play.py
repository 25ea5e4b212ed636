"""The program of a table: rules over the mental dealer, secret answers, results, and the end."""

from collections.abc import Iterator
from typing import Any

import pytest

from p2pjong.engine.canonical import digest
from p2pjong.engine.chance import Chance
from p2pjong.engine.open_dealer import OpenDealer
from p2pjong.engine.table import Table
from p2pjong.games.game import NOBODY, Action, Facts, Options, Settle
from p2pjong.session.play import Cause, decode_action, encode_action
from p2pjong.session.session import Session
from p2pjong.wire.codec import encode
from p2pjong.wire.messages import ActCommit, ActOpen, Payload, Settled
from tests.support.hostile import hostile
from tests.support.misdeeds import MISDEEDS
from tests.support.sim import SimTable, choose_default, make_draft, tiny_draft

MISDEED = {misdeed.name: misdeed for misdeed in MISDEEDS}


def watched(table: SimTable, seat: int = 0) -> list[tuple[Cause, Any]]:
    """Every cause of a change that this seat's play sees, with the state after it."""
    causes: list[tuple[Cause, Any]] = []
    play = table.peers[seat].session.play
    watch = play.watch

    def note(before: Any, cause: Cause, after: Any) -> None:
        causes.append((cause, after))
        watch(before, cause, after)

    play.watch = note
    return causes


def step_of(table: SimTable, state: Any, cause: Cause, after: Any) -> Any:
    """The rules alone: what follows from a public cause."""
    if isinstance(cause, Facts):
        return table.game.resolve(state, cause)
    if cause:
        return table.game.decide(state, cause)
    out = tuple(
        seat for seat, is_here in enumerate(state.present) if is_here and not after.present[seat]
    )
    return table.game.void(state, out)


@pytest.mark.parametrize("leaves", [False, True])
def test_the_public_causes_alone_give_the_same_game(leaves: bool) -> None:
    """A game cannot tell one dealer from another: facts and actions are all that it sees."""
    table = SimTable(3, seed=2, draft=tiny_draft(3, target=2))
    causes = watched(table)
    start = table.peers[0].session.play.state
    table.start()
    if leaves:
        table.run_until(lambda table: bool(table.peers[0].session.play.results))
        table.at(1, lambda session: session.leave())
    table.finish()
    state = start
    for cause, after in causes:
        state = step_of(table, state, cause, after)
        assert state == after
    assert {digest(state)} == table.digests()
    assert any(not cause for cause, _ in causes) == leaves


@pytest.mark.parametrize("game", ["tiny-3", "war-jhong"])
def test_the_open_dealer_serves_the_very_same_rules(game: str) -> None:
    """The game object of the mental dealer's table, dealt openly, comes to a result as well."""
    rules = SimTable(3, draft=make_draft(3, game)).game
    other = Table(rules, rules.start(3, Options(1)), OpenDealer(3, Chance("1")), is_checked=True)
    other.advance()
    while other.awaited():
        seat = other.awaited()[0]
        other.choose(other.legal(seat)[-1])
        other.advance()
    assert isinstance(other.pending, Settle)


# --- Answers in secret ------------------------------------------------------------------------


def lane_kinds(table: SimTable, seat: int, kind: type[Payload]) -> Iterator[Any]:
    for signed in table.peers[0].session.lanes.accepted[seat]:
        if isinstance(signed.body.payload, kind):
            yield signed


@pytest.fixture(scope="module")
def finished() -> SimTable:
    """A game in which discards were answered; look, do not touch."""
    return SimTable(3, seed=2, choose=choose_default).start().finish()


def test_nobody_shows_an_answer_before_all_have_committed_to_theirs(finished: SimTable) -> None:
    """W5: the answers are made without seeing the others'."""
    commits = {
        signed.body.step: signed.number
        for seat in range(3)
        for signed in lane_kinds(finished, seat, ActCommit)
    }
    assert commits
    session = finished.peers[0].session
    for seat in range(3):
        for opened in lane_kinds(finished, seat, ActOpen):
            committed = [
                (other, signed.number)
                for other in range(3)
                for signed in lane_kinds(finished, other, ActCommit)
                if signed.body.step == opened.body.step - 1
            ]
            assert len(committed) == 2
            for other, number in committed:
                assert opened.body.heads[other].length > number
    assert session.course.faults == []


def test_a_pass_and_a_claim_look_alike_until_they_are_shown(finished: SimTable) -> None:
    sizes = {
        len(encode(signed.body))
        for seat in range(3)
        for signed in lane_kinds(finished, seat, ActCommit)
    }
    assert max(sizes) - min(sizes) <= 16, "numbers of steps and lanes grow, nothing else differs"
    hashes = [
        signed.body.payload.commitment
        for seat in range(3)
        for signed in lane_kinds(finished, seat, ActCommit)
    ]
    assert len(set(hashes)) == len(hashes), "equal answers have different commitments"


def test_an_action_goes_there_and_back() -> None:
    action = Action(2, "claim", (4, 7), 1)
    assert decode_action(2, encode_action(action)) == action
    assert decode_action(1, encode_action(action)).seat == 1, "its seat is its lane's"


# --- Results ----------------------------------------------------------------------------------


def test_all_sign_the_same_result_and_it_is_kept(finished: SimTable) -> None:
    signatures = [
        signed.body.payload.result
        for seat in range(3)
        for signed in lane_kinds(finished, seat, Settled)
    ]
    assert len(signatures) == 3
    assert len(set(signatures)) == 1
    for peer in finished.peers:
        (result,) = peer.session.play.results
        assert peer.finished is not None
        assert result.scores == peer.finished.over.scores


def settling(table: SimTable) -> Iterator[tuple[Session, Any, tuple[int, ...]]]:
    """Run a table; at each moment at which its first peer waits for signatures: the result, and
    the scores before it."""
    table.start()
    session = table.peers[0].session
    while table.step():
        pending = session.play.pending()
        if isinstance(pending, Settle) and not session.is_over:
            settled = session.play.results
            yield (
                session,
                pending.result,
                settled[-1].scores if settled else (0,) * len(table.peers),
            )


def signatures(session: Session, result: Any) -> int:
    """How many seats have signed the pending result, as this peer knows."""
    expected = session.play.public_digest()
    last = [lane[-1].body.payload for lane in session.lanes.accepted]
    return last.count(Settled(expected))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_a_result_that_a_strict_majority_has_signed_stands_if_the_game_breaks_off(
    seats: int,
) -> None:
    seen = set()
    for seed in range(5):
        table = SimTable(seats, seed, draft=tiny_draft(seats, target=2))
        for session, result, before in settling(table):
            signed = signatures(session, result)
            is_final = 2 * signed > seats
            assert session.standing().scores == (result.scores if is_final else before)
            seen.add(signed)
    assert seen >= {1, 2, 3} - {seats}


@pytest.mark.slow
def test_who_breaks_a_rule_in_place_of_signing_has_not_signed() -> None:
    seen = set()
    for seed in range(5):
        makers = {1: hostile(MISDEED["signs another result"])}
        table = SimTable(3, seed, draft=tiny_draft(3, target=2), makers=makers)
        for session, result, before in settling(table):
            signed = signatures(session, result)
            assert session.standing().scores == (result.scores if signed >= 2 else before)
            seen.add((signed, bool(session.course.faults)))
    assert (1, True) in seen


def test_an_onlookers_view_is_what_all_may_know(finished: SimTable) -> None:
    play = finished.peers[0].session.play
    view = play.game.view(play.state, NOBODY, {})
    assert view.hand == ()
    assert play.present() == (0, 1, 2)
    assert play.public_digest() == digest(play.state)
