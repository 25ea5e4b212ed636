"""Not Your Ma's Jong between real sessions: calls, their order, and whoever lies about either."""

from random import Random

import pytest
from msgspec.structs import replace

from p2pjong.bots import STRATEGIES
from p2pjong.games.game import Action, Event, Over, Seat
from p2pjong.session.effects import Ask, Happened
from p2pjong.wire.messages import Draft, Ordered
from tests.support.hostile import HostileSession, Misdeed, hostile
from tests.support.marks import one_of_each_quick
from tests.support.mas_jong_lies import LIES
from tests.support.sim import Chaos, Peer, SimTable, choose_randomly, make_draft

GAME = "not-your-mas-jong"
JUDGE, CHEAT = 0, 1


def draft_of(seats: int, rounds: int = 1, oldest: Seat = JUDGE) -> Draft:
    """A table on which `oldest` is the first Ma."""
    draft = make_draft(seats, GAME)
    entries = tuple(
        replace(entry, is_oldest=seat == oldest) for seat, entry in enumerate(draft.seats)
    )
    return replace(draft, options=replace(draft.options, rounds=rounds), seats=entries)


def choose_greedily(ask: Ask, rng: Random) -> Action:
    """What the greedy bot would do."""
    return STRATEGIES["greedy"]()(ask.view, ask.actions, rng)


def seen_by(peer: Peer, verb: str = "") -> list[Event]:
    """What its shell was told to have happened."""
    events = [effect.event for effect in peer.seen if isinstance(effect, Happened)]
    return [event for event in events if event.verb == verb or not verb]


def check_agreement(table: SimTable) -> Over:
    """All peers saw the same, end alike, and their records say so."""
    (over,) = table.outcomes()
    (digest,) = table.digests()
    assert isinstance(over, Over)
    assert table.faults() == []
    stories = [seen_by(peer) for peer in table.peers]
    assert all(story == stories[0] for story in stories)
    for verdict in table.audits():
        assert verdict.is_valid
        assert (verdict.outcome, verdict.digest) == (over.outcome, digest)
    return over


LONG = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [1, pytest.param(9, marks=LONG)])
def test_a_whole_game_of_bots_ends_alike_for_all(rounds: int) -> None:
    table = SimTable(3, seed=2, draft=draft_of(3, rounds), choose=choose_greedily)
    over = check_agreement(table.start().finish())
    assert over.outcome == "finished"
    assert over.hands == rounds or min(over.scores) == 0
    # The oldest first (G1), then the next (N10).
    began = seen_by(table.peers[2], "hand_began")
    assert [event.seat for event in began] == [number % 3 for number in range(over.hands)]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("seed", range(2))
def test_random_calls_on_a_bad_network_end_alike_for_all(seed: int) -> None:
    chaos = Chaos(twice=0.02, lost=0.02, cut=0.005, tick=0.02)
    draft = draft_of(3, oldest=seed)
    table = SimTable(3, seed=seed, draft=draft, chaos=chaos).start().finish(ticks=40)
    check_agreement(table)
    story = seen_by(table.peers[0])
    assert {"called", "served", "wrong_call", "skipped"} <= {event.verb for event in story}


# --- Who called first (N4) ----------------------------------------------------------------------


def ask_all(seats: int = 4) -> SimTable:
    """A table on which Ma has discarded and all others have been asked, but nobody answered."""
    table = SimTable(seats, seed=4, draft=draft_of(seats)).start()
    while True:
        asked = {seat: peer.asked for seat, peer in enumerate(table.peers) if peer.asked}
        if len(asked) == seats - 1:
            assert all(ask.is_race for ask in asked.values())
            return table
        wires = sorted(wire for wire, frames in table.wires.items() if frames)
        if wires:
            table.deliver(*table.rng.choice(wires))
        else:
            table.choose_for(JUDGE)


def call(table: SimTable, seat: Seat, verb: str) -> None:
    """The seat answers the discard."""
    ask = table.peers[seat].asked
    assert ask is not None
    table.peers[seat].asked = None
    table.at(seat, lambda session: session.answer(ask.question, Action(seat, verb)))


def arrive(table: SimTable, to: Seat, order: tuple[Seat, ...]) -> None:
    """All that is on the wires to one peer arrives, sender after sender."""
    for sender in order:
        frames = table.wires.pop((sender, to), [])
        for frame in frames:
            table.hand_over(sender, to, frame)


def come_to_rest(table: SimTable) -> None:
    """Everything arrives, and nobody chooses."""
    while wires := sorted(wire for wire, frames in table.wires.items() if frames):
        table.deliver(*table.rng.choice(wires))


@pytest.mark.slow
@pytest.mark.parametrize("at_judge", [(1, 2), (2, 1)])
@pytest.mark.parametrize("at_others", [(1, 2), (2, 1)])
def test_n4_the_first_call_to_reach_the_discarder_is_first_on_every_peer(
    at_judge: tuple[Seat, Seat], at_others: tuple[Seat, Seat]
) -> None:
    table = ask_all()
    for seat in (1, 2):  # both have called before either hears of the other
        call(table, seat, "call_set")
    call(table, 3, "pass")
    arrive(table, JUDGE, (*at_judge, 3))
    arrive(table, 3, at_others)
    come_to_rest(table)
    for peer in table.peers:
        assert [event.seat for event in seen_by(peer, "called")][:2] == [1, 2]
        assert seen_by(peer, "served")[0].seat == at_judge[0]
    assert len({peer.session.play.public_digest() for peer in table.peers}) == 1
    assert [peer.asked is not None for peer in table.peers] == [
        seat == at_judge[0] for seat in range(4)
    ]


def test_n4_a_call_to_win_is_served_first_however_late_it_came() -> None:
    table = ask_all()
    call(table, 1, "call_set")
    call(table, 2, "call_win")
    call(table, 3, "pass")
    arrive(table, JUDGE, (1, 3, 2))
    come_to_rest(table)
    assert {seen_by(peer, "served")[0].seat for peer in table.peers} == {2}


# --- Lies ---------------------------------------------------------------------------------------


NAMED_LIES = [lie for lie in LIES if lie.rule and not lie.tell]


@pytest.mark.slow
@pytest.mark.parametrize(
    "lie", one_of_each_quick(NAMED_LIES, lambda lie: lie.rule, lambda lie: lie.name)
)
def test_n5_a_lie_is_named_by_all_and_voids_the_round(lie: Misdeed) -> None:
    makers = {CHEAT: hostile(lie)}
    table = SimTable(3, 5, draft=draft_of(3, oldest=CHEAT), makers=makers, choose=choose_randomly)
    table.start().finish()
    cheat = table.peers[CHEAT].session
    assert isinstance(cheat, HostileSession) and cheat.has_erred
    assert table.faults() == [(CHEAT, lie.rule)]
    for peer, verdict in zip(table.honest(), table.audits(), strict=True):
        assert (CHEAT, lie.rule) in peer.blames()
        assert verdict.fault and (verdict.fault.seat, verdict.fault.rule) == (CHEAT, lie.rule)
    assert table.outcomes() == {Over("fault", (10, 10, 10), (), 0)}  # two seats are too few


@pytest.mark.slow
def test_n5_with_four_seats_the_round_is_dealt_again_without_the_cheat() -> None:
    lie = next(lie for lie in LIES if lie.rule == "steal-without-set")
    makers = {CHEAT: hostile(lie)}
    table = SimTable(4, 5, draft=draft_of(4, oldest=CHEAT), makers=makers).start().finish()
    assert table.faults() == [(CHEAT, "steal-without-set")]
    (over,) = table.outcomes()
    assert (over.outcome, over.hands) == ("finished", 1)
    assert CHEAT not in over.winners
    assert seen_by(table.peers[0], "hand_began")[-1].seat == 2  # the next Ma (G6)


@pytest.mark.slow
def test_the_order_is_one_message_of_the_discarder() -> None:
    table = SimTable(3, seed=3, draft=draft_of(3)).start().finish()
    check_agreement(table)
    discarders = {event.target for event in seen_by(table.peers[0], "called")}
    for seat, lane in enumerate(table.peers[0].session.lanes.accepted):
        orders = [signed for signed in lane if isinstance(signed.body.payload, Ordered)]
        assert bool(orders) <= (seat in discarders)
