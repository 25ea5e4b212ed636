"""Samurai Warfare between real sessions: what is hidden stays so, and whoever lies is named."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from p2pjong.bots import STRATEGIES
from p2pjong.crypto.group import face_point
from p2pjong.crypto.membership import prove_membership
from p2pjong.games.game import Action, Event, Over, Seat, Slot
from p2pjong.games.samurai_warfare.cards import CARDS
from p2pjong.games.samurai_warfare.state import BATTLE, TACTICS, State
from p2pjong.games.samurai_warfare.steps import ChoosePlay
from p2pjong.games.samurai_warfare.targets import NO_AIM, aims, barred_faces, effects_of, open_types
from p2pjong.session.course import Step
from p2pjong.session.effects import Ask, Happened
from p2pjong.wire.messages import Act, ProvenAmong, Switched
from tests.support.hostile import HostileSession, Misdeed, acting, altered, flipped, hostile
from tests.support.sim import Chaos, Peer, SimTable, choose_randomly, make_draft

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


def test_a_game_of_bots_ends_alike_for_all() -> None:
    table = SimTable(3, seed=1, draft=make_draft(3, GAME, target=1), choose=choose_greedily)
    over = check_agreement(table.start().finish())
    assert (over.outcome, max(over.scores), len(over.winners)) == ("finished", 1, 1)
    verbs = {event.verb for event in story(table.peers[0])}
    assert {"drew", "played", "discarded", "passed", "turn_won", "settled"} <= verbs


def choose_wastefully(ask: Ask, rng: Random) -> Action:
    """Any action, of those that name most cards, so that the deck runs out soon; looks ahead."""
    held = dict(ask.view.hand)
    if ask.view.reason == "to play a card for its effect or pass":
        leaders = [a for a in ask.actions if a.slots and CARDS[held[a.slots[0]]].type == "shogun"]
        return rng.choice(leaders or ask.actions)
    most = max([len(action.slots) for action in ask.actions if action.verb != "play"], default=0)
    return rng.choice([action for action in ask.actions if len(action.slots) >= most])


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


def own_play(session: HostileSession, step: Step, phase: str) -> State | None:
    """The state in which the cheat must play, or may, in this phase."""
    if step.kind is not Act or not session.course.is_awaited(CHEAT):
        return None
    state: State = session.play.state
    is_play = isinstance(state.queue[0], ChoosePlay) and state.phase == phase
    return state if is_play else None


def barred(session: HostileSession) -> list[Slot]:
    """Our cards that may not be played now."""
    state, known = session.play.state, session.dealer.known(CHEAT)
    allowed = open_types(state, CHEAT)
    return [slot for slot in state.hands[CHEAT] if CARDS[known[slot]].type not in allowed]


def aimed(session: HostileSession) -> list[Slot]:
    """Our cards, playable, that must aim at something."""
    state, known = session.play.state, session.dealer.known(CHEAT)
    allowed = open_types(state, CHEAT)
    return [
        slot
        for slot in state.hands[CHEAT]
        if CARDS[known[slot]].type in allowed
        and NO_AIM not in aims(state, CHEAT, effects_of(state, known[slot]))
    ]


def first_of(slots: Callable[[HostileSession], list[Slot]]) -> Callable[..., tuple[Slot, ...]]:
    return lambda session: tuple(slots(session)[:1])


def can_hold_back(session: HostileSession, step: Step) -> bool:
    """We hold a playable card, and might hold none for all that others know."""
    state = own_play(session, step, BATTLE)
    if state is None or not barred_faces(state, CHEAT):
        return False
    return len(barred(session)) < len(state.hands[CHEAT])


def has_barred(session: HostileSession, step: Step) -> bool:
    return own_play(session, step, BATTLE) is not None and bool(barred(session))


def has_aimed(session: HostileSession, step: Step) -> bool:
    return own_play(session, step, BATTLE) is not None and bool(aimed(session))


def has_aimed_tactics(session: HostileSession, step: Step) -> bool:
    return own_play(session, step, TACTICS) is not None and bool(aimed(session))


def false_proof(session: HostileSession, step: Step) -> ProvenAmong:
    """A proof for our true faces, which are not those asked about."""
    state, known = session.play.state, session.dealer.known(CHEAT)
    faces = list(barred_faces(state, CHEAT))
    true = list(dict.fromkeys(known[slot] for slot in state.hands[CHEAT]))
    asked = [*true, *[face for face in faces if face not in true]][: max(len(faces), len(true))]
    context = session.course.context(CHEAT)
    slots = [session.dealer._cards[slot].slot for slot in state.hands[CHEAT]]
    points = [face_point(GAME, face) for face in asked]
    entropy = session.play.seed.entropy(context)
    proof = prove_membership(context, session.dealer._key(), slots, points, entropy)
    return ProvenAmong(proof.encode())


def no_slots(session: HostileSession) -> tuple[Slot, ...]:
    return ()


LIES = (
    Misdeed(
        "passes with a playable card",
        "Act",
        "proof",
        acting("pass", no_slots),
        follow={"ProvenAmong": false_proof},
        when=can_hold_back,
    ),
    Misdeed(
        "plays a card that may not be played",
        "Act",
        "card-not-playable",
        acting("play", first_of(barred)),
        when=has_barred,
    ),
    Misdeed(
        "names no target in battle where there is one",
        "Act",
        "wrong-target",
        acting("play", first_of(aimed)),
        when=has_aimed,
    ),
    Misdeed(
        "names no target in tactics where there is one",
        "Act",
        "wrong-target",
        acting("play", first_of(aimed)),
        when=has_aimed_tactics,
    ),
    Misdeed(
        "plays a card that it does not hold",
        "Act",
        "illegal-action",
        acting("play", lambda session: (session.play.state.deck[0],)),
        when=lambda session, step: own_play(session, step, TACTICS) is not None,
    ),
    Misdeed(
        "discards four cards",
        "Act",
        "illegal-action",
        acting("discard", lambda session: session.play.state.hands[CHEAT][:4]),
        reason="to discard up to 3 cards",
    ),
    Misdeed(
        "acts out of phase",
        "Act",
        "illegal-action",
        acting("take", lambda session: session.play.state.deck[:1]),
    ),
    Misdeed(
        "forges the proof of a pass",
        "ProvenAmong",
        "proof",
        altered(proof=flipped),
    ),
    Misdeed(
        "switches another card than the one tossed for",
        "Switched",
        "proof",
        altered(cards=lambda cards: cards[32:] + cards[:32]),
    ),
)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
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
