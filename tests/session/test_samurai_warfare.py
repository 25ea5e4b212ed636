"""Samurai Warfare between real sessions: what is hidden stays so, and whoever lies is named."""

from random import Random
from typing import Any

import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.games.game import Action, Event, Over, Seat
from p2pjong.session.effects import Ask, Happened
from p2pjong.wire.messages import Switched
from tests.support.hostile import HostileSession, Misdeed, hostile
from tests.support.marks import one_of_each_quick
from tests.support.samurai_lies import LIES
from tests.support.sim import Chaos, Peer, SimTable, choose_randomly, make_draft
from tests.support.trials import choose_wastefully

GAME = "samurai-warfare"
CHEAT = 1


def choose_greedily(ask: Ask, rng: Random) -> Action:
    """What the greedy bot would do."""
    return STRATEGIES["greedy"]()(ask.view, ask.actions, rng)


def story(peer: Peer) -> list[Event]:
    """What its shell was told to have happened."""
    return [effect.event for effect in peer.seen if isinstance(effect, Happened)]


def check_agreement(table: SimTable) -> Over:
    """All peers saw the same, end alike, and their records say so."""
    (over,) = table.outcomes()
    (digest,) = table.digests()
    assert isinstance(over, Over)
    assert table.faults() == []
    first, *others = [story(peer) for peer in table.peers]
    assert all(other == first for other in others)
    for verdict in table.audits():
        assert verdict.is_valid
        assert (verdict.outcome, verdict.digest) == (over.outcome, digest)
    return over


@pytest.mark.slow
def test_a_game_of_bots_ends_alike_for_all() -> None:
    table = SimTable(3, seed=1, draft=make_draft(3, GAME, target=1), choose=choose_greedily)
    over = check_agreement(table.start().finish())
    assert (over.outcome, max(over.scores), len(over.winners)) == ("finished", 1, 1)
    verbs = {event.verb for event in story(table.peers[0])}
    assert {"drew", "played", "discarded", "passed", "turn_won", "settled"} <= verbs


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_game_with_every_operation_and_a_reshuffle_ends_alike_for_all() -> None:
    draft = make_draft(3, GAME, target=3)
    table = SimTable(3, seed=3, draft=draft, choose=choose_wastefully)
    over = check_agreement(table.start().run(200_000))
    assert over.outcome == "finished"
    verbs = {event.verb for event in story(table.peers[0])}
    assert {"reshuffled", "peeked", "took", "looked", "stole", "destroyed", "passed"} <= verbs


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_bad_network_changes_nothing() -> None:
    chaos = Chaos(twice=0.02, lost=0.02, cut=0.005, tick=0.02)
    table = SimTable(3, seed=5, draft=make_draft(3, GAME, target=1), chaos=chaos)
    check_agreement(table.start().finish(ticks=60))


@pytest.mark.slow
def test_each_peer_knows_the_faces_of_its_own_and_of_what_it_saw() -> None:
    table = SimTable(3, seed=6, draft=make_draft(3, GAME, target=1))
    table.start()
    is_seen = []
    while table.step():
        for seat, peer in enumerate(table.peers):
            view: Any = peer.session.view()
            if peer.session.play is not None and view is not None:
                assert len(view.hand) == view.hand_sizes[seat]
                is_seen += [seen.verb for seen in view.seen]
                others = [s for s in view.seen if seat not in (s.seat, s.target)]
                assert not others
    assert "drew" in is_seen


# --- Lies ---------------------------------------------------------------------------------------


NAMED_LIES = [lie for lie in LIES if lie.rule and not lie.tell]


@pytest.mark.parametrize(
    "lie", one_of_each_quick(NAMED_LIES, lambda lie: lie.rule, lambda lie: lie.name)
)
def test_a_lie_is_named_by_all_and_voids_the_turn(lie: Misdeed) -> None:
    draft = make_draft(2, GAME, target=1)
    for seed in range(12):
        makers = {CHEAT: hostile(lie)}
        table = SimTable(2, seed, draft=draft, makers=makers, choose=choose_randomly)
        table.start().finish()
        cheat = table.peers[CHEAT].session
        assert isinstance(cheat, HostileSession)
        if cheat.has_erred:
            break
    (found,) = table.faults()
    assert found[0] == CHEAT and found[1].startswith(lie.rule)
    (over,) = table.outcomes()
    assert (over.scores, over.winners, over.hands) == ((0, 0), (), 0)
    for verdict in table.audits():
        assert verdict.fault and verdict.fault.seat == CHEAT


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_g6_the_others_play_on_with_all_cards_shuffled_anew() -> None:
    makers: dict[Seat, Any] = {CHEAT: hostile(LIES[0])}
    table = SimTable(3, 2, draft=make_draft(3, GAME, target=1), makers=makers).start().finish()
    assert [seat for seat, _ in table.faults()] == [CHEAT]
    (over,) = table.outcomes()
    assert over.outcome == "finished" and CHEAT not in over.winners
    shuffled = [event for event in story(table.peers[0]) if event.verb == "shuffled"]
    assert [event.number for event in shuffled] == [71, 71]


@pytest.mark.slow
def test_a_steal_and_a_look_are_switches_of_the_holder() -> None:
    draft = make_draft(3, GAME, target=1)
    told: set[Seat] = set()
    for seed in range(8):
        table = SimTable(3, seed, draft=draft).start().finish()
        told = {e.target for e in story(table.peers[0]) if e.verb in ("looked", "stole")}
        if told:
            break
    lanes = table.peers[0].session.lanes.accepted
    switched = {
        seat
        for seat, lane in enumerate(lanes)
        if any(isinstance(signed.body.payload, Switched) for signed in lane)
    }
    assert told and told <= switched
