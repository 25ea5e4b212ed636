"""Turning back: two stories and absence put a seat out, and the others play the hand anew."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pjong.audit import audit
from p2pjong.games.game import Game, Seat
from p2pjong.session.conduct import Secrets
from p2pjong.session.effects import Finished, Send, Store, VotedOut
from p2pjong.session.lanes import sign_body
from p2pjong.session.session import Session
from p2pjong.session.turning import Turning
from p2pjong.wire.codec import decode
from p2pjong.wire.messages import (
    ActCommit,
    Convict,
    Draft,
    Evidence,
    KeyCommit,
    Lane,
    LaneBody,
    Payload,
    TossCommit,
)
from tests.support.marks import first_quick
from tests.support.sim import (
    ALL_GAMES,
    Chaos,
    SessionMaker,
    SimTable,
    choose_default,
    make_draft,
    tiny_draft,
)

OTHER = b"\x07" * 32
COMMITS = (TossCommit, KeyCommit, ActCommit)


class TwoFaced(Session):
    """Tells the first other seat one story and the rest another, once, where both are lawful."""

    def __init__(self, draft: Draft, game: Game, secrets: Secrets, at: int = 1) -> None:
        super().__init__(draft, game, secrets)
        self._own = secrets
        self._left = at

    def _say(self, payload: Payload) -> None:
        self._left -= isinstance(payload, COMMITS)
        if self._left or not isinstance(payload, COMMITS):
            super()._say(payload)
            return
        before = len(self._effects)
        super()._say(payload)
        sent = [effect for effect in self._effects[before:] if isinstance(effect, Send)]
        body: LaneBody = decode(decode(sent[0].frame, Lane).body, LaneBody)
        other = sign_body(replace(body, payload=replace(payload, commitment=OTHER)), self._own.sign)
        first, *rest = [seat for seat in range(len(self.draft.seats)) if seat != self.me]
        self._effects = [effect for effect in self._effects if effect not in sent]
        self._effects.append(Send(other.frame, first))
        self._effects += [Send(sent[0].frame, seat) for seat in rest]


def two_faced(at: int) -> Callable[[Draft, Game, Secrets], Session]:
    return lambda draft, game, secrets: TwoFaced(draft, game, secrets, at)


def outcome(peer: Any) -> Finished:
    assert peer.finished is not None, peer.session.course
    finished: Finished = peer.finished
    return finished


def check_agreement(table: SimTable, cheat: Seat) -> Finished:
    """All honest peers ended alike and name the cheat alone, and each journal proves it."""
    ends = [outcome(peer) for peer in table.honest()]
    assert all(end == ends[0] for end in ends)
    for peer in table.honest():
        assert {seat for seat, _ in peer.blames()} == {cheat}
        verdict = audit(
            table.draft, [decode(frame, Lane | Evidence) for frame in peer.journal], ALL_GAMES
        )
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.rule) == (cheat, "equivocation")
        assert verdict.digest == ends[0].digest
        assert verdict.outcome == ends[0].over.outcome
    return ends[0]


# Each message at which it happens once, and each seat once; the rest is for the slow tests.
EACH_ONCE = [(at, at) for at in (1, 4)]
STORIES = [(at, seed) for at in (1, 2, 3, 4) for seed in range(6)]


@pytest.mark.parametrize(
    ("at", "seed"),
    [one if one in EACH_ONCE else pytest.param(*one, marks=pytest.mark.slow) for one in STORIES],
)
def test_who_tells_two_stories_is_out_and_the_others_play_on(at: int, seed: int) -> None:
    cheat = seed % 4
    table = SimTable(4, seed, draft=tiny_draft(4, target=3), makers={cheat: two_faced(at)})
    end = check_agreement(table.start().finish(), cheat)
    assert end.over.outcome == "finished"
    assert cheat not in end.over.winners
    assert end.fault is not None and end.fault.seat == cheat


def test_with_two_seats_two_stories_end_the_game() -> None:
    table = SimTable(2, 1, makers={1: two_faced(2)}).start().finish()
    end = outcome(table.peers[0])
    # Alone with the cheat nobody has heard the other story: its commitment does not open.
    assert end.over.outcome == "fault"
    assert end.over.winners == ()


@pytest.mark.parametrize("seed", first_quick(range(4)))
def test_two_who_tell_two_stories_are_both_out(seed: int) -> None:
    makers: dict[Seat, SessionMaker] = {1: two_faced(1 + seed % 3), 3: two_faced(2)}
    table = SimTable(5, seed, draft=tiny_draft(5, target=2), makers=makers).start().finish()
    ends = [outcome(peer) for peer in table.honest()]
    assert all(end == ends[0] for end in ends)
    assert ends[0].over.outcome == "finished"
    assert not {1, 3} & set(ends[0].over.winners)


@pytest.mark.parametrize("seed", first_quick(range(6)))
def test_a_network_in_disorder_changes_nothing(seed: int) -> None:
    chaos = Chaos(twice=0.1, lost=0.05, cut=0.01, tick=0.05)
    draft = tiny_draft(4, target=2)
    table = SimTable(4, seed, draft=draft, makers={2: two_faced(3)}, chaos=chaos)
    check_agreement(table.start().finish(20), 2)


@pytest.mark.parametrize("seed", first_quick(range(8), 2))
def test_who_leaves_right_after_the_new_beginning_leaves_for_all_alike(seed: int) -> None:
    draft = tiny_draft(5, target=2)
    table = SimTable(5, seed, draft=draft, makers={1: two_faced(2)}, choose=choose_default)
    table.start().run_until(lambda table: bool(table.peers[3].session.turning.done))
    table.at(3, lambda session: session.leave())
    table.finish(20)
    ends = [outcome(table.peers[seat]) for seat in (0, 2, 4)]
    assert all(end == ends[0] for end in ends)
    assert ends[0].over.outcome == "finished"
    assert not {1, 3} & set(ends[0].over.winners)


@pytest.mark.slow
@pytest.mark.parametrize("at", first_quick((5, 6, 7)))
def test_scores_of_ended_hands_stand(at: int) -> None:
    draft = tiny_draft(3, target=5)
    table = SimTable(3, at, draft=draft, makers={0: two_faced(at)}).start().finish()
    end = check_agreement(table, 0)
    assert end.over.outcome == "finished"


@pytest.mark.slow
def test_a_game_of_samurai_warfare_goes_on_after_two_stories() -> None:
    """Its epoch outlives its results: all cards are shuffled anew (G6)."""
    draft = make_draft(3, "samurai-warfare", 1)
    table = SimTable(3, 5, draft=draft, makers={1: two_faced(2)})
    end = check_agreement(table.start().finish(), 1)
    assert end.over.outcome == "finished" and 1 not in end.over.winners


# --- Absence ----------------------------------------------------------------------------------


def fall_silent(table: SimTable, seat: Seat, after: int) -> None:
    """Let a peer fall off the network after so many deliveries."""
    table.run_until(lambda at: at.delivered >= after)
    for other in range(len(table.peers)):
        if other != seat:
            table.cut(seat, other)
    table.run()


def propose(table: SimTable, voters: tuple[Seat, ...], absent: Seat) -> None:
    for voter in voters:
        table.at(voter, lambda session: session.propose_absent(absent))
    table.run()


def present_ends(table: SimTable, absent: Seat) -> list[Finished]:
    return [outcome(peer) for seat, peer in enumerate(table.peers) if seat != absent]


@pytest.mark.parametrize("after", [75, 90, 110])
def test_a_strict_majority_votes_a_silent_seat_absent(after: int) -> None:
    table = SimTable(4, 5, draft=tiny_draft(4, target=2)).start()
    fall_silent(table, 3, after)
    assert not table.is_finished()
    propose(table, (0, 1), 3)
    assert not any(isinstance(seen, VotedOut) for seen in table.peers[0].seen)
    propose(table, (2,), 3)
    ends = present_ends(table, 3)
    assert all(end == ends[0] for end in ends)
    assert ends[0].over.outcome == "finished" and 3 not in ends[0].over.winners
    assert ends[0].fault is None
    lanes = [decode(frame, Lane) for frame in table.peers[1].journal]
    verdict = audit(table.draft, lanes, ALL_GAMES)
    assert verdict.is_valid and verdict.digest == ends[0].digest


def test_two_seats_never_vote_each_other_absent() -> None:
    table = SimTable(2, 5).start()
    fall_silent(table, 1, 20)
    propose(table, (0,), 1)
    assert not any(isinstance(seen, VotedOut) for seen in table.peers[0].seen)
    assert not table.peers[0].finished


def test_neither_half_of_a_split_table_votes_the_other_absent() -> None:
    table = SimTable(4, 5, draft=tiny_draft(4, target=2)).start()
    table.run_until(lambda at: at.delivered >= 70)
    for one in (0, 1):
        for other in (2, 3):
            table.cut(one, other)
    table.run()
    propose(table, (0, 1), 2)
    propose(table, (0, 1), 3)
    propose(table, (2, 3), 0)
    propose(table, (2, 3), 1)
    assert not any(isinstance(seen, VotedOut) for peer in table.peers for seen in peer.seen)
    table.finish()
    ends = [outcome(peer) for peer in table.peers]
    assert all(end == ends[0] for end in ends) and ends[0].over.outcome == "finished"


def test_who_comes_back_before_the_majority_is_forgiven() -> None:
    table = SimTable(4, 5, draft=tiny_draft(4, target=2)).start()
    fall_silent(table, 3, 70)
    propose(table, (0, 1), 3)
    table.finish()
    ends = [outcome(peer) for peer in table.peers]
    assert all(end == ends[0] for end in ends) and ends[0].over.outcome == "finished"
    assert not any(isinstance(seen, VotedOut) for peer in table.peers for seen in peer.seen)


def test_who_was_voted_absent_learns_of_it_when_it_returns() -> None:
    table = SimTable(4, 5, draft=tiny_draft(4, target=2)).start()
    fall_silent(table, 3, 70)
    propose(table, (0, 1, 2), 3)
    table.finish()
    end = outcome(table.peers[3])
    assert end.over.outcome == "abandoned" and end.fault is None


def test_false_evidence_falls_back_on_its_author() -> None:
    class Slanderer(Session):
        """Holds up one message of seat 0 as if it were two."""

        has_spoken = False

        def _say(self, payload: Payload) -> None:
            super()._say(payload)
            if isinstance(payload, KeyCommit) and not self.has_spoken:
                self.has_spoken = True
                stamp = self.lanes.accepted[0][0].stamp
                super()._say(Convict(stamp, stamp))

    makers: dict[Seat, SessionMaker] = {1: Slanderer}
    table = SimTable(4, 2, draft=tiny_draft(4, target=2), makers=makers).start().finish()
    ends = [outcome(peer) for peer in table.honest()]
    assert all(end == ends[0] for end in ends)
    for peer in table.honest():
        assert set(peer.blames()) == {(1, "false-evidence")}


def test_the_place_after_a_turning_names_who_is_out_and_where_it_begins() -> None:
    turning = Turning(out={2})
    turning.close()
    charter, digests = b"c" * 32, (b"d" * 32, b"e" * 32)
    places = {turning.place(charter, n, digest) for n in range(3) for digest in digests}
    turning.out.add(1)
    turning.close()
    assert turning.place(charter, 0, digests[0]) not in places
    assert len(places) == 6


def test_what_is_stored_holds_the_words_of_all_who_stayed() -> None:
    table = SimTable(4, 1, draft=tiny_draft(4, target=2), makers={1: two_faced(2)})
    table.start().finish()
    for peer in table.honest():
        stored = [effect.frame for effect in peer.seen if isinstance(effect, Store)]
        bodies = [decode(decode(frame, Lane).body, LaneBody) for frame in stored]
        speakers = {body.seat for body in bodies if isinstance(body.payload, Convict)}
        assert speakers == {0, 2, 3}
