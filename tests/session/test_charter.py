"""The charter: nonces that nobody could fit, and words that are equal on all screens."""

import pytest
from msgspec.structs import replace as with_fields

from p2pjong.session.charter import (
    charter_hash,
    draft_hash,
    has_anyone_left,
    unsigned,
    unsigned_for_others,
)
from p2pjong.session.effects import Words
from p2pjong.session.lanes import sign_body
from p2pjong.session.session import Session
from p2pjong.wire.messages import Charter, Draft, Leave, NonceCommit, NonceOpen, Payload, Sign
from tests.support.marks import first_quick
from tests.support.sim import SimTable, choose_default, make_secrets, tiny_draft

CHEAT = 3


def charter_of(table: SimTable) -> bytes:
    (charter,) = {peer.session.charter for peer in table.peers}
    assert charter is not None
    return charter


@pytest.fixture(scope="module")
def table() -> SimTable:
    """Four seats that have signed."""
    table = SimTable(4, seed=5).start()
    assert table.run_until(lambda table: all(peer.session.charter for peer in table.peers))
    return table


def lane(session: Session, seat: int) -> list[object]:
    return [signed.body.payload for signed in session.lanes.accepted[seat][:3]]


def test_every_seat_commits_opens_and_signs(table: SimTable) -> None:
    for seat in range(4):
        commitment, opening, signature = lane(table.peers[0].session, seat)
        assert isinstance(commitment, NonceCommit)
        assert isinstance(opening, NonceOpen)
        assert signature == Sign(charter_of(table))


def test_no_nonce_is_opened_before_all_are_committed_to(table: SimTable) -> None:
    for seat in range(4):
        opening = table.peers[0].session.lanes.accepted[seat][1]
        assert all(head.length >= 1 for head in opening.body.heads)


def test_the_charter_is_the_draft_with_all_nonces_in_order(table: SimTable) -> None:
    openings = [table.peers[1].session.lanes.accepted[seat][1].body.payload for seat in range(4)]
    nonces = tuple(one.nonce for one in openings if isinstance(one, NonceOpen))
    assert len(set(nonces)) == 4
    assert charter_of(table) == charter_hash(Charter(draft_hash(table.draft), nonces))


def test_all_show_the_same_words(table: SimTable) -> None:
    shown = {
        effect.words for peer in table.peers for effect in peer.seen if isinstance(effect, Words)
    }
    assert len(shown) == 1


def test_the_place_is_the_draft_up_to_the_signing_and_the_charter_after_it(
    table: SimTable,
) -> None:
    session = table.peers[2].session
    for seat in range(4):
        places = [signed.body.place for signed in session.lanes.accepted[seat]]
        assert places[:3] == [draft_hash(table.draft)] * 3
        assert set(places[3:]) <= {charter_of(table)}
    assert session.course.place == charter_of(table)


@pytest.mark.parametrize("seat", range(3))
def test_one_other_nonce_makes_another_charter(seat: int) -> None:
    def charter(seeds: list[int]) -> bytes:
        table = SimTable(3)
        for peer, seed in zip(table.peers, seeds, strict=True):
            peer.session = SimTable(3, seed).peers[table.peers.index(peer)].session
        table.start().run_until(lambda table: all(peer.session.charter for peer in table.peers))
        return charter_of(table)

    seeds = [1, 1, 1]
    before = charter(seeds)
    seeds[seat] = 2
    assert charter([1, 1, 1]) == before != charter(seeds)


DRAFTS = [
    with_fields(tiny_draft(2), table=bytes([9]) * 16),
    with_fields(tiny_draft(2), name="another table"),
    with_fields(tiny_draft(2), game="tiny-4"),
    tiny_draft(2, target=2),
    tiny_draft(3),
    with_fields(tiny_draft(2), seats=tiny_draft(2).seats[::-1]),
    with_fields(tiny_draft(2), seats=(tiny_draft(2).seats[0],) * 2),
]


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_field_of_a_draft_is_in_its_hash(draft: Draft) -> None:
    assert draft_hash(draft) != draft_hash(tiny_draft(2))


def test_seats_that_were_shown_other_drafts_never_come_together() -> None:
    """A host that shows each joiner another table gets no charter out of it."""
    table = SimTable(2)
    other = with_fields(table.draft, name="another table")
    table.peers[1].session = SimTable(2, draft=other).peers[1].session
    table.start().finish()
    assert [peer.session.charter for peer in table.peers] == [None, None]
    assert all("another table" in " ".join(peer.refusals) for peer in table.peers)
    assert table.faults() == []


@pytest.mark.parametrize("seed", range(3))
def test_who_leaves_before_all_nonces_are_open_ends_the_table_without_blame(seed: int) -> None:
    table = SimTable(3, seed=seed).start()
    table.at(1, lambda session: session.leave())
    table.finish()
    (over,) = table.outcomes()
    assert (over.outcome, over.winners) == ("abandoned", ())
    assert table.faults() == []


class Quitter(Session):
    """Leaves when it should sign the charter."""

    def _say(self, payload: Payload) -> None:
        self._has_left = isinstance(payload, Sign)
        super()._say(Leave() if self._has_left else payload)


@pytest.mark.parametrize("seed", range(3))
def test_who_leaves_instead_of_signing_is_out_and_the_others_play(seed: int) -> None:
    """What is signed is fixed by then: for some it may have been signed by all."""
    table = SimTable(3, seed=seed, makers={1: Quitter}).start().finish()
    (over,) = table.outcomes()
    assert table.is_finished() and table.faults() == []
    assert over.outcome == "finished" and 1 not in over.winners


@pytest.mark.slow
@pytest.mark.parametrize("late", first_quick([False, True]))
@pytest.mark.parametrize("number", [0, 1, 2])
def test_two_stories_in_the_charter_come_to_the_same_for_all(number: int, late: bool) -> None:
    """Told before or after the charter is signed, to one of three honest peers."""
    for seed in range(4):
        table = SimTable(4, seed=seed, draft=tiny_draft(4), choose=choose_default).start()
        table.peers[CHEAT].is_honest = False
        cheat = table.peers[CHEAT].session
        table.run_until(lambda table: len(cheat.lanes.accepted[CHEAT]) > number)  # noqa: B023
        story = cheat.lanes.accepted[CHEAT][number]
        body = with_fields(story.body, digest=bytes(32))
        other = sign_body(body, make_secrets(table.draft, CHEAT, seed).sign)
        if late:
            table.run_until(lambda table: any(peer.session.charter for peer in table.honest()))
            honest = [peer.session.charter for peer in table.honest()]
            victim = honest.index(None) if None in honest else 0
        else:
            victim = 0
        table.hand_over(CHEAT, victim, other.frame)
        table.finish(20)
        assert table.is_finished()
        assert len(table.outcomes()) == len(table.digests()) == 1
        for peer in table.honest():
            assert {seat for seat, _ in peer.blames()} <= {CHEAT}
            assert peer.finished is not None and CHEAT not in peer.finished.over.winners


def test_who_has_the_charter_hears_that_those_who_left_lacked_a_signature() -> None:
    """For them there was no game; for the one who has it all it was abandoned, or so it looks."""
    table = SimTable(3, 1, draft=tiny_draft(3)).start()
    first, second = table.peers[0].session, table.peers[1].session
    assert table.run_until(lambda _: first.charter is not None)
    assert second.charter is None, "in the order of this seed"
    assert unsigned_for_others(first.lanes, 0) == ()
    table.at(1, lambda session: session.leave())
    assert table.run_until(lambda _: first.course.is_closed(1))
    assert unsigned_for_others(first.lanes, 0) == (2,)


def test_a_game_that_was_left_once_all_had_signed_was_one() -> None:
    table = SimTable(3, 1, draft=tiny_draft(3)).start()
    assert table.run_until(lambda one: all(peer.session.charter for peer in one.peers))
    table.at(1, lambda session: session.leave())
    first = table.peers[0].session
    assert table.run_until(lambda _: first.course.is_closed(1))
    assert unsigned_for_others(first.lanes, 0) == ()


def test_for_want_of_whom_there_is_no_charter_is_known_to_all_who_left() -> None:
    """Who says nothing is named, and not those who left because of it."""
    table = SimTable(3, 1, draft=tiny_draft(3))
    for seat in (0, 1):
        table.carry_out(seat, table.peers[seat].session.begin())
    table.bring_up(0, 1)
    table.run()
    lanes = [table.peers[seat].session.lanes for seat in (0, 1)]
    assert not any(map(has_anyone_left, lanes))
    for seat in (1, 0):
        table.at(seat, lambda session: session.leave())
        table.run()
    assert all(map(has_anyone_left, lanes))
    assert unsigned(lanes[0], 0) == unsigned(lanes[1], 1) == (2,)


def test_where_all_but_us_have_left_those_are_named() -> None:
    table = SimTable(2, 1, draft=tiny_draft(2)).start()
    table.at(1, lambda session: session.leave())
    table.run()
    assert unsigned(table.peers[0].session.lanes, 0) == (1,)
