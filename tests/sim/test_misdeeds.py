"""Every misdeed of a hostile client: honest peers name it alike, and nobody else, and go on."""

from typing import Any

import pytest

from p2pjong.games.game import NOBODY
from p2pjong.session.effects import VotedOut
from tests.support.hostile import HostileSession, Misdeed, hostile
from tests.support.marks import one_of_each_quick
from tests.support.misdeeds import (
    AT_OPEN_BOOKS,
    CHARTER,
    MISDEEDS,
    MIX,
    SHOW,
    is_at_open_books,
)
from tests.support.scenario import may_end_first, with_open_books
from tests.support.sim import SimTable, choose_default, tiny_draft
from tests.support.trials import is_at_end_of_hand

CHEAT = 1
TRIED = [*MISDEEDS, *AT_OPEN_BOOKS]

# Where to look first with three seats, to save time.
SEEDS = {"shows no pair": 1}


def play_with(misdeed: Misdeed, seats: int, seed: int) -> SimTable:
    """Two hands, if it comes to them, in which one seat commits the misdeed."""
    draft = tiny_draft(seats, target=1 + misdeed.nth)
    if is_at_open_books(misdeed):
        draft = with_open_books(draft)
    makers = {CHEAT: hostile(misdeed)}
    table = SimTable(seats, seed, draft=draft, makers=makers, choose=choose_default)
    return table.start().finish()


def has_erred(table: SimTable) -> bool:
    cheat = table.peers[CHEAT].session
    assert isinstance(cheat, HostileSession)
    return cheat.has_erred


def check(misdeed: Misdeed, seats: int) -> None:
    # Not every seat gets the turn, or the cards, that a misdeed needs.
    for seed in range(SEEDS.get(misdeed.name, 0), 40):
        table = play_with(misdeed, seats, seed)
        if has_erred(table):
            break
    assert has_erred(table), "the misdeed was committed"
    check_blame(table, misdeed)
    if misdeed.is_silent:
        check_waiting(table)
        check_voted_absent(table, misdeed)
    elif may_end_first(misdeed):
        # Who heard a bad signature has no table; the others can only vote it absent.
        assert table.is_finished() or misdeed.kind == "Sign"
    else:
        check_end(table, misdeed)


def check_blame(table: SimTable, misdeed: Misdeed) -> None:
    """All honest peers name the same rule, or none; an auditor of any record does, too."""
    expected = [[(CHEAT, misdeed.rule)]] if misdeed.rule else [[]]
    if may_end_first(misdeed) or (misdeed.tell and len(table.peers) == 2):
        # Alone with the cheat, a peer may hear the bad story first, and then no other.
        expected += [[], [(CHEAT, "digest")], [(CHEAT, "proof-encoding")]]
    for peer, verdict in zip(table.honest(), table.audits(), strict=True):
        found = [(fault.seat, fault.rule) for fault in peer.session.course.faults]
        assert found in expected
        assert verdict.is_valid == (not found)
        assert set(peer.blames()) >= set(found)
        named = [(verdict.fault.seat, verdict.fault.rule)] if verdict.fault else []
        assert named == found or (may_end_first(misdeed) and named in expected)
    assert len(table.verdicts()) == 1 or may_end_first(misdeed)


def check_waiting(table: SimTable) -> None:
    """Nobody is blamed for silence, and everybody knows who is waited for."""
    for peer in table.honest():
        assert peer.finished is None
        assert peer.session.course.missing() == (CHEAT,)


def check_voted_absent(table: SimTable, misdeed: Misdeed) -> None:
    """Silence is a vote, with its voters, and never a fault; the others play on without it."""
    has_charter = all(peer.session.charter for peer in table.honest())
    can_vote = has_charter and len(table.peers) > 2
    for seat, peer in enumerate(table.peers):
        if peer.is_honest:
            table.at(seat, lambda session: session.propose_absent(CHEAT))
    table.finish(ticks=8 if can_vote else 1)
    assert bool(votes_against(table)) == can_vote
    if not can_vote:  # half a table is no majority, and before the charter there is no table
        leave_all(table)
    is_closed = is_at_open_books(misdeed)  # its silence comes too late to undo the result
    check_silence_pays_nothing(table, "finished" if can_vote or is_closed else "abandoned")


def votes_against(table: SimTable) -> set[tuple[int, tuple[int, ...]]]:
    """Who was voted absent, by whom, as the honest peers were told."""
    told = [effect for peer in table.honest() for effect in peer.seen]
    return {(one.seat, one.voters) for one in told if isinstance(one, VotedOut)}


def leave_all(table: SimTable) -> None:
    for seat, peer in enumerate(table.peers):
        if peer.is_honest:
            table.at(seat, lambda session: session.leave())
    table.finish()
    for seat, peer in enumerate(table.peers):
        if peer.is_honest and not peer.finished:
            table.at(seat, lambda session: session.abandon())


def check_silence_pays_nothing(table: SimTable, outcome: str) -> None:
    (over,) = table.outcomes()
    assert over.outcome == outcome
    assert table.faults() == []
    settled = table.honest()[0].session.play.results
    won_before = bool(settled) and outcome == "finished" and CHEAT in over.winners
    assert CHEAT not in over.winners or won_before
    for absent, voters in votes_against(table):
        assert absent == CHEAT
        assert 2 * len(voters) > len(table.peers) and CHEAT not in voters
    assert all(verdict.fault is None for verdict in table.audits())


def check_end(table: SimTable, misdeed: Misdeed) -> None:
    """The game goes on without the cheat, and what was settled stands."""
    (over,) = table.outcomes()
    (_,) = table.digests()
    present = table.honest()[0].session.view().present
    settled = table.honest()[0].session.play.results
    assert over.scores == (settled[-1].scores if settled else (0,) * len(table.peers))
    if not misdeed.rule:
        assert over.outcome == "finished"
        assert present[CHEAT]
    elif is_at_open_books(misdeed):
        # The game was over by the last result, and only its books were to be opened.
        assert over.outcome == "finished"
    elif len(table.peers) == 2 or (misdeed in CHARTER and misdeed.kind != "Sign"):
        # Who lies about the last result cannot undo it.
        is_settled = is_at_end_of_hand(misdeed)
        assert (over.outcome, over.winners) == ("fault", ()) or is_settled
    else:
        assert over.outcome == "finished"
        assert is_at_end_of_hand(misdeed) or not present[CHEAT]
        assert is_at_end_of_hand(misdeed) or CHEAT not in over.winners
    assert NOBODY not in over.winners


def test_every_misdeed_has_a_name_of_its_own() -> None:
    names = {misdeed.name for misdeed in TRIED}
    assert len(names) == len(TRIED)


def is_like_another(misdeed: Misdeed) -> bool:
    """A hand is shuffled like the deck, and a card is shown like a draw is shared."""
    return misdeed.reason in (MIX, SHOW)


def id_of(misdeed: Misdeed) -> str:
    return misdeed.name.replace(" ", "-")


FEWER = [one for one in TRIED if not is_like_another(one)]
LIKE_OTHERS = [one for one in TRIED if is_like_another(one)]


def by_kind(misdeed: Misdeed) -> tuple[str, str]:
    """Misdeeds that end alike: the same rule, and where there is none, the same message."""
    return misdeed.rule, "" if misdeed.rule else misdeed.kind


@pytest.mark.parametrize("misdeed", one_of_each_quick(FEWER, by_kind, id_of))
def test_three_peers_stand_up_to_it(misdeed: Misdeed) -> None:
    check(misdeed, 3)


@pytest.mark.slow
@pytest.mark.parametrize("misdeed", LIKE_OTHERS, ids=id_of)
def test_three_peers_stand_up_to_this_too(misdeed: Misdeed) -> None:
    check(misdeed, 3)


def with_seats(seats: int) -> list[Any]:
    """All misdeeds that can be tried with so many."""
    fitting = [one for one in TRIED if one.seats_min <= seats]
    return [pytest.param(one, seats, id=f"{id_of(one)}-{seats}") for one in fitting]


@pytest.mark.slow
@pytest.mark.parametrize(("misdeed", "seats"), [*with_seats(2), *with_seats(5)])
def test_fewer_and_more_peers_stand_up_to_it(misdeed: Misdeed, seats: int) -> None:
    check(misdeed, seats)
