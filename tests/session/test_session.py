"""The session as its shell sees it: effects in order, questions, duplicates, leaving."""

import itertools
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.games.game import NOBODY, Action, IllegalAction, Seat
from p2pjong.session.draft import game_options
from p2pjong.session.effects import (
    Ask,
    Awaiting,
    Blame,
    Effect,
    Finished,
    Happened,
    Keep,
    Left,
    Progress,
    Rest,
    Send,
    Store,
    Withdraw,
    Words,
)
from p2pjong.session.faults import OtherTable, Refusal
from p2pjong.session.lanes import sign_body
from p2pjong.session.onlooker import Onlooker
from p2pjong.session.session import Session
from p2pjong.wire.codec import decode, encode
from p2pjong.wire.messages import Evidence, Have, Lane, TableMessage, Want
from tests.support.hostile import Misdeed, flipped, hostile
from tests.support.misdeeds import CHARTER, MISDEEDS
from tests.support.sim import (
    ALL_GAMES,
    SimTable,
    choose_default,
    make_draft,
    make_secrets,
    tiny_draft,
)

MISDEED = {misdeed.name: misdeed for misdeed in MISDEEDS}


def is_answering(table: SimTable) -> bool:
    """Whether two of three are asked for their answers to a discard."""
    return sum(peer.asked is not None and peer.asked.is_answer for peer in table.peers) == 2


def answering_table() -> SimTable:
    """Three seats, two of which are asked at once."""
    table = SimTable(3, seed=2, choose=choose_default).start()
    assert table.run_until(is_answering)
    return table


@pytest.fixture(scope="module")
def finished() -> SimTable:
    """A whole game of three; look, do not touch."""
    return SimTable(3, seed=4, draft=tiny_draft(3, target=2)).start().finish()


def effects_of(table: SimTable, kind: type[Any]) -> list[list[Any]]:
    return [[one for one in peer.seen if isinstance(one, kind)] for peer in table.peers]


# --- Effects ----------------------------------------------------------------------------------


def test_every_message_is_journaled_before_it_is_sent(finished: SimTable) -> None:
    for peer in finished.peers:
        stored: set[bytes] = set()
        for effect in peer.seen:
            if isinstance(effect, Store):
                stored.add(effect.frame)
            elif isinstance(effect, Send) and isinstance(decode(effect.frame, TableMessage), Lane):
                assert effect.frame in stored


def test_a_journal_holds_every_message_once_and_each_after_its_past(finished: SimTable) -> None:
    for peer in finished.peers:
        lanes = peer.session.lanes
        stored = [one for one in peer.seen if isinstance(one, Store)]
        assert len({(one.seat, one.number) for one in stored}) == len(stored)
        assert len(stored) == sum(lanes.lengths())
        counts = [0, 0, 0]
        for one in stored:
            assert one.number == counts[one.seat]
            heads = lanes.accepted[one.seat][one.number].body.heads
            assert all(head.length <= count for head, count in zip(heads, counts, strict=True))
            counts[one.seat] += 1


def test_everybody_sees_the_same_happen_and_only_their_own_cards(finished: SimTable) -> None:
    happened = effects_of(finished, Happened)
    assert len({tuple(one.event for one in seen) for seen in happened}) == 1
    for seat, seen in enumerate(happened):
        assert {one.view.seat for one in seen} == {seat}
    hands = {tuple(one.view.hand for one in seen) for seen in happened}
    assert len(hands) == 3, "three different views"


def test_the_words_are_shown_once_and_the_end_once(finished: SimTable) -> None:
    assert [len(seen) for seen in effects_of(finished, Words)] == [1, 1, 1]
    assert [len(seen) for seen in effects_of(finished, Finished)] == [1, 1, 1]
    for peer in finished.peers:
        ends = [place for place, one in enumerate(peer.seen) if isinstance(one, Finished)]
        later = peer.seen[ends[0] + 1 :]
        assert not [one for one in later if isinstance(one, Ask | Happened | Store)]


def test_progress_is_told_while_the_deck_is_shuffled(finished: SimTable) -> None:
    for seen in effects_of(finished, Progress):
        assert {(one.task, one.total) for one in seen} == {("shuffling", 3)}
        assert {one.done for one in seen} & {1, 2}
        assert {one.done for one in seen} <= {0, 1, 2, 3}


def test_who_is_awaited_is_told_with_a_reason(finished: SimTable) -> None:
    for seen in effects_of(finished, Awaiting):
        assert all(one.reason or not one.seats for one in seen)
        assert all(one != other for one, other in itertools.pairwise(seen))


# --- Questions --------------------------------------------------------------------------------


def test_a_question_offers_what_the_rules_allow_and_a_default_among_it() -> None:
    table = answering_table()
    for seat, peer in enumerate(table.peers):
        if peer.asked is None:
            continue
        state, known = peer.session.play.state, peer.session.dealer.known(seat)
        assert peer.asked.actions == table.game.legal(state, seat, known)
        assert peer.asked.default in peer.asked.actions
        assert (peer.asked.view.seat, peer.asked.view.reason) == (seat, "answer")
        assert seat in peer.asked.view.awaited


def asked_seat(table: SimTable) -> int:
    return next(seat for seat, peer in enumerate(table.peers) if peer.asked)


def test_an_illegal_choice_raises_and_changes_nothing() -> None:
    table = answering_table()
    seat = asked_seat(table)
    session, asked = table.peers[seat].session, table.peers[seat].asked
    assert asked is not None
    before = session.lanes.lengths()
    for action in (Action(seat, "discard", (0,)), Action(seat, "claim", (999,)), Action(9, "pass")):
        with pytest.raises(IllegalAction):
            session.answer(asked.question, action)
    assert session.lanes.lengths() == before
    assert session.drain() == []
    assert session.answer(asked.question, asked.default), "the question still stands"


def test_a_question_is_answered_once_and_stale_answers_are_dropped() -> None:
    table = answering_table()
    seat = asked_seat(table)
    session, asked = table.peers[seat].session, table.peers[seat].asked
    assert asked is not None
    assert session.answer(asked.question + 1, asked.default) == []
    assert session.answer(asked.question - 1, asked.default) == []
    assert session.answer(asked.question, asked.default)
    assert session.answer(asked.question, asked.default) == []


def test_every_question_has_a_number_of_its_own(finished: SimTable) -> None:
    for asked in effects_of(finished, Ask):
        numbers = [one.question for one in asked]
        assert numbers == sorted(set(numbers))


def test_only_secret_answers_are_marked_as_answers(finished: SimTable) -> None:
    for asked in effects_of(finished, Ask):
        for one in asked:
            assert one.is_answer == (one.view.reason == "answer")


# --- Frames -----------------------------------------------------------------------------------


def test_a_duplicate_of_any_message_has_no_effect(finished: SimTable) -> None:
    session = finished.peers[0].session
    before = (session.lanes.lengths(), session.play.public_digest(), session.course.step)
    for lane in session.lanes.accepted:
        for signed in lane:
            assert session.receive(1, decode(signed.frame, Lane)) == []
    assert (session.lanes.lengths(), session.play.public_digest(), session.course.step) == before


def test_duplicates_during_play_change_nothing() -> None:
    table = answering_table()
    session = table.peers[0].session
    before = (session.lanes.lengths(), session.course.step, session.course.missing())
    for frame in table.peers[1].journal:
        try:
            effects = session.receive(2, decode(frame, Lane))
        except Refusal:
            continue
        assert not [one for one in effects if isinstance(one, Happened | Blame)]
    assert session.course.faults == []
    assert session.lanes.lengths() >= before[0]


def test_every_frame_of_another_table_is_dropped_without_blame() -> None:
    """A rematch has the same seats: whoever keeps the last game's messages can send them again."""
    last = SimTable(3, seed=4, draft=tiny_draft(3)).start().finish()
    again = with_fields(last.draft, table=bytes(15) + b"\x09")
    table = SimTable(3, seed=6, draft=again, choose=choose_default).start()
    assert table.run_until(is_answering)
    session = table.peers[0].session
    for peer in last.peers:
        for frame in peer.journal:
            with pytest.raises(OtherTable):
                session.receive(1, decode(frame, Lane))
    stamps = [signed.stamp for signed in last.peers[1].session.lanes.accepted[1][:2]]
    others: list[TableMessage] = [
        Have(last.peers[0].session.gossip.draft, (0, 0, 0), 0),
        Want(last.peers[0].session.gossip.draft, 0, 0, bytes(32)),
        Evidence(last.peers[0].session.gossip.draft, stamps[0], stamps[1]),
    ]
    for message in others:
        with pytest.raises(OtherTable):
            session.receive(1, message)
    assert session.course.faults == []


def test_evidence_that_proves_nothing_is_refused_and_convicts_nobody() -> None:
    table = answering_table()
    session = table.peers[0].session
    draft = session.gossip.draft
    one, two = (signed.stamp for signed in session.lanes.accepted[1][:2])
    forged = with_fields(one, hash=flipped(one.hash))
    for pair in ((one, one), (one, two), (one, forged)):
        with pytest.raises(Refusal):
            session.receive(2, Evidence(draft, *pair))
    assert session.course.faults == []
    assert not session.is_over


def test_a_peer_answers_after_the_end_what_others_still_lack(finished: SimTable) -> None:
    session = finished.peers[0].session
    session.tick()
    effects = session.receive(1, Have(session.gossip.draft, (0, 0, 0), 0))
    frames = [one.frame for one in effects if isinstance(one, Send) and one.to == 1]
    assert len(frames) == sum(session.lanes.lengths())


def test_nothing_after_the_end_undoes_it(finished: SimTable) -> None:
    """What all have signed stands, even if a seat then tells another story of an old message."""
    table = deepcopy_of(finished)
    session = table.peers[0].session
    cheat = table.peers[1].session
    old = cheat.lanes.accepted[1][4]
    secrets = cheat._secrets
    assert secrets is not None
    other = sign_body(with_fields(old.body, digest=flipped(old.body.digest)), secrets.sign)
    for message in (
        decode(other.frame, Lane),
        Evidence(session.gossip.draft, old.stamp, other.stamp),
    ):
        effects = session.receive(1, message)
        assert not [one for one in effects if isinstance(one, Finished | Store)]
    assert session.standing() == table.peers[0].finished.over  # type: ignore[union-attr]


def deepcopy_of(table: SimTable) -> SimTable:
    """A table of our own: the same game again."""
    return SimTable(len(table.peers), seed=4, draft=table.draft).start().finish()


# --- Leaving ----------------------------------------------------------------------------------


def test_who_leaves_is_asked_no_more_and_an_answer_that_was_under_way_is_dropped() -> None:
    table = answering_table()
    seat = asked_seat(table)
    session, asked = table.peers[seat].session, table.peers[seat].asked
    assert asked is not None
    effects = session.leave()
    assert Withdraw(asked.question) in effects
    assert Left(seat) in effects
    assert session.answer(asked.question, asked.default) == []
    assert session.leave() == []


def test_all_others_are_told_who_left() -> None:
    table = answering_table()
    seat = asked_seat(table)
    table.at(seat, lambda session: session.leave())
    table.finish()
    assert [Left(seat) in peer.seen for peer in table.peers] == [True] * 3
    assert table.faults() == []


def test_leaving_after_the_end_says_nothing(finished: SimTable) -> None:
    assert finished.peers[0].session.leave() == []


# --- Odds and ends ----------------------------------------------------------------------------


def test_options_come_from_the_draft() -> None:
    draft = tiny_draft(3, target=7)
    oldest = with_fields(draft.seats[1], is_oldest=True)
    draft = with_fields(draft, seats=(draft.seats[0], oldest, draft.seats[2]))
    options = game_options(draft)
    assert (options.target, options.rounds, options.oldest) == (7, 0, (1,))


def test_options_that_are_none_of_the_game_are_refused_before_anything_is_signed() -> None:
    draft = make_draft(2)
    rounds = with_fields(draft, options=with_fields(draft.options, rounds=5))
    with pytest.raises(ValueError):
        Session(rounds, ALL_GAMES["war-jhong"], make_secrets(rounds, 0))


@pytest.mark.parametrize("name", ["forges a signature", "names another table"])
def test_a_refused_frame_is_not_kept(name: str) -> None:
    table = SimTable(3, makers={1: hostile(MISDEED[name])}).start().finish()
    for peer in table.honest():
        assert peer.refusals
        lengths = peer.session.lanes.lengths()
        assert lengths[1] == min(lengths)
        assert len(peer.journal) == sum(lengths)


def test_the_same_messages_in_one_order_give_the_same_bytes(finished: SimTable) -> None:
    again = deepcopy_of(finished)
    for peer, other in zip(finished.peers, again.peers, strict=True):
        assert peer.journal == other.journal
        assert [encode(decode(frame, Lane)) for frame in peer.journal] == other.journal


# --- An onlooker ----------------------------------------------------------------------------------


def looked_on(table: SimTable, seat: Seat) -> tuple[Onlooker, list[Effect]]:
    """An onlooker that has heard the journal of this seat, and what it asked of its shell."""
    session = Onlooker(table.draft, table.game)
    effects = session.begin()
    for frame in table.peers[seat].journal:
        effects += session.read(decode(frame, Lane | Evidence))
    return session, effects


def test_an_onlooker_comes_to_what_the_peers_came_to_without_a_word(finished: SimTable) -> None:
    over = finished.peers[0].finished
    for seat in range(3):
        session, effects = looked_on(finished, seat)
        ended = [effect for effect in effects if isinstance(effect, Finished)]
        assert over is not None and ended == [over]
        assert not any(isinstance(effect, Send | Ask | Keep | Rest) for effect in effects)
        assert session.leave() == []


def test_an_onlooker_sees_what_everyone_may(finished: SimTable) -> None:
    _, effects = looked_on(finished, 0)
    theirs = [seen for seen in finished.peers[0].seen if isinstance(seen, Happened)]
    heard = [effect for effect in effects if isinstance(effect, Happened)]
    assert len(heard) == len(theirs)
    for mine, ours in zip(heard, theirs, strict=True):
        assert mine.view.seat == NOBODY and not mine.view.hand
        assert mine.view.scores == ours.view.scores


@pytest.mark.parametrize("misdeed", CHARTER, ids=lambda misdeed: misdeed.name)
def test_an_onlooker_blames_whom_the_peers_blame_where_there_is_no_charter(
    misdeed: Misdeed,
) -> None:
    table = SimTable(3, 1, makers={1: hostile(misdeed)}, choose=choose_default).start().finish()
    for seat, peer in enumerate(table.peers):
        if peer.is_honest and peer.finished is not None:
            session, effects = looked_on(table, seat)
            assert session.verdict == peer.session.verdict
            assert [effect for effect in effects if isinstance(effect, Finished)] == [peer.finished]
